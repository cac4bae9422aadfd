internal import Foundations

/// The associated domains and identifiers in an app's entitlements.
///
///     let entitlements = Entitlements(domains: ["applinks:www.example.com"])
///     let site = Entitlements.Site(host: "www.example.com", file: file, name: "aasa.json")
///     for diagnostic in entitlements.lint(against: [site]) { print(diagnostic.message) }
public struct Entitlements: Decodable, Hashable, Sendable {
  /// An association file with the host that serves it.
  public struct Site: Hashable, Sendable {
    /// The host in lower case, or `nil` if it isn't known; `*.example.com` stands for all
    /// hosts below.
    public var host: String?

    /// The file, or `nil` if it can't be read.
    public var file: AssociationFile?

    /// The name of the file for people.
    public var name: String

    /// Creates a site.
    public init(host: String?, file: AssociationFile?, name: String) {
      (self.host, self.file, self.name) = (host, file, name)
    }
  }

  /// The values of `com.apple.developer.associated-domains`, or `nil` if there is no such array.
  public var domains: [String]?

  /// The app's identifier, or `nil` if the file has none.
  ///
  /// It may begin with a build setting such as `$(AppIdentifierPrefix)`.
  public var app: String?

  /// Creates entitlements.
  public init(domains: [String]?, app: String? = nil) { (self.domains, self.app) = (domains, app) }

  private enum CodingKeys: String, CodingKey {
    case domains = "com.apple.developer.associated-domains"
    case app = "application-identifier"
    case macApp = "com.apple.application-identifier"
  }

  /// Reads entitlements; a value of another type counts as none.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    domains = try? values.decodeIfPresent([String].self, forKey: .domains)
    app =
      (try? values.decodeIfPresent(String.self, forKey: .app))
      ?? (try? values.decodeIfPresent(String.self, forKey: .macApp))
  }

  /// Finds the mistakes in the entitlements, alone and against association files.
  ///
  /// - Parameters:
  ///   - sites: The hosts that are audited.
  ///   - text: The file that the entitlements were read from, if people can read it; places are
  ///     looked up there.
  /// - Returns: The mistakes, in the order of the text.
  public func lint(against sites: [Site], text: [UInt8] = []) -> [LintDiagnostic] {
    var context = LintContext(text, options: LintOptions())
    context.checkEntitlements(self, sites: sites)
    return context.orderedDiagnostics
  }
}

/// A value of the entitlement `com.apple.developer.associated-domains` (Matching.md, 5.4):
/// `<service>:<host>[?mode=developer|managed|developer+managed]`.
struct AssociatedDomain {
  static let services = ["applinks", "webcredentials", "appclips", "activitycontinuation"]

  private(set) var service = ""

  /// The host in lower case, without the wildcard, and whether the value means the hosts below.
  private(set) var (host, isWildcard) = ("", false)

  /// The copy of the file that is requested, such as `developer`, or `nil`.
  private(set) var mode: String?

  /// The reason why the value is not a domain, in words that follow it, such as `names no host`, or
  /// `nil` if it is one.
  private(set) var problem: String?

  init(_ text: String) { problem = read(text) }

