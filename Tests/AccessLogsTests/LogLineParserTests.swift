import TestSupport
import Testing

@testable import AccessLogs

@Suite struct LogLineParserTests {
  static func parse(
    _ text: String, format: LogLineParser = .combined, lineLimit: Int = 1 << 20
  ) -> PlainLineParser.Outcome {
    let line = Array(text.utf8)
    let parser = format.limited(to: lineLimit)
    return PlainLineParser.Outcome(parser.parse(line.span), in: line)
  }

  static let time = "10/Oct/2000:13:55:36 -0700"

  static func line(_ request: String, _ rest: String = "200 5 \"-\" \"-\"") -> String {
    "192.0.2.1 - - [\(time)] \"\(request)\" \(rest)"
  }

  /// A prefix in brackets is neither the time nor the client.
  @Test(
    arguments: ["[pod/web-7d4b9/nginx]", "[web-1]", "[www.example.com]", "[2001:db8::1]:443"],
    LogLineParser.allCases)
  func bracketsAtTheBeginningAreNotATime(prefix: String, format: LogLineParser) throws {
    let line = "\(prefix) 192.0.2.1 - - [3/Jun/2026:8:00:01] \"GET /a HTTP/1.1\" 200 5 \"-\" \"x\""
    let fields = try Self.parse(line, format: format).get()
    #expect(fields.time == "3/Jun/2026:8:00:01" && fields.target == "/a")
  }

  @Test func commonHasNoReferrer() throws {
    let line = Self.line("GET / HTTP/1.0", "200 2326 \"ignored\" \"ignored\"")
    let fields = try Self.parse(line, format: .common).get()
    #expect(fields.referrer == nil && fields.agent == nil)
  }

  @Test(arguments: [
    ("www.example.com:443 ", "www.example.com:443"), ("WWW.Example.com ", "WWW.Example.com"),
    ("- ", nil), ("[2001:db8::1]:443 ", "[2001:db8::1]:443"), ("[2001:db8::1] ", "[2001:db8::1]"),
    ("[www.example.com] ", "www.example.com"), ("[www.example.com]:80 ", "[www.example.com]:80"),
    ("[pod/web-7d4b9/nginx] www.example.com ", "www.example.com"), ("[pod/web-7d4b9/nginx] ", nil),
  ])
  func vcombinedBeginsWithAHost(prefix: String, host: String?) throws {
    let line = prefix + Self.line("GET / HTTP/1.0")
    #expect(try Self.parse(line, format: .vcombined).get().host == host)
  }

  /// The text between the quotes, and its target.
  @Test(arguments: [
    ("GET / HTTP/1.1", "/"), ("GET /", "/"), ("GET  /a  HTTP/1.1", "/a"),
    ("GET /a b c HTTP/1.1", "/a b c"), ("GET /a b c", "/a b c"),
    ("GET http://example.com/a HTTP/1.1", "http://example.com/a"), ("OPTIONS * HTTP/1.0", "*"),
    ("CONNECT example.com:443 HTTP/1.1", "example.com:443"),
    ("GET /\\\"a\\\" HTTP/1.1", "/\\\"a\\\""), ("GET /\\x22a HTTP/2.0", "/\\x22a"),
    ("GET /a\\\\ HTTP/1.1", "/a\\\\"), ("M-SEARCH /x HTTP/3", "/x"),
    ("GET /a\"b\" HTTP/1.1", "/a\"b\""), ("GET /é HTTP/1.1", "/é"), ("GET foo HTTP/1.1", "foo"),
  ])
  func targets(request: String, target: String) throws {
    #expect(try Self.parse(Self.line(request)).get().target == target)
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
    let rejection = PlainLineParser.Rejection(reason: reason)
    #expect(Self.parse(line, lineLimit: 200) == .failure(rejection))
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
    let fields = try Self.parse(Self.line("GET / HTTP/1.1", rest)).get()
    #expect(fields.referrer == referrer && fields.agent == agent && fields.status == 200)
  }

