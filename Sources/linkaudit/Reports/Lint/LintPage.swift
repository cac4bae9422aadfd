internal import UniversalLinks

/// Documentation/Lint.md, which is made from the rules themselves.
struct LintPage {
  var text: String {
    var lines = [
      "# Lint", "",
      """
      What `linkaudit lint` finds in association files and entitlements, by code. Codes are stable: scripts
      may rely on them. Each mistake is told with line and column, the text with carets under it, why it matters, and how
      to mend it; `--format json` and `--format sarif` (for code review) say the same. The exit status is 1 if there is
      an error, or whatever `--fail-on` names, and 2 if a file can't be read.
      """, "",
      """
      What is told is what Apple's systems do with such a file (MATCHING.md has the rules): they don't reject what they
      don't know, they pass it over. A text that isn't JSON is mended in memory where it is clear how, so that one look
      finds its other mistakes, too. Rules that never decide are found by looking at all URLs at once, along the patterns
      of all rules: what is said is proved, and where that would take too long, it is said that it isn't known.
      This page is printed by `linkaudit lint --list-rules --format markdown`.
      """,
    ]
    for group in LintRule.groups {
      lines += ["", "## \(group.title)", "", "| code | severity | |", "| --- | --- | --- |"]
      lines += group.rules.map {
        "| [`\($0.code)`](#\($0.code)) | \($0.severityText) | \($0.title) |"
      }
      for rule in group.rules {
        lines += ["", "### " + rule.code, "", "**\(rule.title).** \(rule.meaning)"]
        if let example = rule.example { lines += ["", "```json", example.text, "```"] }
        lines += ["", "**To do:** \(rule.remedy)"]
        if let mended = rule.mended { lines += ["", "```json", mended.text, "```"] }
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A rule for a terminal.
  static func text(_ rule: LintRule, _ style: Style) -> [String] {
    var lines = [style.bold(rule.code) + "  " + rule.title]
    for part in [
      "Severity: " + rule.severityText.filter { $0 != "`" }, rule.meaning, "To do: " + rule.remedy,
    ] {
      lines += part.wrapped(width: style.width, indent: "  ")
    }
    if let example = rule.example {
      lines += ["  Such as:", "    " + SafeText.escaped(example.text)]
    }
    if let mended = rule.mended {
      lines += ["  Instead:", "    " + SafeText.escaped(mended.text)]
    }
    return lines
  }
}

extension LintRule {
  /// The severity in a few words.
  fileprivate var severityText: String {
    severity.rawValue + (exception.map { "; " + $0 } ?? "")
  }
}

extension LintRule.Example {
  /// The text as it is shown.
  fileprivate var text: String {
    switch self {
    case .file(let text): SafeText.escaped(text.replacing("\n", with: "\n    "))
    case .links(let text): #""applinks": {\#(text)}"#
    case .entry(let text): text
    case .components(let text): #""components": [\#(text)]"#
    case .paths(let text): #""paths": [\#(text)]"#
    case .domains(let text): #""com.apple.developer.associated-domains": \#(text)"#
    }
  }
}
