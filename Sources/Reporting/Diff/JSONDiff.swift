internal import AccessLogs
internal import Foundations
internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

extension DiffReport {
  /// Writes the comparison as one JSON document, schema `linkaudit.diff/1`.
  package func writeJSON(to sink: @escaping OutputSink) throws {
    try JSONWriter.document("linkaudit.diff/1", to: sink) { json in
      if let comparison = traffic?.comparison {
        json.membersOfJudging(comparison.filter, comparison.grouping, comparison.weight)
      }
      json.member("host", host)
      json.member("old") { write(old, to: &$0) }
      json.member("new") { write(new, to: &$0) }
      json.member("summary", summary)
      if let traffic {
        write(traffic.comparison, traffic.digest, to: &json)
      } else {
        json.member("traffic", nil as String?)
      }
      json.member("patterns") { write(patterns, to: &$0) }
      json.member(Self.findings, of: self)
    }
  }

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
        json.member("files", objects: digest.inputs, TableColumn.input)
        json.members(of: digest)
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
        json.member("causes", occurring: comparison.newlyClaimedCauses) { $0.rawValue }
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
      json.member(Self.transitions, of: self)
      json.member(Self.pathGroupChanges, of: self)
      json.member(Self.ruleChanges, of: self)
    }
  }

  private func write(_ comparison: PatternComparison, to json: inout JSONWriter) {
    json.member("exhaustive", comparison.current.isExhaustive && comparison.legacy.isExhaustive)
    json.member("equal", comparison.isProvenEqual)
    json.member(
      "gaps",
      strings: [comparison.current.gap, comparison.legacy.gap].compactMap { $0?.description })
    json.member(Self.patternChanges, of: self, named: "changes")
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

  /// The changes of the rules of each app.
  var appRules: [(app: ApplicationIdentifier, change: RuleChange)] {
    ruleLists.flatMap { list in
      list.apps.flatMap { app in list.rules.map { (app, $0) } }
    }
  }
}
