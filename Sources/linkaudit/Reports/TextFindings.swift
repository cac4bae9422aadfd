internal import LinkAuditing

/// Findings, as a text report shows them.
struct TextFindings {
  let findings: [Finding]

  /// The number of rows.
  let top: Int

  let style: Style

  func rows() -> [String] {
    if findings.isEmpty { return ["  None about this site."] }
    var lines: [String] = []
    for finding in findings.prefix(top) {
      let name: String =
        switch finding.severity {
        case .error: style.red("error")
        case .warning: style.yellow("warning")
        case .note: style.blue("note")
        }
      lines.append("  \(name) \(style.bold(finding.code.rawValue))")
      lines += SafeText.escaped(finding.message).wrapped(width: TextTable.width, indent: "    ")
    }
    let rest = findings.count - top
    return rest > 0 ? lines + ["  … and \(rest) more (--top)"] : lines
  }
}
