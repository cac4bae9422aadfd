internal import LinkAuditing
internal import UniversalLinks

extension [LintedFile] {
  /// The mistakes in Markdown, for the summary of a job or a comment on a pull request.
  package func markdown() -> String {
    guard !isEmpty else { return "## Universal links: no file could be read\n" }
    let found = flatMap(\.newDiagnostics)
    let known = map(\.knownCount).reduce(0, +)
    var lines = [
      "## Universal links: "
        + (found.isEmpty ? known > 0 ? "no new mistakes" : "no mistakes" : found.severityCounts)
    ]
    for file in self { lines += self.lines(of: file) }
    return (lines + MarkdownText.knownLine(known)).joined(separator: "\n") + "\n"
  }

  private func lines(of file: LintedFile) -> [String] {
    let name = MarkdownText.code(file.path == "-" ? "standard input" : file.path)
    let hosts = file.hosts.map(MarkdownText.code).joined(separator: ", ")
    let title = "### \(name)" + (hosts.isEmpty ? "" : " for \(hosts)")
    guard !file.newDiagnostics.isEmpty else {
      return ["", title, "", file.knownCount > 0 ? "No new mistakes." : "No mistakes."]
    }
    let signed = file.isSigned ? ["", "Lines refer to the JSON inside the signed file."] : []
    return ["", title] + signed
      + MarkdownText.table(
        ["", "Line", "Mistake", "To do"], numbers: [1],
        file.newDiagnostics.map { diagnostic in
          [
            diagnostic.severity.mark + " " + MarkdownText.code(diagnostic.code),
            file.text.isEmpty ? "" : String(diagnostic.start.line),
            MarkdownText.escaped(diagnostic.message), MarkdownText.escaped(diagnostic.remedy),
          ]
        })
  }
}
