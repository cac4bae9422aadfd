package import UniversalLinks

/// A file and the mistakes that were found in it.
package struct LintedFile {
  /// The path, `-` for standard input.
  var path: String
  var hosts: [String] = []

  /// The text in which positions count; empty if people can't read it.
  var text: [UInt8]

  /// The text with the encoding of the file, or `nil` for a property list.
  var encoded: EncodedText?

  /// Whether the text is the signed content of the file.
  var isSigned = false

  /// Whether systems read the file.
  var isReadable = true
  package var diagnostics: [LintDiagnostic]

  /// The diagnostics that no baseline has.
  package var newDiagnostics: [LintDiagnostic] { diagnostics.filter { $0.isKnown != true } }

  var knownCount: Int { diagnostics.count - newDiagnostics.count }

  var rules: [RuleReachability.Rule] = []

  /// The fix of a diagnostic with the places of its edits in the file, or `nil` if it has none, or
  /// the file is signed.
  func fix(of diagnostic: LintDiagnostic) -> LintFix? {
    guard var fix = diagnostic.fix, !isSigned else { return nil }
    guard let encoded else { return fix }
    fix.edits =
      fix.savesAsUTF8
      ? [encoded.editToUTF8]
      : fix.edits.map { edit in
        let start = encoded.fileOffset(of: edit.range.lowerBound)
        return LintFix.Edit(start..<encoded.fileOffset(of: edit.range.upperBound), edit.replacement)
      }
    return fix
  }

  package init(
    path: String, hosts: [String] = [], text: [UInt8], encoded: EncodedText? = nil,
    isSigned: Bool = false, isReadable: Bool = true, diagnostics: [LintDiagnostic],
    rules: [RuleReachability.Rule] = []
  ) {
    (self.path, self.hosts, self.text, self.encoded) = (path, hosts, text, encoded)
    (self.isSigned, self.isReadable) = (isSigned, isReadable)
    (self.diagnostics, self.rules) = (diagnostics, rules)
  }
}

/// The lines of a checked text, made safe to show.
struct LintSource {
  private let lines: [ArraySlice<UInt8>]

  init(_ text: [UInt8]) {
    lines =
      text.isEmpty
      ? [] : text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  }

  var isEmpty: Bool { lines.isEmpty }

  /// Returns the line with a number from 1, unchanged and without its end.
  func bytes(ofLine number: Int) -> ArraySlice<UInt8> {
    guard lines.indices.contains(number - 1) else { return [] }
    let line = lines[number - 1]
    return line.last == 0x0D ? line.dropLast() : line
  }

  /// Returns a line and carets under a part of it that is in `width` columns; none if there is no text.
  ///
  /// The part is given as offsets in the text; carets mark only its first line.
  func excerpt(of range: Range<Int>, inLine number: Int, width: Int) -> [String] {
    guard !isEmpty else { return [] }
    let room = max(20, width - 2)
    let line = bytes(ofLine: number)
    let from = min(max(range.lowerBound, line.startIndex), line.endIndex)
    let to = min(max(range.upperBound, from), line.endIndex)
    // A file in one line can be long, so look only at the part that can be shown.
    let front = pieces(of: line[max(line.startIndex, from - 4 * room)..<from])
    let back = pieces(of: line[from..<min(line.endIndex, from + 4 * room)])
    let marked = min(pieces(of: line[from..<min(to, from + 4 * room)]).count, back.count)

    // White space before the line is left out. Then the text before the part has a third of the
    // room, or all that the rest leaves.
    var first =
      from - 4 * room > line.startIndex ? 0 : front.firstIndex { $0 != " " } ?? front.count
    let frontRoom = max(room / 3, room - columns(back[...]))
    var used = columns(front[first...])
    while used > frontRoom, first < front.count {
      used -= front[first].displayWidth
      first += 1
    }
    var last = back.count
    used += columns(back[...])
    while used > room, last > 1 {
      last -= 1
      used -= back[last].displayWidth
    }
    let isCut = front[..<first].contains { $0 != " " } || from - 4 * room > line.startIndex
    let lead = isCut ? "…" : ""
    let isEndCut = last < back.count || from + 4 * room < line.endIndex
    let marks = max(1, columns(back[..<min(marked, last)]))
    return [
      lead + front[first...].joined() + back[..<last].joined() + (isEndCut ? "…" : ""),
      String(repeating: " ", count: lead.count + columns(front[first...]))
        + String(repeating: "^", count: marks),
    ]
  }

  /// A piece for each scalar, fit to be shown.
  private func pieces(of bytes: ArraySlice<UInt8>) -> [String] {
    var reader = SafeText.Reader()
    return String(decoding: bytes, as: UTF8.self).unicodeScalars.map { scalar in
      let isUnsafe = reader.isUnsafe(scalar)
      return scalar == "\t" ? " " : isUnsafe ? SafeText.escape(scalar) : String(scalar)
    }
  }

  private func columns(_ pieces: ArraySlice<String>) -> Int {
    pieces.reduce(0) { $0 + $1.displayWidth }
  }
}

// MARK: - JSON

extension [LintedFile] {
  /// Writes the mistakes as one JSON document, schema `linkaudit.lint/1`.
  package func writeJSON(to sink: @escaping OutputSink) throws {
    try JSONWriter.document(Self.jsonSchema, of: self, TableColumn.members, to: sink)
  }

  static let jsonSchema = "linkaudit.lint/1"
}

