internal import TrafficDigest
internal import UniversalLinks

/// The counts of a report: verdicts, the rules that decided, and the causes of claimed visits.
struct VerdictTally: TargetTally {
  static let followsRoutes = true
  private(set) var sites: [SiteTally]

  /// The decisions of rules, by version of all sites.
  private(set) var rules: [BySystem<GenerationTally>]
  private let filter: TrafficFilter

  /// The requests by site, dimensions, verdict, cause, and whether they were for a page.
  private var dimensionCounts = CountTable()

  /// The number of counts from which on they are added up and removed.
  private static let dimensionLimit = 1 << 16

  init(_ sites: [RuleSet], _ filter: TrafficFilter) {
    self.sites = Array(repeating: SiteTally(), count: sites.count)
    rules = sites.flatMap { site in site.versions.map { BySystem($0) } }
    self.filter = filter
  }

  var requests: Int { sites.reduce(0) { $0 + $1.total.verdicts.total.requests } }

  mutating func addIneligible(_ target: borrowing JudgedTarget, _ requests: RequestCounts) {
    addDimensions(target, requests, .ineligible) { _ in true }
  }

  // Optimized alone, it is faster than as a part of the generic judge.
  @inline(never)
  mutating func add(
    _ system: OperatingSystem, _ target: inout JudgedTarget, _ bytes: Span<UInt8>,
    of compiled: RuleSet.Version, _ requests: RequestCounts, _ visits: RequestCounts
  ) {
    // Only a path that is a group of its own can be one to which scripts send data.
    if target.isPage, target.submissions != Traffic(), !target.templates.lastHasPlaceholder,
      system == .current || target.traffic.current.requests == 0
    {
      sites[target.site].submissions.add(
        target.submissions, to: CountTable.Key(target.group, 0))
    }
    let (matcher, traffic) = (compiled.matchers[system], target.traffic[system])
    matcher.evaluate(&target.url, into: &target.evaluation)
    rules[target.version.ofAll][system].add(traffic, target.evaluation)
    if system == .current, let other = compiled.withoutFragments {
      other.evaluate(&target.url, into: &target.otherEvaluation)
      rules[target.version.ofAll].current.add(
        withFragment: traffic, target.otherEvaluation, besides: target.evaluation, of: matcher)
    }
    let verdict = target.evaluation.siteVerdict
    let key = SiteTally.PathKey(
      path: target.group, verdict: verdict, system: system, version: target.version.ofSite,
      rule: verdict == .unclaimed && system == .legacy
        ? Self.ruleOfNewerSystems(&target, compiled)
        : matcher.decidingRule(with: verdict, target.evaluation),
      route: target.route)

    sites[target.site].paths.add(traffic, to: key.packed, sample: bytes)
    let isLegacy = system == .legacy
    guard verdict == .claimed else {
      addDimensions(target, requests, verdict) { $0.isLegacy == isLegacy }
      return
    }
    addCauses(target, of: compiled, system, requests)
    if target.hasProblems { addProblems(target, key, bytes, requests) }
    guard target.isPage else { return }
    for index in visits.indices {
      let count = visits[index]
      let page = target.pages[count.kind]
      guard page.isLegacy == isLegacy, page.isIncluded else { continue }
      let from = target.templates.group(
        ofPage: page.template, of: target.names, site: target.site, compiled.routes,
        using: &target.routeSearch)
      sites[target.site].pairs.add(
        Traffic(visits: count.requests), to: CountTable.Key(from, target.group))
    }
  }

  /// Counts those of a target's requests that some combinations have.
  @inline(__always)
  private mutating func addDimensions(
    _ target: borrowing JudgedTarget, _ requests: RequestCounts, _ verdict: Verdict,
    where isIncluded: (JudgedTarget.Combination) -> Bool
  ) {
    for index in requests.indices {
      let count = requests[index]
      let combination = target.combinations[count.kind]
      guard isIncluded(combination) else { continue }
      dimensionCounts.add(
        (target.site, combination.dimensions, verdict, nil, target.isPage, count.requests))
    }
    if dimensionCounts.counts.count >= Self.dimensionLimit { finish() }
  }

  /// Counts the requests of a claimed target from one generation of systems by their dimensions and
  /// causes.
  @inline(__always)
  private mutating func addCauses(
    _ target: borrowing JudgedTarget, of compiled: RuleSet.Version, _ system: OperatingSystem,
    _ requests: RequestCounts
  ) {
    let (site, path, isPage) = (target.site, target.group, target.isPage)
    var (last, sum) = (Cause.unknown, Traffic())
    @inline(__always) func addSum() {
      guard sum.requests > 0 else { return }
      sites[site].pathCauses.add(sum, to: CountTable.Key(path, last.number))
    }
    target.forEachCause(of: requests, system, under: compiled, target.evaluation) {
      cause, dimensions, traffic in
      dimensionCounts.add((site, dimensions, .claimed, cause, isPage, traffic.requests))
      if cause != last {
        addSum()
        (last, sum) = (cause, Traffic())
      }
      sum += traffic
    }
    addSum()
    if dimensionCounts.counts.count >= Self.dimensionLimit { finish() }
  }

  /// Counts those requests for a claimed target that didn't get a page.
  @inline(never)
  private mutating func addProblems(
    _ target: borrowing JudgedTarget, _ key: SiteTally.PathKey, _ bytes: Span<UInt8>,
    _ requests: RequestCounts
  ) {
    for index in requests.indices {
      let count = requests[index]
      let combination = target.combinations[count.kind]
      guard combination.problem != 0, combination.isLegacy == (key.system == .legacy) else {
        continue
      }
      var key = key
      key.status = combination.problem
      let isAttempt = target.isPage && filter.isAttempt(combination.dimensions)
      sites[target.site].paths.add(
        Traffic(requests: count.requests, visits: isAttempt ? count.requests : 0), to: key.packed,
        sample: bytes)
    }
  }

