internal import ArgumentParser
internal import Foundations
internal import LinkAuditing
internal import SystemPackage
internal import UniversalLinks

/// The association files to judge, and their hosts.
struct SiteOptions: ParsableArguments {
  @Option(
    name: .customLong("aasa"),
    help: .usual(
      "Read the association file of --host from this file; '-' for standard input.",
      valueName: "file"),
    completion: .file())
  private(set) var associationFile: String?

  @Option(
    name: .customLong("host"),
    help: .usual(
      "Name the host of the association file, and of lines that record no host.",
      valueName: "host"))
  private(set) var host: String?

  @Option(
    name: .customLong("site"),
    help: .usual(
      "Name a host and its association file, instead of --host and --aasa; repeatable.",
      valueName: "host=file"),
    completion: .file())
  var sites: [String] = []

  func validate() throws {
    if let host, host.contains("=") {
      throw ValidationError(
        "'--host \(host)' is a host and a file; use '--site \(host.inCommand)'.")
    }
  }

  /// A Boolean value indicating whether an association file is named.
  var hasFile: Bool { associationFile != nil || !sites.isEmpty }

  /// Adds sites from a configuration: all of them, or the one of the named host.
  mutating func takeSites(of configuration: Configuration) {
    if let host {
      associationFile = configuration.site(of: host.lowercased())?.associationFile
    } else {
      sites = configuration.siteArguments
    }
  }

  /// A host and the path of its association file.
  struct Definition {
    var host: String?
    var path: String
  }

