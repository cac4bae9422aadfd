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
    "None of them names the page that it came from, so that nobody can tell links on the same host."
}
