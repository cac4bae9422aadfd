internal import TrafficDigest
internal import UniversalLinks

/// The work of one worker: it finds the site, the version and the URL of each target that it is
/// given, and lets its tally count.
struct Judge<Tally: TargetTally>: ~Copyable {
  private let sites: [RuleSet]

  /// The versions of all sites, one site after another, and by site the position of the first.
  private let versions: [RuleSet.Version]
  private let firstVersions: [Int]
  private let assets: AssetExtensions
  private let ignoredPaths: PathPatterns
  private let filter: TrafficFilter

  private var target: JudgedTarget

  /// The counts.
  private(set) var traffic: JudgedTraffic<Tally>

  // Buffers that are reused for each target.
  private var selected: [TrafficDigest.Count] = []
  private var dayCounts = DayVersionCounts()

  init(
    sites: [RuleSet], traffic: JudgedTraffic<Tally>, undelivered: [Set<Int>],
    options: AuditOptions
  ) {
    (self.sites, self.traffic) = (sites, traffic)
    versions = sites.flatMap(\.versions)
    var count = 0
    firstVersions = sites.map { site in
      defer { count += site.versions.count }
      return count
    }
    assets = options.assetExtensions
    ignoredPaths = options.ignoredPaths
    filter = options.filter
    target = JudgedTarget(hosts: sites.map(\.host), undelivered: undelivered, options: options)
  }

  /// Judges the targets of a slice.
  ///
  /// - Throws: ``DigestFileError`` if a temporary file can't be read.
  mutating func judge(
    _ slice: TrafficDigest.Slice, of digest: TrafficDigest
  ) throws(DigestFileError) {
    let numbered = target.names.names
    let isInMemory = if case .memory = slice { true } else { false }
    traffic.otherHostCounts.beginSlice(isInMemory: isInMemory)
    defer { traffic.otherHostCounts.finishSlice(numbered) }
    try digest.forEachTarget(in: slice, names: numbered) { bytes, host, requests, visits in
      if target.names.isBehind {
        target.templates.makeRoom(for: numbered, areAnew: target.names.update())
      }
      guard let site = target.names.sites[host] else {
        // Figures of other hosts are about the logs, so that no filter applies.
        traffic.otherHostCounts.add(requests, toHost: host, of: numbered, digest)
        return
      }
      target.site = site
      judge(bytes, host: host, requests, visits)
    }
  }

  /// Completes the counts after judging.
  mutating func finish() { traffic.tally.finish() }

  /// Judges a target of a site, as far as the filter lets its requests.
  private mutating func judge(
    _ bytes: Span<UInt8>, host: Int, _ requests: Span<TrafficDigest.Count>,
    _ visits: Span<TrafficDigest.Count>
  ) {
    guard filter.isSelective else {
      judgeVersions(bytes, host: host, requests, visits)
      return
    }
    // Taken out while it is used: an array that two hold is copied when it changes.
    var selected: [TrafficDigest.Count] = []
    swap(&selected, &self.selected)
    selected.removeAll(keepingCapacity: true)
    for index in requests.indices {
      let count = requests[index]
      if target.names.combinations[count.kind].isIncluded {
        selected.append(count)
      } else {
        traffic.leftOut += count.requests
      }
    }
    if !selected.isEmpty { judgeVersions(bytes, host: host, selected.span, visits) }
    swap(&selected, &self.selected)
  }

  /// Judges a target of a site, of which all requests count, under the versions of their days.
  @inline(__always)
  private mutating func judgeVersions(
    _ bytes: Span<UInt8>, host: Int, _ requests: Span<TrafficDigest.Count>,
    _ visits: Span<TrafficDigest.Count>
  ) {
    target.version = (firstVersions[target.site], 0)
    if versions.count > sites.count, sites[target.site].versions.count > 1 {
      judgeByDay(bytes, host: host, requests, visits)
    } else {
      judgeVersion(bytes, host: host, requests, visits)
    }
  }

  /// Judges a target of a site with several versions, each count of requests under the version
  /// of its day.
  @inline(never)
  private mutating func judgeByDay(
    _ bytes: Span<UInt8>, host: Int, _ requests: Span<TrafficDigest.Count>,
    _ visits: Span<TrafficDigest.Count>
  ) {
    var counts = DayVersionCounts()
    swap(&counts, &dayCounts)
    let rules = sites[target.site]
    counts.begin(requests) {
      rules.version(onDay: target.names.combinations[$0.kind].dimensions.dayNumber)
    }
    while let version = counts.next(
      requests, visits,
      visitVersion: { rules.version(onDay: target.names.pages[$0.kind].day) })
    {
      target.version = (firstVersions[target.site] + version, version)
      judgeVersion(bytes, host: host, counts.requests.span, counts.visits.span)
    }
    swap(&counts, &dayCounts)
  }

  /// Judges requests for a target of a site under one version.
  private mutating func judgeVersion(
    _ bytes: Span<UInt8>, host: Int, _ requests: Span<TrafficDigest.Count>,
    _ visits: Span<TrafficDigest.Count>
  ) {
    let site = versions[target.version.ofAll]
    let isEligible =
      site.isEligible && !target.names.haveForeignPort[host] && bytes.count > 0
      && bytes[0] == UInt8(ascii: "/")
    if let end = target.url.setTarget(bytes) {
      let path = bytes.extracting(0..<end)
      judge(bytes, path: path, of: site, isEligible: isEligible, requests, visits)
    } else {
      let path = target.url.encodedPath
      judge(bytes, path: path.span, of: site, isEligible: isEligible, requests, visits)
    }
  }