  /// Returns the sites that the options name; a host must be named if it is needed.
  func definitions(needsHost: Bool) throws -> [Definition] {
    var definitions: [Definition] = []
    for site in sites {
      definitions.append(try Self.definition(ofSite: site, allowsWildcard: true))
    }
    if let associationFile {
      if needsHost, host == nil {
        throw ValidationError(
          "'--aasa' needs '--host HOST', the host of the association file.")
      }
      definitions.append(
        Definition(
          host: try host.map { try HostArgument.validated($0, allowsWildcard: true) },
          path: associationFile))
    } else if host != nil, sites.isEmpty || !needsHost {
      throw ValidationError("'--host' needs '--aasa FILE', the association file of that host.")
    }
    guard !definitions.isEmpty else {
      throw ValidationError(
        "no association file; pass '--aasa FILE --host HOST', or '--site HOST=FILE'.")
    }
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

  /// Reads a value of `--site`.
  ///
  /// - Throws: `ValidationError` if it isn't a host and a file.
  static func definition(ofSite site: String, allowsWildcard: Bool) throws -> Definition {
    guard let equals = site.firstIndex(of: "="), equals > site.startIndex,
      site.index(after: equals) < site.endIndex
    else {
      throw ValidationError(
        "'--site \(site)' is not a host and a file; write it as '--site www.example.com=aasa.json'."
      )
    }
    let (host, path) = (String(site[..<equals]), String(site[site.index(after: equals)...]))
    if InputFile.type(at: host) == .regular, InputFile.type(at: path) != .regular, path != "-" {
      throw ValidationError(
        "'--site \(site)': the host comes first; write '--site \(path.inCommand)=\(host.inCommand)'."
      )
    }
    return Definition(
      host: try HostArgument.validated(host, allowsWildcard: allowsWildcard), path: path)
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
  /// An association file that has been read.
  struct LoadedFile {
    var file: AssociationFile

    /// The path, or `nil` for standard input.
    var path: String?

    /// The bytes.
    var content: [UInt8]
  }

  /// Reads and decodes the association file.
  func load() throws -> LoadedFile {
    complainAboutHost()
    return try loadFile()
  }

  fileprivate func complainAboutHost() {
    if let host, !host.contains(".") {
      StandardStreams.complain(
        "the host '\(host)' has no full stop, so no app can be associated with it")
    }
  }

  fileprivate func loadFile() throws -> LoadedFile {
    let name = path == "-" ? "standard input" : path
    let bytes = try InputFile.read(path, what: "the association file")
    let file = try decode(bytes, name)
    let isTooLarge = bytes.count > AssociationFile.sizeLimit
    if isTooLarge {
      StandardStreams.complain(
        "\(name) has \(bytes.count.grouped) bytes; systems ignore files of more than "
          + "\(AssociationFile.sizeLimit.grouped), so it has no effect on devices")
    }
    if !file.hasUniversalLinks {
      StandardStreams.complain(
        "\(name) has no 'applinks' object, so it claims nothing; is it the right file?")
    } else if file.entries.allSatisfy(\.namedApps.isEmpty) {
      StandardStreams.complain(
        "\(name) names no app in 'applinks.details', so it claims nothing")
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
      if let complaint = LogRecognition.complaint(about: bytes, path: path) { throw complaint }
      let consequence =
        switch error {
        case .looksLike(.gzip) where path != "-": "; decompress it with 'gunzip \(path.inCommand)'"
        case .looksLike: ""
        default: "; systems ignore this file"
        }
      throw Complaint("\(name): \(error)\(consequence)")
    }
    // A line of JSON can also be a log.
    if !file.hasUniversalLinks,
      let complaint = LogRecognition.complaint(about: bytes, path: path)
    {
      throw complaint
    }
    let patterns = file.patternByteCount
    guard patterns <= AssociationFile.patternByteLimit + 2 * bytes.count else {
      throw Complaint(
        "\(name): with its 'defaults', its patterns have \(patterns.grouped) bytes, which is too long; "
          + "shorten the patterns in 'defaults'")
    }
    return file
  }

  /// Reports on standard error that there are mistakes, because systems ignore them silently.
  private func complainAboutMistakes(in bytes: [UInt8], _ name: String) {
    let options = LintOptions(host: host, provesRules: false)
    let mistakes = AssociationFile.lint(bytes, options: options).diagnostics.filter {
      $0.severity == .error
    }
    guard let first = mistakes.first else { return }
    StandardStreams.complain(
      "\(name) has mistakes; line \(first.start.line): \(first.message) "
        + "For details, run 'linkaudit lint\(path == "-" ? "" : " " + path.inCommand)'")
  }
}

extension [SiteOptions.Definition] {
  /// Reads and decodes the association files, in order.
  ///
  /// A file that several hosts have is read, and complained about, once.
  func load() throws -> [SiteOptions.Definition.LoadedFile] {
    var files: [String: SiteOptions.Definition.LoadedFile] = [:]
    return try map { definition in
      definition.complainAboutHost()
      let file = try files[definition.path] ?? definition.loadFile()
      files[definition.path] = file
      return file
    }
  }
}

/// The options about the routes of apps.
struct RouteOptions: ParsableArguments {
  @Option(
    help: .usual(
      "Read the routes of the app from this file, one a line, such as '/buy/:id'. For one of several sites, write HOST=FILE.",
      valueName: "file"),
    completion: .file())
  var routes: [String] = []

  @Option(
    help: ArgumentHelp(
      "Read routes in this syntax. For one of several sites, write HOST=NAME. (default: detected)",
      valueName: "name"))
  var routeSyntax: [RouteSyntaxOption] = []
}

/// The syntax of the routes of all sites, or of one.
struct RouteSyntaxOption: ExpressibleByArgument {
  /// The host of the site, in lower case, or `nil` for all of them.
  var host: String?
  var syntax: RouteSyntax

  init(host: String?, syntax: RouteSyntax) {
    self.host = host
    self.syntax = syntax
  }

  /// Reads `NAME` or `HOST=NAME`.
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

/// The apps of sites that count.
struct AppOptions: ParsableArguments {
  @Option(
    name: .customLong("app"),
    help: ArgumentHelp(
      "Count this app only; repeatable. For one of several sites, write HOST=ID. (default: all apps of the file)",
      valueName: "id"))
  var apps: [String] = []
}
