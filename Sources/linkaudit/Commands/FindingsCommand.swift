internal import AccessLogs
internal import ArgumentParser
internal import LinkAuditing

/// Explains findings.
struct FindingsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "findings",
    abstract: "Explain findings: when there is one, why it matters, and what to do.",
    discussion: """
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
    help: ArgumentHelp("Codes of findings; all unless given.", valueName: "code"),
    completion: .list(FindingDescription.all.map(\.code.rawValue)))
  var codes: [String] = []

  @Option(help: "The form of the explanation.")
  var format: Format = .text

  func validate() throws {
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
      let texts = chosen.map { text($0, style).joined(separator: "\n") }
      try output.write(texts.joined(separator: "\n\n") + "\n")
    case .markdown: try output.write(FindingsPage(descriptions: chosen).text)
    }
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

extension String {
  /// The text without what Markdown marks code by.
  fileprivate var withoutCodeMarks: String { String(map { $0 == "`" ? "'" : $0 }) }
}
