internal import Foundations
internal import LinkAuditing
internal import UniversalLinks

/// Findings, as a text report shows them.
struct TextFindings {
  let findings: [Finding]

  /// The findings of an earlier report that would be here.
  var gone: [FindingRecord] = []

  /// The number of rows.
  let top: Int

  let style: Style

  func rows() -> [String] {
    if findings.isEmpty { return ["  None about this site."] + goneRows() }
    var lines: [String] = []
    let (shown, counts) = Self.folded(findings)
    for finding in shown.prefix(top) {
      let name = style.colored(finding.severity.rawValue, finding.severity)
      lines.append(
        "  \(name) \(style.bold(finding.code))" + (finding.gain.map { ": " + $0 } ?? "")
          + mark(finding))
      lines += text(finding.message)
      if let development = finding.development { lines += text(development + ".") }
      if let samples = samples(finding) { lines += text("Seen: " + samples) }
      let others = (counts[Kind(finding)] ?? 1) - Self.repetitions
      if others > 0, finding == shown.last(where: { Kind($0) == Kind(finding) }) {
        lines += text("\(style.ellipsis) and \(others.grouped) more like this")
      }
      lines += text("To do: " + finding.remedy).map(style.dim)
    }
    return lines + style.more(shown.count, top: top) + goneRows()
  }

  /// Returns the mark after a finding that has changed.
  private func mark(_ finding: Finding) -> String {
    if finding.isKnown == true { return style.dim(" (known)") }
    guard let change = finding.change, change != .same else { return "" }
    return change == .better ? style.green(" (better)") : style.yellow(" (\(change.rawValue))")
  }

  /// The findings that are gone.
  func goneRows() -> [String] {
    gone.prefix(top).flatMap { finding in
      [
        "  \(style.green("gone")) \(finding.knownSeverity.rawValue) "
          + SafeText.escaped(finding.code)
      ] + text(finding.message).map(style.dim)
    } + style.more(gone.count, top: top)
  }

  /// The number of findings of a kind that are shown.
  private static let repetitions = 3

  private struct Kind: Hashable {
    var code: String
    var severity: Severity

    init(_ finding: Finding) { (code, severity) = (finding.code, finding.severity) }
  }

  /// Returns the findings with a limited number of each kind, and the number of all findings of
  /// each kind.
  private static func folded(_ findings: [Finding]) -> ([Finding], [Kind: Int]) {
    var counts: [Kind: Int] = [:]
    let shown = findings.filter { finding in
      counts[Kind(finding), default: 0] += 1
      return counts[Kind(finding), default: 0] <= repetitions
    }
    return (shown, counts)
  }

  private func text(_ message: String) -> [String] {
    SafeText.escaped(ReadablePath.text(message)).wrapped(width: style.width, indent: "    ")
  }

  /// Targets of the heaviest path group, or the places of lines.
  private func samples(_ finding: Finding) -> String? {
    if let targets = finding.evidence.paths.first?.samples, !targets.isEmpty {
      return targets.joined(separator: " ")
    }
    let logs = finding.evidence.logs
    return logs.isEmpty ? nil : logs.joined(separator: " ")
  }
}
