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
}

extension DiagnosticKind {
  /// This kind, with the function that returns its findings.
  func findings<Subject>(
    _ find: @escaping @Sendable (FindingContext<Subject>) -> [Finding]
  ) -> FindingKind<Subject> {
    FindingKind(description: self, find: find)
  }

  /// This kind, with the function that returns its only finding, or `nil`.
  func finding<Subject>(
    _ find: @escaping @Sendable (FindingContext<Subject>) -> Finding?
  ) -> FindingKind<Subject> {
    findings { context in find(context).map { [$0] } ?? [] }
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

  var claimed: Traffic { audit.verdicts[.claimed] }

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

  /// Returns the findings about the new file and about the change to it, of which only the patterns
  /// are known.
  static func all(in comparison: PatternComparison, thresholds: FindingThresholds) -> [Finding] {
    let host = comparison.old.host
    let file = AuditedSite(site: comparison.new, audit: SiteAudit(host: host))
    return ordered(
      all(fileKinds, in: file, of: host, thresholds)
        + all(patternKinds, in: comparison, of: host, thresholds))
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
      let count = counts[finding.identity, default: 0] + 1
      counts[finding.identity] = count
      guard count > 1 else { return finding }
      var finding = finding
      finding.subject += finding.subject.isEmpty ? "(\(count))" : " (\(count))"
      return finding
    }
  }
}

extension DiagnosticCatalog {
  public static let findings = DiagnosticCatalog(
    .finding,
    [
      "About the logs": Finding.inputKinds.map(\.description),
      "About a site": Finding.siteKinds.map(\.description),
      "About a change (`linkaudit diff`)": Finding.comparisonKinds.map(\.description),
    ])
}

/// The subject in which a function looks for findings of its kind, with the means to make them.
///
/// Members of the subject are members of the context.
@dynamicMemberLookup
struct FindingContext<Subject> {
  let kind: DiagnosticKind
  let subject: Subject

  /// The site, or `nil` for findings about the input.
  let host: String?
  let thresholds: FindingThresholds

  subscript<Value>(dynamicMember member: KeyPath<Subject, Value>) -> Value {
    subject[keyPath: member]
  }

  /// Creates a finding of this kind, by default with its remedy.
  ///
  /// `subject` is the app or the rule that it is about, if the kind can have several findings.
  func finding(
    _ severity: Severity, about subject: String = "", _ message: String,
    _ traffic: Traffic = Traffic(), _ evidence: Finding.Evidence = Finding.Evidence(),
    share: Finding.Millionths? = nil, visitsToWin: Int? = nil, remedy: String? = nil
  ) -> Finding {
    Finding(
      kind: kind, severity: severity, host: host, subject: subject, message: message,
      traffic: traffic, visitsToWin: visitsToWin, share: share, evidence: evidence,
      remedy: remedy ?? kind.remedy)
  }

  /// Creates a finding about a part of the traffic, whose share determines the severity, or `nil` if
  /// the share is too small for one.
  ///
  /// `traffic` is that of the finding, if it differs from the part that is measured.
  func measured(
    _ part: Traffic, of whole: Traffic, about subject: String = "", _ message: String,
    _ evidence: Finding.Evidence = Finding.Evidence(), traffic: Traffic? = nil,
    visitsToWin: Int? = nil, remedy: String? = nil
  ) -> Finding? {
    severity(part, of: whole).map { severity in
      finding(
        severity, about: subject, message, traffic ?? part, evidence,
        share: share(part, of: whole), visitsToWin: visitsToWin, remedy: remedy)
    }
  }

  /// Returns the severity of a part of the traffic, by visits, or by requests if the whole has no
  /// visits; or `nil` if it is no finding.
  func severity(_ part: Traffic, of whole: Traffic) -> Severity? {
    let levels = thresholds[kind.code]
    guard whole.visits > 0 else {
      return levels?.severity(of: part.requests, in: whole.requests)
    }
    // Traffic without visits among traffic with them is worth a note at most.
    guard part.visits > 0 else {
      return part.requests > 0 && levels?[.note] == 0 ? .note : nil
    }
    return levels?.severity(of: part.visits, in: whole.visits)
  }

  /// Returns the share by which ``severity(_:of:)`` measures traffic.
  func share(_ part: Traffic, of whole: Traffic) -> Finding.Millionths {
    whole.visits > 0
      ? Finding.share(part.visits, of: whole.visits)
      : Finding.share(part.requests, of: whole.requests)
  }

