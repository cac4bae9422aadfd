public import TrafficDigest
public import UniversalLinks

/// The changes in the traffic of a digest if a candidate file were deployed in place of another.
public struct Comparison: Sendable {
  public var host: String

  /// The traffic by verdict under both files, including unchanged verdicts.
  public var transitions = CaseCounts<Transition>()

  /// A Boolean value indicating whether the routes of the app are known.
  var hasRoutes = false

  /// The newly claimed traffic by the cause for which it would stay on the web.
  public var newlyClaimedCauses = CaseCounts<Cause>()

  /// The changes for each app, in the order of the new file, then of the old one.
  public var apps: [AppChange] = []

  /// The changes by path group and by the rules that decide, the heaviest first.
  public var changes: [PathGroupChange] = []

  /// The rules of both files with their decisions, by the apps that share them.
  public var ruleLists: [RuleListChange] = []

  /// The findings: first what makes figures doubtful, then the most visits to win.
  public var findings: [Finding] = []
  public var options = AuditOptions()

  /// The requests to other hosts, which weren't judged.
  public var otherHostRequests = 0
}

/// A verdict under one file and one under another.
public struct Transition: NumberedCase {
  public var from: Verdict
  public var to: Verdict

  public init(from: Verdict, to: Verdict) { (self.from, self.to) = (from, to) }

  public static let allCases = Verdict.allCases.flatMap { from in
    Verdict.allCases.map { Transition(from: from, to: $0) }
  }
  public var number: Int { from.number * 4 + to.number }

  /// Whether only the new file claims, and whether only the old one does.
  var isGain: Bool { from != .claimed && to == .claimed }
  var isLoss: Bool { from == .claimed && to != .claimed }

  static let newlyExcluded = Transition(from: .unclaimed, to: .excluded)
  static let noLongerExcluded = Transition(from: .excluded, to: .unclaimed)
}

extension VerdictChanges.Change {
  package var transition: Transition { Transition(from: old.verdict, to: new.verdict) }
}

extension Comparison {
  public var total: Traffic { transitions.total }

  /// The newly claimed traffic that came from pages of the same host, where links never open the
  /// app.
  public var newlyClaimedFromSameHost: Traffic { newlyClaimedCauses[.sameHost] }

  /// The newly claimed traffic for which the app has no route, or `nil` if the routes aren't known.
  public var newlyClaimedWithoutRoute: Traffic? {
    guard hasRoutes else { return nil }
    return changes.sum { $0.transition.isGain && $0.isImplemented == false ? $0.traffic : nil }
  }

  /// The traffic that is claimed under both files, but by another app first.
  public var opensAnotherApp: Traffic {
    changes.sum { $0.transition.from == $0.transition.to ? $0.traffic : nil }
  }

  public func traffic(where isIncluded: (Transition) -> Bool) -> Traffic {
    Transition.allCases.sum { isIncluded($0) ? transitions[$0] : nil }
  }

  /// The traffic whose verdict changes, or that opens another app.
  public var changed: Traffic { traffic { $0.from != $0.to } + opensAnotherApp }

  /// The traffic that the new file claims and the old one doesn't.
  public var newlyClaimed: Traffic { traffic { $0.isGain } }

  /// The traffic that the old file claims and the new one doesn't.
  public var noLongerClaimed: Traffic { traffic { $0.isLoss } }

  /// The traffic that no rule of the old file matches and the new one excludes.
  public var newlyExcluded: Traffic { transitions[.newlyExcluded] }

  /// The traffic that the old file excludes and no rule of the new one matches.
  public var noLongerExcluded: Traffic { transitions[.noLongerExcluded] }
}

/// The changes for an app, whatever other apps claim.
public struct AppChange: Hashable, Sendable {
  public var app: ApplicationIdentifier

  /// The change of the app: whether a file alone names it.
  public var kind: RuleChange.Kind

  /// The traffic that the new file claims for it and the old one doesn't.
  public var gained = Traffic()

  /// The traffic that the old file claims for it and the new one doesn't.
  public var lost = Traffic()
}

/// The traffic of a path group for which two files say different things.
public struct PathGroupChange: Hashable, Sendable {
  public var path: String

  /// The verdicts; both are `claimed` where another app opens.
  public var transition: Transition
  public var traffic = Traffic()
  public var oldRule: ReportedRule?
  public var newRule: ReportedRule?

  /// Whether the app has a route for the paths, or `nil` if that isn't known.
  public var isImplemented: Bool?

