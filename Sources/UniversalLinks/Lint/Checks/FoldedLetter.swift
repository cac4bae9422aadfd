/// A letter beyond ASCII that case folding makes an ASCII letter (Matching.md, 3c.7).
///
/// No others fold to ASCII, so these alone match something in percent-encoded text.
struct FoldedLetter {
  /// The bytes of the pattern that spell the letter.
  var range: Range<Int>

  /// The name of the letter.
  var name: String

  /// The letter that it folds to.
  var ascii: String

  /// The letter as URLs have it.
  var escape: String

  private static let letters: [(bytes: [UInt8], name: String, ascii: String, escape: String)] = [
    ([0xE2, 0x84, 0xAA], "U+212A (KELVIN SIGN)", "k", "%E2%84%AA"),
    ([0xC5, 0xBF], "U+017F (LATIN SMALL LETTER LONG S)", "s", "%C5%BF"),
  ]

  /// Finds these letters outside references of variables, in order.
  static func all(in pattern: PatternText) -> [FoldedLetter] {
    pattern.plain.joined().compactMap { index in
      letters.first { pattern.bytes[index...].starts(with: $0.bytes) }.map { letter in
        FoldedLetter(
          range: index..<(index + letter.bytes.count), name: letter.name, ascii: letter.ascii,
          escape: letter.escape)
      }
    }
  }
}
