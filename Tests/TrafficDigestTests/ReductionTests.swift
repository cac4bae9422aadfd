import AccessLogs
import TestSupport
import Testing

@testable import Foundations
@testable import TrafficDigest

@Suite struct ReductionTests {
  /// Writes lines to files and reduces them.
  static func reduce(
    _ files: [[String]], jobs: Int = 1, format: LogFormat? = nil, order: [Int]? = nil,
    memoryLimit: Int = ReductionOptions.defaultMemoryLimit
  ) throws -> TrafficDigest {
    let folder = try TemporaryFolder()
    let inputs = try files.enumerated().map { index, lines in
      let text = lines.map { $0 + "\n" }.joined()
      let bytes = index % 2 == 0 ? Array(text.utf8) : GzipWriter.member(text.utf8)
      let path = try folder.write(bytes, to: "log-\(1_000 + index)")
      return LogInput(path: path, size: bytes.count)
    }
    let ordered = order.map { $0.map { inputs[$0] } } ?? inputs
    var options = ReductionOptions(
      defaultHost: "www.example.com", format: format, jobs: jobs)
    options.memoryLimit = memoryLimit
    options.temporaryDirectory = folder.path
    return try TrafficDigest.reduce(ordered, options: options)
  }

  static func lines(_ count: Int, seed: UInt64, host: Bool = false) -> [String] {
    var log = RandomLog(seed: seed)
    return (0..<count).map { _ in log.line(host: host) }
  }

  @Test(arguments: [LogFormat.combined, .vcombined])
  func agreesWithPlainReduction(format: LogFormat) throws {
    let seed = TestRun.seed
    let lines = Self.lines(3_000, seed: seed, host: format == .vcombined)
    let digest = try Self.reduce([lines], format: format)
    let plain = PlainReduction(lines, namesHost: format == .vcombined, host: "www.example.com")
    #expect(try digest.records() == plain.records, "seed: \(seed)")
    #expect(try digest.pageVisits() == plain.pageVisits, "seed: \(seed)")
    #expect(digest.clients.byName == plain.clients, "seed: \(seed)")
    #expect(Set(digest.fetches.map(\.words)) == plain.fetches, "seed: \(seed)")
    #expect(digest.tally.lines == lines.count)
    #expect(digest.tally.requests == plain.records.reduce(0) { $0 + $1.requests })
  }

  /// The invariant of the reduction: the digest doesn't depend on the split into files or the
  /// workers.
  @Test(arguments: [1, 2, 3, 8], [1, 2, 5, 40])
  func splitsAndWorkersDoNotMatter(jobs: Int, files: Int) throws {
    let seed: UInt64 = 17
    let lines = Self.lines(2_000, seed: seed)
    let whole = try Self.reduce([lines], format: .combined)
    let parts = (0..<files).map { part in
      Array(lines[(part * lines.count / files)..<((part + 1) * lines.count / files)])
    }
    var generator = SeededGenerator(seed: UInt64(jobs * 100 + files))
    let split = try Self.reduce(
      parts, jobs: jobs, format: .combined,
      order: Array(parts.indices).shuffled(using: &generator))
    #expect(try split.records() == whole.records())
    #expect(try split.pageVisits() == whole.pageVisits())
    #expect(split.tally == whole.tally)
    #expect(split.times == whole.times)
    #expect(split.fetches == whole.fetches)
    #expect(split.clients == whole.clients)
    #expect(split.rejections == whole.rejections)
    #expect(!whole.referringHosts.isEmpty && split.referringHosts == whole.referringHosts)
  }

