internal import AccessLogs
internal import Foundations

/// A self-describing value: a number, a text, a list, or values with names.
///
/// The summary of a digest consists of them, so that later versions can add values. A value begins
/// with a byte for its kind: 0 number, 1 text, 2 list, 3 members. Numbers of variable length
/// follow. A number has its sign in the lowest bit. A text is its length and its bytes. A list is
/// the number of elements and the elements. Members are their number and, for each, the name as a
/// text and the value.
enum NamedValue: Hashable, Sendable {
  case number(Int)
  case text(String)
  case list([NamedValue])
  case members([Member])

  struct Member: Hashable, Sendable {
    var name: String
    var value: NamedValue
  }

  /// Members with values; members without values are omitted.
  static func members(_ members: KeyValuePairs<String, NamedValue?>) -> NamedValue {
    .members(
      members.compactMap { name, value in value.map { Member(name: name, value: $0) } })
  }

  private var kind: UInt8 {
    switch self {
    case .number: 0
    case .text: 1
    case .list: 2
    case .members: 3
    }
  }

  /// Appends the value.
  func append(to output: inout [UInt8]) {
    output.append(kind)
    switch self {
    case .number(let number):
      output.append(variableLength: UInt64(bitPattern: Int64((number << 1) ^ (number >> 63))))
    case .text(let text): Self.append(text, to: &output)
    case .list(let elements):
      output.append(variableLength: UInt64(elements.count))
      for element in elements { element.append(to: &output) }
    case .members(let members):
      output.append(variableLength: UInt64(members.count))
      for member in members {
        Self.append(member.name, to: &output)
        member.value.append(to: &output)
      }
    }
  }

  private static func append(_ text: String, to output: inout [UInt8]) {
    output.append(variableLength: UInt64(text.utf8.count))
    output += text.utf8
  }

  /// The maximum nesting of values.
  private static let depthLimit = 8

  /// The maximum number of values.
  ///
  /// They take more memory than their bytes. A summary of ten years with hundreds of kinds of
  /// clients on each day has some millions.
  private static let countLimit = 1 << 24

  /// Reads a value with its contents, or returns `nil` if there is none.
  init?(reading bytes: [UInt8], _ reader: inout PayloadReader) {
    var count = 0
    self.init(reading: bytes, &reader, depth: 0, &count)
  }

  private init?(
    reading bytes: [UInt8], _ reader: inout PayloadReader, depth: Int, _ count: inout Int
  ) {
    count += 1
    guard depth < Self.depthLimit, count <= Self.countLimit else { return nil }
    let span = bytes.span
    switch reader.number(span) {
    case 0:
      let word = reader.number(span)
      self = .number(Int(word >> 1) ^ -Int(word & 1))
    case 1: self = .text(Self.text(bytes, &reader))
    case 2:
      var elements: [NamedValue] = []
      for _ in 0..<reader.count(span) {
        guard let element = NamedValue(reading: bytes, &reader, depth: depth + 1, &count) else {
          return nil
        }
        elements.append(element)
      }
      self = .list(elements)
    case 3:
      var members: [Member] = []
      for _ in 0..<reader.count(span, ofSize: 2) {
        let name = Self.text(bytes, &reader)
        guard let value = NamedValue(reading: bytes, &reader, depth: depth + 1, &count) else {
          return nil
        }
        members.append(Member(name: name, value: value))
      }
      self = .members(members)
    default: return nil
    }
    guard reader.isValid else { return nil }
  }

  private static func text(_ bytes: [UInt8], _ reader: inout PayloadReader) -> String {
    let range = reader.range(count: reader.count(bytes.span))
    return String(decoding: bytes[range], as: UTF8.self)
  }
}

// MARK: - Taking apart

extension NamedValue {
  /// A value has the wrong kind or range.
  struct Mismatch: Error {}

