import AccessLogs
import TestSupport
import Testing

@testable import Foundations
@testable import TrafficDigest

@Suite struct ReductionTests {
  /// Writes lines to files and reduces them; lines may lack their ends.
  static func reduce(
    _ files: [[String]], jobs: Int = 1, format: LogFormat? = nil, order: [Int]? = nil,
    memoryLimit: Int = ReductionOptions.defaultMemoryLimit
  ) throws -> TrafficDigest {
    let folder = try TemporaryFolder()
    let inputs = try files.enumerated().map { index, lines in
      let text = lines.map { $0.last == "\n" ? $0 : $0 + "\n" }.joined()
      let bytes = index % 2 == 0 ? Array(text.utf8) : GzipWriter.member(text.utf8)
      let path = try folder.write(bytes, to: "log-\(1_000 + index)")
      return LogInput(path: path, size: bytes.count)
    }
    let ordered = order.map { $0.map { inputs[$0] } } ?? inputs
    var options = ReductionOptions(defaultHost: "www.example.com", format: format, jobs: jobs)
    options.memoryLimit = memoryLimit
    options.temporaryDirectory = folder.path
    return try TrafficDigest.reduce(ordered, options: options)
  }

  @Test(arguments: [LogFormat.combined, .vcombined])
  func agreesWithPlainReduction(format: LogFormat) throws {
    let lines = RandomLog.lines(3_000, host: format == .vcombined)
    let digest = try Self.reduce([lines], format: format)
    let plain = PlainReduction(lines, host: "www.example.com")
    #expect(try digest.records() == plain.records)
    #expect(try digest.pageVisits() == plain.pageVisits)
    let clients = digest.clients.map { count in
      let version = count.systemVersion.map { " \($0)" } ?? ""
      return ("\(count.platform.name) \(count.client.name)\(version)", count.requests)
    }
    #expect(Dictionary(clients, uniquingKeysWith: +) == plain.clients)
    let fetches = digest.fetches.map { fetch in
      "\(fetch.host) \(fetch.path) \(fetch.fetcher.rawValue) \(fetch.status): \(fetch.requests), "
        + "\(fetch.first?.description ?? "-") to \(fetch.last?.description ?? "-"), "
        + "\(fetch.sizes?.lowerBound ?? -1) to \(fetch.sizes?.upperBound ?? -1)"
    }
    #expect(Set(fetches) == plain.fetches)
    #expect(digest.tally.lines == lines.count)
    #expect(digest.tally.requests == plain.records.reduce(0) { $0 + $1.requests })
  }

  @Test(arguments: [1, 2, 3, 8], [1, 2, 5, 40])
  func splitsAndWorkersDoNotMatter(jobs: Int, files: Int) throws {
    let lines = RandomLog.lines(2_000, seed: 17)
    let whole = try Self.reduce([lines], format: .combined)
    let parts = (0..<files).map { part in
      Array(lines[(part * lines.count / files)..<((part + 1) * lines.count / files)])
    }
    var generator = SeededGenerator(seed: UInt64(jobs * 100 + files))
    let split = try Self.reduce(
      parts, jobs: jobs, format: .combined,
      order: Array(parts.indices).shuffled(using: &generator))
    #expect(try split.counts() == whole.counts() && split.tally == whole.tally)
    #expect(split.rejections == whole.rejections)
    #expect(!whole.referringHosts.isEmpty && split.referringHosts == whole.referringHosts)
  }

  @Test(arguments: [1, 3], [LogFormat.combined, .vcombined])
  func memoryDoesNotMatter(jobs: Int, format: LogFormat) throws {
    let files = (0..<7).map { part in
      RandomLog.lines(3_000, seed: TestRun.seed &+ part, host: format == .vcombined)
    }
    let whole = try Self.reduce(files, jobs: jobs, format: format)
    #expect(whole.runs.isEmpty)
    for memoryLimit in [0, 400_000, 900_000] {
      let spilled = try Self.reduce(files, jobs: jobs, format: format, memoryLimit: memoryLimit)
      #expect(!spilled.runs.isEmpty)
      #expect(try spilled.counts() == whole.counts(), "\(memoryLimit)")
      #expect(spilled.tally == whole.tally)
      #expect(spilled.referringHosts == whole.referringHosts)
      #expect(spilled.clients.reduce(0) { $0 + $1.requests } == spilled.tally.requests)
      #expect(spilled.rejectedLines.map(\.line) == whole.rejectedLines.map(\.line))
    }
  }

