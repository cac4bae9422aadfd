internal import TrafficDigest
internal import UniversalLinks

/// The target that is judged, and what its judgment needs.
///
/// A worker has one and uses it for each target, so that judging allocates nothing.
struct JudgedTarget: ~Copyable {
  /// The number of its site.
  var site = 0

  /// The position of the version of the site's file under which it is judged: among those of all
  /// sites, and among those of the site.
  var version = (ofAll: 0, ofSite: 0)

  /// Whether it is a page, so that requests for it can be visits.
  var isPage = false

  /// The number of its path group.
  var group = 0

  /// The position of the app's route that it has.
  var route: Int?

  /// The traffic from each generation of systems.
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
    var facts = url.withEncodedQuery { $0.isEmpty ? [] : CauseEvidence.Facts(query: $0) }
    if !callbackPaths.isEmpty, callbackPaths.contains(url.encodedPath.span) {
      facts.insert(.isLogin)
    }
    return CauseSigns(
      ofTarget: facts,
      release: names.haveOldSystems ? compiled.firstRelease(system, evaluation) : .iOS13,
      undelivered: undelivered[site].isEmpty ? nil : undelivered[site])
  }
}
