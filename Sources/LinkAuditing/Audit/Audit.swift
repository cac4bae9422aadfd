public import Foundations
public import TrafficDigest
public import UniversalLinks

/// The result of judging traffic by rules.
public struct Audit: Sendable {
  /// The sites in ascending order of their hosts.
  public var sites: [SiteAudit]
  package var otherHosts: HeaviestHosts

  /// The traffic of sites that isn't judged because its paths are ignored, or `nil` if none are.
  public var ignored: Traffic?

  /// The findings: first those that make figures doubtful, then those with the most visits to win.
  public var findings: [Finding]

  /// The comparison with an earlier report, or `nil` if there is none; each finding has its own.
  public var change: AuditChange?

  /// The reason why it isn't compared with an earlier report of the same store, or `nil`.
  ///
  /// It is `nil` if it is compared, or has no store.
  public var uncompared: ComparisonGap?
  public var options = AuditOptions()
}

/// The result of judging a site's traffic by its rules.
public struct SiteAudit: Sendable {
  public var host: String
  var weight = Traffic.Weight.visits

  /// The traffic by the site's verdict: claimed if any app claims it.
  public var verdicts = CaseCounts<Verdict>()

  /// The traffic by each app's verdict, in the order of the newest file.
  ///
  /// Apps that only older versions name come last.
  public var apps: [AppTraffic] = []
  public var platforms = CaseCounts<Platform>()

  /// The claimed traffic by where the link stood.
  public var referrals = CaseCounts<Referral>()

  /// The claimed traffic by the cause for which it stayed on the web, the heaviest first; causes
  /// without requests are left out.
  public var causes: [CauseTraffic] = []

  /// The traffic by day, in ascending order; requests without a time come first.
  public var days: [DayTraffic] = []

  /// The versions of the association file under which the traffic was judged, in ascending
  /// order of their days; empty if there is only one.
  public var versions: [SiteVersion] = []

  /// The rules in file order, by the apps that share them; version by version, the newest
  /// first.
  public var ruleLists: [RuleListTraffic] = []

  /// The claimed visits that came from a page of the same host, by the path groups
  /// of both pages, the heaviest first.
  public var sameHostReferrals: [PagePair] = []

  /// The pages with those links, and the ways to let them open the app, the heaviest first.
  public var sameHostFixes: [SameHostFix] = []

  /// The comparison of the claims with the app's routes and with people's visits.
  public var coverage = Coverage()

  /// The requests that would be visits if the browser had not marked them as made by a page or a
  /// script (``LogRecord/isSubresource``).
  public var subresources = 0

  /// The requests for the association file itself, regardless of the filter.
  public var fetches: [TrafficDigest.Fetch] = []

  /// The delivery of the file to each kind of fetcher that requested it.
  public var fetchers: [FetcherDelivery] = []

  /// The answers of the file's servers to `linkaudit fetch`, each server's in chronological order.
  ///
  /// It is empty if a report has no store, or if the store has no such checks.
  public var servedFiles: [ServedFile] = []

  /// The path of the association file, or `nil` if it isn't known; with several versions, the path
  /// of the newest.
  public var filePath: String?

  /// A Boolean value indicating whether the routes of the app are known.
  public var hasRoutes = false

  /// The traffic of all verdicts together.
  public var total: Traffic { verdicts.total }
}

/// The traffic by one app's verdict.
public typealias AppTraffic = (app: ApplicationIdentifier, verdicts: CaseCounts<Verdict>)

/// The traffic of one day, or of all, by the dimensions of requests.
public struct DayTraffic: Sendable {
  /// The day on the log's own clock, or `nil` for requests without a time.
  public var day: Day?
  public var verdicts = CaseCounts<Verdict>()
  public var platforms = CaseCounts<Platform>()

  /// The claimed traffic by where the link stood, and by its cause.
  public var referrals = CaseCounts<Referral>()
  public var causes = CaseCounts<Cause>()
  public var sameHost: Traffic { referrals[.sameHost] }

  /// The traffic of all verdicts together.
  public var total: Traffic { verdicts.total }

  /// Adds traffic that agrees in all that it is counted by.
  mutating func add(_ traffic: Traffic, _ count: DimensionCount) {
    verdicts[count.verdict] += traffic
    platforms[count.dimensions.platform] += traffic
    if count.verdict == .claimed { referrals[count.dimensions.referral] += traffic }
    if let cause = count.cause { causes[cause] += traffic }
  }

