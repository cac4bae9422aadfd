package import UniversalLinks

/// A file and the mistakes that were found in it.
package struct LintedFile {
  /// The path, `-` for standard input.
  var path: String

  /// The hosts that it belongs to, if they are known.
  var hosts: [String] = []

  /// The text in which positions count; empty if people can't read it.
  var text: [UInt8]

  /// The text with the encoding of the file, or `nil` for a property list.
  var encoded: EncodedText?

  /// Whether the text is the signed content of the file.
  var isSigned = false
  package var diagnostics: [LintDiagnostic]

  /// The diagnostics that no baseline has.
  package var newDiagnostics: [LintDiagnostic] { diagnostics.filter { $0.isKnown != true } }

  /// The number of diagnostics that a baseline has.
  var knownCount: Int { diagnostics.count - newDiagnostics.count }

  var rules: [RuleReachability.Rule] = []

  /// The fix of a diagnostic with the places of its edits in the file, or `nil` if it has none, or
  /// the file is signed.
  func fix(of diagnostic: LintDiagnostic) -> LintFix? {
    guard var fix = diagnostic.fix, !isSigned else { return nil }
    guard let encoded else { return fix }
    if fix.savesAsUTF8 {
      fix.edits = [encoded.editToUTF8]
      return fix
    }
    fix.edits = fix.edits.map { edit in
      LintFix.Edit(
        encoded.fileOffset(
          of: edit.range.lowerBound)..<encoded.fileOffset(of: edit.range.upperBound),
        edit.replacement)
    }
    return fix
  }

  package init(
    path: String, hosts: [String] = [], text: [UInt8], encoded: EncodedText? = nil,
    isSigned: Bool = false, diagnostics: [LintDiagnostic], rules: [RuleReachability.Rule] = []
  ) {
    (self.path, self.hosts, self.text, self.encoded) = (path, hosts, text, encoded)
    (self.isSigned, self.diagnostics, self.rules) = (isSigned, diagnostics, rules)
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

  /// A Boolean value indicating whether there is no text.
  var isEmpty: Bool { lines.isEmpty }

  /// The line with a number from 1, unchanged and without its end, or `nil` if it is longer than
  /// `limit` bytes.
  func line(_ number: Int, limit: Int) -> String? {
    let line = bytes(ofLine: number)
    return line.count > limit ? nil : String(decoding: line, as: UTF8.self)
  }

  private func bytes(ofLine number: Int) -> ArraySlice<UInt8> {
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
    let isWhole = columns(front[first...]) + columns(back[...]) <= room
    let frontRoom = max(room / 3, room - columns(back[...]))
    var used = columns(front[first...])
    while !isWhole, used > frontRoom, first < front.count {
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
