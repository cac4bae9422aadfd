import Foundation
import TestSupport
import Testing

@testable import LinkAuditCommand
@testable import Reporting

/// Text of strangers is safe to show.
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
    let seed = TestRun.seed
    for text in WriterTests.texts(seed: seed) {
      let json = String(decoding: try JSONEncoder().encode([text]), as: UTF8.self)
      let escaped = SafeText.escapedJSON(json)
      #expect(WriterTests.isSafe(Array(escaped.utf8)), "seed: \(seed)")
      #expect(
        try JSONDecoder().decode([String].self, from: Data(escaped.utf8)) == [text],
        "seed: \(seed)")
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
  func cellsAreNoFormulas(text: String, cell: String) {
    #expect(CSVWriter.cell(text) == cell)
  }

  /// Rejected lines are complete lines; other users of the machine can't read a new file of them.
  @Test func rejectedLinesAreForTheirOwner() throws {
    let folder = try TemporaryFolder()
    let outcome = try Command.run(
      "umask 022; linkaudit report SampleLogs/logs --aasa SampleLogs/aasa.json "
        + "--host www.example.com --rejects '\(folder.path)/rejects.tsv'")
    #expect(outcome.status == 0)
    let rights = try FileManager.default.attributesOfItem(atPath: folder.path + "/rejects.tsv")
    #expect(rights[.posixPermissions] as? Int == 0o600)
  }
}
