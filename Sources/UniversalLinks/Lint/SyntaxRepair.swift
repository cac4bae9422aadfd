internal import Foundations

/// A text that isn't JSON, repaired step by step where the intention is clear.
///
/// No step moves a byte, so offsets remain valid in the file. Missing brackets are added at its end.
struct SyntaxRepair {
  /// The greatest number of mistakes that are repaired.
  private static let limit = 50

  /// The mistakes, in the order in which they were found.
  private(set) var errors: [JSONSyntaxError] = []

  /// The fix of each mistake, or `nil` if its meaning isn't clear.
  private(set) var fixes: [LintFix?] = []

  /// The fix of the mistake that is being repaired.
  private var fix: LintFix?

  /// The offsets of commas before closing brackets, which systems accept.
  private(set) var trailingCommas: [Int] = []

  /// The value, or `nil` if its meaning isn't clear.
  private(set) var value: JSONValue?

  /// The text with all repairs so far.
  private(set) var text: [UInt8]

  init(_ text: [UInt8]) {
    self.text = text
    let count = text.count
    while value == nil {
      do {
        value = try JSONParser.parse(self.text, trailingCommas: &trailingCommas)
      } catch {
        let error = unendedString(error) ?? error
        // Brackets that were added at the end are not in the file.
        var shown = error
        shown.offset = min(error.offset, count)
        errors.append(shown)
        fix = nil
        let isRepaired = errors.count < Self.limit && repair(error)
        fixes.append(
          fix.flatMap { $0.edits.allSatisfy { $0.range.upperBound <= count } ? $0 : nil })
        guard isRepaired else { return }
      }
    }
  }

  /// Repairs a mistake.
  ///
  /// - Returns: Whether the repair is clear.
  private mutating func repair(_ error: JSONSyntaxError) -> Bool {
    switch error.problem {
    case .textAfterValue:
      let rest = text[error.offset...]
      // Too many brackets say nothing; other text may be another file, or a part of this one.
      let isBrackets = rest.allSatisfy { Self.isWhitespace($0) || "]},".utf8.contains($0) }
      let end = (rest.lastIndex { !Self.isWhitespace($0) } ?? error.offset) + 1
      fix = .replace(
        error.offset..<end, with: "", isBrackets ? .safe : .suggestion,
        "Remove the text after the object")
      return blank(error.offset..<text.count)
    case .comment:
      let comment = comment(at: error.offset)
      fix = .replace(wholeLines(comment), with: "", .suggestion, "Remove the comment")
      return blank(comment)
    case .typographicQuote: return repairQuotes(at: error.offset)
    case .missingComma:
      if isUnclosed(error) { return repairUnclosed(error) }
      // A comma takes the place of white space.
      let end = text[..<error.offset].lastIndex { !Self.isWhitespace($0) } ?? 0
      fix = .insert(",", at: end + 1, .safe, "Insert the comma")
      guard error.offset > 0, Self.isWhitespace(text[error.offset - 1]) else { return false }
      text[end + 1] = UInt8(ascii: ",")
      return true
    case .controlCharacterInString:
      let range = error.offset..<(error.offset + 1)
      fix = .replace(range, with: "", .safe, "Remove the control character")
      return blank(range)
    case .unexpectedEnd:
      guard error.offset >= text.count else { return false }
      return repairUnclosed(error)
    case .invalidEscape:
      guard error.offset + 1 < text.count, text[error.offset] == UInt8(ascii: "\\"),
        text[error.offset + 1] != UInt8(ascii: "u"), text[error.offset + 1] >= 0x20
      else { return false }
      fix = .replace(
        error.offset..<(error.offset + 1), with: "", .safe, "Remove the backslash")
      return false
    case .unexpected, .invalidNumber:
      if let range = exclusionOutsideString(at: error.offset) {
        fix = .replace(range, with: "\"NOT ", .safe, "Write 'NOT ' inside the string")
        _ = blank(range)
        text.replaceSubrange((range.upperBound - 5)..<range.upperBound, with: "\"NOT ".utf8)
        return true
      }
      // Text before the object, such as the front matter of a site generator.
      guard text[..<error.offset].allSatisfy(Self.isWhitespace),
        let start = text[endOfHeader(from: error.offset)...].firstIndex(of: UInt8(ascii: "{"))
      else { return repairUnclosed(error) }
      fix = .replace(
        error.offset..<start, with: "", .suggestion, "Remove the text before the object")
      return blank(error.offset..<start)
    default: return false
    }
  }

  /// The word 'NOT' before a string, with the blanks and the quote after it, or `nil` if there is
  /// none.
  private func exclusionOutsideString(at start: Int) -> Range<Int>? {
    let rest = text[start...]
    guard rest.prefix(3).map(\.asciiLowercased).elementsEqual("not".utf8) else { return nil }
    let blanks = rest.dropFirst(3).prefix { $0 == 0x20 || $0 == 0x09 }
    guard !blanks.isEmpty, blanks.endIndex < text.count,
      text[blanks.endIndex] == UInt8(ascii: "\"")
    else { return nil }
    return start..<(blanks.endIndex + 1)
  }