  /// Up to three targets, percent-encoded: visited ones first, then short ones.
  public var samples: [String] = []
}

/// Some apps, and what becomes of the rules that they share: the rules in the order of the new file,
/// with those that are gone where they were.
public typealias RuleListChange = (apps: [ApplicationIdentifier], rules: [RuleChange])

/// The change of a rule.
public struct RuleChange: Hashable, Sendable {
  /// The kind of change.
  public enum Kind: String, CaseIterable, Sendable {
    case kept
    case added
    case removed
  }

  public var kind: Kind
  public var old: ReportedRule?
  public var new: ReportedRule?
  public var oldTraffic = Traffic()
  public var newTraffic = Traffic()

  /// The requests that it matches under the new file, but an earlier rule decides.
  public var newShadowed = 0

  /// The rule, as it is now, or as it was.
  public var reference: ReportedRule? { new ?? old }

  /// A Boolean value indicating whether anything is different.
  public var isChange: Bool { kind != .kept || oldTraffic != newTraffic }
}

/// Compares the verdicts of two association files on the same traffic.
///
///     let comparison = try Comparer(old: deployed, new: candidate).compare(digest)
public struct Comparer: Sendable {
  private let old: RuleSet.Version
  private let new: RuleSet.Version
  private let options: AuditOptions

  /// Creates a comparer of the file in force and a candidate; compiling the rules happens here.
  ///
  /// The host and the routes of the old site count.
  public init(old: Site, new: Site, options: AuditOptions = AuditOptions()) {
    self.old = RuleSet.Version(old)
    self.new = RuleSet.Version(new)
    self.options = options
  }

  /// Judges each distinct target of a digest under both files.
  ///
  /// - Throws: ``JudgingError`` if a file can't be read, or requests were lost or counted twice.
  public func compare(_ digest: TrafficDigest) throws(JudgingError) -> Comparison {
    let judged = try JudgedTraffic.judge(
      digest, sites: [RuleSet(SiteHistory(old.site), like: old)], besides: [new], options: options
    ) { sites, others in
      ComparisonTally(old: sites[0].versions[0], new: others[0])
    }
    let tally = judged.tally
    var comparison = Comparison(
      host: old.site.host, transitions: tally.transitions, hasRoutes: old.hasRoutes,
      newlyClaimedCauses: tally.newlyClaimedCauses, apps: tally.apps(),
      changes: tally.changes(in: judged.groups[0], by: options.weight),
      ruleLists: tally.ruleLists(), options: options, otherHostRequests: judged.otherHosts.requests)
    comparison.findings = Finding.all(
      in: comparison, new: new.site, digest: digest, otherHosts: judged.otherHosts,
      options: options)
    return comparison
  }
}

extension Comparison {
  /// The changes in one sentence.
  ///
  /// An example is `2.3% of visits change: 1.9% newly claimed (0.4% without a route).` Shares are
  /// of visits, or of requests if there are no visits.
  public var summary: String {
    let byVisits = total.visits > 0
    let thing = byVisits ? "visits" : "requests"
    let whole = byVisits ? total.visits : total.requests
    func part(_ traffic: Traffic) -> Int { byVisits ? traffic.visits : traffic.requests }
    guard whole > 0 else { return "There is no traffic to compare the files with." }
    guard changed.requests > 0 else { return unchangedSummary }
    guard part(changed) > 0 else {
      return
        "No visit changes, but \(changed.requests.counted("request")) that \(changed.requests == 1 ? "isn't a visit does" : "aren't visits do")."
    }
    let without = newlyClaimedWithoutRoute.map(part) ?? 0
    let parts = [
      (
        newlyClaimed,
        "newly claimed" + (without > 0 ? " (\(without.share(of: whole)) without a route)" : "")
      ),
      (noLongerClaimed, "no longer claimed"), (newlyExcluded, "newly excluded"),
      (noLongerExcluded, "no longer excluded"), (opensAnotherApp, "open another app"),
    ].filter { part($0.0) > 0 }.map { "\(part($0.0).share(of: whole)) \($0.1)" }
    return "\(part(changed).share(of: whole)) of \(thing) change: \(parts.joined(separator: "; "))."
  }