  /// Reads a value, and returns the problem that it has.
  private mutating func read(_ text: String) -> String? {
    let scheme = "has a scheme; a domain is only a host"
    let address = "has an IP address instead of a host name"
    if text.contains(where: \.isWhitespace) { return "contains white space" }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      return "has no service before the host; for links, it is 'applinks:'"
    }
    service = String(parts[0])
    var rest = parts[1]
    if ["http", "https"].contains(service) { return scheme }
    guard Self.services.contains(service) else {
      return "has a service that systems don't know, '\(service)'"
    }
    if rest.contains("://") { return scheme }
    if rest.hasPrefix("//") { return "has slashes before the host" }
    if let question = rest.firstIndex(of: "?") {
      let query = rest[rest.index(after: question)...]
      guard query.hasPrefix("mode=") else { return "has a query; systems know only '?mode='" }
      let name = String(query.dropFirst(5))
      guard ["developer", "managed", "developer+managed", "managed+developer"].contains(name) else {
        return "has an unknown mode, '\(name)'"
      }
      (mode, rest) = (name, rest[..<question])
    }
    if rest.contains(where: "/#".contains) {
      return "has a path; only the association file names paths"
    }
    if rest.contains("@") { return "has user information" }
    if rest.contains("[") { return address }
    // In developer mode, devices ask a server of the network directly (observed).
    let isForDevelopers = mode?.contains("developer") == true
    if let colon = rest.firstIndex(of: ":") {
      let port = UInt16(rest[rest.index(after: colon)...]) ?? 0
      guard isForDevelopers, port > 0 else {
        return "has a port; systems fetch the file from the default port"
      }
      rest = rest[..<colon]
    }
    let scope = HostScope(rest)
    (host, isWildcard) = (scope.name, scope.isWildcard)
    if host.isEmpty || host == "*" { return "names no host" }
    if host.contains("*") { return "has a '*' that is not the first label" }
    guard host.contains(".") || isForDevelopers && host == "localhost" else {
      return "has a host without a full stop"
    }
    guard host.utf8.allSatisfy({ $0 < 0x80 }) else {
      return "has a host that is not ASCII; write it in Punycode"
    }
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    guard labels.allSatisfy({ (1...63).contains($0.utf8.count) }) else {
      return "has an invalid host: labels have 1 to 63 characters, and a full stop separates them"
    }
    if host.utf8.allSatisfy({ $0.isDigit || $0 == 0x2E }) { return address }
    return isWildcard && service == "appclips"
      ? "has a wildcard, which app clips don't support" : nil
  }

  /// Returns the domain that a value was probably meant to be, without what no domain has, or `nil`
  /// if that isn't clear.
  static func correction(of text: String) -> String? {
    var rest = text.drop { $0.isWhitespace }
    var service = "applinks"
    if let colon = rest.firstIndex(of: ":"), case let name = rest[..<colon].lowercased(),
      let known = services.first(where: { $0 == name || name.isOneEdit(from: $0) })
    {
      service = known
      rest = rest[rest.index(after: colon)...]
    }
    if let scheme = rest.firstRange(of: "://") { rest = rest[scheme.upperBound...] }
    rest = rest.drop { $0 == "/" || $0.isWhitespace }
    let host = rest.prefix { !"/:?#".contains($0) && !$0.isWhitespace }
    let mode = rest.firstRange(of: "?mode=").map {
      rest[$0.lowerBound...].prefix { $0 != "/" && $0 != "#" && !$0.isWhitespace }
    }
    guard let name = InternationalName.ascii(host) else { return nil }
    let domain = "\(service):\(name)\(mode ?? "")"
    return domain != text && AssociatedDomain(domain).problem == nil ? domain : nil
  }

  /// Returns a Boolean value indicating whether URLs of a host, or of one of the hosts below one, are
  /// covered.
  ///
  /// A wildcard covers the hosts below at any depth, and as observed the host itself
  /// (Matching.md, 5.3).
  func covers(_ other: String) -> Bool {
    let scope = HostScope(other)
    return scope.name == host || isWildcard && scope.name.hasSuffix("." + host)
      || scope.isWildcard && scope.contains(host.utf8)
  }
}

extension DiagnosticKind {
  private static func domains(
    _ hosts: [String], fixed: [String] = ["www.example.com"]
  ) -> Example {
    func text(_ hosts: [String]) -> String {
      let values = hosts.map { "\"applinks:\($0)\"" }.joined(separator: ", ")
      return "\"com.apple.developer.associated-domains\": [\(values)]"
    }
    return (text(hosts), text(fixed))
  }

  static let noDomains = DiagnosticKind(
    "no-domains", .error, "Entitlements without a domain",
    meaning: "No link opens the app without 'applinks:HOST' in the entitlement "
      + "'com.apple.developer.associated-domains'.",
    remedy: "Add the capability Associated Domains, with 'applinks:HOST' for each host.",
    example: domains([]))

