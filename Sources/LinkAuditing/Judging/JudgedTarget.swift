internal import TrafficDigest
internal import UniversalLinks

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

  /// The hosts, dimensions and pages that its counts name.
  var names: JudgedNames

  /// The path groups of all paths and pages by template.
  var templates: PathTemplates
  var routeSearch = RouteSearch()
  private let callbackPaths: PathPatterns

  /// By site, the days without a delivery of its file.
  private let undelivered: [Set<Int>]

  init(hosts: [String], undelivered: [Set<Int>], options: AuditOptions) {
    names = JudgedNames(SiteDirectory(hosts), options.filter)
    templates = PathTemplates(options.grouping)
    callbackPaths = options.callbackPaths
    self.undelivered = undelivered
  }

  /// Determines what its requests have in common.
  @inline(__always)
  mutating func add(_ requests: Span<TrafficDigest.Count>) {
    var (current, legacy, submissions) = (Traffic(), Traffic(), Traffic())
    var hasProblems = false
    for index in requests.indices {
      let count = requests[index]
      let combination = names.combinations[count.kind]
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
    let isVisit = isPage && names.combinations[count.kind].isVisitLike
    return Traffic(requests: count.requests, visits: isVisit ? count.requests : 0)
  }

  /// Returns the part of its requests from one generation of systems that came from pages of the
  /// same host.
  func trafficFromSameHost(
    _ system: OperatingSystem, _ requests: Span<TrafficDigest.Count>
  ) -> Traffic {
    var sum = Traffic()
    for index in requests.indices {
      let combination = names.combinations[requests[index].kind]
      if combination.isLegacy == (system == .legacy), combination.dimensions.referral == .sameHost {
        sum += traffic(of: requests[index])
      }
    }
    return sum
  }

  /// Returns the signs by which the causes of its requests are found if a file claims it.
  func causeSigns(
    of compiled: RuleSet.Version, _ system: OperatingSystem, _ evaluation: borrowing Evaluation
  ) -> CauseSigns {
    let query = url.encodedQuery
    var facts = query.isEmpty ? [] : CauseEvidence.Facts(query: query.span)
    if !callbackPaths.isEmpty, callbackPaths.contains(url.encodedPath.span) {
      facts.insert(.isLogin)
    }
    return CauseSigns(
      ofTarget: facts,
      release: names.haveOldSystems ? compiled.firstRelease(system, evaluation) : .iOS13,
      undelivered: undelivered[site].isEmpty ? nil : undelivered[site])
  }
}

/// The hosts, combinations of dimensions and referring pages that targets are counted by.
///
/// Judging looks at each once per name, not once per target.
struct JudgedNames: ~Copyable {
  /// The names as the slice that is judged numbers them.
  let names = TargetNames()
  private let directory: SiteDirectory
  private let filter: TrafficFilter

  /// The generation and the version of the names that are known here.
  private(set) var generation = -1
  private var version = -1

  /// By host, the number of its site, or `nil` if it has none.
  private(set) var sites: [Int?] = []

  /// By host, whether it has a port that makes its targets ineligible.
  private(set) var haveForeignPort: [Bool] = []
  private(set) var combinations: [Combination] = []
  private var causes: [CauseEvidence: SIMD32<UInt8>] = [:]
  private(set) var pages: [Page] = []

  /// Whether a combination has a system that may be older than a rule.
  private(set) var haveOldSystems = false

  init(_ directory: SiteDirectory, _ filter: TrafficFilter) {
    (self.directory, self.filter) = (directory, filter)
  }

  /// Whether the slice has numbered names that aren't known here.
  var isBehind: Bool { version != names.version }

  /// Asks what there is to ask of new names, and returns whether all earlier names were forgotten.
  @inline(never)
  mutating func update() -> Bool {
    version = names.version
    let isAnew = generation != names.generation
    if isAnew {
      generation = names.generation
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
      Combination(dimensions, causes(of: CauseEvidence(dimensions)), filter)
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
    return isAnew
  }

  /// Returns the causes of requests with some evidence, found once for all days and statuses.
  private mutating func causes(of evidence: CauseEvidence) -> SIMD32<UInt8> {
    if let known = causes[evidence] { return known }
    let causes = evidence.causesByFacts
    self.causes[evidence] = causes
    return causes
  }
}

extension JudgedNames {
  /// A combination of dimensions.
  struct Combination: BitwiseCopyable {
    var dimensions: Dimensions
    var isLegacy: Bool
    var isVisitLike: Bool

    /// Whether requests with it would be visits with another status.
    var isAttempt: Bool

    /// Whether an Apple device sent requests of this kind with a method other than GET.
    var isSubmission: Bool

    /// Whether requests with it are visits of people who came from elsewhere.
    var isEntry: Bool

    /// The status, if it is that of a redirect or of a page that is missing or broken;
    /// else 0.
    var problem: UInt16
    var systemAge: SystemAge

    /// The numbers of the causes of claimed requests; see ``CauseEvidence/causesByFacts``.
    var causesByFacts: SIMD32<UInt8>
    var isIncluded: Bool

    init(_ dimensions: Dimensions, _ causesByFacts: SIMD32<UInt8>, _ filter: TrafficFilter) {
      self.dimensions = dimensions
      isLegacy = dimensions.platform == .ios12
      isVisitLike = filter.isVisitLike(dimensions)
      isAttempt = filter.isAttempt(dimensions)
      isSubmission = !dimensions.isGet && dimensions.platform.isApple
      isEntry = isVisitLike && dimensions.referral != .sameHost
      let status = dimensions.status
      problem =
        AnsweredTraffic.Kind.allCases.contains { $0.contains(status) } ? status : 0
      systemAge = dimensions.systemAge
      self.causesByFacts = causesByFacts
      isIncluded = filter.lets(dimensions)
    }
  }

  /// A page from which same-host visits came, whether they count, and the number of their day.
  typealias Page = (template: Int, isLegacy: Bool, isIncluded: Bool, day: Int)
}
