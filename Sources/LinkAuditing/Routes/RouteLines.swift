/// The lines of a list of routes.
struct RouteLines {
  /// A line without its comment and the white space around it.
  struct Line {
    /// The number of the line, from 1.
    var number: Int
    var text: ArraySlice<UInt8>
  }

  /// The lines in which something stands.
  private(set) var lines: [Line] = []

  /// Cuts a text into lines.
  ///
  /// What follows a `#` at the start of a line or behind white
  /// space is a comment.
  init(_ text: String) {
    let bytes = Array(text.utf8)
    var (number, start, index) = (0, 0, 0)
    while start < bytes.count {
      index = start
      while index < bytes.count, bytes[index] != 0x0A, bytes[index] != 0x0D { index += 1 }
      number += 1
      let line = Self.withoutComment(bytes[start..<index]).trimmed
      if !line.isEmpty { lines.append(Line(number: number, text: line)) }
      let isPair = index + 1 < bytes.count && bytes[index] == 0x0D && bytes[index + 1] == 0x0A
      start = index + (isPair ? 2 : 1)
    }
  }

  private static func withoutComment(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var previous: UInt8 = 0x20
    for index in line.indices {
      if line[index] == UInt8(ascii: "#"), previous == 0x20 || previous == 0x09 {
        return line[..<index]
      }
      previous = line[index]
    }
    return line
  }
}
