/// A text that isn't JSON, repaired step by step where the intention is clear.
///
/// No step changes the length, so offsets remain valid in the file.
struct SyntaxRepair {
  /// The greatest number of mistakes that are repaired.
  private static let limit = 50

  /// The mistakes, in the order in which they were found.
  private(set) var errors: [JSONSyntaxError] = []

  /// The offsets of commas before closing brackets, which systems accept.
  private(set) var trailingCommas: [Int] = []

  /// The value, or `nil` if its meaning isn't clear.
  private(set) var value: JSONValue?

  /// The text with all repairs so far.
  private(set) var text: [UInt8]

  init(_ text: [UInt8]) {
    self.text = text
    while value == nil {
      do {
        value = try JSONParser.parse(self.text, trailingCommas: &trailingCommas)
      } catch {
        let error = unendedString(error) ?? error
        errors.append(error)
        guard errors.count < Self.limit, repair(error) else { return }
      }
    }
  }

  /// Repairs a mistake.
  ///
  /// - Returns: Whether the repair is clear.
  private mutating func repair(_ error: JSONSyntaxError) -> Bool {
    switch error.problem {
    case .textAfterValue: return blank(error.offset..<text.count)
    case .comment: return blank(comment(at: error.offset))
    case .typographicQuote: return repairQuotes(at: error.offset)
    case .missingComma:
      // A comma takes the place of white space.
      guard error.offset > 0, Self.isWhitespace(text[error.offset - 1]) else { return false }
      let end = text[..<error.offset].lastIndex { !Self.isWhitespace($0) } ?? 0
      text[end + 1] = UInt8(ascii: ",")
      return true
    case .controlCharacterInString: return blank(error.offset..<(error.offset + 1))
    case .unexpectedEnd: return false
    case .unexpected, .invalidNumber:
      // Text before the object, such as the front matter of a site generator.
      guard text[..<error.offset].allSatisfy(Self.isWhitespace),
        let start = text[error.offset...].firstIndex(of: UInt8(ascii: "{"))
      else { return false }
      return blank(error.offset..<start)
    default: return false
    }
  }

  /// Replaces bytes by blanks.
  ///
  /// - Returns: Whether that changes anything.
  private mutating func blank(_ range: Range<Int>) -> Bool {
    var isChanged = false
    for index in range.clamped(to: 0..<text.count) where text[index] != UInt8(ascii: "\n") {
      isChanged = isChanged || text[index] != UInt8(ascii: " ")
      text[index] = UInt8(ascii: " ")
    }
    return isChanged
  }

  /// Returns the mistake of a string that continues after its line, or `nil` for another error.
  ///
  /// Such a string ends with another kind of quote, or has no end.
  private func unendedString(_ error: JSONSyntaxError) -> JSONSyntaxError? {
    guard error.problem == .controlCharacterInString, [0x0A, 0x0D].contains(text[error.offset])
    else { return nil }
    let line = text[..<error.offset]
    guard let start = line.lastIndex(of: UInt8(ascii: "\"")) else { return nil }
    let quote = ((start + 1)..<error.offset).first { index in
      text[index] != UInt8(ascii: "'") && quoteLength(at: index) > 0
    }
    return quote.map { JSONSyntaxError(.typographicQuote, at: $0, in: text) }
      ?? JSONSyntaxError(.unexpectedEnd, at: start, in: text)
  }

  /// The bytes of a comment, to the end of its line or to its own.
  private func comment(at start: Int) -> Range<Int> {
    let rest = text[(start + 1)...]
    if rest.first == UInt8(ascii: "*") {
      var index = start + 2
      while index + 1 < text.count {
        if text[index] == UInt8(ascii: "*"), text[index + 1] == UInt8(ascii: "/") {
          return start..<(index + 2)
        }
        index += 1
      }
      return start..<text.count
    }
    return start..<(rest.firstIndex(of: UInt8(ascii: "\n")) ?? text.count)
  }

  /// Replaces other quotes around a string in one line by straight quotes.
  private mutating func repairQuotes(at start: Int) -> Bool {
    let opening = quoteLength(at: start)
    guard opening > 0 else { return false }
    if isInsideString(start) {
      _ = blank(start..<(start + opening))
      text[start] = UInt8(ascii: "\"")
      return true
    }
    var end = start + opening
    while end < text.count, text[end] != UInt8(ascii: "\n"), text[end] != UInt8(ascii: "\""),
      quoteLength(at: end) == 0
    {
      end += 1
    }
    guard end < text.count, text[end] != UInt8(ascii: "\n") else { return false }
    let closing = quoteLength(at: end)
    _ = blank(start..<(start + opening))
    text[start + opening - 1] = UInt8(ascii: "\"")
    if closing > 0 {
      _ = blank(end..<(end + closing))
      text[end] = UInt8(ascii: "\"")
    }
    return true
  }

  /// Returns a Boolean value indicating whether a straight quote opens a string before an
  /// offset, in its line.
  private func isInsideString(_ offset: Int) -> Bool {
    let start = text[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return !text[start..<offset].count { $0 == UInt8(ascii: "\"") }.isMultiple(of: 2)
  }

  /// The number of bytes of a quote that isn't JSON's, or 0 if there is none.
  private func quoteLength(at index: Int) -> Int {
    let bytes = text[index...].prefix(3)
    if bytes.first == UInt8(ascii: "'") { return 1 }
    if bytes.starts(with: [0xC2, 0xAB]) || bytes.starts(with: [0xC2, 0xBB]) { return 2 }
    // U+2018 to U+201F.
    return bytes.starts(with: [0xE2, 0x80]) && (0x98...0x9F).contains(bytes.last ?? 0) ? 3 : 0
  }

  private static func isWhitespace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }
}
