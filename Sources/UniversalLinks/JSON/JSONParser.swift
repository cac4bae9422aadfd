internal import Foundations

/// A parser for JSON texts in UTF-8 (RFC 8259), as strict as the one on Apple's systems.
///
/// Like Apple's, it accepts one comma before a closing bracket.
package struct JSONParser {
  /// The greatest depth of nesting that is read, that of `NSJSONSerialization`.
  static let depthLimit = 512

  private let text: [UInt8]
  private var position = 0

  /// The offsets of the brackets that are open, the innermost last.
  private(set) var open: [Int] = []

  /// The offset of the opening quote of the last string, and whether it isn't closed.
  private(set) var (lastQuote, isInString) = (0, false)

  /// The offsets of the commas that JSON does not allow.
  private(set) var trailingCommas: [Int] = []

  init(_ text: [UInt8]) { self.text = text }

  /// Parses a whole text.
  ///
  /// - Throws: ``JSONSyntaxError`` for the first byte that is out of place.
  package static func parse(_ text: [UInt8]) throws(JSONSyntaxError) -> JSONValue {
    var parser = JSONParser(text)
    return try parser.parse()
  }

  /// Returns the offset after the value that begins at an offset, or `nil` if there is none.
  static func prefix(of text: [UInt8], from start: Int) -> Int? {
    var parser = JSONParser(text)
    parser.position = start
    return (try? parser.value())?.range.upperBound
  }

  /// Parses the whole text.
  mutating func parse() throws(JSONSyntaxError) -> JSONValue {
    try skipWhitespace()
    guard next != nil else { throw error(.emptyText) }
    let value = try value()
    try skipWhitespace()
    guard next == nil else { throw error(.textAfterValue) }
    return value
  }
}

extension JSONParser {
  private var next: UInt8? { position < text.count ? text[position] : nil }

  private func error(_ problem: JSONSyntaxError.Problem, at offset: Int? = nil) -> JSONSyntaxError {
    JSONSyntaxError(problem, at: offset ?? position, in: text)
  }

  /// Returns the error for a byte that isn't allowed at the current position.
  private func unexpected() -> JSONSyntaxError {
    guard position < text.count else { return error(.unexpectedEnd) }
    guard let scalar = text.scalar(at: position) else { return error(.invalidUTF8) }
    return switch scalar {
    case "\u{2018}"..."\u{201F}", "«", "»", "'": error(.typographicQuote)
    default: error(.unexpected(found: scalar))
    }
  }

  private mutating func skipWhitespace() throws(JSONSyntaxError) {
    while let byte = next {
      switch byte {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      case UInt8(ascii: "/"):
        let second = position + 1 < text.count ? text[position + 1] : 0
        guard "/*".utf8.contains(second) else { return }
        throw error(.comment)
      case UInt8(ascii: "#"): throw error(.comment)
      default: return
      }
    }
  }

  private mutating func value() throws(JSONSyntaxError) -> JSONValue {
    let start = position
    let content: JSONValue.Content
    switch next {
    case UInt8(ascii: "{"): content = .object(try object())
    case UInt8(ascii: "["): content = .array(try array())
    case UInt8(ascii: "\""): content = .string(try string())
    case UInt8(ascii: "t"): content = try word("true", .boolean(true))
    case UInt8(ascii: "f"): content = try word("false", .boolean(false))
    case UInt8(ascii: "n"): content = try word("null", .null)
    case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")):
      content = .number(try number())
    default: throw unexpected()
    }
    return JSONValue(content, range: start..<position)
  }

  private mutating func word(
    _ word: StaticString, _ content: JSONValue.Content
  ) throws(JSONSyntaxError) -> JSONValue.Content {
    for expected in word.description.utf8 {
      guard next == expected else { throw unexpected() }
      position += 1
    }
    return content
  }

  /// Reads an opening bracket, and returns whether an element follows.
  private mutating func enters(before close: UInt8) throws(JSONSyntaxError) -> Bool {
    open.append(position)
    guard open.count <= Self.depthLimit else { throw error(.tooDeep) }
    position += 1
    try skipWhitespace()
    return !leaves(at: close)
  }

  /// Reads a closing bracket if it is next.
  private mutating func leaves(at close: UInt8) -> Bool {
    guard next == close else { return false }
    position += 1
    open.removeLast()
    return true
  }

  private mutating func array() throws(JSONSyntaxError) -> [JSONValue] {
    let close = UInt8(ascii: "]")
    var elements: [JSONValue] = []
    guard try enters(before: close) else { return elements }
    repeat { elements.append(try value()) } while try separator(before: close)
    return elements
  }

