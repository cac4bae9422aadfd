import Foundation
import TestSupport
import Testing

@testable import LinkAuditCommand
@testable import Reporting

/// Output is read back unchanged, by other programs and by simple readers.
@Suite struct WriterTests {
  /// Random texts of scalars that need special handling.
  static func texts() -> [String] {
    var generator = SeededGenerator()
    let ascii = "ab \"\\,;'=+-@\n\r\t/#{}".unicodeScalars.map { String($0) }
    let others = [
      "\u{0}", "\u{1B}", "\u{7F}", "\u{9B}", "é", "\u{301}", "茶", "\u{202E}", "\u{2028}", "😀",
      "\u{E000}", "\u{10FFFF}", "\u{FEFF}",
    ]
    return (0..<2_000).map { _ in generator.text(of: ascii + others, 0...6) }
  }

  static func isSafe(_ text: String) -> Bool {
    var reader = SafeText.Reader()
    return text.unicodeScalars.allSatisfy { !reader.isUnsafe($0) || $0 == "\n" || $0 == "\r" }
  }

  @Test(arguments: [JSONWriter.Layout.lines, .compact])
  func jsonIsReadBack(layout: JSONWriter.Layout) throws {
    let texts = Self.texts()
    let text = try collected { sink in
      var json = JSONWriter(layout, to: sink)
      json.object { json in
        json.member("texts", strings: texts)
        json.member("rows", objects: texts.enumerated()) { json, row in
          json.member("text", row.element)
          json.member("number", row.offset)
          json.member("none", nil as Int?)
          json.member("is", row.offset % 2 == 0)
          json.member("empty") { _ in }
        }
        json.member("nothing", strings: [])
      }
      try json.finish()
    }
    #expect(Self.isSafe(text))
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
    let tree = try #require(object as? [String: Any])
    #expect(tree["texts"] as? [String] == texts)
    let rows = try #require(tree["rows"] as? [[String: Any]])
    #expect(rows.map { $0["text"] as? String } == texts)
    #expect(rows.map { $0["number"] as? Int } == Array(texts.indices))
    #expect(rows.allSatisfy { $0["none"] is NSNull && ($0["empty"] as? [String: Any]) != nil })
    let lines = text.utf8.count { $0 == UInt8(ascii: "\n") }
    #expect(layout == .compact ? lines == 1 : lines > 5 * texts.count)
  }

  @Test func csvIsReadBack() throws {
    let rows = Self.texts().map { [$0, "x", $0] }
    let text = try collected { sink in
      var csv = CSVWriter(to: sink)
      for row in rows { csv.row(row) }
      try csv.finish()
    }
    #expect(Self.isSafe(text))
    let read = ReportForm.records(text)
    // An apostrophe may precede text that spreadsheets would run.
    func plain(_ text: String) -> String { text.replacing("'", with: "") }
    #expect(read.map { $0.map(plain) } == rows.map { $0.map { plain(SafeText.escaped($0)) } })
    for cell in read.joined() {
      for part in cell.unicodeScalars.split(separator: ";") {
        let first = part.first { !$0.properties.isWhitespace && $0 != "\"" }
        #expect(first.map { "=+-@".unicodeScalars.contains($0) } != true)
      }
    }
    // Lines end exactly where the standard requires.
    #expect(text.utf8.count { $0 == UInt8(ascii: "\n") } == rows.count)
    #expect(text.utf8.count { $0 == UInt8(ascii: "\r") } == rows.count)
  }

  @Test func labelsAreReadBack() throws {
    let texts = Self.texts()
    let output = try collected { sink in
      var metrics = OpenMetricsWriter(to: sink)
      metrics.add(
        "texts", help: "Texts.",
        texts.enumerated().map { number, text in ([("text", text), ("x", "y")], number) })
      try metrics.finish()
    }
    #expect(Self.isSafe(output))
    let samples = try MetricSample.parse(output)
    let expected = texts.map { text in
      text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        .map { SafeText.escaped(String($0)) }.joined(separator: "\n")
    }
    #expect(samples.map { $0.labels["text"] } == expected)
    #expect(samples.map(\.value) == Array(texts.indices))
    #expect(Set(samples.map(\.labels)).count == texts.count)
  }

  /// If the reader has gone, the rest is dropped, and the end reports it.
  @Test func aFailureIsThrownAtTheEnd() {
    var writes = 0
    #expect(throws: BrokenPipe.self) {
      var json = JSONWriter(.compact) { _ in
        writes += 1
        throw BrokenPipe()
      }
      for _ in 0..<10_000 { json.object { $0.member("text", "some text") } }
      try json.finish()
    }
    #expect(writes == 1)
  }
}
