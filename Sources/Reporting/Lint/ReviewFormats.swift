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
        json.member("tool") {
          $0.member("driver") { json in
            json.member("name", "linkaudit")
            json.member("semanticVersion", Version.number)
            json.member("rules", objects: DiagnosticCatalog.lint.kinds) { write($1, to: &$0) }
          }
        }
        json.member("columnKind", "unicodeCodePoints")
        let results = files.flatMap { file in file.diagnostics.map { ($0, file) } }
        json.member("results", objects: results) { write($1.0, of: $1.1, to: &$0) }
      }
    }
    try json.finish()
  }

  private func write(_ rule: DiagnosticKind, to json: inout JSONWriter) {
    json.member("id", rule.code)
    json.member("name", rule.code.split(separator: "-").map(\.capitalizedFirst).joined())
    json.member("shortDescription") { $0.member("text", rule.title) }
    json.member("fullDescription") { $0.member("text", rule.meaning) }
    json.member("help") { $0.member("text", rule.meaning + " To do: " + rule.remedy) }
    json.member("defaultConfiguration") { $0.member("level", rule.severity.rawValue) }
  }

  private func write(_ diagnostic: LintDiagnostic, of file: LintedFile, to json: inout JSONWriter) {
    json.member("ruleId", diagnostic.code)
    json.member("ruleIndex", DiagnosticCatalog.lint.kinds.firstIndex(of: diagnostic.kind) ?? -1)
    json.member("level", diagnostic.severity.rawValue)
    if let isKnown = diagnostic.isKnown {
      json.member("baselineState", isKnown ? "unchanged" : "new")
      // Code scanning hides suppressed results, and ignores the state.
      if isKnown { json.member("suppressions", objects: ["external"]) { $0.member("kind", $1) } }
    }
    json.member("message") {
      $0.member("text", diagnostic.message + " To do: " + diagnostic.remedy)
    }
    json.member("locations", objects: [diagnostic]) { json, diagnostic in
      let start = file.hasPlaces ? diagnostic.start : nil
      writeLocation(in: file, start, end: diagnostic.end, to: &json)
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
      writeLocation(in: file, other.position, to: &json)
      json.member("message") { $0.member("text", other.message) }
    }
  }

  private func writeLocation(
    in file: LintedFile, _ start: TextPosition?, end: TextPosition? = nil,
    to json: inout JSONWriter
  ) {
    json.member("physicalLocation") { json in
      writeArtifact(file, to: &json)
      guard let start else { return }
      json.member("region") { json in
        json.member("startLine", start.line)
        json.member("startColumn", start.column)
        guard let end else { return }
        json.member("endLine", end.line)
        json.member("endColumn", Swift.max(end.column, 1))
      }
    }
  }

  private func writeArtifact(_ file: LintedFile, to json: inout JSONWriter) {
    json.member("artifactLocation") { $0.member("uri", Self.uri(of: file.path)) }
  }

  /// The path as a reference of a URI (RFC 3986, 4.1).
  private static func uri(of path: String) -> String {
    if path == "-" { return "stdin" }
    let bytes = path.utf8.reduce(into: [UInt8]()) { bytes, byte in
      if byte.isLetterOrDigit || "-._~/".utf8.contains(byte) {
        bytes.append(byte)
      } else {
        PercentEncoding.append(escapeOf: byte, to: &bytes)
      }
    }
    return (bytes.first == UInt8(ascii: "/") ? "file://" : "")
      + String(decoding: bytes, as: UTF8.self)
  }
}

// MARK: - GitHub

extension [LintedFile] {
  /// The new mistakes as workflow commands, which GitHub shows at lines of a pull request
  /// (https://docs.github.com/actions/using-workflows/workflow-commands-for-github-actions).
  package var annotations: String {
    flatMap { file in
      file.newDiagnostics.map { diagnostic in
        diagnostic.annotation(
          of: file.path, start: file.hasPlaces ? diagnostic.start : nil, end: diagnostic.end,
          fix: file.fix(of: diagnostic)
        ) { $0 }
      }
    }.joined()
  }
}

extension LintedFile {
  /// Whether people can find the places of mistakes: those in signed content aren't in the file.
  fileprivate var hasPlaces: Bool { !isSigned && !text.isEmpty }
}

