import TestSupport
import Testing

@testable import AccessLogs

/// Fast ways to read a line, and the plain ones.
@Suite struct RecordInPlaceTests {
  private static func texts(_ record: LogRecord, _ text: [UInt8]) -> [[UInt8]?] {
    [record.host, record.time, record.method, record.target, record.referrer, record.agent].map {
      $0.map { Array(text[$0]) }
    }
  }

  /// Finds the fields of a line, or returns `nil` if it has none.
  private static func fields(
    _ layout: LogFormat.Layout, _ line: [UInt8], _ heading: inout ColumnHeading
  ) -> LineFields? {
    var fields = LineFields()
    let reason: RejectionReason?
    switch layout {
    case .columns(let columns):
      reason = ColumnLineParser(columns).parse(line.span, heading: &heading, into: &fields)
    case .json(let tree): reason = JSONLineScanner(tree).scan(line.span, into: &fields)
    case .pairs(let pairs): reason = PairLineParser(pairs).parse(line.span, into: &fields)
    case .template(let template):
      reason = TemplateLineParser(template).parse(line.span, into: &fields)
    default: return nil
    }
    return reason == nil ? fields : nil
  }

  /// Returns whether the line was read in place.
  @discardableResult
  private static func expectSameRecord(
    _ layout: LogFormat.Layout, _ line: [UInt8], _ heading: inout ColumnHeading, _ seed: UInt64 = 0
  ) -> Bool {
    guard let fields = fields(layout, line, &heading) else { return false }
    var text = Array("before".utf8)
    guard let record = fields.recordInPlace(in: line.span, into: &text) else {
      #expect(text.count == 6)
      return false
    }
    var other: [UInt8] = []
    guard
      case .request(let expected) = fields.rewrittenRecord(
        in: line.span, day: heading.lineDay, into: &other)
    else {
      Issue.record("seed \(seed): \(String(decoding: line, as: UTF8.self))")
      return true
    }
    #expect(
      texts(record, text) == texts(expected, other) && record.status == expected.status
        && record.isSubresource == expected.isSubresource,
      "seed \(seed): \(String(decoding: line, as: UTF8.self))")
    return true
  }

  @Test(arguments: FormatExample.all) func fieldsAreTheSameInPlace(example: FormatExample) throws {
    let seed = TestRun.seed
    var generator = SeededGenerator(seed: seed)
    let format = try #require(LogFormat(named: example.format))
    for layout in format.layouts {
      var heading = ColumnHeading()
      for line in example.heading.split(separator: "\n") {
        _ = heading.read(Array(line.utf8).span, as: format.heading)
      }
      Self.expectSameRecord(layout, Array(example.line.utf8), &heading)
      for _ in 0..<TestRun.size(full: 4_000, usual: 300) {
        var line = Array(example.line.utf8)
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
          line.changeByte(to: " \"\\{%+?-/:\t.0a", using: &generator)
        }
        Self.expectSameRecord(layout, line, &heading, seed)
        guard case .template(let template) = layout else { continue }
        var (fields, others) = (LineFields(), LineFields())
        let parser = TemplateLineParser(template)
        #expect(
          parser.parse(line.span, into: &fields)
            == parser.parseWithChoices(line.span, into: &others))
        for field in LogField.allCases {
          #expect(
            fields[field].isPresent == others[field].isPresent
              && (!fields[field].isPresent || fields[field].range == others[field].range),
            "seed \(seed): \(field) of \(String(decoding: line, as: UTF8.self))")
        }
        #expect(fields.clock == others.clock && fields.failure == others.failure)
      }
    }
  }

  @Test(arguments: [
    ("w3c", "2026-11-19 08:00:01 192.0.2.9 GET /a/b - 443 192.0.2.1 Mozilla/5.0+(iPhone) - - 200"),
    (
      "nginx-json",
      #"{"time_iso8601":"2026-11-19T08:00:01Z","request_method":"GET","request_uri":"/a","status":200}"#
    ),
    ("awsalb", FormatExample.all.first { $0.format == "awsalb" }?.line ?? ""),
  ])
  func usualLinesAreReadInPlace(name: String, line: String) throws {
    let format = try #require(LogFormat(named: name))
    var heading = ColumnHeading()
    if name == "w3c" {
      let example = try #require(FormatExample.all.first { $0.format == name })
      _ = heading.read(Array(example.heading.dropLast().utf8).span, as: format.heading)
    }
    #expect(Self.expectSameRecord(format.layouts[0], Array(line.utf8), &heading))
  }
}
