internal import Foundations
public import TrafficDigest
internal import UniversalLinks

/// The work of one worker: it finds the site, the version and the URL of each target that it is
/// given, and lets its tally count.
struct Judge<Tally: TargetTally>: ~Copyable {
  private let sites: [RuleSet]

  /// The versions of all sites, one site after another, and by site the position of the first.
  private let versions: [RuleSet.Version]
  private let firstVersions: [Int]
  private let options: AuditOptions
  fileprivate var target: JudgedTarget
  var traffic: JudgedTraffic<Tally>

  /// Buffers that are reused for each target.
  private var dayCounts: DayCounts = ([], [], [])

  /// The version of each count of a target, or the maximum for one that doesn't count, and the
  /// requests and same-host visits under one version.
  private typealias DayCounts = (
    versions: [Int], requests: [TrafficDigest.Count], visits: [TrafficDigest.Count]
  )

  init(
    sites: [RuleSet], traffic: JudgedTraffic<Tally>, undelivered: [Set<Int>], options: AuditOptions
  ) {
    (self.sites, self.traffic, self.options) = (sites, traffic, options)
    versions = sites.flatMap(\.versions)
    var count = 0
    firstVersions = sites.map { site in
      defer { count += site.versions.count }
      return count
    }
    target = JudgedTarget(hosts: sites.map(\.host), undelivered: undelivered, options: options)
  }

  mutating func judge(
    _ slice: TrafficDigest.Slice, of digest: TrafficDigest
  ) throws(DigestFileError) {
    let names = target.names
    defer { traffic.otherHostCounts.finish(digest) }
    try digest.forEachTarget(in: slice, names: names) { bytes, host, requests, visits in
      if target.isBehind { target.updateNames() }
      guard let site = target.sites[host] else {
        // Figures of other hosts are about the logs, so that no filter applies.
        traffic.otherHostCounts.add(requests, toHost: host, of: names, digest)
        return
      }
      target.site = site
      judge(bytes, host: host, requests, visits)
    }
  }

  /// Judges a target of a site under the versions of its days, as far as the filter lets its
  /// requests.
  private mutating func judge(
    _ bytes: Span<UInt8>, host: Int, _ requests: RequestCounts, _ visits: RequestCounts
  ) {
    target.version = (firstVersions[target.site], 0)
    let hasVersions = versions.count > sites.count && sites[target.site].versions.count > 1
    if hasVersions || options.filter.isSelective {
      judgeSelected(bytes, host: host, requests, visits)
    } else {
      judgeVersion(bytes, host: host, requests, visits)
    }
  }

  /// Judges those requests for a target that count, each under the version of its day.
  @inline(never)
  private mutating func judgeSelected(
    _ bytes: Span<UInt8>, host: Int, _ requests: RequestCounts, _ visits: RequestCounts
  ) {
    // Taken out while it is used: an array that two hold is copied when it changes.
    var counts: DayCounts = ([], [], [])
    swap(&counts, &dayCounts)
    let rules = sites[target.site]
    counts.versions.removeAll(keepingCapacity: true)
    for index in requests.indices {
      let combination = target.combinations[requests[index].kind]
      counts.versions.append(
        combination.isIncluded ? rules.version(onDay: combination.dimensions.dayNumber) : .max)
      if !combination.isIncluded { traffic.leftOut += requests[index].requests }
    }
    var version = -1
    while true {
      version = counts.versions.reduce(.max) { $1 > version ? min($0, $1) : $0 }
      guard version < .max else { break }
      counts.requests.removeAll(keepingCapacity: true)
      for index in requests.indices where counts.versions[index] == version {
        counts.requests.append(requests[index])
      }
      counts.visits.removeAll(keepingCapacity: true)
      for index in visits.indices
      where rules.version(onDay: target.pages[visits[index].kind].day) == version {
        counts.visits.append(visits[index])
      }
      target.version = (firstVersions[target.site] + version, version)
      judgeVersion(bytes, host: host, counts.requests.span, counts.visits.span)
    }
    swap(&counts, &dayCounts)
  }

  /// Judges requests for a target of a site under one version.
  private mutating func judgeVersion(
    _ bytes: Span<UInt8>, host: Int, _ requests: RequestCounts, _ visits: RequestCounts
  ) {
    let site = versions[target.version.ofAll]
    let isEligible =
      site.isEligible && !target.haveForeignPort[host] && bytes.count > 0
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
    _ requests: RequestCounts, _ visits: RequestCounts
  ) {
    target.isPage = !options.assetExtensions.contains(extensionOf: path)
    if !options.ignoredPaths.isEmpty, options.ignoredPaths.contains(path) {
      addIgnored(requests)
      return
    }
    target.add(requests)
    guard isEligible else {
      traffic.tally.addIneligible(target, requests)
      return
    }
    var match: RouteMatcher.Match = (nil, nil)
    if let routes = site.routes {
      match = routes.match(
        path: target.url.encodedPath, query: target.url.encodedQuery, using: &target.routeSearch)
    }
    target.route = match.route
    target.group = target.templates.group(
      of: path, site: target.site, route: Tally.followsRoutes ? match.routeOfPath : nil,
      of: site.routes)
    if target.traffic.current.requests > 0 {
      traffic.tally.add(.current, &target, bytes, of: site, requests, visits)
    }
    if target.traffic.legacy.requests > 0 {
      traffic.tally.add(.legacy, &target, bytes, of: site, requests, visits)
    }
  }