  @Test func rejectedLinesAreNamedByTheirNumbers() throws {
    var lines = Array(repeating: logLine(), count: 20_000)
    for number in [3, 7_000, 19_999, 20_000] { lines[number - 1] = "garbage" }
    lines[4] = ""
    let digest = try Self.reduce([lines], jobs: 3)
    #expect(digest.rejections == [.noRequest: 4, .emptyLine: 1])
    let places = digest.rejectedLines.map { "\($0.reason.rawValue) \($0.line)" }
    #expect(places == ["emptyLine 5", "noRequest 3", "noRequest 7000", "noRequest 19999"])
  }

  @Test(arguments: [1, 4]) func theFirstRequestDeterminesTheFormatHoweverLate(jobs: Int) throws {
    let late = logLine("/a", host: "m.example.com", at: "x")
    let lines = Array(repeating: "garbage", count: 50_000) + Array(repeating: late, count: 5)
    let digest = try Self.reduce([lines], jobs: jobs)
    #expect(try Set(digest.records().map(\.host)) == ["m.example.com"])
  }

  @Test func hostsAreNormalizedAndTargetsInAbsoluteFormBringTheirOwn() throws {
    let lines = [
      "WWW.Example.com:443|GET /a", "www.example.com:80|GET /b", "www.example.com:8443|GET /c",
      "www.example.com|GET HTTPS://user@M.example.com:443?q",
      "www.example.com|GET http://m.example.com:81/d",
      "www.example.com|CONNECT m.example.com:443", "www.example.com|GET http:///e",
    ].map { $0.replacing("|", with: " 192.0.2.1 - - [x] \"") + " HTTP/1.1\" 200 5" }
    let digest = try Self.reduce([lines], format: .vcombined)
    let targets = try digest.records().map { ($0.host, String(decoding: $0.target, as: UTF8.self)) }
    #expect(
      targets.map { "\($0) \($1)" }.sorted() == [
        "m.example.com /?q", "m.example.com:81 /d", "www.example.com /a", "www.example.com /b",
        "www.example.com http:///e", "www.example.com m.example.com:443", "www.example.com:8443 /c",
      ])
  }

  /// Only paths of association files count, in any encoding.
  @Test func fetchesAreDetectedFromTheirPaths() throws {
    let known = "/.well-known/apple-app-site-association"
    let lines = [
      known, known + "?a", "http://www.example.com" + known, "/apple-app-site-association",
      known + "/", known + "2", "/.well-known/assetlinks.json-or-something", "/apple-app-site-asso",
      "/.well-kn", "/apple-ap", "/x" + known, "/.Well-known/apple-app-site-association",
      known + "#a",
    ].map { "192.0.2.1 - - [x] \"GET \($0) HTTP/1.1\" 200 7 \"-\" \"curl/8\"" }
    let found = try Self.reduce([lines], format: .combined).fetches
    #expect(
      found.map { "\($0.path) \($0.requests)" } == ["\(known) 3", "/apple-app-site-association 1"])
    #expect(found.map(\.sizes) == [7...7, 7...7])
  }

  @Test func figuresOfFetchesAddUp() throws {
    var generator = SeededGenerator()
    func figures() -> RequestFigures {
      var figures = RequestFigures(requests: Int.random(in: 1...9, using: &generator))
      let times = (0..<2).map { _ in
        LogTime(secondsSince1970: Int.random(in: 0...9, using: &generator), offsetInMinutes: 0)
      }.sorted()
      if Int.random(in: 0...3, using: &generator) > 0 { figures.times = times[0]...times[1] }
      let size = Int.random(in: 0...9, using: &generator)
      if Bool.random(using: &generator) { figures.sizes = size...(size + 3) }
      return figures
    }
    func sum(_ parts: RequestFigures...) -> RequestFigures {
      parts.dropFirst().reduce(into: parts[0]) { $0 += $1 }
    }
    for _ in 0..<500 {
      let (a, b, c) = (figures(), figures(), figures())
      #expect(sum(a, b) == sum(b, a))
      #expect(sum(sum(a, b), c) == sum(a, sum(b, c)))
      #expect(sum(RequestFigures(), a) == a && sum(a, RequestFigures()) == a)
    }
  }
}