  /// Judges requests for a target, which is that of the URL, with the path as URLs spell it.
  @inline(__always)
  private mutating func judge(
    _ bytes: Span<UInt8>, path: Span<UInt8>, of site: RuleSet.Version, isEligible: Bool,
    _ requests: Span<TrafficDigest.Count>, _ visits: Span<TrafficDigest.Count>
  ) {
    target.isPage = !assets.contains(extensionOf: path)
    if !ignoredPaths.isEmpty, ignoredPaths.contains(path) {
      addIgnored(requests)
      return
    }
    target.add(requests)
    guard isEligible else {
      traffic.tally.addIneligible(target, requests)
      return
    }
    var match = RouteMatcher.Match()
    if let routes = site.routes {
      match = routes.match(
        path: target.url.encodedPath, query: target.url.encodedQuery, using: &target.routeSearch)
    }
    target.route = match.route
    let number = target.site
    target.group = target.templates.group(
      of: path, site: number, route: Tally.followsRoutes ? match.routeOfPath : nil,
      of: site.routes, add: { traffic.tally.addGroup(of: $0, site: number) })
    if target.traffic.current.requests > 0 {
      traffic.tally.add(.current, &target, bytes, of: site, requests, visits)
    }
    if target.traffic.legacy.requests > 0 {
      traffic.tally.add(.legacy, &target, bytes, of: site, requests, visits)
    }
  }

  @inline(never)
  private mutating func addIgnored(_ requests: Span<TrafficDigest.Count>) {
    for index in requests.indices {
      traffic.leftOut += requests[index].requests
      traffic.ignored += target.traffic(of: requests[index])
    }
  }
}

/// The counts of the targets that a worker judges.
///
/// Reports count verdicts, comparisons count changes of verdicts, and suggestions count what no
/// rule claims. ``Judge`` does what they have in common.
protocol TargetTally: Sendable {
  /// Whether paths of a route are counted together, rather than by the values of its parameters.
  static var followsRoutes: Bool { get }

  /// The number of requests that were counted.
  var requests: Int { get }

  /// Counts the requests for a target that can't open an app, whatever the rules.
  ///
  /// Of the target, only the site, the version, the traffic, and whether it is a page are known.
  mutating func addIneligible(
    _ target: borrowing JudgedTarget, _ requests: Span<TrafficDigest.Count>)

  /// Counts a target's requests from one generation of systems, of which there is at least one.
  ///
  /// - Parameters:
  ///   - system: The generation of systems; the current one comes first.
  ///   - target: The target, whose URL can be judged.
  ///   - bytes: The target as the request line has it.
  ///   - site: The site, with the version of its file that was in force.
  ///   - requests: The requests.
  ///   - visits: The visits from pages of the same host among them, by page.
  mutating func add(
    _ system: OperatingSystem, _ target: inout JudgedTarget, _ bytes: Span<UInt8>,
    of site: RuleSet.Version, _ requests: Span<TrafficDigest.Count>,
    _ visits: Span<TrafficDigest.Count>)

  /// Adds a template of a path.
  ///
  /// - Returns: The number of its path group.
  mutating func addGroup(of template: Span<UInt8>, site: Int) -> Int

  /// Completes the counts of a worker.
  mutating func finish()

  /// Adds the counts of another worker.
  mutating func merge(_ other: Self)
}

extension TargetTally {
  mutating func finish() {}
}

/// The counts of a target whose site has several versions, version by version.
struct DayVersionCounts {
  /// The version of each count of requests.
  private var versions: [Int] = []
  private var last = -1

  /// The requests and the same-host visits under the version that was returned last.
  private(set) var requests: [TrafficDigest.Count] = []
  private(set) var visits: [TrafficDigest.Count] = []

  /// Begins with the counts of a target.
  mutating func begin(
    _ all: Span<TrafficDigest.Count>, version: (TrafficDigest.Count) -> Int
  ) {
    last = -1
    versions.removeAll(keepingCapacity: true)
    for index in all.indices { versions.append(version(all[index])) }
  }

  /// Selects the counts of the next version with requests while it was in force.
  ///
  /// - Returns: The version, or `nil` if there is none.
  mutating func next(
    _ allRequests: Span<TrafficDigest.Count>, _ allVisits: Span<TrafficDigest.Count>,
    visitVersion: (TrafficDigest.Count) -> Int
  ) -> Int? {
    var next = Int.max
    for (index, version) in versions.enumerated() where version > last {
      if version < next {
        next = version
        requests.removeAll(keepingCapacity: true)
      }
      if version == next { requests.append(allRequests[index]) }
    }
    guard next < Int.max else { return nil }
    visits.removeAll(keepingCapacity: true)
    for index in allVisits.indices where visitVersion(allVisits[index]) == next {
      visits.append(allVisits[index])
    }
    last = next
    return next
  }
}