extension DiffReport {
  /// The new findings as workflow commands for GitHub, at the first rule of each that the candidate
  /// has.
  package var annotations: String {
    findings.filter { $0.isKnown != true }.map { finding in
      let rule = finding.evidence.rules.first(where: isOfCandidate)
      return finding.annotation(
        of: new.filePath ?? "-", start: rule?.position, SafeText.readable)
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
  /// Returns a workflow command with texts that are made readable: paths of traffic, not patterns,
  /// where an escape and its character differ.
  fileprivate func annotation(
    of path: String, start: TextPosition?, end: TextPosition? = nil, fix: LintFix? = nil,
    _ readable: (String) -> String
  ) -> String {
    let command = severity == .note ? "notice" : severity.rawValue
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
    var text = readable(message) + "\nTo do: " + readable(remedy)
    if let fix {
      let written = fix.edits.map(\.replacement).filter { !$0.isEmpty }
      text += "\nFix (\(fix.applicability.rawValue)): \(fix.title)"
      if fix.edits.count == 1, let only = written.first { text += ": " + only }
    }
    return "::\(command) "
      + properties.map { "\($0)=\(Self.escaped($1, isProperty: true))" }.joined(separator: ",")
      + "::" + Self.escaped(text, isProperty: false) + "\n"
  }

  private static func escaped(_ text: String, isProperty: Bool) -> String {
    SafeText.escapedLines(text).unicodeScalars.reduce(into: "") { output, scalar in
      switch scalar {
      case "%": output += "%25"
      case "\n": output += "%0A"
      case "\r": output += "%0D"
      case ":" where isProperty: output += "%3A"
      case "," where isProperty: output += "%2C"
      default: output.unicodeScalars.append(scalar)
      }
    }
  }
}

extension [UInt8] {
  /// Returns the difference of two versions of a file in the unified format, which `patch -p1` and
  /// `git apply` read; it is empty if they are equal.
  package func unifiedDiff(to new: [UInt8], path: String) -> [UInt8] {
    if self == new { return [] }
    let (before, after) = (lines, new.lines)
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for change in after.difference(from: before) {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    let name = path == "-" ? "stdin" : String(path.drop { $0 == "/" })
    let head = Array("--- a/\(name)\n+++ b/\(name)\n".utf8)
    var steps: [DiffStep] = []
    var (first, second) = (0, 0)
    while first < before.count || second < after.count {
      let sign = removed.contains(first) ? "-" : inserted.contains(second) ? "+" : " "
      steps.append((sign, sign == "+" ? after[second] : before[first], first, second))
      if sign != "+" { first += 1 }
      if sign != "-" { second += 1 }
    }
    // The steps that a hunk shows: changes with the lines around them.
    var hunks: [Range<Int>] = []
    for change in steps.indices where steps[change].sign != " " {
      let range = Swift.max(0, change - 3)..<Swift.min(steps.count, change + 4)
      if let last = hunks.last, range.lowerBound <= last.upperBound {
        hunks[hunks.count - 1] = last.lowerBound..<range.upperBound
      } else {
        hunks.append(range)
      }
    }
    return hunks.reduce(into: head) { $0 += Self.hunk(steps[$1]) }
  }

  private static func hunk(_ steps: ArraySlice<DiffStep>) -> [UInt8] {
    guard let first = steps.first else { return [] }
    let oldCount = steps.count { $0.sign != "+" }
    let newCount = steps.count { $0.sign != "-" }
    func place(_ start: Int, _ count: Int) -> String {
      // An empty range is after the line before it.
      "\(count == 0 ? start : start + 1)" + (count == 1 ? "" : ",\(count)")
    }
    var output = Array("@@ -\(place(first.old, oldCount)) +\(place(first.new, newCount)) @@\n".utf8)
    for step in steps {
      output += step.sign.utf8 + step.line
      if step.line.last != UInt8(ascii: "\n") { output += "\n\\ No newline at end of file\n".utf8 }
    }
    return output
  }

  /// The lines, each with its line feed.
  private var lines: [ArraySlice<UInt8>] {
    split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { self[$0.startIndex..<Swift.min($0.endIndex + 1, count)] }.filter { !$0.isEmpty }
  }
}

/// A line of one version or both: `-`, `+` or a space, and the numbers of the next lines of both.
private typealias DiffStep = (sign: String, line: ArraySlice<UInt8>, old: Int, new: Int)
