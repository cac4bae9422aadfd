internal import AccessLogs
internal import ArgumentParser
internal import LinkAuditing

/// Explains findings.
struct FindingsCommand: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "findings",
    abstract: "Explain findings: when there is one, why it matters, and what to do.",
    discussion: """
      Without a code, all are listed, a line each; '--format markdown' explains all.

      EXAMPLES
        linkaudit findings
        linkaudit findings same-host-links rule-shadowed
        linkaudit findings --format markdown >Findings.md
      """
  )

  /// The forms of the explanation.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text
    case markdown
  }

  @Argument(
    help: ArgumentHelp(
      "Codes of findings to explain; a list of all unless given.", valueName: "code"),
    completion: .list(FindingDescription.all.map(\.code.rawValue)))
  var codes: [String] = []

  @Option(help: "The form of the explanation.")
  var format: Format = .text

  func check() throws {
    let known = FindingDescription.all.map(\.code.rawValue)
    for code in codes where !known.contains(code) {
      let nearest = NearestName.find(code, among: known).map { " Did you mean '\($0)'?" }
      throw ValidationError(
        "'\(code)' is no finding.\(nearest ?? " 'linkaudit findings' lists them all.")")
    }
  }

  func run() throws {
    let chosen = FindingDescription.all.filter {
      codes.isEmpty || codes.contains($0.code.rawValue)
    }
    let output = OutputFile(nil)
    switch format {
    case .text:
      let style = Style(isTerminal: output.isTerminal)
      if codes.isEmpty { return try output.write(list(style).text) }
      let texts = chosen.map { text($0, style).joined(separator: "\n") }
      try output.write(texts.joined(separator: "\n\n") + "\n")
    case .markdown: try output.write(FindingsPage(descriptions: chosen).text)
    }
  }

  private func list(_ style: Style) -> CodeList {
    CodeList(
      groups: FindingDescription.Subject.allCases.map { subject in
        (
          subject.title.withoutCodeMarks,
          FindingDescription.all.filter { $0.subject == subject }.map {
            .init(
              code: $0.code.rawValue, severity: $0.severities, title: $0.title.withoutCodeMarks)
          }
        )
      },
      more: "'linkaudit findings CODE' says when it is found, why it matters, and what to do.",
      style: style)
  }

  private func text(_ description: FindingDescription, _ style: Style) -> [String] {
    let parts = [
      "Severity: " + description.severityText, "Found when " + description.condition + ".",
      description.meaning, "To do: " + description.remedy,
    ]
    return [style.bold(description.code.rawValue)]
      + parts.flatMap { $0.withoutCodeMarks.wrapped(width: style.width, indent: "  ") }
  }
}

extension FindingDescription {
  /// The severities that it can have, such as `note to error`.
  fileprivate var severities: String {
    if let fixedSeverity { return fixedSeverity.rawValue }
    let known = Finding.Severity.allCases.filter { levels?.shares[$0] != nil }.sorted()
    guard let least = known.first, let greatest = known.last else { return "" }
    return least == greatest ? least.rawValue : "\(least.rawValue) to \(greatest.rawValue)"
  }
}

extension String {
  /// The text without what Markdown marks code by.
  fileprivate var withoutCodeMarks: String { String(map { $0 == "`" ? "'" : $0 }) }
}