  static let malformedDomain = DiagnosticKind(
    "malformed-domain", .error, "Malformed associated domain",
    meaning: "A domain is a service, a colon and a host, without scheme, path, port or IP "
      + "address. Systems ignore others.", remedy: "Write it as 'applinks:www.example.com'.",
    example: domains(["https://www.example.com", "www.example.com"]))

  static let hostMissing = DiagnosticKind(
    "host-not-entitled", .error, "Host that is not in the entitlements",
    meaning: "Systems fetch the files of the hosts in the entitlements only. Links to other hosts "
      + "don't open the app.",
    remedy: "Add 'applinks:HOST' to the entitlements, and build the app again.",
    example: domains(["shop.example.com"], fixed: ["shop.example.com", "www.example.com"]))

  static let wwwHost = DiagnosticKind(
    "www-host", .error, "Only one of HOST and www.HOST is in the entitlements",
    meaning: "'www.example.com' and 'example.com' are two hosts. Each needs its own domain and its "
      + "own file, even if one redirects to the other.",
    remedy: "Add this host to the entitlements, and serve the file there, too.",
    example: domains(["example.com"], fixed: ["example.com", "www.example.com"]))

  static let apexByWildcard = DiagnosticKind(
    "apex-by-wildcard", .warning, "Host that only a wildcard covers",
    meaning: "Apple documents that '*.example.com' covers the subdomains of 'example.com'. Systems "
      + "also cover 'example.com', which may change. They fetch the file from " + "'example.com'.",
    remedy: "Add the host itself to the entitlements.",
    example: domains(["*.www.example.com"], fixed: ["*.www.example.com", "www.example.com"]))

  static let modeLeft = DiagnosticKind(
    "mode-left", .warning, "Domain with a mode for development",
    meaning: "With '?mode=developer', devices in developer mode ask the site directly. All other "
      + "devices ignore the domain. Apple asks you to remove it before you submit the app.",
    remedy: "Remove '?mode=…' before you submit the app to the App Store.",
    example: domains(["www.example.com?mode=developer"]))

  static let appNotNamed = DiagnosticKind(
    "app-not-named", .error, "Association file without the app",
    meaning: "Systems look for the app's identifier in the file. Without it, no link opens the "
      + "app.", remedy: "Add the app to 'appIDs', or correct the identifier.")

  static let hostWithoutFile = DiagnosticKind(
    "host-without-file", .note, "Host without an association file here",
    meaning: "Each host serves its own file. linkaudit did not check the file of this host, "
      + "because it does not have it.",
    remedy: "Pass the file with '--site HOST=FILE', or run 'linkaudit fetch HOST'.",
    example: domains(["www.example.com", "m.example.com"]))

  static let duplicateDomain = DiagnosticKind(
    "duplicate-domain", .note, "Domain that occurs twice", meaning: "The second one has no effect.",
    remedy: "Remove one of them.", example: domains(["www.example.com", "www.example.com"]))
}

extension LintContext {
  mutating func checkEntitlements(_ entitlements: Entitlements, sites: [Entitlements.Site]) {
    var links: [(domain: AssociatedDomain, range: Range<Int>)] = []
    var malformed: [String] = []
    var known: Set<String> = []
    let domains = entitlements.domains ?? []
    for (text, range) in zip(domains, places(of: domains)) {
      if !known.insert(text).inserted {
        report(.duplicateDomain, at: range, "'\(text)' occurs twice.")
        continue
      }
      let domain = AssociatedDomain(text)
      if let problem = domain.problem {
        malformed.append(text)
        report(
          .malformedDomain, at: range, "'\(text)' \(problem).",
          remedy: AssociatedDomain.correction(of: text).map { "Write '\($0)'." })
      } else if domain.service == "applinks" {
        links.append((domain, range))
        guard let mode = domain.mode else { continue }
        let devices = mode.contains("developer") ? "devices in developer mode" : "managed devices"
        report(.modeLeft, at: range, "'\(text)' is for \(devices). All others ignore it.")
      }
    }
    if links.isEmpty, malformed.isEmpty {
      report(
        .noDomains, at: 0..<0,
        entitlements.domains == nil
          ? "There is no array 'com.apple.developer.associated-domains'."
          : "'com.apple.developer.associated-domains' has no 'applinks:', so no link opens the app."
      )
      return
    }
    var files: Set<String> = []
    for site in sites {
      if let host = site.host, !malformed.contains(where: { $0.lowercased().contains(host) }) {
        checkHost(host, links)
      }
      if files.insert(site.name).inserted { checkApp(entitlements.app, site) }
    }
    let hosts = sites.compactMap(\.host)
    guard !hosts.isEmpty else { return }
    for (domain, range) in links
    where !hosts.contains(where: { domain.covers($0) || $0 == domain.host }) {
      report(.hostWithoutFile, at: range, "linkaudit has no association file for '\(domain.host)'.")
    }
  }

