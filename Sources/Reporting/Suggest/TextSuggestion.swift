internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

/// Suggested rules, for people.
package struct TextSuggestion {
  let report: SuggestionReport
  let style: Style

  package init(report: SuggestionReport, style: Style) {
    self.report = report
    self.style = style
  }

  /// The number of rows per table, and of path groups under a rule.
  private static let (rowLimit, pathGroupLimit) = (20, 3)

  private var suggestion: Suggestion { report.suggestion }

  package func text() -> String {
    var lines = report.summary.wrapped(width: style.width, indent: "").map(style.bold)
    lines += site() + suggestion.filter.lines
    lines += rules() + places() + consequences() + remaining() + others() + input()
    return lines.joined(separator: "\n") + "\n"
  }

  private func site() -> [String] {
    let file = SafeText.escaped(report.filePath ?? "standard input")
    let apps = suggestion.apps.map { SafeText.escaped($0.text) }.joined(separator: ", ")
    let list = suggestion.list.map { _ in report.listName } ?? "an entry without rules"
    return [
      ("host", SafeText.escaped(suggestion.host)), ("file", "\(file), \(list)"), ("apps", apps),
    ]
    .flatMap { name, text in hanging(text, first: "  \(name)  ", rest: "        ") }
  }

  // MARK: - Rules

  private func rules() -> [String] {
    guard !suggestion.rules.isEmpty else { return [] }
    let title = suggestion.list == .paths ? "Elements" : "Components"
    return ["", style.bold(title)] + suggestion.rules.flatMap(lines)
  }

  private func lines(of rule: SuggestedRule) -> [String] {
    // Don't wrap the rule, because people paste it.
    var lines = ["  " + style.bold(SafeText.escapedJSON(rule.json))]
    if rule.excludes {
      lines += sentence(
        "keeps \(amount(rule.othersTotal)) without a route on the web")
      return lines + pathGroups(rule)
    }
    let routes = rule.routes.prefix(Self.pathGroupLimit).map { SafeText.escaped($0.path) }
      .joined(separator: ", ")
    let more = rule.routes.count - Self.pathGroupLimit
    lines += sentence(
      "wins \(amount(rule.won)) of \(routes)"
        + (more > 0 ? " and \(more.counted("more route"))" : ""))
    if rule.sameHost.visits > 0 {
      lines += sentence(
        "\(rule.sameHost.visits.grouped) of these visits came from pages of the same host, where links never open the app"
      )
    }
    if rule.taken.requests > 0 {
      lines += sentence("takes \(amount(rule.taken)) from another app")
    }
    lines += sentence(
      rule.othersTotal.requests == 0
        ? "claims nothing else in these logs"
        : "also claims \(amount(rule.othersTotal)) without a route")
    lines += pathGroups(rule)
    if let path = rule.unseenPath {
      lines += sentence(
        "would also claim \(ReadablePath.shown(path)), which has no route, and no request in these logs"
      )
    }
    return lines
  }

  private func pathGroups(_ rule: SuggestedRule) -> [String] {
    rule.others.prefix(Self.pathGroupLimit).flatMap { group in
      hanging(
        "\(ReadablePath.shown(group.path)): \(amount(group.traffic))", first: "      ",
        rest: "        ")
    }
      + style.more(
        rule.others.count, top: Self.pathGroupLimit, indent: "      ", hint: "--format json")
  }

  private func places() -> [String] {
    guard !suggestion.placements.isEmpty else { return [] }
    let lines = suggestion.placements.indices.flatMap { index in
      sentence(place(index), indent: "  ")
    }
    var all = ["", style.bold("Where to put them")] + lines
    if let path = report.candidatePath {
      all += sentence("'\(SafeText.escaped(path))' contains them.", indent: "  ")
    }
    if !suggestion.isSmallest {
      all += sentence(
        "The choice is greedy: fewer rules may suffice, or others may win more.", indent: "  ")
    }
    return all
  }

  /// Returns the place of some of the rules.
  private func place(_ index: Int) -> String {
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
      return "\(subject) in \(report.listName), after the last rule."
    }
    return
      "\(subject) in \(report.listName), before rule \(name(rule)), which would exclude such paths."
  }

  /// Returns other changes, which should not exist.
  private func consequences() -> [String] {
    var lines: [String] = []
    if suggestion.taken.requests > 0 {
      lines += sentence(
        "\(amount(suggestion.taken)) would open this app instead of another.", indent: "  ")
    }
    for rule in suggestion.hiddenRules {
      lines += sentence(
        "Rule \(name(rule)) would no longer decide anything; remove it.", indent: "  ")
    }
    return lines.isEmpty ? [] : ["", style.bold("Other changes")] + lines
  }

  // MARK: - What remains

  private func remaining() -> [String] {
    guard !suggestion.remaining.isEmpty else { return [] }
    let single = suggestion.remaining.filter { !$0.reason.isShared }
    let lines = single.prefix(Self.rowLimit).flatMap { route in
      hanging(
        "\(SafeText.escaped(route.route)): \(amount(route.traffic)), \(reason(route))",
        first: "  ", rest: "    ")
    }
    return ["", style.bold("Routes that would still not open the app")] + lines
      + style.more(single.count, top: Self.rowLimit, hint: "--format json") + sharedReasons()
  }

  /// Returns the reasons for remaining routes that don't depend on the route.
  private func sharedReasons() -> [String] {
    [RemainingRoute.Reason.light, .oldSystems].flatMap { reason -> [String] in
      let routes = suggestion.remaining.filter { $0.reason == reason }
      guard let first = routes.first else { return [] }
      let total = routes.reduce(Traffic()) { $0 + $1.traffic }
      return hanging(
        "\(routes.count.counted("route")): \(amount(total)), \(self.reason(first))", first: "  ",
        rest: "    ")
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

  private func others() -> [String] {
    suggestion.claimedByOthers.isEmpty
      ? []
      : ["", style.bold("Routes that another app opens")]
        + suggestion.claimedByOthers.flatMap { claimed in
          sentence(
            "\(amount(claimed.traffic)) of \(claimed.routes.counted("route")): \(SafeText.escaped(claimed.app.text))",
            indent: "  ")
        }
  }

  private func input() -> [String] {
    ["", style.bold("Input")]
      + sentence(
        "\(report.digest.inputs.count.counted("input")): \(report.digest.tally.words); "
          + "\(amount(suggestion.total)) for \(SafeText.escaped(suggestion.host))", indent: "  ")
  }

  // MARK: - Words

  private func amount(_ traffic: Traffic) -> String {
    "\(traffic.visits.counted("visit")) (\(traffic.requests.counted("request")))"
  }

  /// A rule with its place: `7 ('/account/*', line 17)`.
  private func name(_ rule: ReportedRule) -> String {
    let line = rule.position.map { ", line \($0.line)" } ?? ""
    return
      "\(rule.id.position.map(String.init) ?? "-") ('\(SafeText.escaped(rule.pattern))'\(line))"
  }

  private func sentence(_ text: String, indent: String = "    ") -> [String] {
    text.wrapped(width: style.width, indent: indent)
  }

  /// Returns lines with a different indentation for the first one.
  private func hanging(_ text: String, first: String, rest: String) -> [String] {
    var lines = text.wrapped(width: style.width, indent: rest)
    guard let start = lines.first else { return [] }
    lines[0] = first + start.dropFirst(rest.count)
    return lines
  }
}

extension RemainingRoute.Reason {
  /// Whether all routes with this reason are reported together.
  fileprivate var isShared: Bool { self == .light || self == .oldSystems }
}
