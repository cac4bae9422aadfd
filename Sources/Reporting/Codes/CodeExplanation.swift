internal import FileDelivery
internal import Foundations
internal import LinkAuditing
package import UniversalLinks

extension DiagnosticCatalog {
  /// All kinds of problems that linkaudit reports.
  package static let all = lint + findings + delivery
}

/// The answer of `linkaudit explain`: a list of codes, or explanations of some.
package struct CodeExplanation {
  /// The formats of the answer.
  package enum Format: String, CaseIterable {
    case text
    case json
    case markdown
  }

  let groups: [DiagnosticCatalog.Group]

  /// Whether codes were named, so that text explains them instead of listing all.
  let isSelective: Bool

  /// Selects codes of a catalog to explain; all are listed if there are none.
  package init(of codes: [String], in catalog: DiagnosticCatalog) {
    isSelective = !codes.isEmpty
    groups = catalog.groups.compactMap { group in
      let kinds = group.kinds.filter { codes.isEmpty || codes.contains($0.code) }
      return kinds.isEmpty ? nil : (group.origin, group.title, kinds)
    }
  }

  /// Writes the answer in a format.
  package func write(_ format: Format, style: Style, to sink: @escaping OutputSink) throws {
    switch format {
    case .text: try sink(Array(text(style).utf8))
    case .json: try writeJSON(to: sink)
    case .markdown: try sink(Array(markdown.utf8))
    }
  }

  private func writeJSON(to sink: @escaping OutputSink) throws {
    let codes = groups.flatMap { group in group.kinds.map { (group.origin, $0) } }
    try JSONWriter.document("linkaudit.codes/1", to: sink) { json in
      json.member("codes", objects: codes) { json, code in
        let (origin, kind) = code
        json.member("code", kind.code)
        json.member("kind", origin.rawValue)
        json.member("severity", kind.severity.rawValue)
        json.member("title", kind.title.withoutCodeMarks)
        json.member("meaning", kind.meaning.withoutCodeMarks)
        json.member("remedy", kind.remedy.withoutCodeMarks)
        json.member("example", kind.example)
      }
    }
  }
}

extension DiagnosticCatalog.Origin {
  var title: String { self == .finding ? "Findings" : rawValue.capitalizedFirst }
}

extension String {
  /// The text with quotes in place of Markdown's marks of code; severities need neither.
  var withoutCodeMarks: String {
    var text = self
    for severity in Severity.allCases {
      text = text.replacing("`\(severity.rawValue)`", with: severity.rawValue)
    }
    return text.replacing("`", with: "'")
  }
}

extension CodeExplanation {
  func text(_ style: Style) -> String {
    guard isSelective else { return list(style) }
    let explanations = groups.flatMap { group in
      group.kinds.map { explanation($0, group.origin, style).joined(separator: "\n") }
    }
    return explanations.joined(separator: "\n\n") + "\n"
  }

  private func list(_ style: Style) -> String {
    let kinds = groups.flatMap(\.kinds)
    let code = kinds.map(\.code.count).max() ?? 0
    let severity = kinds.map(\.severityRange.count).max() ?? 0
    var lines: [String] = []
    for group in groups {
      let title = group.title.withoutCodeMarks
      lines.append(style.bold(hasSeveralOrigins ? "\(group.origin.title): \(title)" : title))
      for kind in group.kinds {
        let start =
          "  " + kind.code.padded(to: code) + "  " + kind.severityRange.padded(to: severity) + "  "
        lines += kind.title.withoutCodeMarks.hung(after: start, width: style.width)
      }
      lines.append("")
    }
    lines += style.note(
      "To see why a code matters and what to do, use 'linkaudit explain CODE'.", indent: "")
    return lines.joined(separator: "\n") + "\n"
  }

  private func explanation(
    _ kind: DiagnosticKind, _ origin: DiagnosticCatalog.Origin, _ style: Style
  ) -> [String] {
    let name = hasSeveralOrigins ? " (\(origin.rawValue))" : ""
    var lines = [style.bold(kind.code) + name + "  " + kind.title.withoutCodeMarks]
    let parts = ["Severity: " + kind.severityText, kind.foundWhen, kind.meaning]
    lines += (parts.compactMap(\.self) + ["To do: " + kind.remedy]).flatMap {
      $0.withoutCodeMarks.wrapped(width: style.width, indent: "  ")
    }
    for (title, text) in [("For example", kind.example), ("Instead", kind.fixedExample)] {
      guard let text else { continue }
      lines += ["  \(title):"] + text.exampleLines.map { "    " + $0 }
    }
    return lines
  }

  private var hasSeveralOrigins: Bool { Set(groups.map(\.origin)).count > 1 }
}