  /// The rule in words, with its place: `rule 3 of TEAM.com.example ('/buy/*', line 12)`.
  ///
  /// If the rule is one of a list that several apps share, `list` adds the number of other apps.
  func name(_ rule: ReportedRule, of list: RuleListTraffic? = nil) -> String {
    guard let number = rule.id.position else {
      return "the entry of \(rule.app.text) without rules\(version(rule.version, ", in "))"
    }
    return "rule \(number) of \(list?.name ?? rule.app.text) ('\(rule.pattern)'\(place(rule)))"
  }

  /// Returns a rule in words at the end of a sentence, such as `, claimed by rule 3 of …`, or an
  /// empty text without a rule.
  func rule(_ rule: ReportedRule?, _ verb: String) -> String {
    rule.map { ", \(verb) \(name($0))" } ?? ""
  }

  /// Returns the place of a rule, such as `, line 12`.
  ///
  /// If there are several versions of the file, it names the version:
  /// `, line 12 of 'old.json', in force until 2026-11-11`.
  private func place(_ rule: ReportedRule) -> String {
    guard let position = rule.position else { return version(rule.version, ", in ") }
    return ", line \(position.line)" + version(rule.version, " of ")
  }

  /// Returns a version of the file in words after `joint`, or an empty text if there is only one
  /// version.
  private func version(_ version: SiteVersion?, _ joint: String) -> String {
    guard let version else { return "" }
    let file = version.filePath.map { "'\($0)'" } ?? "version \(version.number)"
    return joint + file + (version.last.map { ", in force until \($0)" } ?? "")
  }

  /// Returns the heaviest rows as evidence, with the heaviest rules that decided for them.
  func evidence(_ rows: [PathGroupTraffic]) -> Finding.Evidence {
    var evidence = Finding.Evidence()
    evidence.paths = Array(rows.prefix(Finding.Evidence.limit))
    var weights: [ReportedRule: Traffic] = [:]
    for row in rows {
      if let rule = row.rule { weights[rule, default: Traffic()] += row.traffic }
    }
    evidence.rules = Array(
      weights.heaviestFirst(by: .visits, \.value, name: \.key).map(\.key)
        .prefix(Finding.Evidence.limit))
    return evidence
  }
}

extension [PathGroupTraffic] {
  package var total: Traffic { sum(\.traffic) }
}

extension RuleListTraffic {
  /// A short name of the apps: the first, and the number of others that share its rules.
  var name: String {
    let first = apps.first?.text ?? ""
    return apps.count > 1 ? "\(first) and \((apps.count - 1).counted("other app"))" : first
  }
}

extension Traffic {
  /// The traffic in words, for messages: visits, or requests where there are none.
  var weightText: String { visits > 0 ? visits.counted("visit") : requests.counted("request") }
}

/// The minimum shares of traffic for the severities of findings, by code.
public struct FindingThresholds: Hashable, Sendable {
  private var levels = Dictionary(
    uniqueKeysWithValues: DiagnosticCatalog.findings.kinds.filter { $0.whole != nil }.map {
      ($0.code, $0.levels)
    })
  public init() {}

  /// The codes of findings whose severity is measured by a share.
  public var codes: [String] {
    DiagnosticCatalog.findings.kinds.map(\.code).filter { levels[$0] != nil }
  }

  /// The levels of a kind of findings, or `nil` if its severity is not measured.
  public subscript(code: String) -> SeverityLevels? {
    get { levels[code] }
    set { levels[code] = newValue }
  }
}

extension [String] {
  /// Returns the first texts as a list, and the number of the others: `a, b and 3 more`.
  package func listed(upTo limit: Int) -> String {
    prefix(limit).joined(separator: ", ")
      + (count > limit ? " and \((count - limit).grouped) more" : "")
  }
}

extension Int {
  /// The number with a comma between each three digits.
  package var grouped: String {
    var output = ""
    let digits = String(magnitude)
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { output.append(",") }
      output.append(digit)
    }
    return self < 0 ? "-" + output : output
  }

  /// This number of things, such as `1 line`, `1,200 lines`, or `2 fetches` with another plural.
  package func counted(_ thing: String, _ things: String? = nil) -> String {
    self == 1 ? "1 " + thing : grouped + " " + (things ?? thing + "s")
  }

  /// Returns this number's share of a whole in percent with one decimal, such as `12.5%`.
  ///
  /// It is rounded half up in integers, so it is the same on all systems.
  package func percent(of whole: Int) -> String {
    guard whole > 0 else { return "-" }
    // Beyond that, drop the last bits; they don't show after rounding.
    guard whole < 1 << 50, magnitude < 1 << 50 else { return (self >> 13).percent(of: whole >> 13) }
    let (tenths, _) = (self * 2_000 + whole).quotientAndRemainder(dividingBy: whole * 2)
    return "\(tenths / 10).\(tenths % 10)%"
  }
}
