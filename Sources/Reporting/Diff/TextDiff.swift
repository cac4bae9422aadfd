internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

/// A comparison as text.
package struct TextDiff {
  let report: DiffReport

  /// The number of rows per table.
  let top: Int

  /// Whether all tables are shown, or their sums and the findings to look at first.
  ///
  /// Without traffic, all changes are shown.
  let isFull: Bool

  let style: Style

  package init(report: DiffReport, top: Int, isFull: Bool, style: Style) {
    self.report = report
    self.top = top
    self.isFull = isFull
    self.style = style
  }

  package func text() -> String {
    var lines = SafeText.escaped(report.summary).wrapped(width: style.width, indent: "")
      .map(style.bold)
    lines += files() + (report.traffic?.comparison.filter.lines ?? []) + [""]
    if let traffic = report.traffic {
      let comparison = traffic.comparison
      lines += transitions(comparison)
      guard isFull else { return (lines + start()).joined(separator: "\n") + "\n" }
      lines += apps(comparison) + findings()
      lines += changes(comparison) + rules(comparison) + unseen()
      lines += input(comparison, traffic.digest)
    } else {
      lines += patterns(report.patterns) + findings()
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func files() -> [String] {
    let names = [("old", report.old), ("new", report.new)].map { name, site in
      let count = Set(site.file.entries.flatMap(\.namedApps)).count
      let rules = site.file.entries.reduce(0) { $0 + ($1.rules(for: .current)?.count ?? 1) }
      let path = SafeText.escaped(site.filePath ?? "standard input").shortened(to: 40)
      return "  \(name)  \(path): \(rules.counted("rule")), \(count.counted("app"))"
    }
    return ["  host \(SafeText.escaped(report.host))"] + names
  }

  private func findings() -> [String] {
    guard !report.findings.isEmpty else { return [] }
    return ["", style.bold("Findings")]
      + TextFindings(findings: report.findings, top: top, style: style).rows()
  }

  /// The findings to look at first, and the way to the rest.
  private func start() -> [String] {
    let shown = report.findings.start
    let rows = TextFindings(findings: shown, top: top, style: style).rows()
    let title = style.bold("Start here") + " (\(shown.count) of \(report.findings.counts))"
    return (shown.isEmpty ? ["", report.findings.noneSentence] : ["", title] + rows) + [""]
      + style.note(
        "For all changes by path and by rule, use '--full'; for all rows, '--format json'.",
        indent: "")
  }

  // MARK: - Traffic

  /// The parts of the traffic that change, and what stays.
  private func transitions(_ comparison: Comparison) -> [String] {
    var table = TextShares("change", of: comparison.total, style: style)
    for part in report.changedParts {
      table.add((part.verdict == nil ? "  " : "") + part.name, part.traffic)
    }
    for verdict in Verdict.allCases {
      var same = comparison.transitions[Transition(from: verdict, to: verdict)] ?? Traffic()
      if verdict == .claimed { same = same - comparison.opensAnotherApp }
      if same.requests > 0 { table.add("still \(verdict.rawValue)", same) }
    }
    return table.lines()
  }

  /// Returns the changes for each app, where they differ from those for the site.
  private func apps(_ comparison: Comparison) -> [String] {
    let changed = comparison.apps.filter { ($0.gained + $0.lost).requests > 0 || $0.kind != .kept }
    let isAsTheSite =
      comparison.apps.allSatisfy {
        $0.gained == comparison.newlyClaimed && $0.lost == comparison.noLongerClaimed
      }
    guard !changed.isEmpty, !isAsTheSite else { return [] }
    var table = TextTable([.left, .left, .right, .right, .right, .right])
    table.add(["", "app", "gains", "visits", "loses", "visits"])
    for app in changed.prefix(max(top, 20)) {
      table.add([
        mark(app.kind), SafeText.escaped(app.app.text), app.gained.requests.grouped,
        app.gained.visits.grouped, app.lost.requests.grouped, app.lost.visits.grouped,
      ])
    }
    return ["", style.bold("Apps, in requests and visits")]
      + table.lines(flexible: 1, width: style.width)
      + style.more(changed.count, top: max(top, 20))
  }

  private func changes(_ comparison: Comparison) -> [String] {
    guard !comparison.changes.isEmpty else { return [] }
    var lines = ["", style.bold("Changes by paths like these")]
    for change in comparison.changes.prefix(top) {
      let traffic =
        "\(change.traffic.visits.counted("visit")), "
        + change.traffic.requests.counted("request")
      let lacksRoute = change.isImplemented == false && change.transition.to == .claimed
      let route = lacksRoute ? ", no route" : ""
      lines.append(
        "  " + style.bold(ReadablePath.shown(change.path).shortened(to: style.width - 2)))
      lines += "\(change.transition.words(arrow: style.arrow)): \(traffic)\(route)".wrapped(
        width: style.width, indent: "    ")
      let isOtherApp = change.transition.from == change.transition.to
      lines.append(side("was", change.oldRule, withApp: isOtherApp))
      lines.append(side("now", change.newRule, withApp: isOtherApp))
      if !change.samples.isEmpty {
        let samples = change.samples.map(ReadablePath.shown).joined(separator: " ")
        lines += style.note("Seen: " + samples, indent: "    ")
      }
    }
    return lines + style.more(comparison.changes.count, top: top)
  }

  private func side(_ word: String, _ rule: ReportedRule?, withApp isNamed: Bool) -> String {
    let app = isNamed ? rule.map { " of \(SafeText.escaped($0.app.text))" } ?? "" : ""
    return ("    \(word) " + (rule.map(name) ?? "no rule") + app).shortened(to: style.width)
  }

  /// A rule with its place: `0.3 not /help/* (line 12)`.
  private func name(_ rule: ReportedRule) -> String {
    let line = rule.position.map { " (line \($0.line))" } ?? ""
    return SafeText.escaped("\(rule.id.text) \(rule.signedPattern)") + line
  }

  private func rules(_ comparison: Comparison) -> [String] {
    var lines: [String] = []
    for list in comparison.ruleLists {
      let changed = list.rules.filter(\.isChange)
      guard !changed.isEmpty else { continue }
      lines += list.apps.prefix(top).map { "  " + style.bold(SafeText.escaped($0.text)) }
      lines += style.more(list.apps.count, top: top)
      var table = TextTable([.left, .left, .right, .right, .right, .left])
      table.add(["", "rule", "visits", "", "requests", ""])
      for change in changed.prefix(max(top, 20)) {
        guard let rule = change.reference else { continue }
        table.add([
          mark(change.kind), name(rule), change.newTraffic.visits.grouped,
          signed(change.newTraffic.visits - change.oldTraffic.visits),
          change.newTraffic.requests.grouped,
          signed(change.newTraffic.requests - change.oldTraffic.requests),
        ])
      }
      lines += table.lines(flexible: 1, width: style.width)
      lines += style.more(changed.count, top: max(top, 20))
    }
    return lines.isEmpty
      ? [] : ["", style.bold("Rules that gained or lost") + style.countedFromZero] + lines
  }

  private func mark(_ kind: RuleChange.Kind) -> String {
    switch kind {
    case .added: "+"
    case .removed: "-"
    case .kept: ""
    }
  }

  private func signed(_ number: Int) -> String {
    number > 0 ? "+" + number.grouped : number == 0 ? "" : number.grouped
  }

  private func input(_ comparison: Comparison, _ digest: TrafficDigest) -> [String] {
    var lines = ["", style.bold("Input")]
    lines += "\(digest.inputs.count.counted("input")): \(digest.tally.words)"
      .wrapped(width: style.width, indent: "  ")
    lines += digest.damage(style)
    if comparison.otherHostRequests > 0 {
      lines.append("  \(comparison.otherHostRequests.counted("request")) for other hosts")
    }
    return lines
  }

  // MARK: - Patterns

  private func patterns(_ comparison: PatternComparison) -> [String] {
    var lines: [String] = []
    let changes = DiffReport.changes(comparison)
    for system in [OperatingSystem.current, .legacy] {
      let own = changes.filter { $0.system == system }
      let rules = system == .current ? comparison.current : comparison.legacy
      let hint = own.isEmpty ? "" : style.dim(" (rules count from 0, as in the files)")
      lines.append(style.bold(system.label) + hint)
      if own.isEmpty, rules.gap != nil { lines.append("  no change found") }
      for change in own.prefix(top) { lines += self.lines(of: change) }
      lines += style.more(own.count, top: top)
      lines += style.note(
        rules.gap.map { "There may be other changes: \($0)." }
          ?? (own.isEmpty ? "Every URL keeps its verdict." : "Every other URL keeps its verdict."))
      if system == .current { lines.append("") }
    }
    return lines
  }

  /// Returns the changes that the patterns show and no request of the logs does.
  private func unseen() -> [String] {
    let changes = report.unseenChanges
    guard !changes.isEmpty else { return [] }
    var lines = ["", style.bold("Changes without a request in these logs")]
    for change in changes.prefix(top) { lines += self.lines(of: change) }
    return lines + style.more(changes.count, top: top)
  }

  /// A change by its example, and what decides on each side.
  private func lines(of change: DiffReport.PatternChange) -> [String] {
    let isOtherApp = change.change.old.verdict == change.change.new.verdict
    var lines = [
      "  " + style.bold(ReadablePath.shown(change.change.url).shortened(to: style.width - 2))
    ]
    if let app = change.app { lines.append("    for \(SafeText.escaped(app.text))") }
    lines.append(outcome("was", change.change.old, withApp: isOtherApp))
    lines.append(outcome("now", change.change.new, withApp: isOtherApp))
    return lines
  }

  private func outcome(
    _ word: String, _ outcome: VerdictChanges.Outcome, withApp isNamed: Bool
  ) -> String {
    let rule = outcome.rule.map { " by " + name($0) } ?? ""
    let app = isNamed ? outcome.decision.map { " of \(SafeText.escaped($0.app.text))" } ?? "" : ""
    return "    \(word) \(outcome.verdict.rawValue)\(rule)\(app)".shortened(to: style.width)
  }
}
