import Foundation
import TestSupport
import Testing

@testable import Reporting

@Suite struct SafeTextTests {
  @Test(arguments: [
    ("plain", "plain"), ("é 茶 😀", "é 茶 😀"), ("a\u{1B}[31mb", "a\\u{1B}[31mb"),
    ("a\u{9B}b", "a\\u{9B}b"), ("a\tb\r\u{8}\u{7F}", "a\\u{9}b\\u{D}\\u{8}\\u{7F}"),
    ("a\u{202E}b\u{2066}c", "a\\u{202E}b\\u{2066}c"), ("a\u{2028}b\u{85}", "a\\u{2028}b\\u{85}"),
    ("a\u{200B}\u{FEFF}\u{E0041}", "a\\u{200B}\\u{FEFF}\\u{E0041}"),
    // Invisible letters and marks.
    ("a\u{115F}\u{3164}\u{FFA0}", "a\\u{115F}\\u{3164}\\u{FFA0}"),
    ("a\u{34F}\u{FE0F}\u{E0100}\u{180B}", "a\\u{34F}\\u{FE0F}\\u{E0100}\\u{180B}"),
    ("a\u{E000}\u{FFFE}", "a\\u{E000}\\u{FFFE}"),
  ])
  func hiddenScalarsAreWrittenOut(text: String, shown: String) {
    #expect(SafeText.escaped(text) == shown)
  }

  /// Languages use up to four marks on a letter; more can hide the lines above and below.
  @Test func marksNeedALetter() {
    let mark = "\u{301}"
    let four = "e" + String(repeating: mark, count: 4)
    #expect(SafeText.escaped(four) == four)
    #expect(SafeText.escaped(four + mark) == four + "\\u{301}")
    #expect(SafeText.escaped(mark + "e") == "\\u{301}e")
    #expect(SafeText.escaped("\u{1B}" + mark) == "\\u{1B}\\u{301}")
    let stack = "z" + String(repeating: "\u{335}\u{489}", count: 1_000)
    let marks = SafeText.escaped(stack).unicodeScalars.count {
      $0.properties.generalCategory.isMark
    }
    #expect(marks == 4)
  }

  @Test func linesStayLines() {
    #expect(SafeText.escapedLines("a\nb\r\n\u{301}\n") == "a\nb\\u{D}\n\\u{301}\n")
    #expect(SafeText.escapedLines("") == "")
  }

  /// All readers of JSON get the same values.
  @Test func escapedJSONIsReadBack() throws {
    for text in WriterTests.texts() {
      let json = String(decoding: try JSONEncoder().encode([text]), as: UTF8.self)
      let escaped = SafeText.escapedJSON(json)
      #expect(WriterTests.isSafe(escaped))
      #expect(try JSONDecoder().decode([String].self, from: Data(escaped.utf8)) == [text])
    }
  }

