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
    switch source {
    case .origin:
      DeliveryTarget(
        source: .origin, host: host, path: "/.well-known/apple-app-site-association", base: base)
    case .cdn:
      DeliveryTarget(
        source: .cdn, host: DeliverySource.cdnHost, path: "/a/v1/" + host, base: base)
    }
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
