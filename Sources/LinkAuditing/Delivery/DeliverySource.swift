/// A server that delivers an association file.
public enum DeliverySource: String, CaseIterable, Hashable, Sendable {
  /// The site itself, which Apple's CDN asks, and devices in developer mode.
  case origin

  /// Apple's CDN, which all other devices ask.
  case cdn

  /// The host of Apple's CDN.
  package static let cdnHost = "app-site-association.cdn-apple.com"

  /// The name in sentences.
  public var name: String {
    switch self {
    case .origin: "the site"
    case .cdn: "Apple's CDN"
    }
  }
}