  @inline(never)
  private mutating func addIgnored(_ requests: RequestCounts) {
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
  var requests: Int { get }

  /// Counts the requests for a target that can't open an app, whatever the rules.
  ///
  /// Of the target, only the site, the version, the traffic, and whether it is a page are known.
  mutating func addIneligible(_ target: borrowing JudgedTarget, _ requests: RequestCounts)

  /// Counts a target's requests from one generation of systems, of which there is at least one; the
  /// current one comes first.
  ///
  /// `bytes` is the target as the request line has it, and `visits` are the visits from pages of the
  /// same host among the requests, by page.
  mutating func add(
    _ system: OperatingSystem, _ target: inout JudgedTarget, _ bytes: Span<UInt8>,
    of site: RuleSet.Version, _ requests: RequestCounts, _ visits: RequestCounts)

  mutating func finish()

  /// Adds the counts of another worker; `groups` are the numbers here of its path groups, by site.
  mutating func merge(_ other: Self, _ groups: [[Int]])
}

extension TargetTally {
  mutating func finish() {}
}

/// The counts of all workers under the rules of sites.
struct JudgedTraffic<Tally: TargetTally>: Sendable {
  var tally: Tally

  /// By site, the path groups of paths and referring pages.
  fileprivate(set) var groups: [PathGroupTree] = []
  var otherHostCounts = OtherHostCounts()
  private(set) var otherHosts = HeaviestHosts()
  let fetches: [[TrafficDigest.Daily<TrafficDigest.Fetch>]]

  /// The requests to sites that the filter or ignored paths leave out.
  var leftOut = 0

  /// The traffic of ignored paths among those.
  var ignored = Traffic()

  /// Judges each distinct target of a digest, and combines the counts of all workers.
  ///
  /// `others` are rules with which those of the sites are compared. `tally` returns the empty counts
  /// of a worker, for the sites and the others as the worker has compiled them.
  static func judge(
    _ digest: TrafficDigest, sites: [RuleSet], besides others: [RuleSet.Version] = [],
    options: AuditOptions, tally: @Sendable ([RuleSet], _ others: [RuleSet.Version]) -> Tally
  ) throws(JudgingError) -> JudgedTraffic {
    let slices = digest.slices(jobs: options.jobs)
    let counter = WorkCounter(upTo: slices.count)
    let jobs = max(1, min(options.jobs, slices.count))
    let fetches = SiteDirectory(sites.map(\.host)).dailyFetches(of: digest)
    let undelivered = fetches.map(\.undeliveredDays)
    let ruleCount = (sites.flatMap(\.versions) + others).reduce(0) { $0 + $1.ruleCount }
    let sharesRules = sites.count + ruleCount >= 10_000
    let shares: [Result<JudgedTraffic, DigestFileError>] = inParallel(jobs: jobs) { worker in
      // Each worker compiles the rules itself: reference counting of shared rules would cost more.
      // Many copies of very many rules would take too much memory, so then the rules are shared.
      let isCopy = worker > 0 && !sharesRules
      let sites = isCopy ? RuleSet.compiling(sites.map(\.history)) : sites
      let others = isCopy ? others.map { RuleSet.Version($0.site) } : others
      var judge = Judge(
        sites: sites, traffic: JudgedTraffic(tally: tally(sites, others), fetches: fetches),
        undelivered: undelivered, options: options)
      do throws(DigestFileError) {
        while let number = counter.draw() { try judge.judge(slices[number], of: digest) }
      } catch {
        return .failure(error)
      }
      judge.traffic.tally.finish()
      judge.traffic.groups = judge.target.templates.trees
      return .success(judge.traffic)
    }
    var total: JudgedTraffic
    do throws(DigestFileError) {
      total = try shares[0].get()
      for result in shares.dropFirst() { total.merge(try result.get()) }
    } catch {
      throw .digest(error)
    }
    total.otherHosts = total.otherHostCounts.heaviest
    let (judged, others) = (total.tally.requests, total.otherHosts.requests)
    guard digest.tally.requests == judged + others + total.leftOut else {
      throw .unbalanced(
        "the input has \(digest.tally.requests.counted("request")), but \(judged.grouped) have a "
          + "verdict, \(others.grouped) are for other hosts, and filters ignore "
          + total.leftOut.grouped)
    }
    return total
  }

  private mutating func merge(_ other: JudgedTraffic) {
    tally.merge(other.tally, groups.indices.map { groups[$0].merge(other.groups[$0]) })
    otherHostCounts.merge(other.otherHostCounts)
    leftOut += other.leftOut
    ignored += other.ignored
  }
}

/// The reason why a digest has no report.
public enum JudgingError: Error, Sendable {
  /// A digest's file can't be read.
  case digest(DigestFileError)

  /// Requests were lost or counted twice, as a sentence says.
  case unbalanced(String)
}