  /// The summary where the site's verdicts stay the same.
  private var unchangedSummary: String {
    let start = "No request of these logs changes its verdict"
    let heaviest = apps.max { ($1.gained + $1.lost).isHeavier(than: $0.gained + $0.lost) }
    guard let heaviest, (heaviest.gained + heaviest.lost).requests > 0 else { return start + "." }
    let parts = [(heaviest.lost, "loses"), (heaviest.gained, "gains")].filter {
      $0.0.requests > 0
    }.map { "\($0.1) \($0.0.weightText)" }
    return
      "\(start) for the site, but some do for single apps: \(heaviest.app.text) \(parts.joined(separator: " and "))."
  }
}

extension Int {
  /// Returns this number's share of a whole in percent with one decimal, or an upper bound of a
  /// tiny share.
  fileprivate func share(of whole: Int) -> String {
    let share = percent(of: whole)
    return share == "0.0%" ? "less than 0.1%" : share
  }
}

/// The changes if a candidate file were deployed, derived from the patterns alone.
public struct PatternComparison: Sendable {
  let old: Site
  let new: Site

  /// The changes for current systems: iOS 13 and later.
  public var current: VerdictChanges

  /// The changes for iOS 12 and earlier.
  public var legacy: VerdictChanges

  /// The findings: first what makes figures doubtful, then the most visits to win.
  public var findings: [Finding]

  /// Compares the files of two sites with the same host.
  public init(old: Site, new: Site, thresholds: FindingThresholds = FindingThresholds()) {
    (self.old, self.new) = (old, new)
    let host = old.exampleHost
    current = old.file.changes(to: new.file, host: host)
    legacy = old.file.asRead(by: .legacy).changes(to: new.file.asRead(by: .legacy), host: host)
    findings = []
    findings = Finding.all(in: self, thresholds: thresholds)
  }

  /// The changes of the verdict, or of the app, for all systems.
  var changes: [VerdictChanges.Change] { [current, legacy].flatMap(\.site) }

  /// A Boolean value indicating whether it is proved that no URL changes.
  public var isProvenEqual: Bool { [current, legacy].allSatisfy { $0.isEmpty && $0.isExhaustive } }

  /// Whether no URL changes its verdict for the site; `nil` if that isn't known.
  public var hasSameVerdicts: Bool? {
    if isProvenEqual { return true }
    return current.isEmpty && legacy.isEmpty ? nil : false
  }

  public var summary: String {
    if isProvenEqual { return "No URL changes its verdict; the patterns prove it." }
    let comparisons = [current, legacy]
    let all = changes
    let appCount = comparisons.reduce(0) { $0 + $1.apps.count }
    let end =
      comparisons.allSatisfy(\.isExhaustive)
      ? "; nothing else changes." : "; there may be other changes."
    guard !all.isEmpty else {
      return appCount > 0
        ? "No verdict of the site changes, but \(appCount.counted("verdict")) for single apps\(end)"
        : "linkaudit found no change, but there may be some."
    }
    let counts: [(Int, String)] = [
      (all.count { $0.transition.isGain }, "newly claimed"),
      (all.count { $0.transition.isLoss }, "no longer claimed"),
      (all.count { $0.transition == .newlyExcluded }, "newly excluded"),
      (all.count { $0.transition == .noLongerExcluded }, "no longer excluded"),
      (all.count { $0.transition.from == $0.transition.to }, "open another app"),
    ]
    var parts = counts.filter { $0.0 > 0 }.map { "\($0.counted("group")) of URLs \($1)" }
    let separate = comparisons.reduce(0) { $0 + $1.separateAppChanges.count }
    if separate > 0 { parts.append("\(separate.counted("change")) for single apps") }
    return parts.joined(separator: ", ") + end
  }
}

extension VerdictChanges {
  /// The changes for single apps that no change of the site shows.
  ///
  /// A change of the site shows that of an app if both have the same URL, and the same rules decide
  /// with the same verdicts. The app then shares the entry, or decides for the site.
  public var separateAppChanges: [AppChange] {
    let shown = Set(site.map(Self.shown))
    return apps.filter { !shown.contains(Self.shown($0.change)) }
  }

  /// The changes of the site, each with the apps whose change it shows, in the order of the files.
  public var changesWithApps: [(change: Change, apps: [ApplicationIdentifier])] {
    let apps = Dictionary(grouping: self.apps) { Self.shown($0.change) }
    return site.map { ($0, (apps[Self.shown($0)] ?? []).map(\.app)) }
  }

  /// A change as reports show it: by rules, not by apps.
  private static func shown(_ change: Change) -> [AnyHashable] {
    [
      change.url, change.old.verdict, change.old.decision?.rule, change.new.verdict,
      change.new.decision?.rule,
    ]
  }
}
