import TestSupport
import Testing

@testable import LinkAuditCommand
@testable import Reporting

@Suite struct ReadablePathTests {
  @Test(arguments: [
    ("/buy/42", "/buy/42"),
    ("/gift/%E8%8C%B6/1", "/gift/茶/1"),
    ("/gift/%e8%8c%b6", "/gift/茶"),
    ("/caf%C3%A9?q=%C3%BC", "/café?q=ü"),
    ("/%F0%9F%8D%B5", "/🍵"),
    // ASCII stays, and bytes after an escape that stays are decoded all the same.
    ("/%20%2F%25%3C%41%00%7F%E8%8C%B6", "/%20%2F%25%3C%41%00%7F茶"),
    // Invalid UTF-8: cut short, overlong, surrogates, too large, and single bytes.
    ("/%E8%8C", "/%E8%8C"),
    ("/%E8%8C/%B6", "/%E8%8C/%B6"),
    ("/%C0%AF%E0%80%AF", "/%C0%AF%E0%80%AF"),
    ("/%ED%A0%80", "/%ED%A0%80"),
    ("/%F4%90%80%80", "/%F4%90%80%80"),
    ("/%E9%E8%8C%B6", "/%E9茶"),
    // Not escapes.
    ("/%", "/%"), ("/%E", "/%E"), ("/%E8%8", "/%E8%8"), ("/%G8%8C%B6", "/%G8%8C%B6"),
    // Invisible or misleading characters: no-break space, line separator, override, zero-width
    // joiner, soft hyphen, filler, variation selector. Also private use, noncharacter, braille
    // blank, fraction slash, fullwidth percent sign.
    ("/%C2%A0", "/%C2%A0"), ("/%E2%80%A8", "/%E2%80%A8"), ("/%E2%80%AE", "/%E2%80%AE"),
    ("/%E2%80%8D", "/%E2%80%8D"), ("/%C2%AD", "/%C2%AD"), ("/%E3%85%A4", "/%E3%85%A4"),
    ("/%EF%B8%8F", "/%EF%B8%8F"), ("/%EE%80%80", "/%EE%80%80"), ("/%EF%BF%BF", "/%EF%BF%BF"),
    ("/%E2%A0%80", "/%E2%A0%80"), ("/%E2%81%84", "/%E2%81%84"), ("/%EF%BC%85", "/%EF%BC%85"),
    // Letters that would reorder the text around them.
    ("/%D7%A9%D7%9C/1/2", "/%D7%A9%D7%9C/1/2"),
    // A mark needs a letter before it, and at most four fit on one.
    ("/e%CC%81", "/e\u{301}"), ("/%CC%81", "/%CC%81"), ("/%20%CC%81", "/%20%CC%81"),
    ("/e%CC%81%CC%81%CC%81%CC%81%CC%81", "/e\u{301}\u{301}\u{301}\u{301}%CC%81"),
    ("/%E0%A4%9C%E0%A4%BC%E0%A4%BF", "/ज\u{93C}\u{93F}"),
  ])
  func decodesReadableText(encoded: String, readable: String) {
    #expect(Array(ReadablePath.text(encoded).unicodeScalars) == Array(readable.unicodeScalars))
  }

  /// Decoding is reversible, so two paths never look alike.
  @Test func nothingIsLost() {
    let seed = TestRun.seed
    var generator = SeededGenerator(seed: seed)
    let pieces = [
      "/", "a", "%20", "%2F", "%25", "%", "%E", "%CC%81", "%E8%8C%B6", "%C3%A9", "%F0%9F%8D%B5",
      "%E2%80%AE", "%D7%A9", "%E8", "%8C", "%B6", "%F0", "%9F", "%ED%A0%80", "{n}",
    ]
    for _ in 0..<20_000 {
      let encoded = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
        pieces[Int.random(in: 0..<pieces.count, using: &generator)]
      }.joined()
      #expect(
        Self.encoded(ReadablePath.text(encoded)).uppercased() == encoded.uppercased(),
        "seed \(seed)")
    }
  }

  /// Decoded characters are visible, and no program that shows text changes them.
  @Test func decodedTextIsHarmless() {
    let values = Array(0x80...0xFFFF) + Array(stride(from: 0x10000, through: 0x10FFFF, by: 37))
    var count = 0
    for scalar in values.compactMap({ Unicode.Scalar(UInt32($0)) }) {
      let text = ReadablePath.text(Self.encoded(String(scalar)))
      guard !text.hasPrefix("%") else { continue }
      count += 1
      if text.unicodeScalars.first != scalar || SafeText.escaped(text) != text
        || scalar.properties.isWhitespace
      {
        Issue.record("\(scalar.value)")
      }
    }
    #expect(count > 50_000)
  }

  private static func encoded(_ text: String) -> String {
    var output = ""
    for byte in text.utf8 {
      if byte < 0x80 {
        output.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        output += "%" + String(byte, radix: 16, uppercase: true)
      }
    }
    return output
  }
}
