internal import Foundations

/// A pattern with its place in the file.
struct PatternText {
  /// The pattern in UTF-8.
  let bytes: [UInt8]

  /// The bytes that spell the string that contains the pattern.
  let literal: Range<Int>

  /// The offset of the pattern in that string.
  let start: Int

  let isPercentEncoded: Bool
  let isCaseSensitive: Bool

  /// The parts that aren't references of variables.
  let plain: [Range<Int>]

  /// The references of variables, `$(name)`; the last one may lack its end.
  let references: [Range<Int>]

  init(
    _ bytes: [UInt8], literal: Range<Int>, start: Int = 0, isPercentEncoded: Bool,
    isCaseSensitive: Bool
  ) {
    self.bytes = bytes
    self.literal = literal
    self.start = start
    self.isPercentEncoded = isPercentEncoded
    self.isCaseSensitive = isCaseSensitive
    var (plain, references): ([Range<Int>], [Range<Int>]) = ([], [])
    var (index, from) = (0, 0)
    while index + 1 < bytes.count {
      guard bytes[index] == UInt8(ascii: "$"), bytes[index + 1] == UInt8(ascii: "(") else {
        index += 1
        continue
      }
      if from < index { plain.append(from..<index) }
      let end = bytes[index...].firstIndex(of: UInt8(ascii: ")")).map { $0 + 1 } ?? bytes.count
      references.append(index..<end)
      (index, from) = (end, end)
    }
    if from < bytes.count { plain.append(from..<bytes.count) }
    self.plain = plain
    self.references = references
  }

  /// The pattern as text.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The text of a part of the pattern.
  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// The first place, outside references of variables, where bytes fulfil a condition.
  func firstPlain(where condition: (UInt8) -> Bool) -> Int? {
    for range in plain {
      if let index = bytes[range].firstIndex(where: condition) { return index }
    }
    return nil
  }
}

/// A character that a text spells as HTML does, such as `&amp;`.
struct HTMLEntity {
  /// The bytes that spell it.
  var range: Range<Int>

  /// The character.
  var text: String

  private static let names = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}",
  ]

  /// Finds the entities of a text, in order.
  static func all(in text: ArraySlice<UInt8>) -> [HTMLEntity] {
    var found: [HTMLEntity] = []
    var index = text.startIndex
    while let start = text[index...].firstIndex(of: UInt8(ascii: "&")) {
      index = start + 1
      let name = text[index...].prefix { $0.isLetterOrDigit || $0 == UInt8(ascii: "#") }
      guard name.endIndex < text.endIndex, text[name.endIndex] == UInt8(ascii: ";"),
        let character = character(String(decoding: name, as: UTF8.self))
      else { continue }
      index = name.endIndex + 1
      found.append(HTMLEntity(range: start..<index, text: character))
    }
    return found
  }

  private static func character(_ name: String) -> String? {
    guard name.hasPrefix("#") else { return names[name] }
    let digits = name.dropFirst()
    let value =
      digits.lowercased().hasPrefix("x")
      ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10)
    return value.flatMap(Unicode.Scalar.init).flatMap { $0.value < 0x20 ? nil : String($0) }
  }
}
