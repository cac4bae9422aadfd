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

  /// Messages show mistakes of a command line without executing its control bytes.
  @Test func argumentsAreQuotedSafely() throws {
    let outcome = try Command.run(
      "printf 'a\\033[31m\\nlinkaudit: b' | xargs -0 linkaudit report --no-such")
    #expect(outcome.status == 64 || outcome.status == 123)
    #expect(WriterTests.isSafe(Array(outcome.stderr.utf8)))
    let other = try Command.run(
      "linkaudit match --aasa \"$(printf 'a\\033]0;x\\007\\nlinkaudit: b')\" --os x https://a.b/")
    #expect(other.status == 64)
    #expect(WriterTests.isSafe(Array(other.stderr.utf8)))
    #expect(!other.stderr.contains("\nlinkaudit: b"))
    let part = try Command.run(
      "linkaudit report x --json-keys \"$(printf 'a\nlinkaudit: b=c')\" --host a.b --aasa c")
    #expect(part.status == 64)
    #expect(!part.stderr.contains("\nlinkaudit: b"))
  }

  /// Attackers' bytes in logs, routes, files and their names reach no terminal.
  @Test(
    arguments: [
      "text", "json", "ndjson", "openmetrics --top 9", "csv --table unclaimed-heavy",
      "csv --table files", "csv --table rejected-lines",
    ].map { "report \(logs) \(site) --routes routes --log-format vcombined --format \($0)" } + [
      "suggest \(logs) \(site) --routes routes", "suggest \(logs) \(site) --routes routes -f json",
      "suggest \(logs) \(site) --routes routes -f components",
      "diff aasa $SAMPLES/aasa.json \(logs) --host www.example.com --full",
      "diff aasa $SAMPLES/aasa.json --host www.example.com",
      "lint aasa", "lint aasa --rules -f json", "lint aasa --format github",
      "match --aasa aasa \"$(printf 'https://www.example.com/\\033[2J\\342\\200\\256')\"",
    ])
  func nothingThatATerminalObeysIsPrinted(command: String) throws {
    let folder = try TemporaryFolder()
    let agent =
      "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Safari/604.1"
    let lines = [
      "/\u{1B}]0;x\u{7}/\\x1b[2J/\u{202E}abc/\u{9B}31m", "/\u{202E}=1\u{1B}c", "/x/\u{1B}[31m",
      "/y/\u{202E}1", "/x/%1b%5d0",
    ].map {
      "www.example.com\u{1B}[31m 192.0.2.1 - - [x] \"GET \($0) HTTP/1.1\" 200 5 \"-\" \"\(agent)\"\n"
        + "www.example.com 192.0.2.1 - - [x] \"GET \($0) HTTP/1.1\" 200 5 \"-\" \"\(agent)\"\n"
    }
    _ = try folder.write(lines.joined().utf8, to: "log\u{1B}[31m")
    _ = try folder.write("/x/:a\n/y/\u{202E}1\n/\u{9B}z/:b\n".utf8, to: "routes")
    let file =
      #"{"applinks":{"substitutionVariables":{"a\u001b[2J":["x"]},"details":[{"appIDs":["T.\u001b[31ma"],"components":[{"/":"/\u001b[2J","exclude":true}]}]}}"#
    _ = try folder.write(file.utf8, to: "aasa")
    let outcome = try folder.run("linkaudit \(command)")
    #expect(outcome.status < 2 && !outcome.stdout.isEmpty, "\(outcome.stderr)")
    #expect(WriterTests.isSafe(Array((outcome.stdout + outcome.stderr).utf8)))
  }

  /// The log, whose name has control bytes, and the site.
  private static let logs = "\"$(printf 'log\\033[31m')\""
  private static let site = "--aasa aasa --host www.example.com"

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
