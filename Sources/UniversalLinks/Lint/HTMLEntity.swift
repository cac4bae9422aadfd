internal import Foundations

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