  private mutating func object() throws(JSONSyntaxError) -> JSONObject {
    let close = UInt8(ascii: "}")
    var object = JSONObject()
    guard try enters(before: close) else { return object }
    repeat {
      let start = position
      guard next == UInt8(ascii: "\"") else {
        let unexpected = unexpected()
        if case .unexpected = unexpected.problem { throw error(.nameIsNotString) }
        throw unexpected
      }
      let name = try string()
      let nameRange = start..<position
      try skipWhitespace()
      guard next == UInt8(ascii: ":") else {
        throw next == nil ? error(.unexpectedEnd) : error(.missingColon)
      }
      position += 1
      try skipWhitespace()
      object.add(JSONObject.Member(name: name, nameRange: nameRange, value: try value()))
    } while try separator(before: close)
    return object
  }

  /// Reads a comma or the closing bracket, and returns whether another element follows.
  private mutating func separator(before close: UInt8) throws(JSONSyntaxError) -> Bool {
    try skipWhitespace()
    if leaves(at: close) { return false }
    switch next {
    case UInt8(ascii: ","):
      let comma = position
      position += 1
      try skipWhitespace()
      guard leaves(at: close) else { return true }
      trailingCommas.append(comma)
      return false
    case UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "["): throw error(.missingComma)
    default: throw unexpected()
    }
  }

  private mutating func number() throws(JSONSyntaxError) -> Double {
    let start = position
    if next == UInt8(ascii: "-") { position += 1 }
    if next == UInt8(ascii: "0") { position += 1 } else { try digits(of: start) }
    if next == UInt8(ascii: ".") {
      position += 1
      try digits(of: start)
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      position += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
      try digits(of: start)
    }
    if next?.isDigit ?? false { throw error(.invalidNumber, at: start) }
    return Double(String(decoding: text[start..<position], as: UTF8.self)) ?? 0
  }

  private mutating func digits(of start: Int) throws(JSONSyntaxError) {
    guard next?.isDigit ?? false else { throw error(.invalidNumber, at: start) }
    while next?.isDigit ?? false { position += 1 }
  }

  private mutating func string() throws(JSONSyntaxError) -> String {
    (lastQuote, isInString) = (position, true)
    position += 1
    var bytes: [UInt8] = []
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        isInString = false
        position += 1
        guard let string = String(validating: bytes, as: UTF8.self) else {
          throw error(.invalidUTF8, at: position - 1 - bytes.count)
        }
        return string
      case UInt8(ascii: "\\"): try escape(into: &bytes)
      case ..<0x20: throw error(.controlCharacterInString)
      default:
        bytes.append(byte)
        position += 1
      }
    }
    throw error(.unexpectedEnd)
  }

  private mutating func escape(into bytes: inout [UInt8]) throws(JSONSyntaxError) {
    let start = position
    position += 1
    guard let kind = next else { throw error(.unexpectedEnd) }
    position += 1
    switch kind {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(kind)
    case UInt8(ascii: "u"):
      var end = position
      guard let scalar = text.span.escapedScalar(at: &end) else {
        throw error(.invalidEscape, at: start)
      }
      position = end
      let first = text.span.hexadecimal(start + 2, digits: 4) ?? 0
      if scalar == "\u{FFFD}", first != 0xFFFD {
        // Half of a pair; the other half may be an escape without all digits.
        let isCut =
          first < 0xDC00 && text.span.begins(with: "\\u", at: position)
          && text.span.hexadecimal(position + 2, digits: 4) == nil
        throw error(isCut ? .invalidEscape : .loneSurrogate, at: start)
      }
      bytes.append(contentsOf: scalar.utf8)
    default:
      guard let control = kind.escapedControl else { throw error(.invalidEscape, at: start) }
      bytes.append(control)
    }
  }
}

extension [UInt8] {
  /// The scalar whose bytes begin at an offset, or `nil` if they are not UTF-8, or there are none.
  func scalar(at offset: Int) -> Unicode.Scalar? {
    guard offset < count else { return nil }
    var (decoder, bytes) = (UTF8(), self[offset...].makeIterator())
    return if case .scalarValue(let scalar) = decoder.decode(&bytes) { scalar } else { nil }
  }
}

