internal import Foundations
internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

extension SuggestionReport {
  /// The number of rows of a list, and of path groups under a rule.
  private static let (rowLimit, pathGroupLimit) = (20, 3)

  /// The suggested rules for people: what each would claim, where to put them, and what remains.
  package var document: Document {
    let apps = suggestion.apps.map(\.text).joined(separator: ", ")
    let list = suggestion.list.map { _ in listName } ?? "an entry without rules"
    return Document(
      relation: "rules for ", subject: "\(code: suggestion.host)",
      sources: [
        Document.Fact("file", "\(code: filePath ?? "standard input"), \(list)"),
        Document.Fact("apps", "\(apps)"),
      ], filter: suggestion.options.filter.sentence, start: [.paragraph("\(summary)", .lead)]
    ) {
      sections.filter { !$0.1.isEmpty }.map { title, blocks in
        Document.Section(
          id: title.lowercased().replacing(" ", with: "-"), title: Prose(title), form: .open
        ) { blocks }
      }
    }
  }

  private var sections: [(String, [Document.Block])] {
    [
      (suggestion.list == .paths ? "Elements" : "Components", suggestion.rules.flatMap(blocks)),
      ("Where to put them", places),
      ("Other changes", Self.list(consequences)),
      ("Routes that would still not open the app", Self.list(remaining)),
      (
        "Routes that another app opens",
        Self.list(
          suggestion.claimedByOthers.map { claimed in
            let routes = claimed.routes.counted("route")
            return "\(amount(claimed.traffic)) of \(routes): \(code: claimed.app.text)"
          })
      ),
      (
        "Input",
        [
          .facts(
            digest.facts + [
              Document.Fact("For \(suggestion.host)", "\(amount(suggestion.total))")
            ])
        ]
      ),
    ]
  }

  private static func list(_ items: [Prose]) -> [Document.Block] {
    items.isEmpty ? [] : [.list(items)]
  }

  private static func more(_ count: Int, _ limit: Int) -> [Prose] {
    count > limit ? ["… and \((count - limit).grouped) more (--format json)"] : []
  }

  // MARK: - Rules

  private func blocks(of rule: SuggestedRule) -> [Document.Block] {
    var items: [Prose] = []
    if rule.excludes {
      items.append("keeps \(amount(rule.others.total)) without a route on the web")
    } else {
      let routes = rule.routes.prefix(Self.pathGroupLimit).map(\.path).joined(separator: ", ")
      let more = rule.routes.count - Self.pathGroupLimit
      items.append(
        "wins \(amount(rule.won)) of \(routes)\(more > 0 ? " and \(more.counted("more route"))" : "")"
      )
      if rule.sameHost.visits > 0 {
        items.append(
          "\(rule.sameHost.visits.grouped) of these visits came from pages of the same host, where links never open the app"
        )
      }
      if rule.taken.requests > 0 { items.append("takes \(amount(rule.taken)) from another app") }
      items.append(
        rule.others.total.requests == 0
          ? "claims nothing else in these logs"
          : "also claims \(amount(rule.others.total)) without a route")
    }
    items += rule.others.prefix(Self.pathGroupLimit).map {
      "\(path: $0.path): \(amount($0.traffic))"
    }
    items += Self.more(rule.others.count, Self.pathGroupLimit)
    if !rule.excludes, let path = rule.unseenPath {
      items.append(
        "would also claim \(path: path), which has no route, and no request in these logs")
    }
    return [.code([SafeText.escapedJSON(rule.json)]), .list(items)]
  }

  private var places: [Document.Block] {
    guard !suggestion.placements.isEmpty else { return [] }
    var sentences = suggestion.placements.indices.map(place)
    if let candidatePath { sentences.append("'\(code: candidatePath)' contains them.") }
    if suggestion.rules.count > 1 {
      sentences.append("The choice is greedy: fewer rules may suffice, or others may win more.")
    }
    return sentences.map { .paragraph($0) }
  }

  private func place(_ index: Int) -> Prose {
    let placement = suggestion.placements[index]
    let count = placement.count
    let subject =
      if suggestion.placements.count == 1 {
        count == 1 ? "Insert it" : "Insert them in this order"
      } else {
        "Insert " + (index == 0 ? "the first" : "the next")
          + (count == 1 ? "" : " \(count.grouped)")
      }
    guard let rule = placement.following else {
      return "\(subject) in \(listName), after the last rule."
    }
    return "\(subject) in \(listName), before rule \(name(rule)), which would exclude such paths."
  }

  /// Other changes, which should not exist.
  private var consequences: [Prose] {
    (suggestion.taken.requests > 0
      ? ["\(amount(suggestion.taken)) would open this app instead of another."] : [])
      + suggestion.hiddenRules.map {
        "Rule \(name($0)) would no longer decide anything; remove it."
      }
  }

  // MARK: - Other routes

  /// The routes that no rule claims, those with a reason that many share in a single line.
  private var remaining: [Prose] {
    let shared = [RemainingRoute.Reason.light, .oldSystems]
    let single = suggestion.remaining.filter { !shared.contains($0.reason) }
    return single.prefix(Self.rowLimit).map {
      "\($0.route): \(amount($0.traffic)), \(reason($0))"
    } + Self.more(single.count, Self.rowLimit)
      + shared.compactMap { reason in
        let routes = suggestion.remaining.filter { $0.reason == reason }
        let total = routes.sum(\.traffic)
        return routes.first.map {
          "\(routes.count.counted("route")): \(amount(total)), \(self.reason($0))"
        }
      }
  }

  private func reason(_ route: RemainingRoute) -> String {
    switch route.reason {
    case .excluded(let rule):
      "excluded by rule " + (rule.map(name) ?? "")
        + "; for rules before it, use '--including-excluded'"
    case .oldSystems:
      "from iOS 12 and earlier, which read only 'paths' in an entry with 'appID'"
    case .light:
      "each less than the minimum of \(suggestion.least.grouped) (--least-share)"
    case .besides(let rule, let traffic):
      "as \(SafeText.escapedJSON(rule)) would also claim \(amount(traffic)) without a route (--tolerance)"
    case .top: "left out by --max-rules"
    case .noRule: "no rule wins enough"
    case .unmatched: "no tested rule claims them"
    case .excludedByDefault:
      "defaults have \"exclude\": true, which only 'components' can undo, not 'paths'"
    case .everyPath: "the route matches every path, so it doesn't tell which paths the app shows"
    }
  }

  // MARK: - Words

  private func amount(_ traffic: Traffic) -> String {
    "\(traffic.visits.counted("visit")) (\(traffic.requests.counted("request")))"
  }

  /// A rule with its place: `7 ('/account/*', line 17)`.
  private func name(_ rule: ReportedRule) -> String {
    let line = rule.position.map { ", line \($0.line)" } ?? ""
    return "\(rule.id.position.map(String.init) ?? "-") ('\(rule.pattern)'\(line))"
  }
}
