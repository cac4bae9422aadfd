internal import Foundations
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

  init(_ sites: [RuleSet], _ options: AuditOptions) {
    let fanOut = options.grouping.fanOut(options.fanOut)
    self.sites = sites.map { _ in SiteTally(fanOut: fanOut) }
    rules = sites.flatMap { site in site.versions.map { BySystem($0) } }
    filter = options.filter
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
      let site = target.site
      let from = target.templates.group(
        ofPage: page.template, of: target.names, site: site, compiled.routes,
        using: &target.routeSearch, add: { sites[site].groups.insert($0) })
      sites[site].pairs.add(
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
      let attempts = target.isPage && combination.isAttempt ? count.requests : 0
      sites[target.site].problems.add(
        Traffic(requests: count.requests, visits: attempts), to: key.packed, sample: bytes)
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

  mutating func addGroup(of template: Span<UInt8>, site: Int) -> Int {
    sites[site].groups.insert(template)
  }

  /// Counts what is counted by combinations of dimensions.
  mutating func finish() {
    for count in dimensionCounts.dimensionCounts { sites[count.site].add(count, filter) }
    dimensionCounts = CountTable()
  }

  mutating func merge(_ other: VerdictTally) {
    for number in sites.indices { sites[number].merge(other.sites[number]) }
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

/// The counts of one worker, or of all of them, for a site under all versions of its file.
struct SiteTally: Sendable {
  struct PathKey: Hashable, Sendable {
    var path: Int
    var verdict: Verdict
    var system: OperatingSystem

    /// The position of the version of the file that decided, and the number of the rule.
    ///
    /// If iOS 12 has no rule, this is the rule of newer systems, if they have one.
    var version: Int
    var rule: Int?

    /// The generation of systems that reads the rule.
    var ruleSystem: OperatingSystem { verdict == .unclaimed ? .current : system }
    var route: Int?

    /// The status of the response where only requests with it are counted, or 0.
    var status: UInt16 = 0
  }

  /// The figures by day; `nil` stands for requests without a time.
  private(set) var days: [Day?: DayTraffic] = [:]
  var total: DayTraffic { days.values.reduce(into: DayTraffic(), +=) }

  /// The traffic by path, verdict, rule and route.
  var paths = CountTable()

  /// The claimed traffic that didn't get a page, whose visits are attempts: what would
  /// have been visits with another status.
  var problems = CountTable()

  /// The visits between pages: the first word of a key is the path group of the referring page, the
  /// second that of the target.
  var pairs = CountTable()

  /// The claimed traffic of paths by cause: the first word of a key is the path, the second the
  /// cause.
  var pathCauses = CountTable()

  /// The requests with other methods than GET by path, and as visits those that began elsewhere; the
  /// second word of a key is 0.
  var submissions = CountTable()

  /// The requests by pages and scripts that would otherwise be visits.
  var subresources = 0
  var groups: PathGroupTree

  init(fanOut: Int) { groups = PathGroupTree(fanOut: fanOut) }

  mutating func add(_ count: DimensionCount, _ filter: TrafficFilter) {
    let isVisit = count.isPage && filter.isVisitLike(count.dimensions)
    let traffic = Traffic(requests: count.requests, visits: isVisit ? count.requests : 0)
    let day = count.dimensions.day
    days[day, default: DayTraffic(day: day)].add(traffic, count)
    if count.isPage, count.dimensions.isSubresource,
      filter.isVisitLike(count.dimensions.asNavigation)
    {
      subresources += count.requests
    }
  }

  /// Traffic by path group, with the text of the group.
  typealias PathTraffic = (
    key: PathKey, group: String, traffic: Traffic, samples: [SampleStore.Sample]
  )

  /// Returns the traffic of paths by path group; a path group can occur more than once.
  func traffic(of paths: CountTable) -> [PathTraffic] {
    var texts: [Int: String] = [:]
    return paths.counts.enumerated().map { number, count in
      let key = PathKey(count.key.withPath(groups.resolve))
      let group = groups.text(key.path, known: &texts)
      return (key, group, count.traffic, paths.samples(number))
    }
  }

  mutating func merge(_ other: SiteTally) {
    for (day, traffic) in other.days { days[day, default: DayTraffic(day: day)] += traffic }
    let numbers = groups.merge(other.groups)
    let groups = groups
    func resolved(_ group: Int) -> Int { groups.resolve(numbers[group]) }
    paths.add(other.paths) { $0.withPath(resolved) }
    problems.add(other.problems) { $0.withPath(resolved) }
    pairs.add(other.pairs) {
      CountTable.Key(resolved(Int($0.first)), resolved(Int($0.second)))
    }
    pathCauses.add(other.pathCauses) { $0.withPath(resolved) }
    submissions.add(other.submissions) { $0.withPath(resolved) }
    subresources += other.subresources
  }
}

extension DayTraffic {
  fileprivate mutating func add(_ traffic: Traffic, _ count: DimensionCount) {
    verdicts[count.verdict] += traffic
    platforms[count.dimensions.platform] += traffic
    if count.verdict == .claimed { referrals[count.dimensions.referral] += traffic }
    if let cause = count.cause { causes[cause] += traffic }
  }
}

extension SiteTally.PathKey {
  // First word: path 32, status 10. Second: rule 25, route 25, version 11, verdict 2, system 1. 0
  // means an absent number, any other value is the number plus one. The size limit of a file keeps
  // rules and routes within these bits, and a history has no more versions.
  var packed: CountTable.Key {
    CountTable.Key(
      UInt64(path) | UInt64(status) << 32,
      UInt64((rule ?? -1) + 1) | UInt64((route ?? -1) + 1) << 25
        | UInt64(version) << 50 | UInt64(verdict.number) << 61 | (system == .legacy ? 1 << 63 : 0))
  }

  fileprivate init(_ key: CountTable.Key) {
    func number(_ bits: UInt64) -> Int? { bits == 0 ? nil : Int(bits) - 1 }
    self.init(
      path: key.path,
      verdict: Verdict(number: Int(key.second >> 61 & 3)),
      system: key.second >> 63 == 1 ? .legacy : .current,
      version: Int(key.second >> 50 & 0x7FF),
      rule: number(key.second & 0x1FF_FFFF), route: number(key.second >> 25 & 0x1FF_FFFF),
      status: UInt16(key.first >> 32))
  }
}