  @Test func aLineWithoutATimeIsARequest() throws {
    #expect(try Self.parse("1.2.3.4 \"GET / HTTP/1.1\" 200").get().time == nil)
  }

  @Test func agreesWithPlainParserOnRandomLines() {
    var generator = SeededGenerator()
    let pieces = [
      "\"", "\\\"", "\\\\", " ", "-", "GET", "/a", "HTTP/1.1", "200", "404 ", "[", "]", "\\x22",
      "é", "[\(Self.time)]", "\"GET / HTTP/1.1\" 200 5", "\"-\"", "x", "h:443 ", "[h] ",
      "[::1]:443 ", "[x]", "[2026-06-03T10:00:00Z]",
    ]
    for _ in 0..<TestRun.size(full: 20_000, usual: 4_000) {
      let line = generator.text(of: pieces, 0...12)
      for format in LogLineParser.allCases {
        let parsed = Self.parse(line, format: format)
        // The plain rules count characters, the others bytes.
        guard line.utf8.allSatisfy({ $0 < 0x80 }) else { continue }
        let plain = PlainLineParser(format: format).parse(line)
        if parsed != plain {
          Issue.record("\(format), line '\(line)': \(parsed), plain \(plain)")
          return
        }
      }
    }
  }

  /// Usual lines are read in one pass; both parsers must have the same result.
  @Test(arguments: LogLineParser.allCases)
  func usualLinesAgreeWithAny(format: LogLineParser) {
    var generator = SeededGenerator()
    let lines = [
      Self.line("GET /a HTTP/1.1", "200 5 \"https://example.com/\" \"curl/8\""),
      Self.line("GET / HTTP/2.0", "404 - \"-\" \"-\""),
      "www.example.com " + Self.line("GET /a?b HTTP/1.0", "301 12345 \"\" \"a\" \"more\" 7"),
    ].map { Array($0.utf8) }
    let bytes = Array("\"\\ -[]/GHT1.:0\u{0}\r".utf8)
    var usual = 0
    var delimiters = DelimiterIndex.ofCommonLines()
    for round in 0..<TestRun.size(full: 60_000, usual: 12_000) {
      var line = generator.pick(lines)
      for _ in 0..<(round % 4) where line.count > 1 {
        if generator.chance(25) {
          line.removeLast(min(line.count - 1, 3))
        } else {
          line.changeByte(to: bytes, using: &generator)
        }
      }
      let parser = format.limited(to: round % 50 == 0 ? 80 : 1 << 20)
      var place = 0
      delimiters.find(in: line.span)
      let found = parser.parseUsual(line.span, from: 0, delimiters, at: &place)
      guard found.status != 0 else { continue }
      var record = found.record
      record.host = parser.host(of: found, at: 0..<line.count, in: line.span)
      usual += 1
      #expect(parser.parse(line.span) == .request(record), "\(line)")
      #expect(delimiters[place] == line.count)
    }
    #expect(usual > TestRun.size(full: 10_000, usual: 2_000) || !format.namesReferrer)
  }
}