  /// The invariant of spilling: the digest doesn't depend on the memory.
  @Test(arguments: [1, 3], [LogFormat.combined, .vcombined])
  func memoryDoesNotMatter(jobs: Int, format: LogFormat) throws {
    let seed = TestRun.seed
    let files = (0..<7).map { part in
      Self.lines(3_000, seed: seed &+ part, host: format == .vcombined)
    }
    let whole = try Self.reduce(files, jobs: jobs, format: format)
    #expect(whole.runs.isEmpty)
    for memoryLimit in [0, 400_000, 900_000] {
      let spilled = try Self.reduce(files, jobs: jobs, format: format, memoryLimit: memoryLimit)
      #expect(!spilled.runs.isEmpty)
      #expect(try spilled.records() == whole.records(), "seed: \(seed), \(memoryLimit)")
      #expect(try spilled.pageVisits() == whole.pageVisits(), "seed: \(seed), \(memoryLimit)")
      #expect(spilled.tally == whole.tally && spilled.fetches == whole.fetches)
      #expect(spilled.clients == whole.clients)
      #expect(spilled.referringHosts == whole.referringHosts)
      #expect(spilled.clients.reduce(0) { $0 + $1.requests } == spilled.tally.requests)
      #expect(spilled.rejectedLines.map(\.line) == whole.rejectedLines.map(\.line))
    }
  }

  @Test func workersDoNotMatterForOneFileOfManyChunks() throws {
    // Some megabytes, so that the file has many chunks.
    let lines = Array(repeating: Self.lines(2_000, seed: 3), count: 10).flatMap { $0 }
    let one = try Self.reduce([lines], format: .combined)
    let many = try Self.reduce([lines], jobs: 4, format: .combined)
    #expect(try one.records() == many.records())
    #expect(try one.pageVisits() == many.pageVisits())
    #expect(one.rejectedLines.map(\.line) == many.rejectedLines.map(\.line))
    #expect(one.inputs.map(\.tally) == many.inputs.map(\.tally))
  }

  @Test func rejectedLinesAreNamedByTheirNumbers() throws {
    let good = "192.0.2.1 - - [01/Jun/2026:10:00:00 +0200] \"GET / HTTP/1.1\" 200 5 \"-\" \"-\""
    var lines = Array(repeating: good, count: 20_000)
    for number in [3, 7_000, 19_999, 20_000] { lines[number - 1] = "garbage" }
    lines[4] = ""
    let digest = try Self.reduce([lines], jobs: 3)
    #expect(digest.rejections == [.noRequest: 4, .emptyLine: 1])
    let places = digest.rejectedLines.map { "\($0.reason.rawValue) \($0.line)" }
    #expect(places == ["emptyLine 5", "noRequest 3", "noRequest 7000", "noRequest 19999"])
  }

  @Test func theFirstRequestDeterminesTheFormatHoweverLate() throws {
    let garbage = Array(repeating: "garbage", count: 50_000)
    let late = "m.example.com 192.0.2.1 - - [x] \"GET /a HTTP/1.1\" 200 5 \"-\" \"-\""
    for jobs in [1, 4] {
      let digest = try Self.reduce([garbage + Array(repeating: late, count: 5)], jobs: jobs)
      #expect(try Set(digest.records().map(\.host)) == ["m.example.com"])
    }
  }

