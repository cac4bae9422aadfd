import Foundation
import TestSupport
import Testing

@testable import AccessLogs

@Suite struct JSONLineScannerTests {
  static let tree = JSONKeyTree([
    .target: ["a.b"], .agent: ["ua"], .status: ["s", "a.s"], .host: ["h"],
  ])

  static func scan(_ line: String) -> [LogField: String]? {
    var fields = LineFields()
    let bytes = Array(line.utf8)
    guard JSONLineScanner(tree).scan(bytes.span, into: &fields) == nil else { return nil }
    var found: [LogField: String] = [:]
    for field in LogField.allCases where fields[field].isPresent {
      var text: [UInt8] = []
      FieldText.append(
        bytes.span.extracting(fields[field].range), fields[field].encoding, to: &text)
      var plain: [UInt8] = []
      LogEscapes.append(undoing: text.span, to: &plain)
      found[field] = String(decoding: plain, as: UTF8.self)
    }
    return found
  }

  /// A value in Swift and in JSON.
  indirect enum Value {
    case text(String)
    case number(Int)
    case null
    case object([(String, Value)])
    case list([Value])

    static func random(depth: Int, _ generator: inout SeededGenerator) -> Value {
      switch Int.random(in: 0..<(depth > 0 ? 7 : 4), using: &generator) {
      case 0, 1:
        let letters = [
          "a", "\"", "\\", "/", "\n", "ü", "😀", "{", "}", "[", ",", ":", " ", "longer text",
        ]
        let count = Int.random(in: 0..<6, using: &generator)
        return .text(
          (0..<count).map { _ in letters.randomElement(using: &generator) ?? "" }.joined())
      case 2: return .number(Int.random(in: -5...500, using: &generator))
      case 3: return .null
      case 4, 5:
        let keys = ["a", "b", "ua", "s", "h", "x"].shuffled(using: &generator)
        let count = Int.random(in: 0...4, using: &generator)
        return .object(keys.prefix(count).map { ($0, random(depth: depth - 1, &generator)) })
      default:
        let count = Int.random(in: 0..<3, using: &generator)
        return .list((0..<count).map { _ in random(depth: depth - 1, &generator) })
      }
    }

    func json(_ generator: inout SeededGenerator) -> String {
      let space = Bool.random(using: &generator) ? " " : ""
      switch self {
      case .text(let text):
        let data = (try? JSONEncoder().encode(text)) ?? Data()
        return String(decoding: data, as: UTF8.self)
      case .number(let number): return String(number)
      case .null: return "null"
      case .object(let members):
        var parts: [String] = []
        for (key, value) in members {
          parts.append("\"\(key)\"\(space):\(space)\(value.json(&generator))")
        }
        return "{\(space)\(parts.joined(separator: ",\(space)"))\(space)}"
      case .list(let values):
        var parts: [String] = []
        for value in values { parts.append(value.json(&generator)) }
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

    /// The value of a key, also in objects of a list.
    func find(_ key: String) -> [Value] {
      switch self {
      case .object(let members): members.filter { $0.0 == key }.map(\.1)
      case .list(let values): values.flatMap { $0.find(key) }
      default: []
      }
    }
  }

  @Test func agreesWithAPlainReading() {
    let seed = TestRun.seed
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<3_000 {
      let value = Value.random(depth: 4, &generator)
      guard case .object = value else { continue }
      let json = value.json(&generator)
      var expected: [LogField: String] = [:]
      expected[.target] = value.find("a").flatMap { $0.find("b") }.lazy.compactMap(\.leaf).first
      expected[.agent] = value.find("ua").lazy.compactMap(\.leaf).first
      expected[.host] = value.find("h").lazy.compactMap(\.leaf).first
      expected[.status] =
        value.find("s").lazy.compactMap(\.leaf).first
        ?? value.find("a").flatMap { $0.find("s") }.lazy.compactMap(\.leaf).first
      let found = Self.scan(json)
      // A line with several requests is rejected; see `severalRequests(line:)`.
      if found != nil || !value.hasListOfObjects {
        #expect(found == expected, "seed \(seed): \(json)")
      }
      // When cut short, it is no longer an object.
      let cut = json.prefix(Int.random(in: 0..<json.count, using: &generator))
      #expect(Self.scan(String(cut)) == nil, "seed \(seed): \(cut)")
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

  private static func rejection(_ line: String) -> RejectionReason? {
    var fields = LineFields()
    return JSONLineScanner(tree).scan(Array(line.utf8).span, into: &fields)
  }

  @Test(arguments: [
    #"{"a":[{"b":"/1","s":200},{"b":"/2","s":200}]}"#, #"{"a":[{"s":200},{"b":"/2","s":200}]}"#,
    #"{"a":[{"b":["/1"]},{"b":["/2"]}]}"#, #"{"a":[{"s":[200]},{"s":[200]},{"s":[200]}]}"#,
    #"{"a":[{"a":[{"b":"/1"},{"b":"/2"}]}],"a":[{"b":"/1"},{"b":"/2"}]}"#,
    #"{"s":200,"a":{"b":"/1"}}{"s":200,"a":{"b":"/2"}}"#,
    #"[{"s":200,"a":{"b":"/1"}}, {"s":200,"a":{"b":"/2"}}]"#, #"{"s":200},{"x":1}"#,
  ])
  func severalRequests(line: String) {
    #expect(Self.rejection(line) == .severalRequests)
  }

  @Test(
    arguments: [
      (#"{"a":[{"b":"/1","s":200}]}"#, nil), (#"{"a":[{"b":["/1","/2"],"s":200}]}"#, nil),
      (#"{"a":[{"b":"/1"},{"s":200}],"s":200}"#, nil), (#"{"s":200,"x":[{"s":1},{"s":2}]}"#, nil),
      (#"{"ua":[{"s":1},{"s":2}],"s":200}"#, nil), (#"{"a":[{"b":"/1"}],"s":200}]"#, nil),
      (#"{} {}"#, .noFields), ("[", .heading), ("  ], ", .heading), ("", .noFields),
      ("[1]", .noFields), (",", .noFields),
    ] as [(String, RejectionReason?)])
  func oneRequestOrNone(line: String, reason: RejectionReason?) {
    #expect(Self.rejection(line) == reason)
  }

  @Test func depthIsLimited() {
    let deep = String(repeating: "[", count: 10_000)
    #expect(Self.scan("{\"x\":\(deep)") == nil)
  }
}
