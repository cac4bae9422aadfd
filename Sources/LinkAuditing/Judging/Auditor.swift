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
  public func audit(_ digest: TrafficDigest) -> Audit {
    let total = judge(digest)
    var audits: [SiteAudit] = []
    for (number, site) in sites.enumerated() {
      let templates = total.templates[number]
      let tree = FamilyTree(templates: templates.map(\.text), fanOut: options.fanOut)
      let families = Dictionary(uniqueKeysWithValues: zip(templates.map(\.id), tree.families))
      let assembly = SiteAssembly(
        site: site, tally: total.tallies[number], families: families)
      audits.append(assembly.audit(fetches: digest.fetches.filter { $0.host == site.site.host }))
    }
    let otherHosts = total.otherHosts.sorted { first, second in
      first.value != second.value
        ? first.value > second.value : first.key.lexicographicallyPrecedes(second.key)
    }.map { HostRequests(host: String(decoding: $0.key, as: UTF8.self), requests: $0.value) }
    let findings = Findings.find(
      in: audits, sites: sites.map(\.site), digest: digest, otherHosts: otherHosts)
    return Audit(sites: audits, otherHosts: otherHosts, findings: findings)
  }

  /// What all workers have counted, with templates numbered in common.
  private struct Total {
    var tallies: [SiteTally]

    /// By site, the templates that occur, with their numbers.
    var templates: [[(id: Int, text: [UInt8])]]

    /// By host, as bytes: hosts that look alike are not the same.
    var otherHosts: [[UInt8]: Int] = [:]
  }

  /// What one worker has counted.
  struct Share: Sendable {
    var tallies: [SiteTally]
    var templates: [(text: [UInt8], site: Int)]
    var otherHosts: [[UInt8]: Int]
  }

  private func judge(_ digest: TrafficDigest) -> Total {
    let slices = digest.slices
    let counter = WorkCounter(upTo: slices.count)
    let jobs = max(1, min(options.jobs, slices.count))
    let shares = inParallel(jobs: jobs) { _ in
      var judge = Judge(sites: sites, options: options)
      while let number = counter.draw() { judge.judge(slices[number], of: digest) }
      judge.finish()
      return judge.share()
    }

    var templates = ByteTable()
    var total = Total(
      tallies: sites.map(SiteTally.init), templates: Array(repeating: [], count: sites.count))
    for share in shares {
      let numbers = share.templates.map { template in
        let (id, isNew) = templates.insert(template.text, scope: UInt32(template.site))
        if isNew {
          total.templates[template.site].append((id, template.text))
        }
        return id
      }
      for number in sites.indices {
        total.tallies[number].merge(share.tallies[number]) { numbers[$0] }
      }
      total.otherHosts.merge(share.otherHosts, uniquingKeysWith: +)
    }
    return total
  }
}

extension Judge {
  /// What this worker has counted.
  fileprivate consuming func share() -> Auditor.Share {
    let templates = (0..<templates.count).map { id in
      (text: self.templates.array(id), site: Int(self.templates.scope(id)))
    }
    return Auditor.Share(tallies: tallies, templates: templates, otherHosts: otherHosts)
  }
}