  /// Spreadsheets run formulas after white space and quotation marks, after variants of the four
  /// characters, and after a semicolon where commas are decimal separators.
  @Test(arguments: [
    ("plain", "plain"), ("-1", "'-1"), ("=1", "'=1"), ("+1", "'+1"), ("@a", "'@a"),
    ("a=1", "a=1"), (" =1", "' =1"), ("  plain", "  plain"), ("\u{A0}=1", "'\u{A0}=1"),
    ("\"=1", "\"'\"\"=1\""), ("\u{FF1D}1", "'\u{FF1D}1"), ("\u{2212}1", "'\u{2212}1"),
    ("a;=1", "a;'=1"), ("a; \"=1", "\"a;' \"\"=1\""), ("a;b", "a;b"), (";", ";"),
    ("\t=1", "\\u{9}=1"), ("\r=1", "\\u{D}=1"), ("", ""), ("a,b", "\"a,b\""),
    ("a,\u{301}b", "\"a,\u{301}b\""), ("q\"\u{301},=1", "\"q\"\"\u{301},=1\""),
  ])
  func cellsAreNoFormulas(text: String, cell: String) { #expect(CSVWriter.cell(text) == cell) }

  /// Rejected lines are complete lines; other users of the machine can't read a new file of them.
  @Test func rejectedLinesAreForTheirOwner() throws {
    let folder = try TemporaryFolder()
    let outcome = try Command.run(
      "umask 022; linkaudit report SampleLogs/logs \(site) --rejects \(folder.path)/r >&2 && "
        + "stat -c %a \(folder.path)/r")
    #expect(outcome.stdout == "600\n")
  }
}

@Suite struct ReadablePathTests {
  @Test(arguments: [
    ("/buy/42", "/buy/42"), ("/gift/%E8%8C%B6/1", "/gift/茶/1"), ("/gift/%e8%8c%b6", "/gift/茶"),
    ("/caf%C3%A9?q=%C3%BC", "/café?q=ü"), ("/%F0%9F%8D%B5", "/🍵"),
    // ASCII stays, and bytes after an escape that stays are decoded all the same.
    ("/%20%2F%25%3C%41%00%7F%E8%8C%B6", "/%20%2F%25%3C%41%00%7F茶"),
    // Invalid UTF-8: cut short, overlong, surrogates, too large, and single bytes.
    ("/%E8%8C", "/%E8%8C"), ("/%E8%8C/%B6", "/%E8%8C/%B6"), ("/%ED%A0%80", "/%ED%A0%80"),
    ("/%C0%AF%E0%80%AF", "/%C0%AF%E0%80%AF"), ("/%F4%90%80%80", "/%F4%90%80%80"),
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
    #expect(Array(SafeText.readable(encoded).unicodeScalars) == Array(readable.unicodeScalars))
  }

  /// Decoding is reversible, so two paths never look alike.
  @Test func nothingIsLost() {
    var generator = SeededGenerator()
    let pieces = [
      "/", "a", "%20", "%2F", "%25", "%", "%E", "%CC%81", "%E8%8C%B6", "%C3%A9", "%F0%9F%8D%B5",
      "%E2%80%AE", "%D7%A9", "%E8", "%8C", "%B6", "%F0", "%9F", "%ED%A0%80", "{n}",
    ]
    for _ in 0..<20_000 {
      let encoded = generator.text(of: pieces, 0...12)
      #expect(Self.encoded(SafeText.readable(encoded)).uppercased() == encoded.uppercased())
    }
  }

  /// Decoded characters are visible, and no program that shows text changes them.
  @Test func decodedTextIsHarmless() {
    let values = Array(0x80...0xFFFF) + Array(stride(from: 0x10000, through: 0x10FFFF, by: 37))
    var count = 0
    for scalar in values.compactMap({ Unicode.Scalar(UInt32($0)) }) {
      let text = SafeText.readable(Self.encoded(String(scalar)))
      guard !text.hasPrefix("%") else { continue }
      count += 1
      let isShown = text.unicodeScalars.first == scalar && SafeText.escaped(text) == text
      if !isShown || scalar.properties.isWhitespace { Issue.record("\(scalar.value)") }
    }
    #expect(count > 50_000)
  }

  private static func encoded(_ text: String) -> String {
    text.utf8.map { byte in
      byte < 0x80 ? String(Unicode.Scalar(byte)) : "%" + String(byte, radix: 16, uppercase: true)
    }.joined()
  }
}

/// Text from logs and files is never markup.
@Suite struct MarkdownTests {
  @Test(arguments: [
    ("plain text, 42%", "plain text, 42%"), ("/buy/{*}", "/buy/{\\*}"), ("a|b", "a\\|b"),
    ("<script>&", "&lt;script&gt;&amp;"), ("@team", "@<!-- -->team"), ("#12", "\\#12"),
    ("[a](b)", "\\[a\\](b)"), ("`x`", "\\`x\\`"), ("http://a.b", "http:<!-- -->//a.b"),
    ("see www.a.b", "see www.<!-- -->a.b"), ("a\u{202E}b", "a\\\\u{202E}b"),
    ("a\nb", "a\\\\u{A}b"), ("~~a~~", "\\~\\~a\\~\\~"), ("__a__", "\\_\\_a\\_\\_"),
    ("`\u{301}@\u{301}", "\\`\u{301}@<!-- -->\u{301}"), ("HTTP://a", "HTTP:<!-- -->//a"),
    ("\\", "\\\\"), ("![x](y)", "\\!\\[x\\](y)"),
  ])
  func escapes(text: String, expected: String) { #expect(MarkdownWriter.escaped(text) == expected) }

  @Test(arguments: [
    ("/buy/*", "`/buy/*`"), ("a`b", "<code>a\\`b</code>"), ("a|b", "<code>a\\|b</code>"),
    (" a", "<code> a</code>"), ("a`\u{301}b", "<code>a\\`\u{301}b</code>"), ("@a", "`@a`"),
    ("", ""),
  ])
  func code(text: String, expected: String) { #expect(MarkdownWriter.code(text) == expected) }

  /// A path of a log can have a million characters.
  @Test func longTextsAreShortAndFast() {
    let text = "/p/" + String(repeating: ".:", count: 500_000)
    #expect(MarkdownWriter.escaped(text).utf8.count == text.utf8.count)
    #expect(MarkdownWriter.path(text).count < 250 && MarkdownWriter.message(text).count < 2_100)
  }

  /// Patterns of 'paths' that exclude say so themselves.
  @Test(arguments: ["markdown", "text", "html"])
  func exclusionsAreNamedOnce(format: String) throws {
    let start = #"{"applinks":{"details":[{"appID":"A1B2C3D4E5.a","paths":["#
    let folder = try TemporaryFolder([
      "old.json": start + #""*"]}]}}"#, "new.json": start + #""NOT /p/r*", "*"]}]}}"#,
    ])
    let outcome = try folder.run(
      "linkaudit diff old.json new.json --host www.example.com --format \(format) "
        + "--baseline known.json --update-baseline; cat known.json")
    #expect(outcome.stdout.contains("NOT /p/r*"), "\(outcome)")
    #expect(!outcome.stdout.lowercased().contains("not not"))
  }
}
