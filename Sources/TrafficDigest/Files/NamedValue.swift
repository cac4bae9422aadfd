internal import Foundations

/// A value that says itself what it is: a number, a text, a list, or values with names.
///
/// The summary of a digest consists of them, so that one of a later time can hold more
/// than what is read. A value is a byte for its kind (0 number, 1 text, 2 list, 3 members)
/// and, with numbers of variable length: the number, with the sign in the lowest bit; the
/// length of the text and its bytes; the number of elements and the elements; the number
/// of members and, for each, the name as a text and the value.
enum NamedValue: Hashable, Sendable {
  case number(Int)
  case text(String)
  case list([NamedValue])
  case members([Member])

  struct Member: Hashable, Sendable {
    var name: String
    var value: NamedValue
  }

  /// Members with values; those without are left out.
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

  /// Values lie within one another no deeper than this.
  private static let depthLimit = 8

  /// No more values are read: they take more memory than their bytes, and a summary of ten years
  /// with hundreds of kinds of clients on each day has some millions.
  private static let countLimit = 1 << 24

  /// Reads a value with all that is in it, or returns `nil` if there is none.
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
  /// A value isn't what it has to be.
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

  /// The elements of a list; none if it isn't there.
  func elements(_ name: String) throws(Mismatch) -> [NamedValue] {
    try self[name]?.elements ?? []
  }
}
