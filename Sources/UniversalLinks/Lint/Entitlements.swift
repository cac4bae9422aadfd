internal import Foundations

/// The associated domains and identifiers in an app's entitlements.
///
///     let entitlements = Entitlements(domains: ["applinks:www.example.com"])
///     let site = Entitlements.Site(host: "www.example.com", file: file, name: "aasa.json")
///     for diagnostic in entitlements.lint(against: [site]) { print(diagnostic.message) }
public struct Entitlements: Hashable, Sendable {
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
      self.host = host
      self.file = file
      self.name = name
    }
  }

  /// The values of `com.apple.developer.associated-domains`, or `nil` if there is no such
  /// array.
  public var domains: [String]?

  /// The app's identifier, or `nil` if the file has none.
  ///
  /// It may begin with a build setting such as `$(AppIdentifierPrefix)`.
  public var app: String?

  /// Creates entitlements.
  public init(domains: [String]?, app: String? = nil) {
    self.domains = domains
    self.app = app
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
public struct AssociatedDomain: Hashable, Sendable {
  /// The reason why a value is not an associated domain.
  public struct Problem: Error, Hashable, Sendable {
    /// The reason in words that follow the value, such as `names no host`.
    public let sentence: String

    fileprivate init(_ sentence: String) { self.sentence = sentence }
  }

  /// The services that systems know.
  public static let services = [
    "applinks", "webcredentials", "appclips", "activitycontinuation",
  ]

  /// The service, such as `applinks`.
  public var service: String

  /// The host in lower case, without the wildcard.
  public var host: String

  /// A Boolean value indicating whether the value means the hosts below.
  public var isWildcard: Bool

  /// The copy of the file that is requested, such as `developer`, or `nil`.
  public var mode: String?

  /// Reads a value.
  ///
  /// - Throws: ``Problem`` for its first mistake.
  public init(_ text: String) throws(Problem) {
    let scheme = Problem("has a scheme; a domain is only a host")
    let address = Problem("has an IP address instead of a host name")
    guard !text.contains(where: \.isWhitespace) else { throw Problem("contains white space") }
    guard let colon = text.firstIndex(of: ":") else {
      throw Problem("has no service before the host; for links, it is 'applinks:'")
    }
    service = String(text[..<colon])
    guard Self.services.contains(service) else {
      if ["http", "https"].contains(service) { throw scheme }
      throw Problem("has a service that systems don't know, '\(service)'")
    }
    var rest = text[text.index(after: colon)...]
    if rest.contains("://") { throw scheme }
    if rest.hasPrefix("//") { throw Problem("has slashes before the host") }
    mode = nil
    if let question = rest.firstIndex(of: "?") {
      let query = rest[rest.index(after: question)...]
      guard query.hasPrefix("mode=") else {
        throw Problem("has a query; systems know only '?mode='")
      }
      let name = String(query.dropFirst(5))
      guard ["developer", "managed", "developer+managed", "managed+developer"].contains(name) else {
        throw Problem("has an unknown mode, '\(name)'")
      }
      mode = name
      rest = rest[..<question]
    }
    if rest.contains("/") || rest.contains("#") {
      throw Problem("has a path; only the association file names paths")
    }
    if rest.contains("@") { throw Problem("has user information") }
    if rest.contains("[") { throw address }
    // In developer mode, devices ask a server of the network directly (observed).
    let isForDevelopers = mode?.contains("developer") == true
    if let colon = rest.firstIndex(of: ":") {
      let port = rest[rest.index(after: colon)...]
      guard isForDevelopers, (UInt16(port) ?? 0) > 0 else {
        throw Problem("has a port; systems fetch the file from the default port")
      }
      rest = rest[..<colon]
    }
    let scope = HostScope(rest)
    (host, isWildcard) = (scope.name, scope.isWildcard)
    guard !host.isEmpty, host != "*" else { throw Problem("names no host") }
    guard !host.contains("*") else { throw Problem("has a '*' that is not the first label") }
    guard host.contains(".") || isForDevelopers && host == "localhost" else {
      throw Problem("has a host without a full stop")
    }
    guard host.utf8.allSatisfy({ $0 < 0x80 }) else {
      throw Problem("has a host that is not ASCII; write it in Punycode")
    }
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    guard labels.allSatisfy({ (1...63).contains($0.utf8.count) }) else {
      throw Problem(
        "has an invalid host: labels have 1 to 63 characters, and a full stop separates them")
    }
    if host.utf8.allSatisfy({ $0.isDigit || $0 == 0x2E }) { throw address }
    if isWildcard, service == "appclips" {
      throw Problem("has a wildcard, which app clips don't support")
    }
  }

  /// Returns the domain that a value was probably meant to be, without what no domain has, or `nil`
  /// if that isn't clear.
  static func correction(of text: String) -> String? {
    var rest = text.drop { $0.isWhitespace }
    var service = "applinks"
    if let colon = rest.firstIndex(of: ":"), services.contains(rest[..<colon].lowercased()) {
      service = rest[..<colon].lowercased()
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
    return domain != text && (try? AssociatedDomain(domain)) != nil ? domain : nil
  }

  /// Returns a Boolean value indicating whether URLs of a host are covered.
  ///
  /// A wildcard covers the hosts below at any depth, and as observed the host itself
  /// (Matching.md, 5.3).
  public func covers(_ other: String) -> Bool {
    other == host || isWildcard && other.hasSuffix("." + host)
  }
}
