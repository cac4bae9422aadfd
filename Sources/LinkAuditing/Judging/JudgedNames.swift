internal import TrafficDigest

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
  private var causes: [CauseEvidence: CauseByDimensions] = [:]
  private(set) var pages: [Page] = []

  /// Whether a combination has a system that may be older than a rule.
  private(set) var haveOldSystems = false

  init(_ directory: SiteDirectory, _ filter: TrafficFilter) {
    (self.directory, self.filter) = (directory, filter)
  }

  /// Whether the slice has numbered names that aren't known here.
  var isBehind: Bool { version != names.version }

  /// Asks what there is to ask of new names.
  ///
  /// - Returns: Whether all earlier names were forgotten.
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
    pages += names.pages[pages.count...].map { page in
      let combination = combinations[page.combination]
      return Page(
        template: page.template, isLegacy: combination.isLegacy,
        isIncluded: combination.isIncluded && combination.isVisitLike,
        day: combination.dimensions.dayNumber)
    }
    return isAnew
  }

  /// Returns the causes of requests with some evidence, found once for all days and statuses.
  private mutating func causes(of evidence: CauseEvidence) -> CauseByDimensions {
    if let known = causes[evidence] { return known }
    let causes = CauseByDimensions(evidence)
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

    /// The features that the system lacks.
    var systemAge: SystemAge

    /// The part that it has in the cause of claimed requests.
    var cause: CauseByDimensions

    /// Whether requests with it count.
    var isIncluded: Bool

    init(_ dimensions: Dimensions, _ cause: CauseByDimensions, _ filter: TrafficFilter) {
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
      self.cause = cause
      isIncluded = filter.lets(dimensions)
    }
  }

  /// A page from which same-host visits came.
  struct Page: BitwiseCopyable {
    var template: Int
    var isLegacy: Bool

    /// Whether visits from it count.
    var isIncluded: Bool

    /// The number of the day of visits from it.
    var day: Int
  }
}