/// Text after a page in an interleaved line, or after an escape, is not part of the page.
@Suite struct InterleavedPageTests {
  private func templates(_ log: String) throws -> Set<String> {
    let digest = try TrafficDigest.reduce(
      log: log.utf8, options: ReductionOptions(defaultHost: "www.example.com"))
    return Set(try digest.pageVisits().map { String(decoding: $0.page, as: UTF8.self) })
  }

  @Test func interleavedLines() throws {
    let line =
      "203.0.113.77 - planted-user [03/Jun/2026:10:00:00 +0000] \"GET /buy/1 HTTP/1.1\" 200 5 "
      + "\"https://www.example.com/from/tea\" \"\(RandomLog.phone)\""
    for cut in 1..<line.utf8.count {
      let found = try templates(String(line.prefix(cut)) + line + "\n")
      #expect(
        !found.contains { $0.contains("planted") || $0.contains("203.0") }, "\(cut): \(found)")
    }
    #expect(try templates(line + "\n") == ["/from/tea"])
  }

  @Test(arguments: ["\\x3F", "\\x23", "?", "#"]) func escapedQueries(mark: String) throws {
    let page = "https://www.example.com/from/p\(mark)token=SECRET"
    #expect(try templates(logLine(from: page, agent: RandomLog.phone)) == ["/from/p"])
  }
}

/// Numeric dates have the order that the complete log shows.
@Suite struct DateOrderTests {
  @Test(arguments: [
    ("10/06/2026 12:00:00", DateOrder.dayFirst, "2026-06-10T12:00:00+00:00"),
    ("10/06/2026 12:00:00", .monthFirst, "2026-10-06T12:00:00+00:00"),
    ("1/2/26 7:00:00", .dayFirst, "2026-02-01T07:00:00+00:00"),
    ("10/06/2026:12:00:00 +0200", .dayFirst, "2026-06-10T12:00:00+02:00"),
    // The numbers themselves show the order.
    ("30/06/2026 12:00:00", .monthFirst, "2026-06-30T12:00:00+00:00"),
    ("06/30/2026 12:00:00", .dayFirst, "2026-06-30T12:00:00+00:00"),
  ])
  func ordersAreKept(text: String, order: DateOrder, expected: String) {
    #expect(LogTime(Array(text.utf8).span, order: order)?.description == expected)
  }

  static func line(_ day: String, _ number: Int) -> String {
    logLine("/\(number)", at: "\(day) 12:00:00", agent: "x")
  }

  @Test(
    arguments: [
      ("13/06/2026", "2026-06-10T12:00:00+00:00", false),
      ("06/13/2026", "2026-10-06T12:00:00+00:00", false), ("11/06/2026", nil, true),
    ] as [(String, String?, Bool)], [1, 4])
  func theWholeLogDeterminesTheOrder(
    last: (day: String, first: String?, isAmbiguous: Bool), jobs: Int
  ) throws {
    // More than a few chunks.
    let lines = (0..<9_000).map { Self.line("10/06/2026", $0) } + [Self.line(last.day, 9_000)]
    let digest = try ReductionTests.reduce([lines, lines], jobs: jobs)
    let times = digest.inputs.map { $0.times.map { [$0.lowerBound, $0.upperBound] } ?? [] }
    #expect(digest.tally.requests == lines.count * 2)
    for (input, times) in zip(digest.inputs, times) {
      #expect(input.hasAmbiguousDates == last.isAmbiguous)
      #expect(times.contains { $0.description == last.first } == (last.first != nil))
    }
  }

  /// Microsoft documents the month first for IIS's own format.
  @Test func theMonthIsFirstInIIS() throws {
    let line = "192.0.2.1, -, 10/06/26, 7:55:20, W3SVC2, S, 192.0.2.9, 4, 1, 3, 200, 0, GET, /a, -,"
    let digest = try ReductionTests.reduce([[line]])
    #expect(digest.times?.lowerBound.description == "2026-10-06T07:55:20+00:00")
    #expect(digest.inputs.allSatisfy { !$0.hasAmbiguousDates })
  }

  @Test func logsDifferInTheirOrder() throws {
    let files = [["10/06/2026", "13/06/2026"], ["10/06/2026", "06/13/2026"], ["10/06/2026"]]
    let digest = try ReductionTests.reduce(files.map { $0.map { Self.line($0, 1) } })
    let days = digest.inputs.map { $0.times?.lowerBound.day.description }
    #expect(days == ["2026-06-10", "2026-06-13", nil])
  }
}