  @Test func hostsAreNormalizedAndTargetsInAbsoluteFormBringTheirOwn() throws {
    let rest = "192.0.2.1 - - [01/Jun/2026:10:00:00 +0200]"
    let lines = [
      "WWW.Example.com:443 \(rest) \"GET /a HTTP/1.1\" 200 5",
      "www.example.com:80 \(rest) \"GET /b HTTP/1.1\" 200 5",
      "www.example.com:8443 \(rest) \"GET /c HTTP/1.1\" 200 5",
      "www.example.com \(rest) \"GET HTTPS://user@M.example.com:443?q HTTP/1.1\" 200 5",
      "www.example.com \(rest) \"GET http://m.example.com:81/d HTTP/1.1\" 200 5",
      "www.example.com \(rest) \"CONNECT m.example.com:443 HTTP/1.1\" 200 5",
      "www.example.com \(rest) \"GET http:///e HTTP/1.1\" 200 5",
    ]
    let digest = try Self.reduce([lines], format: .vcombined)
    let found = try digest.records().map {
      "\($0.host) \(String(decoding: $0.target, as: UTF8.self))"
    }
    #expect(
      found == [
        "m.example.com /?q", "m.example.com:81 /d", "www.example.com /a", "www.example.com /b",
        "www.example.com http:///e", "www.example.com m.example.com:443", "www.example.com:8443 /c",
      ])
  }

  @Test func fetchesOfTheAssociationFileAreKeptWithTheLastTime() throws {
    func line(_ second: Int, _ path: String, _ status: Int, _ agent: String) -> String {
      "192.0.2.1 - - [01/Jun/2026:10:00:0\(second) +0200] \"GET \(path) HTTP/1.1\" \(status) 5 \"-\" "
        + "\"\(agent)\""
    }
    let known = "/.well-known/apple-app-site-association"
    let digest = try Self.reduce([
      [
        line(3, known, 200, "AASA-Bot/1.0.0"), line(1, known + "?x", 200, "AASA-Bot/1.0.0"),
        line(2, known, 404, "swcd (unknown version) CFNetwork/1 Darwin/2"),
        line(2, known, 200, "curl/8"), line(2, "/other", 200, "AASA-Bot/1.0.0"),
      ]
    ])
    let found = digest.fetches.map {
      "\($0.fetcher.rawValue) \($0.status) \($0.requests) \($0.last?.description ?? "-")"
    }
    #expect(
      found == [
        "AASA-Bot 200 2 2026-06-01T10:00:03+02:00", "other 200 1 2026-06-01T10:00:02+02:00",
        "swcd 404 1 2026-06-01T10:00:02+02:00",
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

  /// Partial figures of fetches add up in any order.
  @Test func figuresOfFetchesAddUp() throws {
    let seed = TestRun.seed
    var generator = SeededGenerator(seed: seed)
    func figures() -> FetchFigures {
      var figures = FetchFigures(requests: Int.random(in: 1...9, using: &generator))
      func time() -> LogTime {
        LogTime(secondsSince1970: Int.random(in: 0...9, using: &generator), offsetInMinutes: 0)
      }
      let times = [time(), time()].sorted()
      if Int.random(in: 0...3, using: &generator) > 0 { figures.times = times[0]...times[1] }
      let size = Int.random(in: 0...9, using: &generator)
      if Bool.random(using: &generator) { figures.sizes = size...(size + 3) }
      return figures
    }
    func sum(_ parts: FetchFigures...) -> FetchFigures {
      parts.dropFirst().reduce(into: parts[0]) { $0 += $1 }
    }
    for _ in 0..<500 {
      let (a, b, c) = (figures(), figures(), figures())
      #expect(sum(a, b) == sum(b, a), "seed: \(seed)")
      #expect(sum(sum(a, b), c) == sum(a, sum(b, c)), "seed: \(seed)")
      #expect(sum(FetchFigures(), a) == a && sum(a, FetchFigures()) == a, "seed: \(seed)")
    }
  }
}

extension TrafficDigest.Fetch {
  /// The fetch in the notation of ``PlainReduction``.
  fileprivate var words: String {
    "\(host) \(path) \(fetcher.rawValue) \(status): \(requests), \(first?.description ?? "-") to "
      + "\(last?.description ?? "-"), \(sizes?.lowerBound ?? -1) to \(sizes?.upperBound ?? -1)"
  }
}

extension [TrafficDigest.ClientCount] {
  /// The requests by the names of platform and client, and by the version of iOS.
  var byName: [String: Int] {
    var counts: [String: Int] = [:]
    for count in self {
      let version = count.systemVersion.map { " \($0)" } ?? ""
      counts["\(count.platform.name) \(count.client.name)\(version)", default: 0] += count.requests
    }
    return counts
  }
}