  private mutating func checkHost(
    _ host: String, _ links: [(domain: AssociatedDomain, range: Range<Int>)]
  ) {
    let covering = links.filter { $0.domain.covers(host) }
    if let first = covering.first {
      if covering.allSatisfy({ $0.domain.isWildcard && $0.domain.host == host }) {
        report(
          .apexByWildcard, at: first.range, "Only '*.\(first.domain.host)' covers '\(host)'.",
          remedy: "Add 'applinks:\(host)'.")
      }
      return
    }
    let other = host.hasPrefix("www.") ? String(host.dropFirst(4)) : "www." + host
    if let twin = links.first(where: { $0.domain.host == other }) {
      report(
        .wwwHost, at: twin.range,
        "The entitlements name '\(other)', but not '\(host)': links to '\(host)' don't open the app.",
        remedy: "Add 'applinks:\(host)', and serve the file there, too.")
    } else {
      report(
        .hostMissing, at: links.first?.range ?? 0..<0,
        "No domain covers '\(host)', so links to it don't open the app.",
        remedy: "Add 'applinks:\(host)'.")
    }
  }

  private mutating func checkApp(_ app: String?, _ site: Entitlements.Site) {
    guard let app, let file = site.file else { return }
    let named = file.entries.flatMap(\.namedApps)
    // Before the build is signed, its prefix isn't known.
    var bundle = app.hasPrefix("$(") ? app.drop { $0 != ")" }.dropFirst() : nil
    if bundle?.first == "." { bundle = bundle?.dropFirst() }
    // With another build setting, nothing can be compared.
    if bundle?.contains("$(") ?? false { return }
    let isNamed =
      bundle.map { bundle in
        named.contains { $0.text.split(separator: ".", maxSplits: 1).last == bundle }
      } ?? named.contains(ApplicationIdentifier(app))
    guard !isNamed else { return }
    let names = Set(named.map(\.text)).sorted().joined(separator: ", ")
    report(
      .appNotNamed, at: places(of: [app])[0],
      "The association file '\(site.name)' doesn't name '\(app)'; it names \(names.isEmpty ? "no app" : names)."
    )
  }

  /// Finds values in a property list, each after the one before; an empty range if one isn't there.
  private func places(of values: [String]) -> [Range<Int>] {
    // The texts between a tag and the next, the first one last.
    var places: [ArraySlice<UInt8>: [Range<Int>]] = [:]
    let pieces = text.split(separator: UInt8(ascii: "<"), omittingEmptySubsequences: false)
    for piece in pieces.dropLast().reversed() {
      guard let end = piece.lastIndex(of: UInt8(ascii: ">")) else { continue }
      let content = piece[(end + 1)...]
      places[content, default: []].append(content.indices)
    }
    var from = 0
    return values.map { value in
      let needle = Array(value.utf8).replacing("&".utf8, with: "&amp;".utf8)
        .replacing("<".utf8, with: "&lt;".utf8).replacing(">".utf8, with: "&gt;".utf8)
      while let range = places[needle[...]]?.popLast() {
        guard range.lowerBound > from else { continue }
        from = range.upperBound
        return range
      }
      return 0..<0
    }
  }
}
