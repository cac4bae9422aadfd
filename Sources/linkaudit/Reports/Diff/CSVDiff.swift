internal import LinkAuditing
internal import UniversalLinks

/// One table of what would change as CSV.
struct CSVDiff {
  let report: DiffReport

  /// The number of rows, or `nil` for all.
  let top: Int?

  func write(_ table: DiffCommand.Table, to sink: @escaping OutputFile.Sink) throws {
    var csv = CSVWriter(to: sink)
    csv.row(Self.columns(table))
    // Findings and transitions are few, and none of them may be missed.
    let isLimited = table != .findings && table != .transitions
    for row in rows(table).prefix(isLimited ? top ?? .max : .max) { csv.row(row) }
    try csv.finish()
  }

  private static func columns(_ table: DiffCommand.Table) -> [String] {
    let sides = ["old", "new"].flatMap { side in
      ["App", "Detail", "Rule", "Pattern", "Line"].map { side + $0 }
    }
    return switch table {
    case .changes:
      ["host", "path", "from", "to", "requests", "visits", "implemented"] + sides + ["samples"]
    case .rules:
      [
        "host", "app", "change", "pattern", "excludes", "oldRequests", "oldVisits",
        "newRequests", "newVisits", "newShadowed", "oldDetail", "oldRule", "oldLine",
        "newDetail", "newRule", "newLine",
      ]
    case .transitions: ["host", "from", "to", "requests", "visits"]
    case .patterns: ["host", "url", "os", "app", "from", "to"] + sides
    case .findings: ReportTable.findings.columns
    }
  }

  private func rows(_ table: DiffCommand.Table) -> [[String]] {
    if table == .findings { return report.findings.map(\.cells) }
    guard let traffic = report.traffic, table != .patterns else {
      return rows(report.patterns)
    }
    return rows(table, traffic.comparison)
  }

  private func rows(_ table: DiffCommand.Table, _ comparison: Comparison) -> [[String]] {
    let host = comparison.host
    switch table {
    case .rules:
      return comparison.appRules.map { app, change in
        [
          host, app.text, change.kind.rawValue, change.reference?.pattern ?? "",
          String(change.reference?.excludes ?? false),
        ] + change.oldTraffic.cells + change.newTraffic.cells + [String(change.newShadowed)]
          + Self.place(change.old) + Self.place(change.new)
      }
    case .transitions:
      return comparison.orderedTransitions.map { transition, traffic in
        [host, transition.from.rawValue, transition.to.rawValue] + traffic.cells
      }
    case .changes, .patterns, .findings:
      return comparison.changes.map { change in
        [
          host, change.path, change.transition.from.rawValue, change.transition.to.rawValue,
        ] + change.traffic.cells + [change.isImplemented.map { String($0) } ?? ""]
          + Self.side(change.oldRule) + Self.side(change.newRule)
          + [change.samples.joined(separator: " ")]
      }
    }
  }

  private func rows(_ comparison: PatternComparison) -> [[String]] {
    DiffReport.changes(comparison).map { change in
      let (old, new) = (change.change.old, change.change.new)
      return [
        comparison.host, change.change.url, change.system.rawValue, change.app?.text ?? "",
        old.verdict.rawValue, new.verdict.rawValue,
      ] + Self.side(report.rule(old, of: report.old, system: change.system))
        + Self.side(report.rule(new, of: report.new, system: change.system))
    }
  }

  private static func place(_ rule: RuleReference?) -> [String] {
    guard let rule else { return ["", "", ""] }
    return [
      rule.place.text, rule.rule.map { String($0) } ?? "",
      rule.position.map { String($0.line) } ?? "",
    ]
  }

  private static func side(_ rule: RuleReference?) -> [String] {
    guard let rule else { return ["", "", "", "", ""] }
    return [
      rule.app.text, rule.place.text, rule.rule.map { String($0) } ?? "", rule.pattern,
      rule.position.map { String($0.line) } ?? "",
    ]
  }
}
