internal import TrafficDigest
internal import UniversalLinks

/// The counts of requests for a target, or of visits to it from pages of the same host.
typealias RequestCounts = Span<TrafficDigest.Count>

/// The target that is judged, and what its judgment needs.
///
/// A worker has one and uses it for each target, so that judging allocates nothing.
struct JudgedTarget: ~Copyable {
  var site = 0

  /// The position of the version of the site's file under which it is judged: among those of all
  /// sites, and among those of the site.
  var version = (ofAll: 0, ofSite: 0)

  /// Whether it is a page, so that requests for it can be visits.
  var isPage = false
  var group = 0
  var route: Int?
  var traffic = BySystem { _ in Traffic() }

  /// The requests with other methods than GET, and as visits those that began elsewhere.
  var submissions = Traffic()

  /// Whether some requests didn't get a page.
  var hasProblems = false
  var url = LinkURL()

  /// Its evaluation under the file, and under rules that it is compared with.
  var evaluation = Evaluation()
  var otherEvaluation = Evaluation()

  /// The hosts, dimensions and pages that its counts name, as the slice that is judged numbers them.
  ///
  /// The members below are looked up once per name, not once per target.
  let names = TargetNames()

  /// The generation and the version of the names that are known here.
  private var known = (generation: -1, version: -1)

  /// By host, the number of its site, or `nil` if it has none.
  private(set) var sites: [Int?] = []

  /// By host, whether it has a port that makes its targets ineligible.
  private(set) var haveForeignPort: [Bool] = []
  private(set) var combinations: [Combination] = []
  private(set) var pages: [Page] = []
  private var causes: [CauseEvidence: SIMD32<UInt8>] = [:]

  /// Whether a combination has a system that may be older than a rule.
  private var haveOldSystems = false
  private let directory: SiteDirectory
  private let options: AuditOptions

  var templates: PathTemplates
  var routeSearch = RouteSearch()

  /// By site, the days without a delivery of its file.
  private let undelivered: [Set<Int>]

  init(hosts: [String], undelivered: [Set<Int>], options: AuditOptions) {
    (directory, self.options) = (SiteDirectory(hosts), options)
    templates = PathTemplates(
      options.grouping, fanOut: options.fanOut, siteCount: hosts.count)
    self.undelivered = undelivered
  }

  /// Determines what its requests have in common.
  @inline(__always)
  mutating func add(_ requests: RequestCounts) {
    var (current, legacy, submissions) = (Traffic(), Traffic(), Traffic())
    var hasProblems = false
    for index in requests.indices {
      let count = requests[index]
      let combination = combinations[count.kind]
      let one = traffic(of: count)
      if combination.isLegacy { legacy += one } else { current += one }
      if combination.isSubmission { submissions.requests += count.requests }
      if combination.isEntry { submissions.visits += count.requests }
      hasProblems = hasProblems || combination.problem != 0
    }
    (traffic.current, traffic.legacy) = (current, legacy)
    (self.submissions, self.hasProblems) = (submissions, hasProblems)
  }

  /// Returns requests, which are visits if they look like one and ask for a page.
  @inline(__always)
  func traffic(of count: TrafficDigest.Count) -> Traffic {
    let isVisit = isPage && combinations[count.kind].isVisitLike
    return Traffic(requests: count.requests, visits: isVisit ? count.requests : 0)
  }

  /// Calls `body` with each count of its requests from one generation of systems, and with the cause
  /// for which they stayed on the web if a file claims it.
  @inline(__always)
  func forEachCause(
    of requests: RequestCounts, _ system: OperatingSystem, under compiled: RuleSet.Version,
    _ evaluation: borrowing Evaluation, _ body: (Cause, Dimensions, Traffic) -> Void
  ) {
    let facts = causeFacts
    let release = haveOldSystems ? compiled.firstRelease(system, evaluation) : .iOS13
    let undelivered = undelivered[site]
    for index in requests.indices {
      let combination = combinations[requests[index].kind]
      guard combination.isLegacy == (system == .legacy) else { continue }
      var facts = facts
      if combination.systemAge != .current, combination.systemAge.isTooOld(for: release) {
        facts.insert(.isTooOld)
      }
      if !undelivered.isEmpty, undelivered.contains(combination.dimensions.dayNumber) {
        facts.insert(.isUndelivered)
      }
      let cause = Cause(number: Int(combination.causesByFacts[Int(facts.rawValue)]))
      body(cause, combination.dimensions, traffic(of: requests[index]))
    }
  }

