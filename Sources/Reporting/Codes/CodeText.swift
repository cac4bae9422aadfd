internal import Foundations
internal import UniversalLinks

extension CodeExplanation {
  /// The answer for a terminal, with a line feed at its end.
  func text(_ style: Style) -> String {
    guard isSelective else { return list(style) }
    let explanations = groups.flatMap { group in
      group.kinds.map { explanation($0, group.origin, style).joined(separator: "\n") }
    }
    return explanations.joined(separator: "\n\n") + "\n"
  }

  /// The codes by group, with severities and titles.
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
        let indent = String(repeating: " ", count: start.count)
        let title = kind.title.withoutCodeMarks.wrapped(width: style.width, indent: indent)
        lines += [start + (title.first ?? "").dropFirst(start.count)] + title.dropFirst()
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
    var parts = ["Severity: " + kind.severityText]
    if let condition = kind.condition { parts.append("Found when \(condition).") }
    parts += [kind.meaning, "To do: " + kind.remedy]
    lines += parts.flatMap { $0.withoutCodeMarks.wrapped(width: style.width, indent: "  ") }
    if let example = kind.example { lines += ["  For example:"] + Self.lines(of: example) }
    if let example = kind.fixedExample { lines += ["  Instead:"] + Self.lines(of: example) }
    return lines
  }

  private static func lines(of example: DiagnosticKind.Example) -> [String] {
    example.text.split(separator: "\n", omittingEmptySubsequences: false).map {
      "    " + SafeText.escaped(String($0))
    }
  }

  private var hasSeveralOrigins: Bool { Set(groups.map(\.origin)).count > 1 }
}

extension DiagnosticKind {
  /// The severities that it can have, such as `note to error`.
  fileprivate var severityRange: String {
    guard let least = severities.first, let greatest = severities.last else { return "" }
    return least == greatest ? least.rawValue : "\(least.rawValue) to \(greatest.rawValue)"
  }
}

extension String {
  /// This text with spaces after it.
  fileprivate func padded(to length: Int) -> String {
    self + String(repeating: " ", count: max(0, length - count))
  }
}
