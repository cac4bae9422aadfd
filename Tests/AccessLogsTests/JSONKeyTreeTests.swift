import Foundation
import Foundations
import TestSupport
import Testing

@testable import AccessLogs

@Suite struct JSONKeyTreeTests {
  static let tree = JSONKeyTree([
    .target: ["a.b"], .agent: ["ua"], .status: ["s", "a.s"], .host: ["h"],
  ])

  static func scan(_ line: String) -> [LogField: String]? {
    var fields = LineFields()
    let bytes = Array(line.utf8)
    guard tree.scan(bytes.span, into: &fields) == nil else { return nil }
    var found: [LogField: String] = [:]
    for field in LogField.allCases where fields.holds(field) {
      var text: [UInt8] = []
      fields[field].encoding.append(bytes.span.extracting(fields[field].range), to: &text)
      var plain: [UInt8] = []
      LogEscapes.append(undoing: text.span, to: &plain)
      found[field] = String(decoding: plain, as: UTF8.self)
    }
    return found
  }

  indirect enum Value {
    case text(String)
    case number(Int)
    case null
    case object([(String, Value)])
    case list([Value])

    static func object(of keys: [String], depth: Int, _ generator: inout SeededGenerator) -> Value {
      let count = Int.random(in: 0...5, using: &generator)
      return .object(
        keys.shuffled(using: &generator).prefix(count).map {
          ($0, random(of: keys, depth: depth - 1, &generator))
        })
    }

    static func random(
      of keys: [String] = ["a", "b", "ua", "s", "h", "x"], depth: Int,
      _ generator: inout SeededGenerator
    ) -> Value {
      switch Int.random(in: 0..<(depth > 0 ? 7 : 4), using: &generator) {
      case 0, 1:
        let letters = [
          "a", "\"", "\\", "/", "\n", "ü", "😀", "{", "}", "[", ",", ":", " ", "longer text",
        ]
        return .text(generator.text(of: letters, 0...5))
      case 2: return .number(Int.random(in: -5...500, using: &generator))
      case 3: return .null
      case 4, 5: return object(of: keys, depth: depth, &generator)
      default:
        let count = Int.random(in: 0..<3, using: &generator)
        return .list((0..<count).map { _ in random(of: keys, depth: depth - 1, &generator) })
      }
    }

    func json(_ generator: inout SeededGenerator) -> String {
      let space = Bool.random(using: &generator) ? " " : ""
      switch self {
      case .text(let text):
        return String(decoding: (try? JSONEncoder().encode(text)) ?? Data(), as: UTF8.self)
      case .number(let number): return String(number)
      case .null: return "null"
      case .object(let members):
        let parts = members.map { key, value in
          "\"\(key)\"\(space):\(space)\(value.json(&generator))"
        }
        return "{\(space)\(parts.joined(separator: ",\(space)"))\(space)}"
      case .list(let values):
        let parts = values.map { $0.json(&generator) }
        return "[\(parts.joined(separator: ",\(space)"))]"
      }
    }

    /// The first text that isn't empty, or number, directly or in a list.
    var leaf: String? {
      switch self {
      case .text(let text): text.isEmpty ? nil : text
      case .number(let number): String(number)
      case .null, .object: nil
      case .list(let values): values.lazy.compactMap(\.leaf).first
      }
    }

    /// Whether a list here or deeper contains several objects, so that a line may hold several
    /// requests.
    var hasListOfObjects: Bool {
      switch self {
      case .object(let members): return members.contains { $0.1.hasListOfObjects }
      case .list(let values):
        let objects = values.count { if case .object = $0 { true } else { false } }
        return objects > 1 || values.contains { $0.hasListOfObjects }
      default: return false
      }
    }

    func find(_ key: String) -> [Value] {
      switch self {
      case .object(let members): members.filter { $0.0 == key }.map(\.1)
      case .list(let values): values.flatMap { $0.find(key) }
      default: []
      }
    }
  }

  @Test func agreesWithAPlainReading() {
    var generator = SeededGenerator()
    for _ in 0..<3_000 {
      let value = Value.random(depth: 4, &generator)
      guard case .object = value else { continue }
      let json = value.json(&generator)
      var expected: [LogField: String] = [:]
      let members = Value.list(value.find("a"))
      expected[.target] = Value.list(members.find("b")).leaf
      expected[.agent] = Value.list(value.find("ua")).leaf
      expected[.host] = Value.list(value.find("h")).leaf
      expected[.status] = Value.list(value.find("s") + members.find("s")).leaf
      let found = Self.scan(json)
      // A line with several requests is rejected.
      if found != nil || !value.hasListOfObjects {
        #expect(found == expected, "\(json)")
      }
      // When cut short, it is no longer an object.
      let cut = json.prefix(Int.random(in: 0..<json.count, using: &generator))
      #expect(Self.scan(String(cut)) == nil, "\(cut)")
    }
  }

