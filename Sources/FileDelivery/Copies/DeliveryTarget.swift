internal import Foundations
public import LinkAuditing

/// The path to request, and the server to send the request to.
public struct DeliveryTarget: Hashable, Sendable {
  /// The source of the copy.
  public var source: DeliverySource

  /// The host in the request.
  public var host: String

  /// The requested path on the real host.
  public var path: String

  /// The server that replaces the host, or `nil` for the host itself.
  public var base: BaseURL?

  /// The file where systems look for it.
  public static func wellKnown(
    _ source: DeliverySource, of host: String, base: BaseURL? = nil
  ) -> DeliveryTarget {
    let (server, path) =
      switch source {
      case .origin: (host, "/.well-known/apple-app-site-association")
      case .cdn: (DeliverySource.cdnHost, "/a/v1/" + host)
      }
    return DeliveryTarget(source: source, host: server, path: path, base: base)
  }

  /// The file where only iOS 13 and earlier look for it, after the other place
  /// (Matching.md, 6.3).
  public static func root(of host: String, base: BaseURL? = nil) -> DeliveryTarget {
    DeliveryTarget(source: .origin, host: host, path: "/apple-app-site-association", base: base)
  }

  /// The URL that systems request.
  public var url: String { "https://" + host + path }

  /// The URL that is requested in its place, or `nil`.
  public var askedURL: String? { base?.url(of: path) }

  /// The names of which the certificate must have at least one.
  var names: [String] { [host] + (base.map { [$0.host] } ?? []) }
}

/// A server that replaces the real one.
public struct BaseURL: Hashable, Sendable {
  /// A Boolean value indicating whether the scheme is `https`.
  public var isEncrypted: Bool

  /// The host in lower case: a name, or an address, without brackets.
  public var host: String

  /// The port.
  public var port: Int

  /// The prefix of the requested paths: empty, or with a slash at its beginning and none at its
  /// end.
  public var path: String

  /// Reads a URL without user, query and fragment, or returns `nil`.
  public init?(_ text: String) {
    let lowercased = text.lowercased()
    guard let scheme = ["https://", "http://"].first(where: lowercased.hasPrefix) else {
      return nil
    }
    isEncrypted = scheme == "https://"
    let rest = text.utf8.dropFirst(scheme.utf8.count)
    let authority = lowercased.utf8.dropFirst(scheme.utf8.count)
      .prefix { $0 != UInt8(ascii: "/") }
    guard let (host, port) = Self.hostAndPort(String(Substring(authority))) else { return nil }
    self.host = host
    self.port = port ?? (isEncrypted ? 443 : 80)
    path = String(Substring(rest.dropFirst(authority.count)))
    while path.hasSuffix("/") { path.removeLast() }
    let hasOddBytes = path.utf8.contains {
      !(0x21..<0x7F).contains($0) || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#")
    }
    if hasOddBytes { return nil }
  }

  private static func hostAndPort(_ authority: String) -> (String, Int?)? {
    var (host, port) = (authority[...], nil as Substring?)
    if authority.hasPrefix("[") {
      guard let end = authority.firstIndex(of: "]") else { return nil }
      host = authority[authority.index(after: authority.startIndex)..<end]
      let rest = authority[authority.index(after: end)...]
      guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
      port = rest.isEmpty ? nil : rest.dropFirst()
      guard host.utf8.contains(UInt8(ascii: ":")),
        host.utf8.allSatisfy({ $0 == 0x3A || $0 == 0x2E || $0.isHexadecimalDigit })
      else { return nil }
    } else {
      if let colon = authority.firstIndex(of: ":") {
        (host, port) = (authority[..<colon], authority[authority.index(after: colon)...])
      }
      guard Self.isHostName(host) else { return nil }
    }
    guard let port else { return (String(host), nil) }
    guard let number = Int(port), (1...65_535).contains(number),
      port.utf8.allSatisfy(\.isDigit)
    else { return nil }
    return (String(host), number)
  }

  /// Returns a Boolean value indicating whether a text can be the host of a URL, without any other
  /// meaning.
  ///
  /// It consists of ASCII letters and digits, hyphens, underscores and full stops.
  public static func isHostName(_ text: some StringProtocol) -> Bool {
    !text.isEmpty && text.utf8.count <= 253 && text.utf8.allSatisfy(\.isInHostName)
  }

  /// The URL of a path on that server.
  func url(of path: String) -> String {
    let isUsual = port == (isEncrypted ? 443 : 80)
    return (isEncrypted ? "https://" : "http://") + (isUsual ? bracketedHost : authority)
      + self.path + path
  }

  /// The host and the port, as in a URL: `127.0.0.1:8443`, `[::1]:8443`.
  var authority: String { "\(bracketedHost):\(port)" }

  private var bracketedHost: String { host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host }
}