@Suite struct LogEscapesTests {
  @Test(arguments: [
    ("/plain", "/plain"), (#"/\"q\""#, #"/"q""#), (#"/a\\b"#, #"/a\b"#), (#"/\x22"#, "/\""),
    (#"/caf\xC3\xA9"#, "/café"), (#"/caf\xc3\xa9"#, "/café"), (#"/a\tb\nc\rd"#, "/a\tb\nc\rd"),
    (#"/a\qb"#, #"/a\qb"#), (#"/a\"#, #"/a\"#), (#"/a\x2"#, #"/a\x2"#), (#"/a\xZZ"#, #"/a\xZZ"#),
    (#"\\x22"#, #"\x22"#),
  ])
  func undone(field: String, text: String) {
    var output: [UInt8] = []
    LogEscapes.append(undoing: Array(field.utf8).span, to: &output)
    #expect(String(decoding: output, as: UTF8.self) == text)
  }
}

/// Detection with and without the lines whose format is certain.
@Suite struct PlainLinesTests {
  private static let line =
    "192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] \"GET /a?b=1 HTTP/1.1\" 200 5 "
    + "\"https://www.example.com/\" \"Mozilla/5.0 (iPhone; CPU iPhone OS 17_5)\""

  private static func expectSameFormat(_ lines: [[UInt8]]) {
    let chunk = LineChunk(lines.map { $0 + [0x0A] }.joined())
    #expect(
      LogFormat.detect(in: chunk, knowsPlainLines: true)
        == LogFormat.detect(in: chunk, knowsPlainLines: false),
      "\(lines.map { String(decoding: $0, as: UTF8.self) })")
  }

  private static func isPlain(_ line: [UInt8]) -> Bool {
    var detector = FormatDetector(knowsPlainLines: true)
    return detector.isPlain(line.span)
  }

  @Test func usualLinesArePlain() {
    #expect(Self.isPlain(Array(Self.line.utf8)))
    for (one, other) in [
      ("\"https://www.example.com/\"", "\"-\""), ("192.0.2.1", "2001:db8::1"), (" 5 ", " - "),
      ("GET", "POST"), ("Mozilla/5.0 (iPhone; CPU iPhone OS 17_5)", "curl/8.6.0"),
    ] {
      #expect(Self.isPlain(Array(Self.line.replacing(one, with: other).utf8)), "\(other)")
    }
  }

  @Test(arguments: [
    ("192.0.2.1", "www.example.com"), ("192.0.2.1", "www.example.com 192.0.2.1"),
    ("192.0.2.1 -", "198.51.100.7 192.0.2.1 -"), ("192.0.2.1", "1.2"), ("- - [", "- bob ["),
    ("- - [", "- - - ["), ("200 5", "200 www.example.com"), ("200 5", "742 5"),
    ("/a?b=1", "/{a}"), ("/a?b=1", "/a|b"), ("/a?b=1", "/a\tb"),
    ("Mozilla/5.0 (iPhone; CPU iPhone OS 17_5)", "0123456789abcdef"),
    ("-0700]", "-0700] ["), ("10/Oct/2000", "2000-10-10T"), ("\" 200", "\" \"200\""),
  ])
  func otherLinesAreNot(part: String, other: String) {
    let line = Array(Self.line.replacing(part, with: other).utf8)
    #expect(!Self.isPlain(line))
    for count in [1, 3, 16, 20] {
      Self.expectSameFormat(Array(repeating: line, count: count))
      Self.expectSameFormat(Array(repeating: Array(Self.line.utf8), count: count) + [line])
    }
  }

  @Test(arguments: FormatExample.all) func examplesKeepTheirFormat(example: FormatExample) {
    let heading = example.heading.split(separator: "\n").map { Array($0.utf8) }
    let (line, plain) = (Array(example.line.utf8), Array(Self.line.utf8))
    for count in [1, 8, 20] {
      let lines = Array(repeating: line, count: count)
      Self.expectSameFormat(heading + lines)
      Self.expectSameFormat(heading + [plain] + lines)
      Self.expectSameFormat(heading + lines + Array(repeating: plain, count: count))
    }
  }

  @Test func randomLinesKeepTheirFormat() {
    var generator = SeededGenerator()
    var log = RandomLog()
    for _ in 0..<TestRun.size(full: 20_000, usual: 1_500) {
      var lines = (0..<Int.random(in: 1...24, using: &generator)).map { _ in
        Array((Bool.random(using: &generator) ? log.line() : Self.line).utf8)
      }
      for _ in 0..<Int.random(in: 0...3, using: &generator) {
        let place = Int.random(in: 0..<lines.count, using: &generator)
        guard !lines[place].isEmpty else { continue }
        lines[place].changeByte(to: " \"\\{|[]-.,:/=\t#0aZ\r".utf8, using: &generator)
      }
      Self.expectSameFormat(lines)
    }
  }
}
