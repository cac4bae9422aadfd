internal import BuildVersion
internal import Foundations
internal import LinkAuditing
internal import UniversalLinks

extension [LintedFile] {
  /// Writes the mistakes in the Static Analysis Results Interchange Format 2.1.0 (OASIS), which code
  /// reviews show next to the lines.
  package func writeSARIF(to sink: @escaping OutputSink) throws {
    let schema =
      "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
    var json = JSONWriter(.lines, to: sink)
    json.object { json in
      json.member("$schema", schema)
      json.member("version", "2.1.0")
      json.member("runs", objects: [self]) { json, files in
        json.member("tool") { json in
          json.member("driver") { json in
            json.member("name", "linkaudit")
            json.member("semanticVersion", Version.number)
            json.member("rules", objects: DiagnosticCatalog.lint.kinds) { write($1, to: &$0) }
          }
        }
        json.member("columnKind", "unicodeCodePoints")
        json.member("results", objects: files.results) { write($1, to: &$0) }
      }
    }
    try json.finish()
  }

  private typealias Result = (diagnostic: LintDiagnostic, file: LintedFile)

  private var results: [Result] {
    flatMap { file in file.diagnostics.map { ($0, file) } }
  }

  private func write(_ rule: DiagnosticKind, to json: inout JSONWriter) {
    json.member("id", rule.code)
    json.member("name", rule.code.split(separator: "-").map(\.capitalizedFirst).joined())
    json.member("shortDescription") { $0.member("text", rule.title) }
    json.member("fullDescription") { $0.member("text", rule.meaning) }
    json.member("help") { $0.member("text", rule.meaning + " To do: " + rule.remedy) }
    json.member("defaultConfiguration") { $0.member("level", rule.severity.rawValue) }
  }

  private func write(_ result: Result, to json: inout JSONWriter) {
    let (diagnostic, file) = result
    json.member("ruleId", diagnostic.code)
    json.member("ruleIndex", DiagnosticCatalog.lint.kinds.firstIndex(of: diagnostic.kind) ?? -1)
    json.member("level", diagnostic.severity.rawValue)
    if let isKnown = diagnostic.isKnown {
      json.member("baselineState", isKnown ? "unchanged" : "new")
      // Code scanning hides suppressed results, and ignores the state.
      if isKnown {
        json.member("suppressions", objects: ["external"]) { $0.member("kind", $1) }
      }
    }
    json.member("message") {
      $0.member("text", diagnostic.message + " To do: " + diagnostic.remedy)
    }
    json.member("locations", objects: [diagnostic]) { json, diagnostic in
      json.member("physicalLocation") { json in
        writeArtifact(file, to: &json)
        // Places in signed content aren't places in the file.
        guard !file.isSigned, !file.text.isEmpty else { return }
        json.member("region") { json in
          json.member("startLine", diagnostic.start.line)
          json.member("startColumn", diagnostic.start.column)
          json.member("endLine", diagnostic.end.line)
          json.member("endColumn", Swift.max(diagnostic.end.column, 1))
        }
      }
    }
    if let fix = file.fix(of: diagnostic) {
      json.member("fixes", objects: [fix]) { json, fix in
        json.member("description") { $0.member("text", fix.title) }
        json.member("artifactChanges", objects: [fix]) { json, fix in
          writeArtifact(file, to: &json)
          json.member("replacements", objects: fix.edits) { json, edit in
            json.member("deletedRegion") { json in
              json.member("byteOffset", edit.range.lowerBound)
              json.member("byteLength", edit.range.count)
            }
            json.member("insertedContent") { $0.member("text", edit.replacement) }
          }
        }
      }
    }
    guard !diagnostic.related.isEmpty, !file.isSigned else { return }
    json.member("relatedLocations", objects: diagnostic.related) { json, other in
      json.member("physicalLocation") { json in
        writeArtifact(file, to: &json)
        json.member("region") { json in
          json.member("startLine", other.position.line)
          json.member("startColumn", other.position.column)
        }
      }
      json.member("message") { $0.member("text", other.message) }
    }
  }

  private func writeArtifact(_ file: LintedFile, to json: inout JSONWriter) {
    json.member("artifactLocation") { $0.member("uri", Self.uri(of: file.path)) }
  }

  /// The path as a reference of a URI (RFC 3986, 4.1).
  private static func uri(of path: String) -> String {
    if path == "-" { return "stdin" }
    var bytes: [UInt8] = []
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"):
        bytes.append(byte)
      default:
        PercentEncoding.append(escapeOf: byte, to: &bytes)
      }
    }
    let text = String(decoding: bytes, as: UTF8.self)
    return text.hasPrefix("/") ? "file://" + text : text
  }
}

// MARK: - GitHub

extension [LintedFile] {
  /// The new mistakes as workflow commands, which GitHub shows at lines of a pull request
  /// (https://docs.github.com/actions/using-workflows/workflow-commands-for-github-actions).
  package var annotations: String {
    flatMap { file in
      file.newDiagnostics.map { diagnostic in
        let hasPlace = !file.isSigned && !file.text.isEmpty
        return diagnostic.annotation(
          of: file.path, start: hasPlace ? diagnostic.start : nil,
          end: hasPlace ? diagnostic.end : nil, fix: file.fix(of: diagnostic))
      }
    }.joined()
  }
}

extension DiffReport {
  /// The new findings as workflow commands for GitHub, at the first rule of each that the candidate
  /// has.
  package var annotations: String {
    findings.filter { $0.isKnown != true }.map { finding in
      let rule = finding.evidence.rules.first(where: isOfCandidate)
      return finding.annotation(of: new.filePath ?? "-", start: rule?.position)
    }.joined()
  }

  private func isOfCandidate(_ rule: ReportedRule) -> Bool {
    guard let position = rule.id.position,
      let entry = new.file.entries.first(where: { $0.id == rule.id.entry }),
      let rules = rule.id.list == .components ? entry.components : entry.paths,
      rules.indices.contains(position)
    else { return false }
    return ReportedRule(rule.id, rules[position], of: rule.app) == rule
  }
}

extension Diagnostic {
  fileprivate func annotation(
    of path: String, start: TextPosition?, end: TextPosition? = nil, fix: LintFix? = nil
  ) -> String {
    let command =
      switch severity {
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
    properties.append(("title", "\(title) (\(code))"))
    var text = SafeText.readable(message) + "\nTo do: " + SafeText.readable(remedy)
    if let fix {
      let written = fix.edits.map(\.replacement).filter { !$0.isEmpty }
      text += "\nFix (\(fix.applicability.rawValue)): \(SafeText.readable(fix.title))"
      if fix.edits.count == 1, let only = written.first { text += ": " + only }
    }
    return "::\(command) "
      + properties.map { "\($0)=\(Self.escaped($1, isProperty: true))" }.joined(separator: ",")
      + "::" + Self.escaped(text, isProperty: false) + "\n"
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
