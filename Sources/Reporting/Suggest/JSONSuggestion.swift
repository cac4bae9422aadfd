internal import AccessLogs
internal import Foundations
internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

/// Suggested rules as one JSON document, schema `linkaudit.suggest/1`.
package struct JSONSuggestion {
  static let schema = "linkaudit.suggest/1"

  let report: SuggestionReport

  package init(report: SuggestionReport) {
    self.report = report
  }

  package func write(to sink: @escaping OutputSink) throws {
    let suggestion = report.suggestion
    var json = JSONWriter(.lines, to: sink)
    json.object { json in
      json.member("schema", Self.schema)
      json.membersOfJudging(suggestion.filter, suggestion.grouping, suggestion.weight)
      json.member("host", suggestion.host)
      json.member("apps", strings: suggestion.apps.map(\.text))
      json.member("file", report.filePath)
      suggestion.entry.value.write("detail", to: &json)
      json.member("list", suggestion.list?.rawValue)
      json.member("summary", report.summary)
      json.member("input") { json in
        json.member("files", objects: report.digest.inputs) {
          $0.members(of: $1, TableColumn.input)
        }
        json.members(of: report.digest)
      }
      json.member("components", elements: suggestion.rules.map { SafeText.escapedJSON($0.json) })
      json.member("smallest", suggestion.isSmallest)
      json.member("least", suggestion.least)
      for (name, traffic) in [
        ("total", suggestion.total), ("wanted", suggestion.wanted), ("won", suggestion.won),
        ("sameHost", suggestion.wonFromSameHost), ("besides", suggestion.besides),
        ("taken", suggestion.taken), ("lost", suggestion.lost),
      ] {
        json.member(name) { $0.members(of: traffic) }
      }
      json.member("rules", objects: suggestion.rules) { write($1, to: &$0) }
      json.member("placements", objects: suggestion.placements) { json, placement in
        json.member("position", placement.position)
        json.member("count", placement.count)
        json.member("inFrontOf", rule: placement.following)
      }
      json.member("remaining", objects: suggestion.remaining) { write($1, to: &$0) }
      json.member("claimedByOthers", objects: suggestion.claimedByOthers) { json, claimed in
        json.member("app", claimed.app.text)
        json.member("routes", claimed.routes)
        json.members(of: claimed.traffic)
      }
      json.member("hiddenRules", objects: suggestion.hiddenRules) { $0.members(of: $1) }
    }
    try json.finish()
  }

  private func write(_ rule: SuggestedRule, to json: inout JSONWriter) {
    json.member("position", rule.position)
    json.member("excludes", rule.excludes)
    json.member("won") { $0.members(of: rule.won) }
    json.member("sameHost") { $0.members(of: rule.sameHost) }
    json.member("routes", objects: rule.routes) { json, route in
      json.member("route", route.route)
      json.members(of: route.traffic)
    }
    json.member(rule.excludes ? "kept" : "besides") { $0.members(of: rule.othersTotal) }
    if !rule.excludes { json.member("taken") { $0.members(of: rule.taken) } }
    json.member("paths", objects: rule.others) {
      $0.members(of: $1, TableColumn.family())
    }
    if !rule.excludes { json.member("unseenPath", rule.unseenPath) }
  }

  private func write(_ route: RemainingRoute, to json: inout JSONWriter) {
    json.member("route", route.route)
    json.member("reason", route.reason.code)
    json.members(of: route.traffic)
    switch route.reason {
    case .besides(let rule, let traffic):
      json.member("component", rule)
      json.member("besides") { $0.members(of: traffic) }
    case .excluded(let rule): json.member("rule", rule: rule)
    case .oldSystems, .light, .top, .noRule, .unmatched, .excludedByDefault, .everyPath: break
    }
    json.member("samples", strings: route.samples)
  }
}
