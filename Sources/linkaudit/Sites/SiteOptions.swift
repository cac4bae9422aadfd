internal import AccessLogs
internal import ArgumentParser
internal import Foundations
internal import LinkAuditing
internal import Reporting
internal import SystemPackage
internal import UniversalLinks

struct SiteOptions: ParsableArguments {
  @Option(
    name: .customLong("aasa"),
    help: .usual("Read this association file; '-' for standard input.", "file"),
    completion: .file())
  private(set) var associationFile: String?

  @Option(
    help: .usual("Name the host of the association file, and of lines that record no host.", "host")
  )
  private(set) var host: String?

  @Option(
    name: .customLong("site"),
    help: .usual("Name a host and its association file; repeatable.", "host=file"),
    completion: .file())
  var sites: [String] = []

  func validate() throws {
    if let host, host.contains("=") {
      throw ValidationError(
        "'--host \(host)' is a host and a file; use '--site \(host.inCommand)'.")
    }
  }

  var hasFile: Bool { associationFile != nil || !sites.isEmpty }

  struct Definition {
    var host: String?
    var path: String
  }

  /// Returns the sites that the options name; a host must be named if it is needed.
  func definitions(needsHost: Bool) throws -> [Definition] {
    var definitions = try sites.map { try Self.definition(ofSite: $0) }
    if let associationFile {
      try refuse(
        if: needsHost && host == nil,
        "'--aasa' needs '--host HOST', the host of the association file.")
      definitions.append(
        Definition(
          host: try host.map { try HostArgument.validated($0, allowsWildcard: true) },
          path: associationFile))
    } else if host != nil, sites.isEmpty || !needsHost {
      throw ValidationError("'--host' needs '--aasa FILE', the association file of that host.")
    }
    try refuse(
      if: definitions.isEmpty,
      "no association file; pass '--aasa FILE --host HOST', or '--site HOST=FILE'.")
    if needsHost, associationFile == nil, let host {
      _ = try HostArgument.validated(host, allowsWildcard: false)
    }
    var hosts: Set<String> = []
    let named = definitions.compactMap(\.host)
    if let twice = named.first(where: { !hosts.insert($0).inserted }) {
      throw ValidationError("the host '\(twice)' is there twice; pass one file for each host.")
    }
    return definitions
  }

  static func definition(ofSite site: String) throws -> Definition {
    guard let equals = site.firstIndex(of: "="), equals > site.startIndex,
      site.index(after: equals) < site.endIndex
    else {
      throw ValidationError(
        "'--site \(site)' is not a host and a file; write it as '--site www.example.com=aasa.json'."
      )
    }
    let (host, path) = (String(site[..<equals]), String(site[site.index(after: equals)...]))
    try refuse(
      if: InputFile.type(at: host) == .regular && InputFile.type(at: path) != .regular
        && path != "-",
      "'--site \(site)': the host comes first; write '--site \(path.inCommand)=\(host.inCommand)'.")
    return Definition(host: try HostArgument.pattern(host), path: path)
  }

  /// Returns the sites that the options name, where there may be no association file; a host alone
  /// is that of lines that name none.
  func definitionsIfAny() throws -> [Definition] {
    guard associationFile == nil, sites.isEmpty else { return try definitions(needsHost: true) }
    if let host { _ = try HostArgument.validated(host, allowsWildcard: false) }
    return []
  }
}

extension SiteOptions.Definition {
  struct LoadedFile {
    var file: AssociationFile
    var path: String?
    var content: [UInt8]
  }

  fileprivate func loadFile() throws -> LoadedFile {
    let name = path == "-" ? "standard input" : path
    let bytes = try InputFile.read(path, what: "the association file")
    let file = try decode(bytes, name)
    let isTooLarge = bytes.count > AssociationFile.sizeLimit
    if isTooLarge {
      warn(
        "\(name) has \(bytes.count.grouped) bytes; systems ignore files of more than "
          + "\(AssociationFile.sizeLimit.grouped), so it has no effect on devices")
    }
    if !file.hasUniversalLinks {
      warn("\(name) has no 'applinks' object, so it claims nothing; is it the right file?")
    } else if file.entries.allSatisfy(\.namedApps.isEmpty) {
      warn("\(name) names no app in 'applinks.details', so it claims nothing")
    } else if !isTooLarge {
      complainAboutMistakes(in: bytes, name)
    }
    return LoadedFile(file: file, path: path == "-" ? nil : path, content: bytes)
  }

