/// Text in columns for a terminal of 80 characters.
struct TextTable {
  /// The width that every report fits into.
  static let width = 80

  /// How a column is filled.
  enum Alignment {
    case left
    case right
  }

  private let alignments: [Alignment]
  private var rows: [[String]] = []

  /// Creates a table; its first left-aligned column gives way when lines would
  /// become too long.
  init(_ alignments: [Alignment]) {
    self.alignments = alignments
  }

  mutating func add(_ cells: [String]) {
    rows.append(cells)
  }

  /// The lines, indented by two spaces.
  func lines(flexible: Int) -> [String] {
    var widths = alignments.indices.map { column in
      rows.map { $0[column].count }.max() ?? 0
    }
    let rest = widths.enumerated().reduce(0) { $1.offset == flexible ? $0 : $0 + $1.element }
    let available = Self.width - 2 - 2 * (alignments.count - 1) - rest
    widths[flexible] = max(8, min(widths[flexible], available))
    return rows.map { row in
      let cells = alignments.indices.map { column in
        let cell = row[column].shortened(to: widths[column])
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        return alignments[column] == .left ? cell + padding : padding + cell
      }
      return ("  " + cells.joined(separator: "  ")).trimmingEnd()
    }
  }
}

extension String {
  /// This text, or its start and end with an ellipsis between them if it is
  /// longer than `length` characters.
  func shortened(to length: Int) -> String {
    guard count > length else { return self }
    guard length > 2 else { return String(prefix(max(0, length))) }
    let tail = (length - 1) / 3
    return prefix(length - 1 - tail) + "…" + suffix(tail)
  }

  func trimmingEnd() -> String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }

  /// This text in lines of at most `width` characters, broken at spaces.
  func wrapped(width: Int, indent: String) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in split(separator: " ") {
      var word = String(word)
      if !line.isEmpty, line.count + 1 + word.count > width - indent.count {
        lines.append(indent + line)
        line = ""
      }
      word = word.shortened(to: width - indent.count)
      line += line.isEmpty ? word : " " + word
    }
    return line.isEmpty ? lines : lines + [indent + line]
  }
}