  static func += (sum: inout DayTraffic, other: DayTraffic) {
    sum.verdicts += other.verdicts
    sum.platforms += other.platforms
    sum.referrals += other.referrals
    sum.causes += other.causes
  }
}

/// Some apps, and the decisions of the rules that they share.
public struct RuleListTraffic: Sendable {
  public var apps: [ApplicationIdentifier]
  public var rules: [RuleTraffic]

  /// The version of the file that has the rules, or `nil` if the report knows of one only.
  public var version: SiteVersion? { rules.first?.rule.version }
}

/// The traffic that a rule decides for an app.
public struct RuleTraffic: Sendable {
  /// The rule, with the first app that has it.
  public var rule: ReportedRule
  public var traffic = Traffic()

  /// The traffic that it would decide if URLs had a fragment that it needs; logs have none.
  public var withFragment = Traffic()

  /// The traffic that it matches but earlier rules decided.
  public var shadowTraffic = Traffic()
  public var shadowed: Int { shadowTraffic.requests }

  /// The earlier rules of the same list that decided it, the heaviest, up to ``shadowLimit``.
  public var shadowedBy: [ShadowingRule] = []

  /// The greatest number of earlier rules that are named.
  public static let shadowLimit = 50
}

/// A rule that decided instead of a later one.
public struct ShadowingRule: Hashable, Sendable {
  public var rule: RuleID
  public var traffic: Traffic
}

/// Two path groups and the visits that went from one to the other.
public struct PagePair: Hashable, Sendable {
  /// The path group of the page with the link.
  public var from: String

  /// The path group of the visited page.
  public var to: String
  public var visits: Int
}

/// The comparison of the rules with the app's routes, the web's answers, and people's visits.
///
/// Rows are the heaviest first.
public struct Coverage: Hashable, Sendable {
  public var claimedNotImplemented: [PathGroupTraffic] = []

  /// Routes of the app with traffic that no rule matches.
  public var implementedNotClaimed: [PathGroupTraffic] = []

  /// Routes of the app with traffic that rules exclude.
  public var implementedButExcluded: [PathGroupTraffic] = []
  public var excludedHeavy: [PathGroupTraffic] = []

  /// Path groups that no rule matches on any system; see ``olderSystems``.
  public var unclaimedHeavy: [PathGroupTraffic] = []

  /// Path groups that no rule matches on iOS 12 and earlier, although newer systems read rules that
  /// decide.
  ///
  /// They have the traffic of iOS 12 and earlier, with those rules.
  public var olderSystems: [PathGroupTraffic] = []

  /// Path groups with visits but without a route, whose paths look like data for programs.
  public var dataPaths: [PathGroupTraffic] = []

  /// Claimed path groups that the web answers with 404, 410, or 5xx.
  public var claimedBroken: [PathGroupTraffic] = []
  public var claimedRedirected: [PathGroupTraffic] = []

  /// The routes without any request, in the order of their file.
  public var unvisitedRoutes: [String] = []
}

/// The traffic of a path group, or of a route.
public struct PathGroupTraffic: Hashable, Sendable {
  /// The path group, percent-encoded, or the route as its file spells it.
  public var path: String

  /// The traffic; errors are never visits, but redirects can be.
  public var traffic: Traffic

  /// The rule that decided most of it, or `nil` if none did.
  public var rule: ReportedRule?

  /// Up to three targets, percent-encoded: visited ones first, then short ones.
  public var samples: [String] = []

  /// The requests by status, if the row counts only requests that didn't get a page; else empty.
  public var statuses: [UInt16: Int] = [:]

  /// The requests among those that are visits, or would have been with another status: those for a
  /// page from Apple devices.
  public var attempts = 0

  /// The probable destination of the visits: see ``RedirectDestination``.
  public var destination: RedirectDestination?
}

/// A path group that the web serves, and to which another one seems to be redirected.
///
/// Logs don't record the destination of a redirect. This is a path group whose paths differ only in
/// the slash at the end or in letter case. It can also be the same path group, if only the host or
/// the scheme can differ.
public struct RedirectDestination: Hashable, Sendable {
  public var path: String

  /// The verdict on the most of its visits.
  public var verdict: Verdict

  /// Its visits that received a page.
  public var visits: Int
}