  /// The number of the rule that decides on a target on iOS 13 and later, or `nil` if none does.
  @inline(never)
  private static func ruleOfNewerSystems(
    _ target: inout JudgedTarget, _ compiled: RuleSet.Version
  ) -> Int? {
    let matcher = compiled.matchers.current
    matcher.evaluate(&target.url, into: &target.otherEvaluation)
    return matcher.decidingRule(with: target.otherEvaluation.siteVerdict, target.otherEvaluation)
  }

  /// Counts what is counted by combinations of dimensions.
  mutating func finish() {
    for count in dimensionCounts.dimensionCounts { sites[count.site].add(count, filter) }
    dimensionCounts = CountTable()
  }

  mutating func merge(_ other: VerdictTally, _ groups: [[Int]]) {
    for number in sites.indices { sites[number].merge(other.sites[number], groups[number]) }
    for version in rules.indices { rules[version].merge(other.rules[version]) }
  }
}

/// A number of requests that agree in all that they are counted by; only claimed ones have a cause.
///
/// There are few such combinations, however many targets there are. So figures by platform, day and
/// referral are computed once for each combination.
typealias DimensionCount = (
  site: Int, dimensions: Dimensions, verdict: Verdict, cause: Cause?, isPage: Bool, requests: Int
)

extension CountTable {
  /// The number in place of a cause of requests that have none.
  static let noCause = 0xFF

  @inline(__always)
  mutating func add(_ count: DimensionCount) {
    // Above a byte for the cause is the site.
    let cause = UInt64(count.cause?.number ?? Self.noCause) << 3
    add(
      Traffic(requests: count.requests),
      to: Key(
        count.dimensions.bits,
        UInt64(count.site) << 11 | cause | UInt64(count.verdict.number) << 1
          | (count.isPage ? 1 : 0)))
  }

  var dimensionCounts: [DimensionCount] {
    counts.map { key, traffic in
      let cause = Int(key.second >> 3 & 0xFF)
      return (
        Int(key.second >> 11), Dimensions(bits: key.first),
        Verdict(number: Int(key.second >> 1 & 3)),
        cause == Self.noCause ? nil : Cause(number: cause), key.second & 1 == 1, traffic.requests
      )
    }
  }
}

/// The decisions of the rules for one generation of systems.
struct GenerationTally: Sendable {
  /// The traffic that rules decided, and that they would decide if URLs had a fragment that they
  /// need, by their numbers; an entry without rules has one.
  private(set) var decided: [Traffic]
  private(set) var withFragment: [Traffic]

  /// The traffic that rules match but others decided, by both.
  private var shadows = CountTable()
  private let ruleListCount: Int
  private let verdictCount = Verdict.allCases.count

  /// By list and verdict.
  private var verdictTraffic: [Traffic]

  init(_ matcher: LinkMatcher) {
    decided = Array(repeating: Traffic(), count: matcher.rules.count)
    withFragment = decided
    ruleListCount = matcher.ruleLists.count
    verdictTraffic = Array(repeating: Traffic(), count: ruleListCount * verdictCount)
  }

  func verdicts(ofRuleList list: Int) -> CaseCounts<Verdict> {
    var counts = CaseCounts<Verdict>()
    for verdict in Verdict.allCases {
      counts[verdict] = verdictTraffic[list * verdictCount + verdict.number]
    }
    return counts
  }

  mutating func add(_ traffic: Traffic, _ evaluation: borrowing Evaluation) {
    for list in 0..<ruleListCount {
      let verdict = evaluation.verdict(ofRuleList: list)
      verdictTraffic[list * verdictCount + verdict.number] += traffic
    }
    for index in 0..<evaluation.matchCount {
      let match = evaluation.match(at: index)
      guard let decider = evaluation.decidingRule(ofRuleList: match.ruleList),
        decider != match.rule
      else {
        decided[match.rule] += traffic
        continue
      }
      shadows.add(traffic, to: CountTable.Key(match.rule, decider))
    }
  }

  /// Counts the requests of a target for the rules that would decide with some fragment: those that
  /// match whatever the fragment, besides those that match without one.
  mutating func add(
    withFragment traffic: Traffic, _ evaluation: borrowing Evaluation,
    besides rest: borrowing Evaluation, of matcher: LinkMatcher
  ) {
    for index in 0..<evaluation.matchCount {
      let match = evaluation.match(at: index)
      let decider = rest.decidingRule(ofRuleList: match.ruleList)
      guard decider.map({ match.rule < $0 }) ?? true else { continue }
      guard matcher.rules[match.rule].dependsOnFragment else { continue }
      withFragment[match.rule] += traffic
    }
  }

  /// By the number of a rule, those that decided in its place, and the traffic.
  var deciders: [Int: [(rule: Int, traffic: Traffic)]] {
    var deciders: [Int: [(rule: Int, traffic: Traffic)]] = [:]
    for (key, traffic) in shadows.counts {
      deciders[Int(key.first), default: []].append((Int(key.second), traffic))
    }
    return deciders
  }

  mutating func merge(_ other: GenerationTally) {
    for index in decided.indices {
      decided[index] += other.decided[index]
      withFragment[index] += other.withFragment[index]
    }
    shadows.add(other.shadows)
    for index in verdictTraffic.indices { verdictTraffic[index] += other.verdictTraffic[index] }
  }
}

extension BySystem<GenerationTally> {
  init(_ site: RuleSet.Version) { self.init { GenerationTally(site.matchers[$0]) } }

  mutating func merge(_ other: Self) {
    current.merge(other.current)
    legacy.merge(other.legacy)
  }
}
