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
    let total = try judge(digest)
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
    let otherHosts = total.otherHosts.sorted { first, second in
      first.value != second.value
        ? first.value > second.value : first.key.lexicographicallyPrecedes(second.key)
    }.map { HostRequests(host: String(decoding: $0.key, as: UTF8.self), requests: $0.value) }
    let findings = FindingCatalog.findings(
      in: audits, sites: sites.map(\.site), digest: digest, otherHosts: otherHosts,
      thresholds: options.thresholds)
    return Audit(
      sites: audits, otherHosts: otherHosts, findings: findings, filter: options.filter,
      grouping: options.grouping, weight: options.weight)
  }

  /// What workers have counted.
  private struct Share: Sendable {
    var tallies: [SiteTally]

    /// By host, as bytes: hosts that look alike are not the same.
    var otherHosts: [[UInt8]: Int]
  }

  private func judge(_ digest: TrafficDigest) throws(DigestFileError) -> Share {
    let slices = digest.slices(jobs: options.jobs)
    let counter = WorkCounter(upTo: slices.count)
    let jobs = max(1, min(options.jobs, slices.count))
    let shares: [Result<Share, DigestFileError>] = inParallel(jobs: jobs) { worker in
      // Each worker has the rules for itself: counting references to what they share
      // would cost more than compiling it again.
      let own = worker == 0 ? sites : sites.map { CompiledSite($0.site) }
      var judge = Judge(sites: own, options: options)
      do throws(DigestFileError) {
        while let number = counter.draw() { try judge.judge(slices[number], of: digest) }
      } catch {
        return .failure(error)
      }
      judge.finish()
      return .success(Share(tallies: judge.tallies, otherHosts: judge.otherHosts))
    }
    var total = try shares[0].get()
    for result in shares.dropFirst() {
      let share = try result.get()
      for number in sites.indices { total.tallies[number].merge(share.tallies[number]) }
      total.otherHosts.merge(share.otherHosts, uniquingKeysWith: +)
    }
    return total
  }
}
