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
