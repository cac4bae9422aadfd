internal import Foundations

/// The format in a directive of a server's configuration, without the text around
/// it.
struct ConfigurationText {
  /// A byte of the format, and where it is in the text that was given.
  struct Byte {
    var value: UInt8
    var position: Int
  }

  /// The text that was given.
  let source: [UInt8]

  /// The format.
  private(set) var bytes: [Byte] = []

  /// The words of the directive before the format.
  private(set) var words: [String] = []

  /// Reads `log_format name escape=json '…' '…';`, `LogFormat "…" name`, or only the format.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - directive: The name of the directive.
  ///   - undoesEscapes: Whether a backslash and a letter represent a control character, as in
  ///     Apache's notation.
  init(_ text: String, directive: String, undoesEscapes: Bool) {
    source = Array(text.utf8)
    var position = 0
    skipBlanks(&position)
    let start = position
    let word = self.word(&position)
    if word.lowercased() == directive.lowercased() {
      words.append(word)
      readDirective(position, undoesEscapes: undoesEscapes)
    } else if start < source.count, Self.isQuote(source[start]), !isBareFormat(from: start) {
      readDirective(start, undoesEscapes: undoesEscapes)
    } else {
      var end = source.count
      while end > start, source[end - 1] <= 0x20 { end -= 1 }
      bytes = (start..<end).map { Byte(value: source[$0], position: $0) }
    }
  }

  /// The position of a word in the text that was given.
  func position(of word: String) -> Int {
    let word = Array(word.utf8)
    return source.indices.first { source[$0...].starts(with: word) } ?? 0
  }

  private static func isQuote(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"")
  }

  /// Returns a Boolean value indicating whether the quotation mark at a position belongs to the
  /// format, not to the directive.
  ///
  /// Such a format has further quotation marks, or fields outside of them, on the same line.
  private func isBareFormat(from start: Int) -> Bool {
    let quote = UInt8(ascii: "\"")
    guard source[start] == quote else { return false }
    var position = start + 1
    while position < source.count, source[position] != quote {
      position += source[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    let rest = source.dropFirst(position + 1).prefix { $0 != UInt8(ascii: "\n") }
    return rest.contains { $0 == quote || $0 == UInt8(ascii: "$") || $0 == UInt8(ascii: "%") }
  }

  private func skipBlanks(_ position: inout Int) {
    while position < source.count, source[position] <= 0x20 { position += 1 }
  }

  private func word(_ position: inout Int) -> String {
    let start = position
    while position < source.count, source[position] > 0x20,
      source[position] != UInt8(ascii: ";")
    { position += 1 }
    return String(decoding: source[start..<position], as: UTF8.self)
  }

  /// Reads words and quoted strings; the strings together are the format.
  private mutating func readDirective(_ start: Int, undoesEscapes: Bool) {
    var position = start
    while true {
      skipBlanks(&position)
      guard position < source.count else { return }
      let byte = source[position]
      if byte == UInt8(ascii: ";") || byte == UInt8(ascii: "#") { return }
      if Self.isQuote(byte) {
        readString(&position, undoesEscapes: undoesEscapes)
      } else {
        let wordStart = position
        let word = self.word(&position)
        if bytes.isEmpty, word.contains("$") || word.contains("%") {
          bytes = (wordStart..<position).map { Byte(value: source[$0], position: $0) }
        } else {
          words.append(word)
        }
        if position == wordStart { position += 1 }
      }
    }
  }

  private mutating func readString(_ position: inout Int, undoesEscapes: Bool) {
    let quote = source[position]
    position += 1
    while position < source.count, source[position] != quote {
      var byte = Byte(value: source[position], position: position)
      if byte.value == UInt8(ascii: "\\"), position + 1 < source.count {
        let next = source[position + 1]
        switch next {
        case quote, UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "'"):
          byte.value = next
          position += 1
        case UInt8(ascii: "t"):
          byte.value = 0x09
          position += 1
        case UInt8(ascii: "n") where undoesEscapes:
          byte.value = 0x0A
          position += 1
        default: break
        }
      }
      bytes.append(byte)
      position += 1
    }
    position += 1
  }
}

/// A mistake in a format that was given as text, and its place.
public struct FormatStringError: Error, Hashable, Sendable {
  /// The mistake, in a sentence without a full stop.
  public var message: String

  /// The remedy, in a sentence without a full stop.
  public var remedy: String

  /// The text of the format.
  public var text: String

  /// The part of the text that is wrong, in bytes of UTF-8.
  public var range: Range<Int>

  init(_ message: String, remedy: String, in text: [UInt8], at range: Range<Int>) {
    self.message = message
    self.remedy = remedy
    self.text = String(decoding: text, as: UTF8.self)
    // An empty text has no bytes to name.
    self.range = range.clamped(to: 0..<text.count)
  }

  /// The line of the text in which the wrong part begins, and carets under that
  /// part.
  public var excerpt: (line: String, carets: String) {
    let bytes = Array(text.utf8)
    let before = bytes[..<min(range.lowerBound, bytes.count)]
    let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let lineEnd = bytes[lineStart...].firstIndex(of: 0x0A) ?? bytes.count
    func plain(_ range: Range<Int>) -> String {
      // A tab would put the carets elsewhere.
      String(decoding: bytes[range].map { $0 == 0x09 ? 0x20 : $0 }, as: UTF8.self)
    }
    let end = max(range.lowerBound, min(range.upperBound, lineEnd))
    let width = max(1, plain(range.lowerBound..<end).count)
    return (
      plain(lineStart..<lineEnd),
      String(repeating: " ", count: plain(lineStart..<range.lowerBound).count)
        + String(repeating: "^", count: width)
    )
  }
}

extension FormatStringError: CustomStringConvertible {
  public var description: String { message }
}
