internal import UniversalLinks

/// Answers of `match` in Markdown: a row for each URL, or for each that isn't as it should be.
package enum MarkdownMatch {
  /// The heading of answers for URLs.
  package static let heading = table(["URL", "Verdict", "Decided by"])

  /// The heading of answers that differ from the expectations of a file.
  package static let expectationHeading = table([
    "Line", "URL", "Expected", "Verdict", "Decided by",
  ])

  private static func table(_ names: [String]) -> String {
    MarkdownText.table(names.map { ($0, $0 == "Line") }, []).joined(separator: "\n") + "\n"
  }

  /// The row of a URL.
  package static func row(_ row: MatchRow) -> String {
    let apps = (row.apps ?? []).map { app in
      "\(app.verdict) for \(MarkdownText.code(app.app)) by "
        + (app.rule.value.map { "rule \($0)" } ?? "an entry without rules")
    }
    var cells = [MarkdownText.code(row.url)]
    if let expected = row.expected, let line = row.line {
      let app = row.expectedApp.map { " " + MarkdownText.code($0) } ?? ""
      cells = [String(line)] + cells + [expected.rawValue + app]
    }
    cells += [row.verdict, apps.isEmpty ? "no rule" : apps.joined(separator: "; ")]
    return "| " + cells.joined(separator: " | ") + " |\n"
  }

  /// Returns the line below a table with the number of URLs that meet a file's expectations.
  package static func summary(of name: String, _ line: String) -> String {
    "\(MarkdownText.code(name)): \(MarkdownText.escaped(line))\n"
  }
}
