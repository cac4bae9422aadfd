extension [[String]] {
  /// Returns rows of cells as lines of text, indented by two spaces.
  ///
  /// The columns at the positions of `numbers` are aligned to the right. The one at `flexible` shrinks
  /// if lines would become too long.
  package func lines(
    numbers: Set<Int> = [], flexible: Int, width: Int = Style.fileWidth
  ) -> [String] {
    guard let heading = first else { return [] }
    var widths = heading.indices.map { column in map { $0[column].displayWidth }.max() ?? 0 }
    let rest = widths.enumerated().reduce(0) { $1.offset == flexible ? $0 : $0 + $1.element }
    let available = width - 2 - 2 * (widths.count - 1) - rest
    widths[flexible] = Swift.min(widths[flexible], Swift.max(8, available))
    return map { row in
      let cells = widths.enumerated().map { column, width in
        let cell = row[column].shortened(to: width)
        if !numbers.contains(column) { return cell.padded(to: width) }
        return "".padded(to: width - cell.displayWidth) + cell
      }
      return ("  " + cells.joined(separator: "  ")).trimmingEnd()
    }
  }
}

extension String {
  /// This text, or its start and end with an ellipsis between them if it is
  /// longer than `length` characters.
  package func shortened(to length: Int) -> String {
    guard displayWidth > length else { return self }
    let tail = max(0, length - 1) / 3
    let end = String(reversed()).prefix(width: tail).reversed()
    return prefix(width: max(0, length - 1 - tail)) + "…" + String(end)
  }

  /// The longest start of this text that is at most `width` columns wide.
  private func prefix(width: Int) -> String {
    var (output, used) = ("", 0)
    for character in self {
      used += character.displayWidth
      guard used <= width else { break }
      output.append(character)
    }
    return output
  }

  var displayWidth: Int { reduce(0) { $0 + $1.displayWidth } }

  /// This text, followed by spaces up to `width` columns.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - displayWidth))
  }

  package func trimmingEnd() -> String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }

  /// Returns this text in lines of at most `width` columns, broken at spaces only.
  ///
  /// All lines but the first are indented. A word longer than a line, such as a path, stays whole.
  package func broken(width: Int) -> [String] {
    var lines: [String] = []
    for word in split(separator: " ", omittingEmptySubsequences: false) {
      let longer = lines.last.map { $0 + " " + word } ?? String(word)
      if lines.isEmpty || longer.displayWidth > width {
        lines.append(lines.isEmpty ? longer : "  " + word)
      } else {
        lines[lines.count - 1] = longer
      }
    }
    return lines
  }

  /// This text in lines of at most `width` characters, broken at spaces, but not in a short
  /// quotation, such as a command.
  ///
  /// A longer word is shortened, unless `keepsWords` says that people copy it.
  package func wrapped(width: Int, indent: String, keepsWords: Bool = false) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in unbrokenWords(upTo: min(40, width - indent.count)) {
      var word = word
      if !line.isEmpty, line.displayWidth + 1 + word.displayWidth > width - indent.count {
        lines.append(indent + line)
        line = ""
      }
      if !keepsWords { word = word.shortened(to: width - indent.count) }
      line += line.isEmpty ? word : " " + word
    }
    return line.isEmpty ? lines : lines + [indent + line]
  }

  /// This text in lines of at most `width` columns, the first after `start`, and the others indented
  /// to where the text begins.
  func hung(after start: String, width: Int) -> [String] {
    let margin = "".padded(to: start.displayWidth)
    var lines = wrapped(width: width, indent: margin)
    if let line = lines.first { lines[0] = start + line.dropFirst(margin.count) }
    return lines
  }

  /// The words between spaces; those of a quotation of at most `limit` columns are one.
  private func unbrokenWords(upTo limit: Int) -> [String] {
    var words: [String] = []
    var isOpen = false
    for word in split(separator: " ").map(String.init) {
      let isEnd = word.last { !".,;:)".contains($0) } == "'"
      if isOpen, let last = words.last, last.displayWidth + 1 + word.displayWidth <= limit {
        words[words.count - 1] = last + " " + word
        isOpen = !isEnd
        continue
      }
      words.append(word)
      let start = word.first == "(" ? word.dropFirst() : word[...]
      isOpen = start.first == "'" && !(isEnd && start.count > 1)
    }
    return words
  }
}

extension Character {
  /// The number of columns that this character takes in a terminal.
  ///
  /// Wide characters of East Asia and pictures take two (Unicode Standard Annex #11).
  fileprivate var displayWidth: Int {
    guard let scalar = unicodeScalars.first, !scalar.isASCII else { return 1 }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xA000...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE4F, 0xFF00...0xFF60,
      0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }
}

extension String {
  /// This text with a full stop, unless it ends as a sentence already.
  package var endedAsSentence: String { hasSuffix("?") || hasSuffix(".") ? self : self + "." }
}
