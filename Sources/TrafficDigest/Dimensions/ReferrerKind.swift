/// The kind of site with the link of a request, on another host.
public enum ReferrerKind: UInt8, BitwiseCopyable, CaseIterable, Hashable, Sendable {
  /// There is no referrer on another host, or its kind isn't recorded.
  case unknown

  /// Another host of the site's owner: a given one, or one under the same registered domain.
  case ownHost

  /// A host that redirects: a click tracker, a link shortener, or the link filter of a mail
  /// service.
  case tracker

  /// A search engine.
  case search

  /// A social site, or the host that redirects its links.
  case social

  /// A webmail service.
  case mail

  /// An advertising network.
  case advert

  /// Any other site, or a referrer that isn't a URL of the web.
  case other

  /// The name in reports.
  public var name: String { String(describing: self) }
}

/// The place of the link to a request, according to the referrer.
public enum Referral: UInt8, CaseIterable, Hashable, Sendable {
  /// On a page of the same host.
  ///
  /// Hosts are compared exactly, without scheme and port (Matching.md, 7.1).
  case sameHost

  /// Elsewhere.
  case otherHost

  /// Unknown: typed, a bookmark, from mail or another app, or stripped.
  case none
}

extension Referral {
  /// The name in reports.
  public var name: String { String(describing: self) }
}