extension DiagnosticKind {
  /// The severities that it can have, such as `note to error`.
  fileprivate var severityRange: String {
    guard let least = severities.first, let greatest = severities.last else { return "" }
    return least == greatest ? least.rawValue : "\(least.rawValue) to \(greatest.rawValue)"
  }

  fileprivate var foundWhen: String? { condition.map { "Found when \($0)." } }
}

extension CodeExplanation {
  /// The codes of each origin as a page of the documentation, with a line feed at its end.
  ///
  /// Documentation/Lint.md and Documentation/Findings.md are such pages; the page about delivery is
  /// the end of Documentation/Fetch.md.
  var markdown: String {
    DiagnosticCatalog.Origin.allCases.compactMap { origin in
      let own = groups.filter { $0.origin == origin }
      return own.isEmpty ? nil : page(origin, own)
    }.joined(separator: "\n")
  }

  private func page(
    _ origin: DiagnosticCatalog.Origin, _ groups: [DiagnosticCatalog.Group]
  ) -> String {
    // The codes of delivery are a section of a page.
    let heading = origin == .delivery ? "##" : "#"
    let title = origin == .delivery ? "Codes" : origin.title
    var lines = ["\(heading) \(title)", "", origin.introduction]
    for group in groups {
      lines += ["", "\(heading)# \(group.title)"]
      lines += MarkdownWriter.table(
        ["code", "severity", "title"],
        group.kinds.map { ["[`\($0.code)`](#\($0.code))", $0.severityText, $0.title] })
      for kind in group.kinds { lines += ["", "\(heading)## \(kind.code)"] + section(kind) }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func section(_ kind: DiagnosticKind) -> [String] {
    let start = "**\(kind.title).** "
    let meaning = kind.foundWhen.map { [start + $0, "", kind.meaning] } ?? [start + kind.meaning]
    return [""] + meaning + (kind.example?.exampleBlock ?? [])
      + ["", "**To do:** \(kind.remedy)"] + (kind.fixedExample?.exampleBlock ?? [])
  }
}

extension String {
  fileprivate var exampleLines: [String] {
    split(separator: "\n", omittingEmptySubsequences: false).map {
      SafeText.escaped(String($0))
    }
  }

  fileprivate var exampleBlock: [String] { ["", "```json"] + exampleLines + ["```"] }
}

extension DiagnosticCatalog.Origin {
  fileprivate var introduction: String {
    switch self {
    case .lint:
      """
      `linkaudit lint` reports these mistakes in association files and entitlements. Codes are stable, so scripts can rely
      on them. Each mistake has its line and column, the marked text, a reason and a fix. `--format json` and `--format
      sarif` (for code review) contain the same. The exit status is 1 if there is an error, or a mistake of the severity
      that `--fail-on` names, and 2 if a file can't be read.

      The checks follow Apple's systems ([Matching](Matching.md)), which ignore unknown members and don't reject the file.
      If a file isn't JSON and the intention is clear, linkaudit fixes it in memory, so that one run finds all mistakes.
      It proves from the patterns of all rules that a rule never decides, for all URLs. If a proof would take too long,
      linkaudit says that it doesn't know. `linkaudit explain --kind lint --format markdown` prints this page.
      """
    case .finding:
      """
      `linkaudit report` and `linkaudit diff` report these findings. Codes are stable, so monitors can rely on them.
      With `--fail-on SEVERITY`, the exit status is 1 if there is a finding of that severity or a higher one. A damaged
      input makes it 2, which takes precedence. Every finding has a message with figures, the traffic concerned,
      evidence (paths with samples of targets, rules with their places in the file, pairs of pages, logs), and a remedy.
      They are the same in every format of a report.

      Many findings are measured: their severity depends on their share of visits, or of requests if there are no visits.
      `--threshold CODE:SEVERITY=SHARE` sets the minimum share for a severity, and `--threshold CODE:SEVERITY=never`
      removes the severity. In `linkaudit.yml`, list the same values in `report.thresholds`.

      Reports list the most important findings first:

      1. Findings that make the others doubtful: damaged logs, a wrong format, a file that no device reads.
      2. Findings with visits to win, the most first. These visits could open the app if the problem were fixed:
         `same-host-links`, `implemented-not-claimed`, `implemented-but-excluded`, `claimed-broken`, and causes such as
         `cause-mail`. In a comparison, they are visits to keep: `claims-lost`, `app-claims-lost`, `app-removed`. Visits
         of several findings can overlap.
      3. All others, by severity, then by traffic.

      `linkaudit explain --kind finding --format markdown` prints this page.
      """
    case .delivery:
      """
      Codes are stable, so monitors can rely on them. `linkaudit explain --kind delivery --format markdown` prints them.
      """
    }
  }
}
