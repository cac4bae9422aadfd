internal import TrafficDigest
internal import UniversalLinks

/// What one worker, or all of them, have counted for a site.
struct SiteTally: Sendable {
  /// What paths are counted by.
  struct PathKey: Hashable, Sendable {
    /// The number of the path's template, or of its family.
    var path: Int
    var verdict: Verdict
    var system: OperatingSystem

    /// The list that decided, and its rule.
    var list: Int?
    var rule: Int?

    /// The position of the app's route that the path has.
    var route: Int?

    /// The status of the response where only requests with it are counted, or 0.
    var status: UInt16 = 0
  }

  /// Two pages, by the numbers of their templates, or of their families.
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

  /// Traffic by paths and pairs of pages.
  private struct PathTallies: Sendable {
    var paths = PathTally()

    /// The claimed traffic that didn't get a page, whose visits are attempts: what
    /// would have been visits with another status.
    var problems = PathTally()

    var pairs = CountTable()

    var count: Int { paths.count + problems.count + pairs.count }
  }

  /// The traffic of paths and pairs of pages by their templates.
  private var byTemplate = PathTallies()

  /// The families of paths, and the traffic of those whose templates have been
  /// forgotten.
  private var families: FamilyTree
  private var byFamily = PathTallies()

  /// The number of counts of families when the same ones were last joined.
  private var joinedCount = 0

  init(_ site: CompiledSite, fanOut: Int) {
    current = GenerationTally(site.current)
    legacy = GenerationTally(site.legacy)
    families = FamilyTree(fanOut: fanOut)
  }

  /// Counts requests by what they agree in.
  mutating func add(_ count: DimensionCounts.Count, isVisit: Bool) {
    let dimensions = count.dimensions
    let traffic = Traffic(requests: count.requests, visits: isVisit ? count.requests : 0)
    verdicts[count.verdict] += traffic
    platforms[dimensions.platform] += traffic
    days.add(traffic, count.verdict, on: dimensions)
    guard count.verdict == .claimed else { return }
    referrals[dimensions.referral] += traffic
    if dimensions.referral == .sameHost { days.addSameHost(traffic, on: dimensions) }
  }

  /// Counts the traffic of a target by its path.
  @inline(__always)
  mutating func add(_ traffic: Traffic, toPath key: PathKey, target: Span<UInt8>) {
    byTemplate.paths.add(traffic, to: key.packed, sample: target)
  }

  /// Counts claimed traffic of a target that the web answered with a redirect or an
  /// error.
  mutating func add(problem traffic: Traffic, toPath key: PathKey, target: Span<UInt8>) {
    byTemplate.problems.add(traffic, to: key.packed, sample: target)
  }

  /// The bytes that samples of targets take whose templates aren't folded yet.
  var sampleByteCount: Int {
    byTemplate.paths.sampleByteCount + byTemplate.problems.sampleByteCount
  }

  /// Counts visits that went from one page to another.
  mutating func add(_ visits: Int, toPair key: PairKey) {
    byTemplate.pairs.add(
      Traffic(visits: visits),
      to: CountTable.Key(first: UInt64(key.from), second: UInt64(key.to)))
  }

  /// Adds a template of a path.
  ///
  /// - Returns: The number of its family.
  mutating func addFamily(of template: Span<UInt8>) -> Int { families.insert(template) }

  /// Counts by families what has been counted by templates, whose numbers have no
  /// meaning from then on.
  ///
  /// - Parameter family: The number of a template's family.
  mutating func foldTemplates(_ family: (_ template: Int) -> Int) {
    add(byTemplate, family)
    byTemplate = PathTallies()
    guard byFamily.count > max(1 << 16, 2 * joinedCount) else { return }
    let old = byFamily
    byFamily = PathTallies()
    add(old) { $0 }
    joinedCount = byFamily.count
  }

  private mutating func add(_ tallies: PathTallies, _ family: (Int) -> Int) {
    let families = families
    func rename(_ packed: CountTable.Key) -> CountTable.Key {
      var key = PathKey(packed)
      key.path = families.resolve(family(key.path))
      return key.packed
    }
    byFamily.paths.add(tallies.paths, rename)
    byFamily.problems.add(tallies.problems, rename)
    tallies.pairs.forEachCount { pair, traffic in
      byFamily.pairs.add(
        traffic,
        to: CountTable.Key(
          first: UInt64(families.resolve(family(Int(pair.first)))),
          second: UInt64(families.resolve(family(Int(pair.second))))))
    }
  }

  /// Traffic by family.
  struct PathTraffic: Sendable {
    var key: PathKey
    var traffic: Traffic
    var samples: [SampleStore.Sample]
  }

  /// The traffic of paths by family; a family can occur more than once.
  var pathTraffic: [PathTraffic] { traffic(of: byFamily.paths) }

  /// The claimed traffic that didn't get a page, by family and status; its visits are
  /// attempts. A family can occur more than once.
  var problemTraffic: [PathTraffic] { traffic(of: byFamily.problems) }

  private func traffic(of paths: PathTally) -> [PathTraffic] {
    var traffic: [PathTraffic] = []
    paths.forEachCount { packed, amount, samples in
      var key = PathKey(packed)
      key.path = families.resolve(key.path)
      traffic.append(PathTraffic(key: key, traffic: amount, samples: samples))
    }
    return traffic
  }

  /// The text of a family.
  func text(ofFamily family: Int) -> String { families.text(family) }

  /// Calls `body` with the families of two pages and visits between them; a pair
  /// can occur more than once.
  func forEachPair(_ body: (PairKey, Int) -> Void) {
    byFamily.pairs.forEachCount { key, traffic in
      body(
        PairKey(
          from: families.resolve(Int(key.first)), to: families.resolve(Int(key.second))),
        traffic.visits)
    }
  }

  /// Adds the counts of another worker, both by families.
  mutating func merge(_ other: SiteTally) {
    current.merge(other.current)
    legacy.merge(other.legacy)
    verdicts += other.verdicts
    platforms += other.platforms
    referrals += other.referrals
    days.merge(other.days)
    let numbers = families.merge(other.families)
    add(other.byFamily) { numbers[$0] }
  }
}

extension SiteTally.PathKey {
  // First word: path 32, list 22, status 10. Second: rule 31, route 30, verdict 2,
  // system 1. What is absent is 0, what is there its number plus one.
  fileprivate var packed: CountTable.Key {
    CountTable.Key(
      first: UInt64(path) | UInt64((list ?? -1) + 1) << 32 | UInt64(status) << 54,
      second: UInt64((rule ?? -1) + 1) | UInt64((route ?? -1) + 1) << 31
        | UInt64(verdict.number) << 61 | (system == .legacy ? 1 << 63 : 0))
  }

  fileprivate init(_ key: CountTable.Key) {
    func number(_ bits: UInt64) -> Int? { bits == 0 ? nil : Int(bits) - 1 }
    self.init(
      path: Int(key.first & 0xFFFF_FFFF),
      verdict: Verdict(number: Int(key.second >> 61 & 3)),
      system: key.second >> 63 == 1 ? .legacy : .current,
      list: number(key.first >> 32 & 0x3F_FFFF),
      rule: number(key.second & 0x7FFF_FFFF), route: number(key.second >> 31 & 0x3FFF_FFFF),
      status: UInt16(key.first >> 54))
  }
}