/// An error in the syntax of a JSON text (RFC 8259).
public struct JSONSyntaxError: Error, Hashable {
  /// The mistake in a JSON text.
  enum Problem: Hashable, Sendable {
    case emptyText, unexpectedEnd, textAfterValue, missingComma, missingColon, nameIsNotString
    case controlCharacterInString, invalidEscape, loneSurrogate, invalidNumber, invalidUTF8, comment

    /// A character isn't allowed here.
    case unexpected(found: Unicode.Scalar)

    /// Another kind of quote is used where `"` is needed.
    case typographicQuote
    case tooDeep
  }

  let problem: Problem

  /// The offset, in bytes from the start of the text, of the first byte that isn't allowed.
  public var offset: Int

  /// The position of that byte.
  public var position: TextPosition

  init(_ problem: Problem, at offset: Int, in text: [UInt8]) {
    (self.problem, self.offset) = (problem, offset)
    // Repairing a text makes an error for each mistake, which an index of all lines would slow down.
    let before = text[..<min(offset, text.count)]
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    position = TextPosition(
      line: 1 + before.count { $0 == UInt8(ascii: "\n") },
      column: 1 + before[start...].count(where: LineIndex.beginsScalar))
  }
}

extension JSONSyntaxError: CustomStringConvertible {
  /// The place and the problem, such as `line 3, column 5: …`.
  public var description: String {
    "line \(position.line), column \(position.column): \(problem.sentence)"
  }
}

extension JSONSyntaxError.Problem {
  /// The problem in words, without a full stop.
  var sentence: String {
    switch self {
    case .emptyText: "the text is empty"
    case .unexpected(let scalar): "unexpected \(Self.name(of: scalar))"
    case .unexpectedEnd: "the text ends before the value is complete"
    case .textAfterValue: "there is text after the end of the value"
    case .missingComma: "a comma is missing"
    case .missingColon: "a colon is missing after the name"
    case .nameIsNotString: "a name in double quotes is expected"
    case .controlCharacterInString: "a string contains a control character that is not escaped"
    case .invalidEscape: "the escape sequence is not valid"
    case .loneSurrogate: "the escape sequence is half of a surrogate pair"
    case .invalidNumber: "the number is not valid"
    case .invalidUTF8: "the bytes are not UTF-8"
    case .comment: "JSON has no comments"
    case .typographicQuote: "the quote must be a straight double quote, '\"'"
    case .tooDeep: "values are nested more than \(JSONParser.depthLimit) levels deep"
    }
  }

  /// The name of a character for people: itself in quotes if it can be seen.
  static func name(of scalar: Unicode.Scalar) -> String {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned,
      .privateUse,
      .spaceSeparator where scalar != " ":
      let digits = String(scalar.value, radix: 16, uppercase: true)
      return "character U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    default: return "'\(scalar)'"
    }
  }
}

/// A place in a text, as editors count it.
public struct TextPosition: Hashable, Sendable {
  /// The line, from 1.
  public var line: Int

  /// The column, in Unicode scalars from the start of the line, from 1.
  public var column: Int

  /// Creates a position.
  public init(line: Int, column: Int) { (self.line, self.column) = (line, column) }
}

/// An index of the lines of a text, which turns offsets into positions.
///
/// A file may be one line with thousands of rules, so columns aren't counted from its start.
struct LineIndex: Sendable {
  let text: [UInt8]
  private var lineStarts = [0]

  /// The numbers of scalars before each byte whose offset is a multiple of ``stride``.
  private var scalarCounts = [0]

  private static let stride = 256

  init(_ text: [UInt8]) {
    self.text = text
    var scalarCount = 0
    for (offset, byte) in text.enumerated() {
      if byte == UInt8(ascii: "\n") { lineStarts.append(offset + 1) }
      if Self.beginsScalar(byte) { scalarCount += 1 }
      if (offset + 1).isMultiple(of: Self.stride) { scalarCounts.append(scalarCount) }
    }
  }

  func position(of offset: Int) -> TextPosition {
    let line = (1..<lineStarts.count).partitioningIndex { lineStarts[$0] > offset }
    let start = lineStarts[line - 1]
    let end = max(start, min(offset, text.count))
    return TextPosition(
      line: line, column: scalarCount(before: end) - scalarCount(before: start) + 1)
  }

  private func scalarCount(before offset: Int) -> Int {
    let block = offset / Self.stride
    return scalarCounts[block]
      + text[(block * Self.stride)..<offset].count(where: Self.beginsScalar)
  }

  /// A scalar has one byte that doesn't continue another.
  fileprivate static func beginsScalar(_ byte: UInt8) -> Bool { byte & 0xC0 != 0x80 }
}
