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
    EntitlementsCheck.check(self, sites: sites, in: &context)
    return context.orderedDiagnostics
  }
}

/// A value of the entitlement `com.apple.developer.associated-domains` (Matching.md, 5.4):
/// `<service>:<host>[?mode=developer|managed|developer+managed]`.
public struct AssociatedDomain: Hashable, Sendable {
  /// The reason why a value is not an associated domain.
  public enum Problem: Error, Hashable, Sendable {
    /// There is no service before the host.
    case serviceMissing

    /// No system knows the service.
    case serviceUnknown(String)

    /// There is no host after the service.
    case hostMissing

    /// There is a scheme, such as `https://`, before the host.
    case scheme

    /// There is a path after the host.
    case path

    /// There is a port after the host.
    case port

    /// There is a query other than `?mode=`.
    case query

    /// There is a user name before the host.
    case userInformation

    /// The value has an address instead of a host's name.
    case address

    /// The host has a character that no host has.
    case hostMalformed

    /// The host isn't spelled in ASCII.
    case hostNotASCII

    /// There is white space in it.
    case whitespace

    /// The host has no full stop.
    case hostWithoutDomain

    /// A `*` is not the first label.
    case wildcardInside

    /// The service takes no wildcard.
    case wildcardNotAllowed

    /// No system knows the mode.
    case modeUnknown(String)
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
    guard !text.contains(where: \.isWhitespace) else { throw .whitespace }
    guard let colon = text.firstIndex(of: ":") else { throw .serviceMissing }
    service = String(text[..<colon])
    guard Self.services.contains(service) else {
      throw ["http", "https"].contains(service) ? .scheme : .serviceUnknown(service)
    }
    var rest = text[text.index(after: colon)...]
    if rest.contains("://") { throw .scheme }
    mode = nil
    if let question = rest.firstIndex(of: "?") {
      let query = rest[rest.index(after: question)...]
      guard query.hasPrefix("mode=") else { throw .query }
      let name = String(query.dropFirst(5))
      guard ["developer", "managed", "developer+managed", "managed+developer"].contains(name) else {
        throw .modeUnknown(name)
      }
      mode = name
      rest = rest[..<question]
    }
    if rest.contains("/") || rest.contains("#") { throw .path }
    if rest.contains("@") { throw .userInformation }
    if rest.contains("[") { throw .address }
    if rest.contains(":") { throw .port }
    let scope = HostScope(rest)
    (host, isWildcard) = (scope.name, scope.isWildcard)
    guard !host.isEmpty, host != "*" else { throw .hostMissing }
    guard !host.contains("*") else { throw .wildcardInside }
    guard host.contains(".") else { throw .hostWithoutDomain }
    guard host.utf8.allSatisfy({ $0 < 0x80 }) else { throw .hostNotASCII }
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    guard labels.allSatisfy({ (1...63).contains($0.utf8.count) }) else { throw .hostMalformed }
    if host.utf8.allSatisfy({ $0.isDigit || $0 == 0x2E }) { throw .address }
    if isWildcard, service == "appclips" { throw .wildcardNotAllowed }
  }

  /// Returns a Boolean value indicating whether URLs of a host are covered.
  ///
  /// A wildcard covers the hosts below at any depth, and as observed the host itself
  /// (Matching.md, 5.3).
  public func covers(_ other: String) -> Bool {
    other == host || isWildcard && other.hasSuffix("." + host)
  }
}
