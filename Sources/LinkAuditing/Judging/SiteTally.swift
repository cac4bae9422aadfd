internal import TrafficDigest
internal import UniversalLinks

/// What one worker, or all of them, have counted for a site.
struct SiteTally: Sendable {
  /// What paths are counted by.
  struct PathKey: Hashable, Sendable {
    var template: Int
    var verdict: Verdict
    var system: OperatingSystem

    /// The list that decided, and its rule.
    var list: Int?
    var rule: Int?

    /// The position of the app's route that the path has.
    var route: Int?
  }

  /// The templates of two pages.
  struct PairKey: Hashable, Sendable {
    var from: Int
    var to: Int
  }

  var current: GenerationTally
  var legacy: GenerationTally
  var verdicts = CaseCounts<Verdict>()
  var platforms = CaseCounts<Platform>()
  var referrals = CaseCounts<Referral>()
  var days = DayTallies()
  private var paths = CountTable()
  private var pairs = CountTable()

  init(_ site: CompiledSite) {
    current = GenerationTally(site.current)
    legacy = GenerationTally(site.legacy)
  }

  /// Counts requests by what they agree in.
  mutating func add(_ count: DimensionCounts.Count) {
    let dimensions = count.dimensions
    let traffic = Traffic(
      requests: count.requests,
      visits: count.isPage && dimensions.isVisitLike ? count.requests : 0)
    verdicts[count.verdict] += traffic
    platforms[dimensions.platform] += traffic
    days.add(traffic, count.verdict, on: dimensions)
    guard count.verdict == .claimed else { return }
    referrals[dimensions.referral] += traffic
    if dimensions.referral == .sameHost { days.addSameHost(traffic, on: dimensions) }
  }

  /// Counts the traffic of a path.
  mutating func add(_ traffic: Traffic, toPath key: PathKey) {
    paths.add(traffic, to: key.packed)
  }

  /// Counts visits that went from one page to another.
  mutating func add(_ visits: Int, toPair key: PairKey) {
    pairs.add(
      Traffic(visits: visits),
      to: CountTable.Key(first: UInt64(key.from), second: UInt64(key.to)))
  }

  /// The traffic of paths.
  var pathTraffic: [(key: PathKey, value: Traffic)] {
    var traffic: [(key: PathKey, value: Traffic)] = []
    paths.forEachCount { traffic.append((PathKey($0), $1)) }
    return traffic
  }

  /// Calls `body` with each pair of pages and the visits between them.
  func forEachPair(_ body: (PairKey, Int) -> Void) {
    pairs.forEachCount { body(PairKey(from: Int($0.first), to: Int($0.second)), $1.visits) }
  }

  /// Adds the counts of another worker, where `template` returns the number of a
  /// template here, given its number there.
  mutating func merge(_ other: SiteTally, template: (Int) -> Int) {
    current.merge(other.current)
    legacy.merge(other.legacy)
    verdicts += other.verdicts
    platforms += other.platforms
    referrals += other.referrals
    days.merge(other.days)
    other.paths.forEachCount { packed, traffic in
      var key = PathKey(packed)
      key.template = template(key.template)
      add(traffic, toPath: key)
    }
    other.forEachPair { pair, visits in
      add(visits, toPair: PairKey(from: template(pair.from), to: template(pair.to)))
    }
  }
}

extension SiteTally.PathKey {
  // First word: template 32, list 32. Second: rule 31, route 30, verdict 2,
  // system 1. What is absent is 0, what is there its number plus one.
  fileprivate var packed: CountTable.Key {
    CountTable.Key(
      first: UInt64(template) | UInt64((list ?? -1) + 1) << 32,
      second: UInt64((rule ?? -1) + 1) | UInt64((route ?? -1) + 1) << 31
        | UInt64(verdict.number) << 61 | (system == .legacy ? 1 << 63 : 0))
  }

  fileprivate init(_ key: CountTable.Key) {
    func number(_ bits: UInt64) -> Int? { bits == 0 ? nil : Int(bits) - 1 }
    self.init(
      template: Int(key.first & 0xFFFF_FFFF),
      verdict: Verdict(number: Int(key.second >> 61 & 3)),
      system: key.second >> 63 == 1 ? .legacy : .current, list: number(key.first >> 32),
      rule: number(key.second & 0x7FFF_FFFF), route: number(key.second >> 31 & 0x3FFF_FFFF))
  }
}
