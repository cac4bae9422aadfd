/// Where the link to a request stood, as far as the referrer tells.
public enum Referral: UInt8, CaseIterable, Hashable, Sendable {
  /// On a page of the same host: an exact comparison of hosts, in which scheme
  /// and port play no part (MATCHING.md, 7.1).
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
