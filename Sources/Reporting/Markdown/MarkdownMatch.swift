internal import UniversalLinks

/// Answers of `match` in Markdown: a row for each URL, or for each that isn't as it should be.
package enum MarkdownMatch {
  /// The heading of answers for URLs.
  package static let heading = lines(["URL", "Verdict", "Decided by"])

  /// The heading of answers that differ from the expectations of a file.
  package static let expectationHeading = lines(
    ["Line", "URL", "Expected", "Verdict", "Decided by"], numbers: [0])

  private static func lines(_ heading: [String], numbers: Set<Int> = []) -> String {
    MarkdownText.table(heading, numbers: numbers, []).joined(separator: "\n") + "\n"
  }

  /// The row of a URL.
  ///
  /// - Parameters:
  ///   - question: The URL and its rules.
  ///   - expectation: The expected outcome of the URL, if there is one.
  /// - Returns: The line.
  package static func row(
    _ question: MatchQuestion, _ expectation: MatchExpectation? = nil
  ) -> String {
    let apps = question.decisions.map(\.decision)
      .filter { [.claimed, .excluded].contains($0.verdict) }
      .map { decision in
        "\(decision.verdict.rawValue) for \(MarkdownText.code(decision.app.text)) by "
          + (decision.rule?.position.map { "rule \($0)" } ?? "an entry without rules")
      }
    var cells = [MarkdownText.code(question.text)]
    if let expectation {
      let app = expectation.app.map { " " + MarkdownText.code($0.text) } ?? ""
      cells = [String(expectation.line)] + cells + [expectation.outcome.rawValue + app]
    }
    let verdict = question.evaluation.siteVerdict.rawValue
    cells += [verdict, apps.isEmpty ? "no rule" : apps.joined(separator: "; ")]
    return "| " + cells.joined(separator: " | ") + " |\n"
  }

  /// Returns the line below a table with the number of URLs that meet a file's expectations.
  package static func summary(of name: String, _ line: String) -> String {
    "\(MarkdownText.code(name)): \(MarkdownText.escaped(line))\n"
  }
}
