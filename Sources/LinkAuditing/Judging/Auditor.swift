public import TrafficDigest
internal import UniversalLinks

/// Judges digests under the rules of sites.
///
///     let audit = Auditor(sites: [site]).audit(digest)
public struct Auditor: Sendable {
  private let sites: [CompiledSite]
  private let options: AuditOptions

  /// Creates an auditor; compiling the rules happens here.
  ///
  /// - Parameters:
  ///   - sites: The sites, each with a host of its own.
  ///   - options: How to judge.
  public init(sites: [Site], options: AuditOptions = AuditOptions()) {
    self.sites = sites.sorted { $0.host < $1.host }.map(CompiledSite.init)
    self.options = options
  }

  /// Judges each distinct target of a digest.
  ///
  /// - Throws: ``DigestFileError`` if a temporary file can't be read.
  public func audit(_ digest: TrafficDigest) throws(DigestFileError) -> Audit {
    let total = try JudgedTraffic.judge(digest, sites: sites, options: options)
    let directory = SiteDirectory(sites.map(\.site.host))
    var fetches = Array(repeating: [TrafficDigest.Fetch](), count: sites.count)
    for fetch in digest.fetches {
      if let number = directory.number(of: fetch.host) { fetches[number].append(fetch) }
    }
    var audits: [SiteAudit] = []
    for (number, site) in sites.enumerated() {
      let assembly = SiteAssembly(
        site: site, tally: total.tallies[number], weight: options.weight)
      audits.append(assembly.audit(fetches: fetches[number]))
    }
    let otherHosts = total.orderedOtherHosts
    let findings = FindingCatalog.findings(
      in: audits, sites: sites.map(\.site), digest: digest, otherHosts: otherHosts,
      thresholds: options.thresholds, filter: options.filter)
    return Audit(
      sites: audits, otherHosts: otherHosts, findings: findings, filter: options.filter,
      grouping: options.grouping, weight: options.weight)
  }
}
