internal import LinkAuditing
internal import UniversalLinks

/// Problems as workflow commands, which GitHub shows at lines of a pull request
/// (https://docs.github.com/actions/using-workflows/workflow-commands-for-github-actions).
///
/// Known problems are left out.
package struct GitHubAnnotations {
  private let lines: [String]

  package func text() -> String { lines.map { $0 + "\n" }.joined() }

  /// Annotates the lines of files with their mistakes.
  package init(files: [LintedFile]) {
    lines = files.flatMap { file in
      file.newDiagnostics.map { diagnostic in
        let hasPlace = !file.isSigned && !file.text.isEmpty
        return Self.line(
          diagnostic, path: file.path, start: hasPlace ? diagnostic.start : nil,
          end: hasPlace ? diagnostic.end : nil, fix: file.fix(of: diagnostic))
      }
    }
  }

  /// Annotates the candidate of a comparison with its findings, at the first rule of each that the
  /// candidate has.
  package init(report: DiffReport) {
    let path = report.new.filePath ?? "-"
    lines = report.findings.filter { $0.isKnown != true }.map { finding in
      let rule = finding.evidence.rules.first { Self.has(report.new.file, $0) }
      return Self.line(
        finding, path: path, start: rule?.position, end: nil)
    }
  }

  /// Returns a Boolean value indicating whether a rule is of a file, not of the one that it is
  /// compared with.
  private static func has(_ file: AssociationFile, _ rule: ReportedRule) -> Bool {
    guard let position = rule.id.position,
      let entry = file.entries.first(where: { $0.id == rule.id.entry }),
      let rules = rule.id.list == .components ? entry.components : entry.paths,
      rules.indices.contains(position)
    else { return false }
    return ReportedRule(rule.id, rules[position], of: rule.app) == rule
  }

  private static func line(
    _ problem: some Diagnostic, path: String, start: TextPosition?, end: TextPosition?,
    fix: LintFix? = nil
  ) -> String {
    let command =
      switch problem.severity {
      case .error: "error"
      case .warning: "warning"
      case .note: "notice"
      }
    var properties: [(String, String)] = path == "-" ? [] : [("file", path)]
    if let start {
      properties += [("line", String(start.line)), ("col", String(start.column))]
      if let end, (end.line, end.column) > (start.line, start.column) {
        properties += [("endLine", String(end.line))]
        // Columns count only within a line.
        if end.line == start.line { properties += [("endColumn", String(end.column))] }
      }
    }
    properties.append(("title", "\(problem.title) (\(problem.code))"))
    var text =
      ReadablePath.text(problem.message) + "\nTo do: " + ReadablePath.text(problem.remedy)
    if let fix {
      let written = fix.edits.map(\.replacement).filter { !$0.isEmpty }
      text += "\nFix (\(fix.applicability.rawValue)): \(ReadablePath.text(fix.title))"
      if fix.edits.count == 1, let only = written.first { text += ": " + only }
    }
    return "::\(command) "
      + properties.map { "\($0)=\(escaped($1, isProperty: true))" }.joined(separator: ",")
      + "::" + escaped(text, isProperty: false)
  }

  private static func escaped(_ text: String, isProperty: Bool) -> String {
    var output = ""
    for scalar in SafeText.escapedLines(text).unicodeScalars {
      switch scalar {
      case "%": output += "%25"
      case "\n": output += "%0A"
      case "\r": output += "%0D"
      case ":" where isProperty: output += "%3A"
      case "," where isProperty: output += "%2C"
      default: output.unicodeScalars.append(scalar)
      }
    }
    return output
  }
}
