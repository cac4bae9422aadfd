import TestSupport
import Testing

@testable import AccessLogs

@Suite struct LogLineParserTests {
  typealias Fields = PlainLineParser.Fields
  typealias Rejection = PlainLineParser.Rejection

  static func parse(
    _ line: [UInt8], format: CommonLayout = .combined, lineLimit: Int = 1 << 20
  ) -> Result<Fields, Rejection> {
    switch LogLineParser(format: format, lineLimit: lineLimit).parse(line.span) {
    case .rejected(let reason): return .failure(Rejection(reason: reason))
    case .request(let record):
      func text(_ range: Range<Int>?) -> String? {
        range.map { String(decoding: line[$0], as: UTF8.self) }
      }
      return .success(
        Fields(
          host: text(record.host), time: text(record.time), method: text(record.method) ?? "",
          target: text(record.target) ?? "", status: Int(record.status),
          referrer: text(record.referrer), agent: text(record.agent)))
    }
  }

  static let time = "10/Oct/2000:13:55:36 -0700"

  static func line(_ request: String, _ rest: String = "200 5 \"-\" \"-\"") -> String {
    "192.0.2.1 - - [\(time)] \"\(request)\" \(rest)"
  }

  @Test func combined() throws {
    let line = Self.line(
      "GET /buy/1?a=b HTTP/1.1", "301 5 \"https://example.com/\" \"Mozilla/5.0 (X)\"")
    #expect(
      Self.parse(Array(line.utf8))
        == .success(
          Fields(
            time: Self.time, method: "GET", target: "/buy/1?a=b", status: 301,
            referrer: "https://example.com/", agent: "Mozilla/5.0 (X)")))
  }

  /// A prefix in brackets is neither the time nor the client.
  @Test(
    arguments: ["[pod/web-7d4b9/nginx]", "[web-1]", "[www.example.com]", "[2001:db8::1]:443"],
    CommonLayout.allCases)
  func bracketsAtTheBeginningAreNotATime(prefix: String, format: CommonLayout) throws {
    let line = "\(prefix) 192.0.2.1 - - [3/Jun/2026:8:00:01] \"GET /a HTTP/1.1\" 200 5 \"-\" \"x\""
    let fields = try Self.parse(Array(line.utf8), format: format).get()
    #expect(fields.time == "3/Jun/2026:8:00:01" && fields.target == "/a")
  }

  @Test func commonHasNoReferrer() throws {
    let line = Self.line("GET / HTTP/1.0", "200 2326 \"ignored\" \"ignored\"")
    let fields = try Self.parse(Array(line.utf8), format: .common).get()
    #expect(fields.referrer == nil && fields.agent == nil)
  }

  @Test(arguments: [
    ("www.example.com:443 ", "www.example.com:443"), ("WWW.Example.com ", "WWW.Example.com"),
    ("- ", nil), ("[2001:db8::1]:443 ", "[2001:db8::1]:443"), ("[2001:db8::1] ", "[2001:db8::1]"),
    ("[www.example.com] ", "www.example.com"), ("[www.example.com]:80 ", "[www.example.com]:80"),
    ("[pod/web-7d4b9/nginx] www.example.com ", "www.example.com"),
    ("[pod/web-7d4b9/nginx] ", nil),
  ])
  func vcombinedBeginsWithAHost(prefix: String, host: String?) throws {
    let line = prefix + Self.line("GET / HTTP/1.0")
    #expect(try Self.parse(Array(line.utf8), format: .vcombined).get().host == host)
  }

  /// The text between the quotes, and its target.
  @Test(arguments: [
    ("GET / HTTP/1.1", "/"), ("GET /", "/"), ("GET  /a  HTTP/1.1", "/a"),
    ("GET /a b c HTTP/1.1", "/a b c"), ("GET /a b c", "/a b c"),
    ("GET http://example.com/a HTTP/1.1", "http://example.com/a"), ("OPTIONS * HTTP/1.0", "*"),
    ("CONNECT example.com:443 HTTP/1.1", "example.com:443"),
    ("GET /\\\"a\\\" HTTP/1.1", "/\\\"a\\\""),
    ("GET /\\x22a HTTP/2.0", "/\\x22a"), ("GET /a\\\\ HTTP/1.1", "/a\\\\"),
    ("M-SEARCH /x HTTP/3", "/x"),
    ("GET /a\"b\" HTTP/1.1", "/a\"b\""), ("GET /é HTTP/1.1", "/é"), ("GET foo HTTP/1.1", "foo"),
  ])
  func targets(request: String, target: String) throws {
    #expect(try Self.parse(Array(Self.line(request).utf8)).get().target == target)
  }

  @Test(
    arguments: [
      ("", .emptyLine), ("garbage without any structure", .noRequest),
      ("192.0.2.1 - - [\(time)] \"GET /cut", .noRequest),
      (line("-", "408 0 \"-\" \"-\""), .noTarget), (line(""), .noTarget), (line("GET"), .noTarget),
      (line("GET HTTP/1.1"), .noTarget), (line("GET  "), .noTarget),
      (line("\\x16\\x03\\x01 \\x02", "400 226"), .noTarget), (line("\u{16}\u{3} x"), .noTarget),
      (line("GET / HTTP/1.1", "-"), .noStatus), (line("GET / HTTP/1.1", "20"), .noStatus),
      (line("GET / HTTP/1.1", "2000 1"), .noStatus), (line("GET / HTTP/1.1", ""), .noStatus),
      (line("GET / HTTP/1.1", "- 0 \"-\" \"Mozilla\" 200"), .noStatus),
      // Interleaved, with the next line after it.
      (
        "192.0.2.1 - - [\(time)] \"GET /cut192.0.2.2 - - [\(time)] \"GET / HTTP/1.1\" 200 5 \"-\" \"-\"",
        .noStatus
      ),
      (String(repeating: "x", count: 201), .lineTooLong),
    ] as [(String, RejectionReason)])
  func rejections(line: String, reason: RejectionReason) {
    #expect(
      Self.parse(Array(line.utf8), lineLimit: 200) == .failure(Rejection(reason: reason)))
  }

  /// Anything else that is missing or cut short is read as absent.
  @Test(
    arguments: [
      ("200", nil, nil), ("200 5", nil, nil),
      ("200 5 \"https://a.example/\"", "https://a.example/", nil),
      ("200 5 \"https://a.exam", nil, nil), ("200 5 \"-\" \"Mozilla/5.0 (cut", nil, nil),
      ("200 5 \"-\" \"Mozilla/5.0 \\\"q\\\"\"", nil, "Mozilla/5.0 \\\"q\\\""),
      ("200 5 \"\" \"\"", nil, nil), ("200 - \"-\" \"x\" \"more\" 17", nil, "x"),
    ] as [(String, String?, String?)])
  func missingFieldsAreAbsent(rest: String, referrer: String?, agent: String?) throws {
    let fields = try Self.parse(Array(Self.line("GET / HTTP/1.1", rest).utf8)).get()
    #expect(fields.referrer == referrer && fields.agent == agent && fields.status == 200)
  }

  @Test func aLineWithoutATimeIsARequest() throws {
    let fields = try Self.parse(Array("1.2.3.4 \"GET / HTTP/1.1\" 200".utf8)).get()
    #expect(fields.time == nil)
  }

  @Test func agreesWithPlainParserOnRandomLines() {
    let seed = TestRun.seed
    var generator = SeededGenerator(seed: seed)
    let pieces = [
      "\"", "\\\"", "\\\\", " ", "-", "GET", "/a", "HTTP/1.1", "200", "404 ", "[", "]", "\\x22",
      "é",
      "[\(Self.time)]", "\"GET / HTTP/1.1\" 200 5", "\"-\"", "x", "h:443 ", "[h] ", "[::1]:443 ",
      "[x]", "[2026-06-03T10:00:00Z]",
    ]
    for _ in 0..<TestRun.size(full: 20_000, usual: 4_000) {
      let line = (0..<Int.random(in: 0...12, using: &generator))
        .map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
      for format in CommonLayout.allCases {
        let parsed = Self.parse(Array(line.utf8), format: format)
        // The plain rules count characters, the others bytes.
        guard line.utf8.allSatisfy({ $0 < 0x80 }) else { continue }
        let plain = PlainLineParser(format: format).parse(line)
        if parsed != plain {
          Issue.record("seed: \(seed), \(format), line '\(line)': \(parsed), plain \(plain)")
          return
        }
      }
    }
  }

  /// Usual lines are read in one pass; both parsers must have the same result.
  @Test(arguments: CommonLayout.allCases)
  func usualLinesAgreeWithAny(format: CommonLayout) {
    let seed = TestRun.seed
    var generator = SeededGenerator(seed: seed)
    let lines = [
      Self.line("GET /a HTTP/1.1", "200 5 \"https://example.com/\" \"curl/8\""),
      Self.line("GET / HTTP/2.0", "404 - \"-\" \"-\""),
      "www.example.com " + Self.line("GET /a?b HTTP/1.0", "301 12345 \"\" \"a\" \"more\" 7"),
    ].map { Array($0.utf8) }
    let bytes = Array("\"\\ -[]/GHT1.:0\u{0}\r".utf8)
    var usual = 0
    var delimiters = DelimiterIndex.ofCommonLines()
    for round in 0..<TestRun.size(full: 60_000, usual: 12_000) {
      var line = lines.randomElement(using: &generator) ?? []
      for _ in 0..<(round % 4) {
        let place = Int.random(in: 0..<line.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: line.remove(at: place)
        case 1: line.insert(bytes.randomElement(using: &generator) ?? 0, at: place)
        case 2: line[place] = bytes.randomElement(using: &generator) ?? 0
        default: line.removeLast(min(line.count - 1, 3))
        }
      }
      let parser = LogLineParser(format: format, lineLimit: round % 50 == 0 ? 80 : 1 << 20)
      var place = 0
      delimiters.find(in: line.span)
      let found = parser.parseUsual(line.span, from: 0, delimiters, at: &place)
      guard found.status != 0 else { continue }
      var record = found.record
      record.host = parser.host(of: found, at: 0..<line.count, in: line.span)
      usual += 1
      #expect(parser.parse(line.span) == .request(record), "seed: \(seed), \(line)")
      #expect(delimiters[place] == line.count)
    }
    #expect(usual > TestRun.size(full: 10_000, usual: 2_000) || !format.namesReferrer)
  }
}