  /// The value of a member, or `nil` if there is none.
  subscript(name: String) -> NamedValue? {
    guard case .members(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  var text: String {
    get throws(Mismatch) {
      guard case .text(let text) = self else { throw Mismatch() }
      return text
    }
  }

  var elements: [NamedValue] {
    get throws(Mismatch) {
      guard case .list(let elements) = self else { throw Mismatch() }
      return elements
    }
  }

  /// The number of a member.
  ///
  /// - Throws: ``Mismatch`` if there is none, or it isn't in the range.
  func number(_ name: String, in range: ClosedRange<Int>) throws(Mismatch) -> Int {
    guard case .number(let number) = self[name], range.contains(number) else { throw Mismatch() }
    return number
  }

  /// The text of a member, or `nil` if there is none.
  func text(_ name: String) throws(Mismatch) -> String? { try self[name]?.text }

  /// The text of a member that must be there.
  func requiredText(_ name: String) throws(Mismatch) -> String {
    guard let text = try text(name) else { throw Mismatch() }
    return text
  }

  /// The number of a member, or `nil` if there is none.
  func optionalNumber(_ name: String, in range: ClosedRange<Int>) throws(Mismatch) -> Int? {
    self[name] == nil ? nil : try number(name, in: range)
  }

  /// The value whose name is the text of a member.
  func choice<Value: RawRepresentable<String>>(_ name: String) throws(Mismatch) -> Value {
    guard let value = Value(rawValue: try requiredText(name)) else { throw Mismatch() }
    return value
  }

  /// The elements of a list; none if the member is missing.
  func elements(_ name: String) throws(Mismatch) -> [NamedValue] {
    try self[name]?.elements ?? []
  }

  /// The records in a list; none if the member is missing.
  func records<Record: NamedRecord>(_ name: String) throws(Mismatch) -> [Record] {
    var records: [Record] = []
    for element in try elements(name) { records.append(try Record(element)) }
    return records
  }
}

/// A type whose values digests contain as values with names.
protocol NamedRecord {
  /// The value with names.
  var value: NamedValue { get }

  /// Reads a value.
  init(_ value: NamedValue) throws(NamedValue.Mismatch)
}

/// Numbers in as few bytes as they need: seven bits a byte, the lowest first, the
/// highest bit set in all bytes but the last (LEB128).
extension [UInt8] {
  /// Appends a number.
  mutating func append(variableLength number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }

  /// Appends the number of some bytes, and the bytes.
  mutating func append(counted bytes: Span<UInt8>) {
    append(variableLength: UInt64(bytes.count))
    bytes.append(to: &self)
  }
}

/// A reader of numbers and texts at a place in the payload of a block.
///
/// Reads beyond the end give 0 or nothing, and ``isValid`` becomes false.
struct PayloadReader {
  private(set) var position: Int
  private let end: Int

  /// A Boolean value indicating whether all reads so far were within the payload.
  private(set) var isValid = true

  init(_ range: Range<Int>) { (position, end) = (range.lowerBound, range.upperBound) }

  var isAtEnd: Bool { position >= end }

  /// Reads a number.
  @inline(__always)
  mutating func number(_ bytes: Span<UInt8>) -> UInt64 {
    var (value, shift): (UInt64, UInt64) = (0, 0)
    while position < end, shift < 64 {
      let byte = bytes.byte(position)
      position += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte & 0x80 == 0 { return value }
      shift += 7
    }
    isValid = false
    position = end
    return 0
  }

  /// Reads a number of items of at least `size` bytes each, which have to follow.
  @inline(__always)
  mutating func count(_ bytes: Span<UInt8>, ofSize size: Int = 1) -> Int {
    let value = number(bytes)
    guard value <= UInt64(end - position) / UInt64(size) else {
      isValid = false
      position = end
      return 0
    }
    return Int(value)
  }

  /// Skips some bytes, which must be there, and returns their position.
  @inline(__always)
  mutating func range(count: Int) -> Range<Int> {
    guard count >= 0, count <= end - position else {
      isValid = false
      position = end
      return end..<end
    }
    position += count
    return (position - count)..<position
  }
}