extension TableColumn where Row == [LintedFile] {
  static let members: [TableColumn] = [
    .objects("files", named: "file", "The files", TableColumn<LintedFile>.members) { $0 }
  ]
}

/// A diagnostic, the text that it is about, and its fix.
typealias LintRow = (diagnostic: LintDiagnostic, source: LintSource, fix: LintFix?)

extension TableColumn where Row == LintedFile {
  static let members: [TableColumn] =
    [
      .text("path", "The path as given; `-` for standard input") { $0.path },
      .texts("hosts", "The hosts of the file, if they are known") { $0.hosts },
      .truth("signed", "Whether positions refer to the signed JSON inside the file", \.isSigned),
    ]
    + Severity.allCases.reversed().map { severity in
      .count(severity.rawValue + "s", "The number of diagnostics of that severity") { file in
        file.diagnostics.count { $0.severity == severity }
      }
    } + [
      .objects(
        "diagnostics", named: "diagnostic", "The mistakes, in the order of the text",
        TableColumn<LintRow>.members
      ) { file in
        let source = LintSource(file.text)
        return file.diagnostics.map { ($0, source, file.fix(of: $0)) }
      },
      .objects(
        "rules", named: "rule", "The rules, and whether each can decide a URL on iOS 13 and later",
        TableColumn<RuleReachability.Rule>.members
      ) { $0.rules },
    ]
}

extension TableColumn where Row == LintRow {
  static let members: [TableColumn] = [
    .text("code", "The code, which `linkaudit explain` explains") { $0.diagnostic.code },
    .severity("The severity") { $0.diagnostic.severity },
    TableColumn(
      "known", .truth, "Whether the baseline has it, if there is one", presence: .sometimes
    ) { $0.diagnostic.isKnown.map { .truth($0) } },
    .ordinal("line", "The line, from 1") { $0.diagnostic.start.line },
    .ordinal("column", "The column in that line, from 1, in Unicode scalars") {
      $0.diagnostic.start.column
    },
    .ordinal("endLine", "The line of the end") { $0.diagnostic.end.line },
    .ordinal("endColumn", "The column after the last one of the range", \.diagnostic.end.column),
    .text("message", "The mistake in a sentence or two") { $0.diagnostic.message },
    .text("meaning", "The reason why it matters") { $0.diagnostic.kind.meaning },
    .text("remedy", "The fix") { $0.diagnostic.remedy },
    .optional("text", "The text of the line; none if it is longer than 1,000 bytes") { row in
      let line = row.source.bytes(ofLine: row.diagnostic.start.line)
      return line.count > 1_000 ? nil : String(decoding: line, as: UTF8.self)
    },
    .objects(
      "related", named: "related", "Other places concerned",
      TableColumn<LintDiagnostic.Related>.members
    ) { $0.diagnostic.related },
    .objects(
      "fixes", named: "fix",
      "The edits that fix the mistake; none if a person must decide what to write",
      TableColumn<LintFix>.members
    ) { $0.fix.map { [$0] } ?? [] },
  ]
}

extension TableColumn where Row == LintFix {
  static let members: [TableColumn] = [
    .choice(
      "applicability",
      "`safe` if the verdict of no URL changes, or the file could not be read before; `suggestion` if verdicts change"
    ) { $0.applicability },
    .text("title", "The effect of the edits") { $0.title },
    .objects(
      "edits", named: "edit", "The edits, which belong together", TableColumn<LintFix.Edit>.members
    ) { $0.edits },
  ]
}

extension TableColumn where Row == LintFix.Edit {
  static let members: [TableColumn] = [
    .count("start", "The offset in the file of the first byte to replace, from 0") {
      $0.range.lowerBound
    },
    .count("end", "The offset after the last of these bytes") { $0.range.upperBound },
    .text("text", "The text that replaces them") { $0.replacement },
  ]
}

extension TableColumn where Row == LintDiagnostic.Related {
  static let members: [TableColumn] = [
    .ordinal("line", "The line, from 1") { $0.position.line },
    .ordinal("column", "The column in that line, from 1") { $0.position.column },
    .text("message", "The relation of the place to the mistake") { $0.message },
  ]
}

extension TableColumn where Row == RuleReachability.Rule {
  static let members: [TableColumn] = [
    .texts("apps", "The apps that have the rule") { $0.apps.map(\.text) },
    .detail { $0.id.entry },
    TableColumn("rule", .count, "The position of the rule in its list, from 0") {
      .number($0.id.position)
    },
    .text("pattern", "The rule in short") { $0.definition.source },
    .truth("excludes", "Whether the rule excludes what it matches") { $0.definition.excludes },
    .optionalOrdinal("line", "The line at which it begins") { $0.definition.position?.line },
    TableColumn(
      "reach", .choice(["decides", "covered", "matchesNothing", "unknown"]),
      "Whether there is a URL that the rule decides"
    ) { rule in
      switch rule.reach {
      case .decides: .text("decides")
      case .covered: .text("covered")
      case .matchesNothing: .text("matchesNothing")
      case .unknown: .text("unknown")
      }
    },
    .optional("example", "A URL that the rule decides") { rule in
      if case .decides(let url) = rule.reach { url } else { nil }
    },
    TableColumn(
      "coveredBy", .list(.count), "The positions of earlier rules that match all its URLs"
    ) { rule in
      guard case .covered(let earlier, _) = rule.reach else { return .values([]) }
      return .values(earlier.compactMap(\.position).map(String.init))
    },
  ]
}
