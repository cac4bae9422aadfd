public import UniversalLinks

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

  /// Creates a finding of this kind.
  ///
  /// - Parameters:
  ///   - severity: The severity.
  ///   - subject: The app or the rule that it is about, if the kind can have several findings.
  ///   - message: The finding in a sentence or two.
  ///   - traffic: The affected traffic.
  ///   - evidence: The rules, paths, pairs of pages, or logs that prove it.
  ///   - share: The share that measures it.
  ///   - visitsToWin: The visits that could open the app once it is fixed, if it wins any.
  ///   - remedy: The remedy, if it differs from that of the kind.
  /// - Returns: The finding.
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

  /// Creates a finding about a part of the traffic, whose share determines the severity.
  ///
  /// The other parameters are those of ``finding(_:about:_:_:_:share:visitsToWin:remedy:)``.
  ///
  /// - Returns: The finding, or `nil` if the share is too small for one.
  func measured(
    _ part: Traffic, of whole: Traffic, about subject: String = "", _ message: String,
    _ evidence: Finding.Evidence = Finding.Evidence(), visitsToWin: Int? = nil,
    remedy: String? = nil
  ) -> Finding? {
    severity(part, of: whole).map { severity in
      finding(
        severity, about: subject, message, part, evidence, share: share(part, of: whole),
        visitsToWin: visitsToWin, remedy: remedy)
    }
  }

  /// Creates a finding about a part of a whole, whose share determines the severity.
  ///
  /// - Returns: The finding, or `nil` if the share is too small for one.
  func measured(
    _ part: Int, of whole: Int, _ message: String, _ traffic: Traffic = Traffic(),
    _ evidence: Finding.Evidence = Finding.Evidence(), visitsToWin: Int? = nil,
    remedy: String? = nil
  ) -> Finding? {
    severity(part, of: whole).map { severity in
      finding(
        severity, message, traffic, evidence, share: Finding.share(part, of: whole),
        visitsToWin: visitsToWin, remedy: remedy)
    }
  }

  /// Returns the severity of a part of a whole, or `nil` if it is no finding.
  func severity(_ part: Int, of whole: Int) -> Severity? {
    thresholds.levels(of: kind)?.severity(of: part, in: whole)
  }

  /// Returns the severity of a part of the traffic, by visits, or by requests if the whole has no
  /// visits.
  func severity(_ part: Traffic, of whole: Traffic) -> Severity? {
    guard whole.visits > 0 else { return severity(part.requests, of: whole.requests) }
    // Traffic without visits among traffic with them is worth a note at most.
    guard part.visits > 0 else {
      return part.requests > 0 && thresholds.levels(of: kind)?.shares[.note] == 0 ? .note : nil
    }
    return severity(part.visits, of: whole.visits)
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

  /// The heaviest answers as evidence.
  func evidence(_ rows: [AnsweredTraffic]) -> Finding.Evidence {
    evidence(
      rows.map { row in
        PathGroupTraffic(
          path: row.path, traffic: Traffic(requests: row.requests, visits: row.visits),
          rule: row.rule, samples: row.samples)
      })
  }
}

extension [PathGroupTraffic] {
  /// The traffic of all rows together.
  var total: Traffic { reduce(Traffic()) { $0 + $1.traffic } }
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
  var weightText: String {
    visits > 0 ? visits.counted("visit") : requests.counted("request")
  }
}

/// The minimum shares of traffic for the severities of findings.
public struct FindingThresholds: Hashable, Sendable {
  /// The levels that differ from the defaults, by code.
  private var changed: [String: SeverityLevels] = [:]

  /// Creates the default thresholds.
  public init() {}

  /// The codes of findings whose severity is measured by a share.
  public var codes: [String] {
    DiagnosticCatalog.findings.kinds.filter { levels(of: $0) != nil }.map(\.code)
  }

  /// The levels of a kind of findings, or `nil` if its severity is not measured.
  public subscript(code: String) -> SeverityLevels? {
    get {
      DiagnosticCatalog.findings.kinds.first { $0.code == code }.flatMap { levels(of: $0) }
    }
    set { changed[code] = newValue }
  }

  /// Returns the levels of a kind of findings, or `nil` if its severity is not measured.
  func levels(of kind: DiagnosticKind) -> SeverityLevels? {
    guard case .measured(let levels, _) = kind.grading else { return nil }
    return changed[kind.code] ?? levels
  }
}
