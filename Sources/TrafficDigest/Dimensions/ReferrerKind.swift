/// The kind of site on another host that a request's link was on.
public enum ReferrerKind: UInt8, BitwiseCopyable, CaseIterable, Hashable, Sendable {
  /// There is no referrer on another host, or a digest of an earlier version does not have its kind.
  case unknown

  /// Another host of the site's owner: one that is given, or one under the same registered domain.
  case ownHost

  /// A host that redirects: a click tracker, a shortener of links, a link filter of mail.
  case tracker

  /// A search engine.
  case search

  /// A social site, or the host through which it sends its links.
  case social

  /// A mailbox on the web.
  case mail

  /// A network of adverts.
  case advert

  /// Any other site, or a referrer that is no URL of the web.
  case other

  /// The name in reports.
  public var name: String { String(describing: self) }
}
