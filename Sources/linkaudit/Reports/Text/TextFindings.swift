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
      let name = style.colored(finding.severity.rawValue, finding.severity)
      lines.append("  \(name) \(style.bold(finding.code.rawValue))")
      lines += text(finding.message)
      if let samples = samples(finding) { lines += text("Seen: " + samples) }
      lines += text("To do: " + finding.remedy).map(style.dim)
    }
    let rest = findings.count - top
    return rest > 0 ? lines + ["  \(style.ellipsis) and \(rest) more (--top)"] : lines
  }

  private func text(_ message: String) -> [String] {
    SafeText.escaped(ReadablePath.text(message)).wrapped(width: style.width, indent: "    ")
  }

  /// Targets of the heaviest family, or the places of lines.
  private func samples(_ finding: Finding) -> String? {
    if let targets = finding.evidence.paths.first?.samples, !targets.isEmpty {
      return targets.joined(separator: " ")
    }
    let logs = finding.evidence.logs
    return logs.isEmpty ? nil : logs.joined(separator: " ")
  }
}
