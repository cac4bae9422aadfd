internal import AccessLogs
internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

/// What would change as one JSON document, schema `linkaudit.diff/1`.
struct JSONDiff {
  static let schema = "linkaudit.diff/1"

  let report: DiffReport

  /// The number of rows per table, or `nil` for all.
  let top: Int?

  func write(to sink: @escaping OutputFile.Sink) throws {
    var json = JSONWriter(.lines, to: sink)
    json.object { json in
      json.member("schema", Self.schema)
      if let comparison = report.traffic?.comparison {
        json.membersOfJudging(comparison.filter, comparison.grouping, comparison.weight)
      }
      json.member("host", report.host)
      json.member("old") { write(report.old, to: &$0) }
      json.member("new") { write(report.new, to: &$0) }
      json.member("summary", report.summary)
      if let traffic = report.traffic {
        write(traffic.comparison, traffic.digest, to: &json)
      } else {
        json.member("traffic", nil as String?)
      }
      json.member("patterns") { write(report.patterns, to: &$0) }
      json.member("findings", objects: report.findings) { $0.members(of: $1) }
    }
    try json.finish()
  }

  private func limited<Row>(_ rows: [Row]) -> ArraySlice<Row> { rows.prefix(top ?? rows.count) }

  private func write(_ site: Site, to json: inout JSONWriter) {
    json.member("file", site.filePath)
    json.member("bytes", site.fileSize)
  }

  // MARK: - Traffic

  private func write(
    _ comparison: Comparison, _ digest: TrafficDigest, to json: inout JSONWriter
  ) {
    json.member("traffic") { json in
      json.member("input") { json in
        json.member("files", objects: digest.inputs) { $0.members(of: $1) }
        json.members(of: digest.tally)
        json.member("from", digest.times?.lowerBound.description)
        json.member("to", digest.times?.upperBound.description)
      }
      json.member("otherHostRequests", comparison.otherHostRequests)
      json.member("total") { $0.members(of: comparison.total) }
      json.member("changed") { $0.members(of: comparison.changed) }
      json.member("newlyClaimed") { json in
        json.members(of: comparison.newlyClaimed)
        if let traffic = comparison.newlyClaimedWithoutRoute {
          json.member("withoutRoute") { $0.members(of: traffic) }
        } else {
          json.member("withoutRoute", nil as String?)
        }
        json.member("sameHost") { $0.members(of: comparison.newlyClaimedFromSameHost) }
      }
      json.member("noLongerClaimed") { $0.members(of: comparison.noLongerClaimed) }
      json.member("newlyExcluded") { $0.members(of: comparison.newlyExcluded) }
      json.member("noLongerExcluded") { $0.members(of: comparison.noLongerExcluded) }
      json.member("opensAnotherApp") { $0.members(of: comparison.opensAnotherApp) }
      json.member("apps", objects: comparison.apps) { json, app in
        json.member("app", app.app.text)
        json.member("change", app.kind.rawValue)
        json.member("gained") { $0.members(of: app.gained) }
        json.member("lost") { $0.members(of: app.lost) }
      }
      json.member("transitions", objects: comparison.orderedTransitions) { json, row in
        json.member("from", row.transition.from.rawValue)
        json.member("to", row.transition.to.rawValue)
        json.members(of: row.traffic)
      }
      json.member("changes", objects: limited(comparison.changes)) { write($1, to: &$0) }
      json.member("rules", objects: comparison.appRules) { json, row in
        json.member("app", row.app.text)
        write(row.change, to: &json)
      }
    }
  }

  private func write(_ change: FamilyChange, to json: inout JSONWriter) {
    json.member("path", change.path)
    json.member("from", change.transition.from.rawValue)
    json.member("to", change.transition.to.rawValue)
    json.members(of: change.traffic)
    if let isImplemented = change.isImplemented {
      json.member("implemented", isImplemented)
    } else {
      json.member("implemented", nil as String?)
    }
    json.member("samples", strings: change.samples)
    json.member("oldRule", rule: change.oldRule)
    json.member("newRule", rule: change.newRule)
  }

  private func write(_ change: RuleChange, to json: inout JSONWriter) {
    json.member("change", change.kind.rawValue)
    json.member("pattern", change.reference?.pattern)
    json.member("excludes", change.reference?.excludes ?? false)
    json.member("oldRule", rule: change.old)
    json.member("newRule", rule: change.new)
    json.member("old") { $0.members(of: change.oldTraffic) }
    json.member("new") { $0.members(of: change.newTraffic) }
    json.member("newShadowed", change.newShadowed)
  }

  // MARK: - Patterns

  private func write(_ comparison: PatternComparison, to json: inout JSONWriter) {
    json.member("exhaustive", comparison.current.isExhaustive && comparison.legacy.isExhaustive)
    json.member("equal", comparison.isProvenEqual)
    json.member(
      "gaps",
      strings: [comparison.current.gap, comparison.legacy.gap].compactMap { $0?.description })
    json.member("changes", objects: limited(DiffReport.changes(comparison))) { json, change in
      json.member("url", change.change.url)
      json.member("os", change.system.rawValue)
      json.member("app", change.app?.text)
      json.member("apps", strings: change.apps.map(\.text))
      json.member("from", change.change.old.verdict.rawValue)
      json.member("to", change.change.new.verdict.rawValue)
      json.member(
        "oldRule", rule: report.rule(change.change.old, of: report.old, system: change.system))
      json.member(
        "newRule", rule: report.rule(change.change.new, of: report.new, system: change.system))
    }
  }
}

extension JSONWriter {
  /// Writes a member whose value is a rule, or `null`.
  mutating func member(_ name: String, rule: RuleReference?) {
    guard let rule else { return member(name, nil as String?) }
    member(name) { $0.members(of: rule) }
  }
}

extension Comparison {
  /// The traffic by verdicts that occur, in a fixed order.
  var orderedTransitions: [(transition: Transition, traffic: Traffic)] {
    Verdict.allCases.flatMap { from in
      Verdict.allCases.compactMap { to in
        let transition = Transition(from: from, to: to)
        guard let traffic = transitions[transition], traffic.requests > 0 else { return nil }
        return (transition, traffic)
      }
    }
  }

  /// What becomes of the rules of each app.
  var appRules: [(app: ApplicationIdentifier, change: RuleChange)] {
    ruleLists.flatMap { list in
      list.apps.flatMap { app in list.rules.map { (app, $0) } }
    }
  }
}