  @Test(
    arguments: [
      (#"{"ua":"x"}"#, "x"), (#"prefix {"ua":"x"} "#, "x"), (#"[{"ua":"x"},"#, "x"),
      (#"{"ua":"x"}]"#, "x"), (#"{"UA":"x"}"#, "x"), (#"{"n":,"ua":"x"}"#, "x"),
      (#"{"ua":"x",}"#, "x"), (#"{"ua":"\x41é"}"#, "A\u{E9}"),
      (#"{"ua":"\ud83d\ude00\ud83d"}"#, "\u{1F600}\u{FFFD}"), (#"{"ua":"x"} more"#, nil),
      (#"{"ua":"x""#, nil), (#"{"ua" "x"}"#, nil), (#"{"ua":"x"]"#, nil), ("", nil), ("x", nil),
      (#"{ua:"x"}"#, nil),
    ] as [(String, String?)])
  func lines(line: String, agent: String?) {
    #expect(Self.scan(line)?[.agent] == agent)
  }

  @Test(
    arguments: [
      (#"{"a":[{"b":"/1","s":200},{"b":"/2","s":200}]}"#, .severalRequests),
      (#"{"a":[{"s":200},{"b":"/2","s":200}]}"#, .severalRequests),
      (#"{"a":[{"b":["/1"]},{"b":["/2"]}]}"#, .severalRequests),
      (#"{"a":[{"s":[200]},{"s":[200]},{"s":[200]}]}"#, .severalRequests),
      (#"{"a":[{"a":[{"b":"/1"},{"b":"/2"}]}],"a":[{"b":"/1"},{"b":"/2"}]}"#, .severalRequests),
      (#"{"s":200,"a":{"b":"/1"}}{"s":200,"a":{"b":"/2"}}"#, .severalRequests),
      (#"[{"s":200,"a":{"b":"/1"}}, {"s":200,"a":{"b":"/2"}}]"#, .severalRequests),
      (#"{"s":200},{"x":1}"#, .severalRequests),
      (#"{"a":[{"b":"/1","s":200}]}"#, nil), (#"{"a":[{"b":["/1","/2"],"s":200}]}"#, nil),
      (#"{"a":[{"b":"/1"},{"s":200}],"s":200}"#, nil), (#"{"s":200,"x":[{"s":1},{"s":2}]}"#, nil),
      (#"{"ua":[{"s":1},{"s":2}],"s":200}"#, nil), (#"{"a":[{"b":"/1"}],"s":200}]"#, nil),
      (#"{} {}"#, .noFields), ("[", .heading), ("  ], ", .heading), ("", .noFields),
      ("[1]", .noFields), (",", .noFields),
    ] as [(String, RejectionReason?)])
  func aLineHasOneRequest(line: String, reason: RejectionReason?) {
    var fields = LineFields()
    #expect(Self.tree.scan(Array(line.utf8).span, into: &fields) == reason)
  }

  /// Words of eight bytes and the rest of a text end a scalar at the same bytes.
  @Test func scalarsEndAtSeparatorsBlanksAndBrackets() {
    var generator = SeededGenerator()
    let ends = Array(",}] \t".utf8)
    // Neighbors, also with bit 0x20 flipped, and with the highest bit set.
    let others: [UInt8] = [
      0x00, 0x01, 0x08, 0x0A, 0x0C, 0x0D, 0x1F, 0x21, 0x29, 0x2B, 0x2D, 0x30, 0x5B, 0x5C, 0x5E,
      0x7B, 0x7C, 0x7E, 0x7F, 0x80, 0x89, 0xA0, 0xAC, 0xDD, 0xFD, 0xFF,
    ]
    for round in 0..<TestRun.size(full: 40_000, usual: 4_000) {
      let text = (0..<(round % 21)).map { _ in
        generator.chance(15) ? generator.pick(ends) : generator.pick(others)
      }
      for start in 0...text.count {
        var position = start
        text.span.skipScalar(&position)
        let expected = text[start...].firstIndex { ends.contains($0) } ?? text.count
        if position != expected { Issue.record("\(position) from \(start), \(text)") }
      }
    }
  }

  @Test func depthIsLimited() {
    #expect(Self.scan("{\"x\":" + String(repeating: "[", count: 10_000)) == nil)
  }
}

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
  private static func expectSameFields(_ lines: [[UInt8]]) -> Int {
    var shape = JSONLineShape()
    var matched = 0
    for line in lines {
      var (fields, expected, shaped) = (LineFields(), LineFields(), LineFields())
      var known = shape
      matched += known.match(line.span, into: &shaped) ? 1 : 0
      let reason = tree.scan(line.span, &shape, into: &fields)
      let own = tree.scan(line.span, into: &expected)
      #expect(
        description(fields, reason) == description(expected, own),
        "\(String(decoding: line, as: UTF8.self))")
      if !fields.mayHoldEscapes, reason == nil {
        for field in LogField.allCases where fields.holds(field) {
          #expect(!line[fields[field].range].contains(UInt8(ascii: "\\")))
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

  private static let keys = [
    "url", "status", "request", "uri", "headers", "User-Agent", "log", "message", "x", "records",
    "host", "time", "a\\\"b",
  ]

  @Test func randomLinesHaveTheSameFields() {
    var generator = SeededGenerator()
    var matched = 0
    for _ in 0..<TestRun.size(full: 20_000, usual: 1_500) {
      let shapes = (0..<Int.random(in: 1...2, using: &generator)).map { _ in
        let value = JSONKeyTreeTests.Value.object(of: Self.keys, depth: 3, &generator)
        return Array(value.json(&generator).utf8)
      }
      let lines = (0..<12).map { _ in
        var line = generator.pick(shapes)
        for index in line.indices where line[index].isDigit {
          line[index] = UInt8.random(in: 0x30...0x39, using: &generator)
        }
        if Int.random(in: 0..<5, using: &generator) == 0 {
          line.changeByte(to: "\"\\{}[],: x0".utf8, using: &generator)
        }
        return line
      }
      matched += Self.expectSameFields(lines)
    }
    #expect(matched > 0)
  }
}

@Suite struct QueryMembersTests {
  @Test(arguments: [
    (#"{"id":"7"}"#, "/a?id=7"), (#"{ "id" : 7, "ok" : true }"#, "/a?id=7&ok=true"),
    (#"{"tag":["a","b"],"flag":null,"empty":""}"#, "/a?tag=a&tag=b&flag&empty="),
    (#"{"a":{"b":{"c":"1"}},"d":[{"e":2}]}"#, "/a?a[b][c]=1&d[e]=2"),
    // Bytes that would end an item, or the target, are encoded again, and encoded ones are kept.
    (
      ##"{"q":"a b&c=d#\u00fc\"\\","+":"%","%41":"%2F"}"##,
      "/a?q=a%20b%26c%3Dd%23%C3%BC%22%5C&%2B=%25&%41=%2F"
    ),
    ("{}", "/a"), ("{ }", "/a"), ("null", "/a"), (#""id=7""#, "/a?id=7"), ("[]", "/a"),
  ])
  func membersAreItems(query: String, target: String) throws {
    for name in ["query", "request.query", "queryStringParameters"] {
      let keys = name.split(separator: ".")
      let object = keys.reversed().reduce(query) { #"{"\#($1)":\#($0)}"# }.dropFirst().dropLast()
      let line = #"{"method":"GET","path":"/a",\#(object),"status":200}"#
      // The second line has the shape of the first one.
      for text in [line, line + "\n" + line] {
        #expect(try LogFormatTests.request(.nginxJSON, text).target == target)
      }
    }
  }

  @Test(arguments: [
    #"{"id":}"#, #"{"id"}"#, #"{id:7}"#, "{:::::}", #"{"a":[}]}"#, #"{"a":{"b":}}"#, "{,,,,,}",
    #"{"a" "b"}"#, #"{"a":7 8}"#,
  ])
  func damageIsHarmless(query: String) {
    let line = #"{"path":"/a","query":\#(query),"status":200}"#
    var parser = LogParser(.nginxJSON)
    _ = parser.parse(Array(line.utf8).span)
  }

  @Test func targetsKeepTheirQueries() throws {
    let line =
      #"{"req":{"url":"/a?b=1","method":"GET","query":{"b":"1"}},"res":{"statusCode":200}}"#
    #expect(try LogFormatTests.request(.pino, line).target == "/a?b=1")
  }
}
