internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

/// A comparison in Markdown, for the summary of a job or a comment on a pull request.
package struct MarkdownDiff {
  private let report: DiffReport

  /// The number of rows per table.
  private let top: Int

  /// Whether it also has the changes of single rules.
  private let isFull: Bool

  package init(report: DiffReport, top: Int, isFull: Bool) {
    (self.report, self.top, self.isFull) = (report, top, isFull)
  }

  package func text() -> String {
    var lines = [
      "## Universal links: changes for \(MarkdownText.code(report.host))", "",
      MarkdownText.escaped(report.summary), "",
      [("Now", report.old), ("Candidate", report.new)].map { name, site in
        "\(name): \(MarkdownText.code(site.filePath ?? "standard input"))"
      }.joined(separator: " · ") + logs,
    ]
    if let comparison = report.traffic?.comparison {
      lines += MarkdownText.shares(
        "Change",
        report.changedParts.map { part in
          ((part.verdict == nil ? "– " : "") + MarkdownText.escaped(part.name), part.traffic)
        },
        of: comparison.total)
    }
    lines += MarkdownText.findings(report.findings, limit: top, namesHosts: false) { _ in nil }
    lines += report.traffic == nil ? patternChanges() : pathChanges() + patternChanges()
    return lines.joined(separator: "\n") + "\n"
  }

  private var logs: String {
    report.traffic.map {
      " · \($0.digest.inputs.count.counted("log")), \($0.digest.tally.requests.counted("request"))"
    } ?? " · no logs: only the patterns are compared"
  }

  /// The changes by path group.
  private func pathChanges() -> [String] {
    guard let changes = report.traffic?.comparison.changes, !changes.isEmpty else { return [] }
    let rows = changes.prefix(isFull ? .max : top).map { change in
      [
        MarkdownText.path(change.path), change.traffic.visits.grouped,
        change.traffic.requests.grouped,
        change.transition.words(arrow: "→"),
        rule(change.oldRule), rule(change.newRule),
      ]
    }
    return MarkdownText.details(
      changes.count.counted("path group") + " in these logs",
      MarkdownText.table(
        ["Paths like", "Visits", "Requests", "Verdict", "Rule before", "Rule now"],
        numbers: [1, 2], rows) + more(changes.count))
  }

  /// The changes that patterns show, without those that the logs show.
  private func patternChanges() -> [String] {
    let changes = report.unseenChanges
    guard !changes.isEmpty else { return [] }
    let rows = changes.prefix(isFull ? .max : top).map { change in
      [
        MarkdownText.path(change.change.url),
        change.app.map { MarkdownText.code($0.text) } ?? "all",
        "\(change.change.old.verdict.rawValue) → \(change.change.new.verdict.rawValue)",
        rule(change.change.old.rule), rule(change.change.new.rule),
      ]
    }
    return MarkdownText.details(
      report.traffic == nil
        ? "\(changes.count.counted("change")) of verdicts, each with an example"
        : "\(changes.count.counted("change")) without a request in these logs",
      MarkdownText.table(
        ["For example", "App", "Verdict", "Rule before", "Rule now"], rows) + more(changes.count))
  }

  private func rule(_ rule: ReportedRule?) -> String {
    rule.map { MarkdownText.code(ShownText($0.signedPattern).text) } ?? "none"
  }

  private func more(_ count: Int) -> [String] {
    let rest = count - top
    return !isFull && rest > 0 ? ["", "… and \(rest.grouped) more"] : []
  }
}
