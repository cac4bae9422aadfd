import Foundations
import TestSupport
import Testing

@testable import AccessLogs

/// Lines that are read by their shape, and the same lines read on their own.
@Suite struct JSONLineShapeTests {
  private static let tree = JSONKeyTree.usualNames

  /// The fields of a line, or the reason why it has none.
  private static func description(_ fields: LineFields, _ reason: RejectionReason?) -> [String] {
    if let reason { return ["\(reason)", "\(fields.failure)"] }
    return LogField.allCases.filter { fields.holds($0) }.map {
      "\($0) \(fields[$0].range) \(fields[$0].encoding) \(fields[$0].rank)"
    }
  }

  /// Reads lines one after another.
  ///
  /// - Returns: The number of lines that were read by their shape.
  @discardableResult
  private static func expectSameFields(_ lines: [[UInt8]], _ seed: UInt64 = 0) -> Int {
    let scanner = JSONLineScanner(tree)
    var shape = JSONLineShape()
    var matched = 0
    for line in lines {
      var (fields, expected, shaped) = (LineFields(), LineFields(), LineFields())
      var known = shape
      matched += known.match(line.span, into: &shaped) ? 1 : 0
      let reason = scanner.scan(line.span, &shape, into: &fields)
      let own = scanner.scan(line.span, into: &expected)
      #expect(
        description(fields, reason) == description(expected, own),
        "seed \(seed): \(String(decoding: line, as: UTF8.self))")
      if !fields.mayHoldEscapes, reason == nil {
        for field in LogField.allCases where fields.holds(field) {
          #expect(!line[fields[field].range].contains(UInt8(ascii: "\\")), "seed \(seed)")
        }
      }
    }
    return matched
  }

  @Test func linesThatDifferInValuesHaveOneShape() {
    let lines = (0..<20).map { number in
      """
      {"time":"2026-11-19T12:00:0\(number % 10)Z","request":{"uri":"/a\(number)","method":"GET",\
      "headers":{"User-Agent":["curl/\(number)"]}},"other":{"a":[\(number),"]"]},"status":\(200 + number)}
      """
    }
    #expect(Self.expectSameFields(lines.map { Array($0.utf8) }) == 19)
  }

  @Test(arguments: [
    // A value is missing, null, empty, of another notation, or has escapes.
    #"{"url":"/a","status":200,"referer":}"#, #"{"url":"/a","status":200,"referer":null}"#,
    #"{"url":"/a","status":200,"referer":""}"#, #"{"url":"/a","status":200,"referer":["x"]}"#,
    #"{"url":"/a","status":200,"referer":"-"}"#, #"{"url":"/a","status":200,"referer":"x\"y"}"#,
    #"{"url":"/a","status":"200","referer":"x"}"#, #"{"url":"/a","status":{},"referer":"x"}"#,
    #"{"url":"/a","status": 200,"referer":"x"}"#, #"{"url":"/a","status":,"referer":"x"}"#,
    // A key is another one, or there once more.
    #"{"uri":"/a","status":200,"referer":"x"}"#,
    #"{"url":"/a","status":200,"referer":"x","url":"/b"}"#,
    // The line ends elsewhere, or goes on.
    #"{"url":"/a","status":200,"referer":"x""#, #"{"url":"/a","status":200,"referer":"x"#,
    #"{"url":"/a","status":200,"referer":"x"},"#, #"{"url":"/a","status":200,"referer":"x"} {"#,
    #"at {"url":"/a","status":200,"referer":"x"}"#, "{", "",
  ])
  func otherLinesAreReadOnTheirOwn(line: String) {
    let usual = #"{"url":"/b","status":404,"referer":"https://y"}"#
    for lines in [[usual, line, usual, line], [line, usual, line, usual, usual]] {
      Self.expectSameFields(lines.map { Array($0.utf8) })
    }
  }

  @Test func severalRequestsAreNotOneShape() {
    let one = #"{"records":[{"url":"/a","status":200}]}"#
    let two = #"{"records":[{"url":"/a","status":200},{"url":"/b","status":200}]}"#
    Self.expectSameFields([one, one, two, two, one].map { Array($0.utf8) })
  }

  @Test func anotherShapeIsLearnedAfterSomeLines() {
    let lines = Array(repeating: #"{"a":1}"#, count: 3) + Array(repeating: #"{"b":1}"#, count: 20)
    let matched = Self.expectSameFields(lines.map { Array($0.utf8) })
    #expect(matched == 2 + 20 - 5)
  }

  private static func value(
    _ depth: Int, _ generator: inout SeededGenerator
  ) -> String {
    let texts = ["/a", "GET", "", "-", "200", "é", "x y"]
    return switch Int.random(in: 0..<(depth > 2 ? 6 : 9), using: &generator) {
    case 0, 1, 2: "\"\(texts.randomElement(using: &generator) ?? "")\""
    case 3: "\(Int.random(in: 0...999, using: &generator))"
    case 4: ["null", "true", ""].randomElement(using: &generator) ?? ""
    case 5: #""a\"b\\""#
    case 6:
      "["
        + (0..<Int.random(in: 0...2, using: &generator)).map { _ in value(depth + 1, &generator) }
        .joined(separator: ",") + "]"
    default: object(depth + 1, &generator)
    }
  }

  private static let keys = [
    "url", "status", "request", "uri", "headers", "User-Agent", "log", "message", "x", "records",
    "host", "time", "a\\\"b",
  ]

  private static func object(_ depth: Int, _ generator: inout SeededGenerator) -> String {
    let members = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
      "\"\(keys.randomElement(using: &generator) ?? "")\":\(value(depth, &generator))"
    }
    return "{\(members.joined(separator: Bool.random(using: &generator) ? "," : " , "))}"
  }

  /// Lines of a few shapes with other digits, and some with a byte changed.
  @Test func randomLinesHaveTheSameFields() {
    let seed = TestRun.seed
    var generator = SeededGenerator(seed: seed)
    var matched = 0
    for _ in 0..<TestRun.size(full: 20_000, usual: 1_500) {
      let shapes = (0..<Int.random(in: 1...2, using: &generator)).map { _ in
        Array(Self.object(0, &generator).utf8)
      }
      let lines = (0..<12).map { _ in
        var line = shapes.randomElement(using: &generator) ?? []
        for index in line.indices where line[index].isDigit {
          line[index] = UInt8.random(in: 0x30...0x39, using: &generator)
        }
        if Int.random(in: 0..<5, using: &generator) == 0 {
          line.changeByte(to: "\"\\{}[],: x0", using: &generator)
        }
        return line
      }
      matched += Self.expectSameFields(lines, seed)
    }
    #expect(matched > 0)
  }
}
