import TestSupport
import Testing

@testable import AccessLogs

/// Fast ways to read a line, and the plain ones.
@Suite struct RecordAssemblyTests {
  private static func fields(
    _ layout: LogFormat.Layout, _ line: [UInt8], _ heading: inout ColumnHeading
  ) -> LineFields? {
    var fields = LineFields()
    let reason: RejectionReason?
    switch layout {
    case .columns(let columns):
      reason = columns.parse(line.span, heading: &heading, into: &fields)
    case .json(let keys): reason = keys.scan(line.span, into: &fields)
    case .pairs(let names, let areLabels):
      reason = names.parsePairs(line.span, areLabels: areLabels, into: &fields)
    case .template(let parser): reason = parser.parse(line.span, into: &fields)
    default: return nil
    }
    return reason == nil ? fields : nil
  }

  /// Returns whether no field of the line was rewritten.
  @discardableResult
  private static func expectSameRecord(
    _ layout: LogFormat.Layout, _ line: [UInt8], _ heading: inout ColumnHeading
  ) -> Bool {
    guard let fields = fields(layout, line, &heading) else { return false }
    // It wraps another line.
    if fields.holds(.message) { return false }
    var text = Array("before".utf8)
    let parsed = fields.record(in: line.span, day: heading.lineDay, into: &text)
    let comment: Comment = "\(String(decoding: line, as: UTF8.self))"
    do throws(PlainLineParser.Rejection) {
      let expected = try RecordFields<[UInt8]>(fields, of: line, day: heading.lineDay)
      guard case .request(let record) = parsed else {
        Issue.record(comment)
        return false
      }
      let found = RecordFields(record) { Array(text[$0]) }
      #expect(found == expected, comment)
    } catch {
      #expect(parsed == .rejected(error.reason), comment)
    }
    return text.count == 6 + line.count
  }

  @Test(arguments: FormatExample.all) func fieldsAreTheSameInPlace(example: FormatExample) throws {
    var generator = SeededGenerator()
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
          line.changeByte(to: " \"\\{%+?-/:\t.0a".utf8, using: &generator)
        }
        Self.expectSameRecord(layout, line, &heading)
        guard case .template(let parser) = layout else { continue }
        var (fields, others) = (LineFields(), LineFields())
        let reason = parser.parse(line.span, into: &fields)
        #expect(reason == parser.parseWithChoices(line.span, into: &others))
        for field in LogField.allCases {
          let ranges = [fields, others].map { $0.holds(field) ? $0[field].range : nil }
          #expect(ranges[0] == ranges[1], "\(field) of \(String(decoding: line, as: UTF8.self))")
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
    ("awsalb", nil),
  ])
  func usualLinesAreReadInPlace(name: String, line: String?) throws {
    let format = try #require(LogFormat(named: name))
    let example = try #require(FormatExample.all.first { $0.format == name })
    var heading = ColumnHeading()
    _ = heading.read(Array(example.heading.dropLast().utf8).span, as: format.heading)
    let bytes = Array((line ?? example.line).utf8)
    #expect(Self.expectSameRecord(format.layouts[0], bytes, &heading))
  }
}