  private func decode(_ bytes: [UInt8], _ name: String) throws -> AssociationFile {
    let file: AssociationFile
    do throws(AssociationFileError) {
      file = try AssociationFile(decoding: bytes)
    } catch {
      try LogRecognition.complaint(about: bytes, path: path)?.raise()
      let consequence =
        switch error {
        case .looksLike(.gzip) where path != "-": "; decompress it with 'gunzip \(path.inCommand)'"
        case .looksLike: ""
        default: "; systems ignore this file"
        }
      throw Complaint("\(name): \(error)\(consequence)")
    }
    // A line of JSON can also be a log.
    if !file.hasUniversalLinks { try LogRecognition.complaint(about: bytes, path: path)?.raise() }
    let patterns = file.patternByteCount
    guard patterns <= AssociationFile.patternByteLimit + 2 * bytes.count else {
      throw Complaint(
        "\(name): with its 'defaults', its patterns have \(patterns.grouped) bytes, which is too long; "
          + "shorten the patterns in 'defaults'")
    }
    return file
  }

  private func complainAboutMistakes(in bytes: [UInt8], _ name: String) {
    let options = LintOptions(host: host, provesRules: false)
    let mistakes = AssociationFile.lint(bytes, options: options).diagnostics.filter {
      $0.severity == .error
    }
    guard let first = mistakes.first else { return }
    warn(
      "\(name) has mistakes; line \(first.start.line): \(first.message) "
        + "For details, run 'linkaudit lint\(path == "-" ? "" : " " + path.inCommand)'")
  }
}

extension [SiteOptions.Definition] {
  /// Reads the association files in order; one that several hosts have is complained about once.
  func load() throws -> [SiteOptions.Definition.LoadedFile] {
    var files: [String: SiteOptions.Definition.LoadedFile] = [:]
    return try map { definition in
      if let host = definition.host { HostArgument.complainIfLocal(host) }
      let file = try files[definition.path] ?? definition.loadFile()
      files[definition.path] = file
      return file
    }
  }
}

struct RouteOptions: ParsableArguments {
  @Option(
    help: .usual(
      "Read the routes of the app from this file, one a line, such as '/buy/:id'. For one of several sites, write HOST=FILE.",
      "file"), completion: .file())
  var routes: [String] = []

  @Option(help: .rare("Read routes in this syntax, for a site as HOST=NAME.", "name"))
  var routeSyntax: [RouteSyntaxOption] = []
}

struct RouteSyntaxOption: ExpressibleByArgument {
  var host: String?
  var syntax: RouteSyntax

  init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = parts.last, let syntax = RouteSyntax(rawValue: name.lowercased()) else {
      return nil
    }
    host = parts.count == 2 ? parts[0].lowercased() : nil
    self.syntax = syntax
  }

  static var allValueStrings: [String] { RouteSyntax.allCases.map(\.name) }
  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}

struct AppOptions: ParsableArguments {
  @Option(
    name: .customLong("app"),
    help: .rare("Count this app only; for a site, write HOST=ID; repeatable.", "id"))
  var apps: [String] = []
}

/// Hosts as people write them, in options and configurations.
enum HostArgument {
  static func complainIfLocal(_ host: String) {
    if host.contains(".") { return }
    warn("the host '\(host)' has no full stop, so no app can be associated with it")
  }

  /// Reads a host, or `*.example.com` for all hosts below.
  static func pattern(_ text: String) throws -> String { try validated(text, allowsWildcard: true) }

  static func single(_ text: String) throws -> String { try validated(text, allowsWildcard: false) }

  /// Returns a host in lower case and in Punycode, as logs have it, or throws an error that says
  /// how to write one.
  static func validated(_ text: String, allowsWildcard: Bool) throws(ValidationError) -> String {
    let isWildcard = allowsWildcard && text.hasPrefix("*.")
    // The text may have been pasted from anywhere, so escape it.
    let name = isWildcard ? text.dropFirst(2) : text[...]
    let host = SafeText.escaped(InternationalName.ascii(name) ?? String(name))
    let labels = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let problem: String? =
      if host.contains(":"), !host.contains("/") {
        "has a port; leave it out: Universal Links work on the default ports only."
      } else if host.contains("*") {
        "has a wildcard; "
          + (allowsWildcard
            ? "it can only be the first label, as in '*.example.com'."
            : "pass a single host here, such as 'www.example.com'.")
      } else if host.contains(",") {
        "is a list; repeat the option for each host."
      } else if host.hasSuffix("."), host != "." {
        "ends with a full stop; leave it out."
      } else if !labels.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isInHostLabel) }) {
        "is not a host name; leave out scheme and path, as in 'www.example.com'."
      } else if labels.last?.allSatisfy(\.isDigit) ?? true {
        "is not a host name; pass a name, not an IP address: Universal Links need one."
      } else {
        nil
      }
    if let problem { throw ValidationError("'\(host)' \(problem)") }
    return (isWildcard ? "*." : "") + host.lowercased()
  }
}
