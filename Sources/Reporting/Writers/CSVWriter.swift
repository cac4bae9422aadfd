internal import Foundations

/// A function that writes bytes.
package typealias OutputSink = (_ bytes: [UInt8]) throws -> Void

/// Text on its way out: bytes that are passed on by the block, so that a report is
/// never in memory as a whole.
struct OutputBuffer {
  private let sink: OutputSink
  private var bytes: [UInt8] = []
  private var failure: (any Error)?
  private static let blockSize = 1 << 16

  init(_ sink: @escaping OutputSink) {
    self.sink = sink
    bytes.reserveCapacity(Self.blockSize * 2)
  }

  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  @inline(__always)
  mutating func append(_ text: String) { text.utf8.span.append(to: &bytes) }

  mutating func append(spaces count: Int) {
    for _ in 0..<count { bytes.append(UInt8(ascii: " ")) }
  }

  /// Passes on the appended output if there is enough of it.
  mutating func passOn() {
    if bytes.count >= Self.blockSize { flush() }
  }

  private mutating func flush() {
    // After a failure, no output is passed on; `finish` throws it.
    if failure == nil {
      do { try sink(bytes) } catch { failure = error }
    }
    bytes.removeAll(keepingCapacity: true)
  }

  func check() throws { if let failure { throw failure } }

  mutating func finish() throws {
    flush()
    try check()
  }
}

/// Comma-separated values as RFC 4180 has them, written row by row.
struct CSVWriter {
  private var output: OutputBuffer

  init(to sink: @escaping OutputSink) { output = OutputBuffer(sink) }

  mutating func row(_ cells: [String]) {
    for (index, cell) in cells.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      output.append(Self.cell(cell))
    }
    output.append("\r\n")
    output.passOn()
  }

  mutating func finish() throws { try output.finish() }

  /// Returns a cell, quoted if necessary, with an apostrophe before text that a spreadsheet would
  /// run as a formula.
  static func cell(_ text: String) -> String {
    if text.utf8.allSatisfy(\.isPlainInCell), text.unicodeScalars.first?.beginsFormula != true,
      text.utf8.first != UInt8(ascii: " ")
    {
      return text
    }
    let text = defused(SafeText.escaped(text))
    // Compare bytes, not characters: a comma with a combining mark is a different character in
    // Swift, but still a comma to readers of the file.
    guard text.utf8.contains(where: { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") })
    else { return text }
    let parts = text.unicodeScalars.split(separator: "\"", omittingEmptySubsequences: false)
    return "\"" + parts.map { String($0) }.joined(separator: "\"\"") + "\""
  }

  /// Returns the text with an apostrophe before each part that a spreadsheet would read as a
  /// formula.
  ///
  /// Leading white space and quotation marks don't prevent that. In locales with a decimal comma, a
  /// semicolon separates cells, quoted or not. So the text after a semicolon may become a cell,
  /// too.
  private static func defused(_ text: String) -> String {
    text.unicodeScalars.split(separator: ";", omittingEmptySubsequences: false).map { part in
      let first = part.first { $0 != "\"" && !$0.properties.isWhitespace }
      return (first?.beginsFormula == true ? "'" : "") + String(part)
    }.joined(separator: ";")
  }
}

extension UInt8 {
  /// A Boolean value indicating whether a cell with this byte needs neither quotes nor
  /// escapes.
  fileprivate var isPlainInCell: Bool {
    (0x20..<0x7F).contains(self) && self != UInt8(ascii: ",") && self != UInt8(ascii: "\"")
      && self != UInt8(ascii: ";")
  }
}

extension Unicode.Scalar {
  /// A Boolean value indicating whether spreadsheets read a cell that begins with this scalar as a
  /// formula.
  ///
  /// These are four ASCII characters, and their compatibility forms.
  fileprivate var beginsFormula: Bool {
    switch self {
    case "=", "+", "-", "@": true
    case "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}": true
    case "\u{FE66}", "\u{FE62}", "\u{FE63}", "\u{FE6B}", "\u{2212}": true
    default: false
    }
  }
}