  private var causeFacts: CauseEvidence.Facts {
    let query = url.encodedQuery
    var facts = query.isEmpty ? [] : CauseEvidence.Facts(query: query.span)
    if !options.callbackPaths.isEmpty, options.callbackPaths.contains(url.encodedPath.span) {
      facts.insert(.isLogin)
    }
    return facts
  }
}

// MARK: - Names

extension JudgedTarget {
  /// Whether the slice has numbered names that aren't known here.
  var isBehind: Bool { known.version != names.version }

  /// Adds the properties of new names, and forgets all others if names are numbered anew.
  @inline(never)
  mutating func updateNames() {
    let isAnew = known.generation != names.generation
    known = (names.generation, names.version)
    if isAnew {
      pages.removeAll(keepingCapacity: true)
      (sites, haveForeignPort, combinations) = ([], [], [])
    }
    for host in names.hosts[sites.count...] {
      let name = HostName.withoutPort(host)
      sites.append(directory.number(of: name))
      // A logged host has lost the default ports; any other makes its targets
      // ineligible. No site's host has one.
      haveForeignPort.append(name != host)
    }
    let added = names.combinations[combinations.count...].map { dimensions in
      Combination(dimensions, causes(of: CauseEvidence(dimensions)), options.filter)
    }
    combinations += added
    if added.contains(where: { $0.dimensions.systemAge != .current }) { haveOldSystems = true }
    pages += names.pages[pages.count...].map { page -> Page in
      let combination = combinations[page.combination]
      return (
        page.template, combination.isLegacy, combination.isIncluded && combination.isVisitLike,
        combination.dimensions.dayNumber
      )
    }
    templates.makeRoom(for: names, areAnew: isAnew)
  }

  /// Returns the causes of requests with some evidence, found once for all days and statuses.
  private mutating func causes(of evidence: CauseEvidence) -> SIMD32<UInt8> {
    if let known = causes[evidence] { return known }
    let causes = evidence.causesByFacts
    self.causes[evidence] = causes
    return causes
  }

  struct Combination: BitwiseCopyable {
    var dimensions: Dimensions
    var isLegacy: Bool
    var isVisitLike: Bool

    /// Whether an Apple device sent requests of this kind with a method other than GET.
    var isSubmission: Bool

    /// Whether requests with it are visits of people who came from elsewhere.
    var isEntry: Bool

    /// The status, if it is that of a redirect or of a page that is missing or broken; else 0.
    var problem: UInt16
    var systemAge: SystemAge

    /// The numbers of the causes of claimed requests; see ``CauseEvidence/causesByFacts``.
    var causesByFacts: SIMD32<UInt8>
    var isIncluded: Bool

    init(_ dimensions: Dimensions, _ causesByFacts: SIMD32<UInt8>, _ filter: TrafficFilter) {
      self.dimensions = dimensions
      isLegacy = dimensions.platform == .ios12
      isVisitLike = filter.isVisitLike(dimensions)
      isSubmission = !dimensions.isGet && dimensions.platform.isApple
      isEntry = isVisitLike && dimensions.referral != .sameHost
      let status = dimensions.status
      problem = status.isBroken || status.isRedirect ? status : 0
      systemAge = dimensions.systemAge
      self.causesByFacts = causesByFacts
      isIncluded = filter.lets(dimensions)
    }
  }

  /// A page from which same-host visits came, whether they count, and the number of their day.
  typealias Page = (template: Int, isLegacy: Bool, isIncluded: Bool, day: Int)
}
