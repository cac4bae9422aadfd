/// Comma-separated values as RFC 4180 has them, written row by row.
struct CSVWriter {
  private var output: OutputBuffer

  init(to sink: @escaping OutputFile.Sink) { output = OutputBuffer(sink) }

  /// Writes a row.
  mutating func row(_ cells: [String]) {
    for (index, cell) in cells.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      output.append(Self.cell(cell))
    }
    output.append("\r\n")
    output.passOn()
  }

  /// Passes on the rest.
  ///
  /// - Throws: What writing has failed with.
  mutating func finish() throws { try output.finish() }

  /// A cell: quoted where it must be, and with an apostrophe in front where a
  /// spreadsheet would run it as a formula.
  static func cell(_ text: String) -> String {
    if text.utf8.allSatisfy(\.isPlainInCell), text.utf8.first?.beginsFormula != true {
      return text
    }
    var text = SafeText.escaped(text)
    if text.utf8.first?.beginsFormula == true { text = "'" + text }
    // Bytes, not characters: with a combining mark behind it, a comma is no longer the
    // character that it is to those who read the file.
    guard text.utf8.contains(where: { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") })
    else { return text }
    var quoted = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" { quoted.unicodeScalars.append(scalar) }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }
}

extension UInt8 {
  /// A Boolean value indicating whether a cell with this byte needs neither quotes nor
  /// escapes.
  fileprivate var isPlainInCell: Bool {
    (0x20..<0x7F).contains(self) && self != UInt8(ascii: ",") && self != UInt8(ascii: "\"")
  }

  /// A Boolean value indicating whether spreadsheets take a cell that begins with this
  /// byte for a formula.
  fileprivate var beginsFormula: Bool {
    self == UInt8(ascii: "=") || self == UInt8(ascii: "+") || self == UInt8(ascii: "-")
      || self == UInt8(ascii: "@")
  }
}