  /// The end of the header fields of an HTTP answer, or the same offset if there are none.
  private func endOfHeader(from start: Int) -> Int {
    guard text[start...].starts(with: "HTTP/".utf8) else { return start }
    var line = start
    while let end = text[line...].firstIndex(of: UInt8(ascii: "\n")) {
      // After redirections, another answer follows.
      let next = text[(end + 1)...].first
      if text[line..<end].allSatisfy(Self.isWhitespace), next != UInt8(ascii: "H") {
        return end + 1
      }
      line = end + 1
    }
    return start
  }

  /// The open brackets at an offset, the innermost last; none if a string isn't closed before it.
  private func openBrackets(before end: Int) -> [Int] {
    var open: [Int] = []
    var isInString = false
    var index = 0
    while index < end {
      switch text[index] {
      case UInt8(ascii: "\\") where isInString: index += 1
      case UInt8(ascii: "\""): isInString.toggle()
      case _ where isInString: break
      case UInt8(ascii: "["), UInt8(ascii: "{"): open.append(index)
      case UInt8(ascii: "]"), UInt8(ascii: "}"): _ = open.popLast()
      default: break
      }
      index += 1
    }
    return isInString ? [] : open
  }

  /// Returns a Boolean value indicating whether a mistake is the end of an outer bracket before that
  /// of the innermost one.
  private func isUnclosed(_ error: JSONSyntaxError) -> Bool {
    guard error.offset < text.count, "]}".utf8.contains(text[error.offset]),
      let innermost = openBrackets(before: error.offset).last
    else { return false }
    return Self.closing(text[innermost]) != text[error.offset]
  }

  /// The bracket that closes an opening one.
  private static func closing(_ bracket: UInt8) -> UInt8 {
    bracket == UInt8(ascii: "[") ? UInt8(ascii: "]") : UInt8(ascii: "}")
  }

  /// The offsets of the brackets that aren't closed, by the number of the mistake.
  private(set) var unclosed: [Int: Int] = [:]

  /// Closes the brackets that are open at an outer one's end, or at the end of the text.
  private mutating func repairUnclosed(_ error: JSONSyntaxError) -> Bool {
    let open = openBrackets(before: error.offset)
    guard let innermost = open.last else { return false }
    let isAtEnd = error.offset >= text.count
    if !isAtEnd {
      guard isUnclosed(error),
        open.contains(where: { Self.closing(text[$0]) == text[error.offset] })
      else { return false }
    }
    guard let last = text[..<error.offset].lastIndex(where: { !Self.isWhitespace($0) }),
      !":,".utf8.contains(text[last])
    else { return false }
    unclosed[errors.count - 1] = innermost
    // One bracket at a time before another one's end; all at the end of the text.
    let closed = isAtEnd ? open.reversed() : [innermost]
    let brackets = closed.map { Self.closing(text[$0]) }
    let indentation = indentation(ofLineWith: innermost)
    let isOneLine = !text[innermost..<error.offset].contains(UInt8(ascii: "\n"))
    let lineEnd = text.contains(UInt8(ascii: "\r")) ? "\r\n" : "\n"
    let written = String(decoding: brackets, as: UTF8.self)
    fix = .insert(
      isOneLine || closed.count > 1 ? written : lineEnd + indentation + written, at: last + 1,
      closed.count > 1 ? .suggestion : .safe,
      closed.count > 1 ? "Close all brackets" : "Insert '\(written)'")
    if isAtEnd {
      text += brackets
      return true
    }
    guard last + 1 < error.offset else { return false }
    text[last + 1] = brackets[0]
    return true
  }

  /// The white space at the beginning of the line of an offset.
  private func indentation(ofLineWith offset: Int) -> String {
    let start = text[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return String(decoding: text[start...].prefix { $0 == 0x20 || $0 == 0x09 }, as: UTF8.self)
  }

  /// Extends a range by the blanks before it, and by its line if nothing else is there.
  private func wholeLines(_ range: Range<Int>) -> Range<Int> {
    var start = range.lowerBound
    while start > 0, text[start - 1] == 0x20 || text[start - 1] == 0x09 { start -= 1 }
    let isAtStart = start == 0 || text[start - 1] == UInt8(ascii: "\n")
    guard isAtStart, range.upperBound < text.count, text[range.upperBound] == UInt8(ascii: "\n")
    else {
      let end = range.upperBound > start && text[range.upperBound - 1] == 0x0D ? 1 : 0
      return start..<max(start, range.upperBound - end)
    }
    return start..<(range.upperBound + 1)
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
    let title = "Write straight double quotes"
    if isInsideString(start) {
      fix = .replace(start..<(start + opening), with: "\"", .safe, title)
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
    var edits = [LintFix.Edit(start..<(start + opening), "\"")]
    if closing > 0 { edits.append(LintFix.Edit(end..<(end + closing), "\"")) }
    fix = LintFix(.safe, title, edits)
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
