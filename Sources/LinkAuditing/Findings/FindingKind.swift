internal import AccessLogs
internal import Foundations
internal import TrafficDigest
public import UniversalLinks

/// A kind of findings: its description, and the function that finds them.
///
/// The kinds are listed by subject, in `InputFindings.swift` and the files next to it.
struct FindingKind<Subject>: Sendable {
  let description: DiagnosticKind
  let find: @Sendable (FindingContext<Subject>) -> [Finding]

  init(
    _ description: DiagnosticKind,
    _ find: @escaping @Sendable (FindingContext<Subject>) -> [Finding]
  ) {
    (self.description, self.find) = (description, find)
  }

  /// Creates a kind with at most one finding in a subject.
  init(
    single description: DiagnosticKind,
    _ find: @escaping @Sendable (FindingContext<Subject>) -> Finding?
  ) {
    self.init(description) { context in find(context).map { [$0] } ?? [] }
  }
}

/// The logs and their requests, as findings about the input see them.
struct AuditedInput {
  let digest: TrafficDigest
  let sites: [Site]
  let otherHosts: HeaviestHosts

  /// The present day, or `nil` if it isn't known.
  let today: Day?
}

/// A site, as findings about its file, its rules and its traffic see it.
struct AuditedSite {
  /// The site with the newest version of its file under which traffic was judged.
  let site: Site
  let audit: SiteAudit

  /// Whether some of the logs hold user agents, and whether the format of some has referrers.
  var hasAgents = true
  var hasReferrers = true

  /// The number of claimed visits from which on it is no chance that none has a referrer.
  static let leastWithoutReferrers = 100

  /// Whether only some of the requests in the logs are judged.
  var isPartial = false

  /// The times of the first and the last request of all hosts.
  var times: ClosedRange<LogTime>?

  /// The days with requests in the logs, in ascending order.
  var days: [Day] = []

  /// The clients of each kind by name, and the other hosts of the owner that referrers name, the
  /// heaviest first.
  var clientNames: [Platform: [String]] = [:]
  var ownReferringHosts: [String] = []

  /// The rules of the newest version; problems of older versions are in the past.
  var newestRuleLists: [RuleListTraffic] {
    audit.ruleLists.filter { $0.version == audit.versions.last }
  }

  /// The requests that messages about unmatched rules refer to.
  var scope: String {
    let scope = isPartial ? "of the requests that were judged" : "request in these logs"
    guard let day = audit.versions.last?.first else { return scope }
    return "\(scope) since \(day), when their file came into force"
  }
}

extension Finding {
  /// Returns the findings about the logs and some sites, the most important first.
  static func all(
    in audits: [SiteAudit], sites: [Site], digest: TrafficDigest,
    otherHosts: HeaviestHosts, options: AuditOptions
  ) -> [Finding] {
    let input = AuditedInput(
      digest: digest, sites: sites, otherHosts: otherHosts, today: options.today)
    var findings = all(inputKinds, in: input, of: nil, options.thresholds)
    let formats = digest.inputs.filter { $0.tally.requests > 0 }.compactMap(\.format)
    func hasField(_ field: LogField) -> Bool {
      formats.isEmpty || formats.contains { $0.fields?.contains(field) ?? true }
    }
    let hasAgents = !digest.lacksAgents && hasField(.agent)
    let hasReferrers = hasField(.referrer)
    // Clients are not counted by host.
    let isOnlyHost = sites.count == 1 && otherHosts.requests == 0
    let clientNames = Dictionary(
      uniqueKeysWithValues: [Platform.inApp, .iosBrowser].map {
        ($0, isOnlyHost ? digest.clientNames(on: $0) : [])
      })
    let ownReferringHosts = digest.ownReferringHosts
    for (audit, site) in zip(audits, sites) {
      let subject = AuditedSite(
        site: site, audit: audit, hasAgents: hasAgents, hasReferrers: hasReferrers,
        isPartial: options.filter.isSelective || digest.tally.outside > 0, times: digest.times,
        days: digest.days, clientNames: clientNames,
        ownReferringHosts: ownReferringHosts[audit.host] ?? [])
      findings += all(siteKinds, in: subject, of: audit.host, options.thresholds)
    }
    return ordered(findings)
  }

  /// Returns the findings about the change to the file of `new`, about that file, and about the
  /// logs.
  static func all(
    in comparison: Comparison, new: Site, digest: TrafficDigest,
    otherHosts: HeaviestHosts, options: AuditOptions
  ) -> [Finding] {
    let thresholds = options.thresholds
    let input = AuditedInput(
      digest: digest, sites: [new], otherHosts: otherHosts, today: options.today)
    // Faults of the new file itself matter more than its changes.
    var audit = SiteAudit(host: comparison.host)
    for verdict in Verdict.allCases {
      audit.verdicts[verdict] = comparison.traffic { $0.to == verdict }
    }
    let file = AuditedSite(site: new, audit: audit)
    return ordered(
      all(inputKinds, in: input, of: nil, thresholds)
        + all(fileKinds, in: file, of: comparison.host, thresholds)
        + all(comparisonKinds, in: comparison, of: comparison.host, thresholds))
  }

  /// Returns the findings about that file and about the change to the file of `new`, of which only
  /// the patterns are known.
  static func all(
    in comparison: PatternComparison, old: Site, new: Site, thresholds: FindingThresholds
  ) -> [Finding] {
    let file = AuditedSite(site: new, audit: SiteAudit(host: comparison.host))
    let patterns = ComparedPatterns(comparison: comparison, old: old, new: new)
    return ordered(
      all(fileKinds, in: file, of: comparison.host, thresholds)
        + all(patternKinds, in: patterns, of: comparison.host, thresholds))
  }

  fileprivate static let siteKinds =
    fileKinds + servedFileKinds + deliveryKinds + trafficKinds + causeKinds + ruleKinds

  private static func all<Subject>(
    _ kinds: [FindingKind<Subject>], in subject: Subject, of host: String?,
    _ thresholds: FindingThresholds
  ) -> [Finding] {
    kinds.flatMap { kind in
      kind.find(
        FindingContext(
          kind: kind.description, subject: subject, host: host, thresholds: thresholds))
    }
  }

  private static func ordered(_ findings: [Finding]) -> [Finding] {
    // Stable: findings of the same weight keep the order of their kinds.
    distinct(findings).enumerated().sorted { first, second in
      if isFirst(first.element, second.element) { return true }
      return !isFirst(second.element, first.element) && first.offset < second.offset
    }.map(\.element)
  }

  /// The findings with subjects that tell them apart: a file can say the same twice.
  private static func distinct(_ findings: [Finding]) -> [Finding] {
    var counts: [FindingIdentity: Int] = [:]
    return findings.map { finding in
      let identity = FindingIdentity(finding)
      counts[identity, default: 0] += 1
      guard let count = counts[identity], count > 1 else { return finding }
      var finding = finding
      finding.subject += finding.subject.isEmpty ? "(\(count))" : " (\(count))"
      return finding
    }
  }
}

extension DiagnosticCatalog {
  /// The kinds of findings.
  public static let findings = DiagnosticCatalog([
    Group(.finding, "About the logs", Finding.inputKinds.map(\.description)),
    Group(.finding, "About a site", Finding.siteKinds.map(\.description)),
    Group(
      .finding, "About a change (`linkaudit diff`)", Finding.comparisonKinds.map(\.description)),
  ])
}
