internal import Foundations
internal import TrafficDigest
internal import UniversalLinks

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

  /// The traffic by path, verdict, rule and route; and by status, too, the claimed traffic that
  /// didn't get a page, whose visits are attempts: what would have been visits with another status.
  var paths = CountTable()

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

  /// Adds other counts; `groups` are the numbers here of their path groups.
  mutating func merge(_ other: SiteTally, _ groups: [Int]) {
    for (day, traffic) in other.days { days[day, default: DayTraffic(day: day)] += traffic }
    func renamed(_ key: CountTable.Key) -> CountTable.Key { key.withPath { groups[$0] } }
    paths.add(other.paths, renamed)
    pairs.add(other.pairs) { CountTable.Key(groups[Int($0.first)], groups[Int($0.second)]) }
    pathCauses.add(other.pathCauses, renamed)
    submissions.add(other.submissions, renamed)
    subresources += other.subresources
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

  init(_ key: CountTable.Key) {
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
