internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

extension SiteAudit {
  /// A Boolean value indicating whether no claimed visit has a referrer.
  var lacksReferrers: Bool {
    let claimed = verdicts[.claimed]?.visits ?? 0
    return claimed > 0 && referrals[Referral.none]?.visits == claimed
  }

  /// The meaning of that, in a sentence.
  static let withoutReferrers =
    "None of them has a referrer, so links on the same host can't be recognized."
}
