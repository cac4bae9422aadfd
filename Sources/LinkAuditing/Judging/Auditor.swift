public import Foundations
public import TrafficDigest
internal import UniversalLinks

/// Judges digests under the rules of sites.
///
///     let audit = Auditor(sites: [site]).audit(digest)
public struct Auditor: Sendable {
  private let sites: [RuleSet]
  private let options: AuditOptions

  /// Creates an auditor; compiling the rules happens here.
  ///
  /// - Parameters:
  ///   - sites: The sites, each with a host of its own.
  ///   - options: The options of judging.
  public init(sites: [Site], options: AuditOptions = AuditOptions()) {
    self.init(histories: sites.map { SiteHistory($0) }, options: options)
  }

  /// Creates an auditor that judges each request under the rules that were in force on its day;
  /// compiling them happens here.
  ///
  /// - Parameters:
  ///   - histories: The sites with the versions of their files, each with a host of its own.
  ///   - options: The options of judging.
  public init(histories: [SiteHistory], options: AuditOptions = AuditOptions()) {
    sites = RuleSet.compiling(
      histories.sorted { $0.host.utf8.lexicographicallyPrecedes($1.host.utf8) })
    self.options = options
  }

  /// Judges each distinct target of a digest.
  ///
  /// - Throws: ``JudgingError`` if a file can't be read, or requests were lost or counted twice.
  public func audit(_ digest: TrafficDigest) throws(JudgingError) -> Audit {
    let total = try JudgedTraffic.judge(digest, sites: sites, options: options) { sites, _ in
      VerdictTally(sites, options)
    }
    let directory = SiteDirectory(sites.map(\.host))
    var fetches = Array(repeating: [TrafficDigest.Fetch](), count: sites.count)
    for fetch in digest.fetches {
      if let number = directory.number(of: fetch.host) { fetches[number].append(fetch) }
    }
    let days = digest.days
    var audits: [SiteAudit] = []
    var newest: [Site] = []
    for (number, site) in sites.enumerated() {
      let assembly = SiteAssembly(
        site, tally: total.tally.sites[number], ruleTallies: total.tally.rules(ofSite: number),
        weight: options.weight)
      audits.append(
        assembly.audit(
          fetches: fetches[number], fetchers: FetcherDelivery.all(total.fetches[number], days: days)
        ))
      newest.append(assembly.site.site)
    }
    let findings = Finding.all(
      in: audits, sites: newest, digest: digest, otherHosts: total.otherHosts,
      options: options)
    return Audit(
      sites: audits, otherHosts: total.otherHosts,
      ignored: options.ignoredPaths.isEmpty ? nil : total.ignored, findings: findings,
      options: options)
  }
}

/// The options of judging a digest.
public struct AuditOptions: Sendable {
  /// The greatest number of literal segments below one parent; more fold into one path group.
  public var fanOut = 100

  /// The grouping of paths.
  public var grouping = PathGrouping.template

  /// The weight that orders the rows of tables.
  public var weight = Traffic.Weight.visits

  /// The minimum shares of traffic for the severities of findings.
  public var thresholds = FindingThresholds()

  /// The extensions of paths that aren't pages.
  public var assetExtensions = AssetExtensions.standard

  /// Paths whose requests don't count.
  public var ignoredPaths = PathPatterns()

  /// Paths to which login services send browsers back.
  public var callbackPaths = PathPatterns()

  /// The filter that selects requests and possible visits.
  public var filter = TrafficFilter()

  /// The present day, after which requests are doubtful, or `nil` if it isn't known.
  public var today: Day?

  /// The number of workers.
  public var jobs: Int

  /// Creates options.
  public init(jobs: Int = 1) {
    self.jobs = max(1, jobs)
  }
}
