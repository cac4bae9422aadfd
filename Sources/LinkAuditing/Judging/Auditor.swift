public import TrafficDigest
internal import UniversalLinks

/// Judges digests under the rules of sites.
///
///     let audit = Auditor(sites: [site]).audit(digest)
public struct Auditor: Sendable {
  private let sites: [RuleSet]
  private let options: AuditOptions

  /// Creates an auditor of sites, each with a host of its own; compiling the rules happens here.
  public init(sites: [Site], options: AuditOptions = AuditOptions()) {
    self.init(histories: sites.map { SiteHistory($0) }, options: options)
  }

  /// Creates an auditor that judges each request under the rules that were in force on its day;
  /// compiling them happens here.
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
      VerdictTally(sites, options.filter)
    }
    let directory = SiteDirectory(sites.map(\.host))
    let fetches = Dictionary(grouping: digest.fetches) { directory.number(of: $0.host) }
    let days = digest.days
    var audits: [SiteAudit] = []
    var newest: [Site] = []
    var rules = total.tally.rules[...]
    for (number, site) in sites.enumerated() {
      let assembly = SiteAssembly(
        site, tally: total.tally.sites[number], groups: total.groups[number],
        ruleTallies: Array(rules.prefix(site.versions.count)), weight: options.weight)
      rules = rules.dropFirst(site.versions.count)
      audits.append(
        assembly.audit(
          fetches: fetches[number] ?? [],
          fetchers: FetcherDelivery.all(total.fetches[number], days: days)))
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
