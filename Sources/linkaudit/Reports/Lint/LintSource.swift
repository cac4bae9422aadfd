internal import UniversalLinks

/// The lines of a text that was looked at, made fit to be shown.
struct LintSource {
  private let lines: [ArraySlice<UInt8>]

  init(_ text: [UInt8]) {
    lines =
      text.isEmpty
      ? [] : text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  }

  /// A Boolean value indicating whether there is no text.
  var isEmpty: Bool { lines.isEmpty }

  /// The line of a position as it stands, without its end.
  func line(_ number: Int) -> String {
    guard lines.indices.contains(number - 1) else { return "" }
    let line = lines[number - 1]
    return String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
  }

  /// A line and carets under a part of it.
  ///
  /// - Parameters:
  ///   - start: The position of the first character of the part.
  ///   - end: The position behind its last one; only what stands in the first line is marked.
  ///   - width: The number of columns that there is room for.
  /// - Returns: Two lines, or none if there is no text.
  func excerpt(from start: TextPosition, to end: TextPosition, width: Int) -> [String] {
    guard !isEmpty else { return [] }
    // One piece for each scalar, as columns count.
    let pieces = line(start.line).unicodeScalars.map { scalar in
      scalar == "\t" ? " " : SafeText.escaped(String(scalar))
    }
    let from = min(max(0, start.column - 1), pieces.count)
    let to = end.line == start.line ? min(max(from, end.column - 1), pieces.count) : pieces.count
    // What stands in front of the line is left out before anything else.
    var (first, last) = (pieces.firstIndex { $0 != " " } ?? 0, pieces.count)
    first = min(first, from)
    func columns(_ range: Range<Int>) -> Int {
      pieces[range].reduce(0) { $0 + $1.displayWidth }
    }
    let room = max(20, width - 2)
    // A third of the room is for what stands in front of the part.
    while columns(first..<from) > room / 3, columns(first..<last) > room { first += 1 }
    while columns(first..<last) > room, last > from + 1 { last -= 1 }
    let shown = pieces[first..<last].joined()
    let marks = max(1, columns(from..<max(from, min(to, last))))
    let lead = (first > 0 && first < from && pieces[..<first].contains { $0 != " " }) ? "…" : ""
    return [
      lead + shown + (last < pieces.count ? "…" : ""),
      String(repeating: " ", count: lead.displayWidth + columns(first..<from))
        + String(repeating: "^", count: marks),
    ]
  }
}
