import AccessLogs
import TestSupport
import Testing

@testable import Foundations
@testable import TrafficDigest

/// The same requests in different formats have the same digest, for any workers.
@Suite struct FormatReductionTests {
  struct Request {
    var second, status, size: Int
    var method, path, query, referrer, agent: String

    var target: String { query.isEmpty ? path : path + "?" + query }
    var clock: String { "08:\(Self.two(second / 60 % 60)):\(Self.two(second % 60))" }

    static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    var combined: String {
      "192.0.2.1 - - [19/Nov/2026:\(clock) +0000] \"\(method) \(target) HTTP/1.1\" \(status) \(size) "
        + "\"\(referrer)\" \"\(agent)\""
    }

    var json: String {
      #"{"time_iso8601":"2026-11-19T\#(clock)+00:00","request_method":"\#(method)","#
        + #""request_uri":"\#(target)","status":\#(status),"body_bytes_sent":"\#(size)","#
        + #""http_referer":"\#(referrer)","http_user_agent":"\#(agent)"}"#
    }

    var logfmt: String {
      "2026-11-19T\(clock)+00:00 heroku[router]: at=info method=\(method) path=\"\(target)\" "
        + "status=\(status) bytes=\(size) referer=\"\(referrer)\" user_agent=\"\(agent)\""
    }

    var ltsv: String {
      "time:[19/Nov/2026:\(clock) +0000]\thost:192.0.2.1\treq:\(method) \(target) HTTP/1.1\t"
        + "status:\(status)\tsize:\(size)\treferer:\(referrer)\tua:\(agent)"
    }

    var squeezed: String {
      "\(status)|2026-11-19T\(clock)Z|\(method) \(target) HTTP/2|\(agent)|\(referrer)|\(size)|"
    }
  }

  static func requests(_ count: Int, seed: UInt64 = TestRun.seed) -> [Request] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { number in
      let method = generator.pick(["GET", "GET", "GET", "POST", "HEAD"])
      let path = generator.pick([
        "/", "/buy/\(number % 97)", "/help/x", "/static/a.css", "/%C3%A9",
        TrafficDigest.Fetch.wellKnownPath,
      ])
      let query = generator.pick(["", "", "a=1", "q=x%20y&b"])
      let status = generator.pick([200, 301, 404])
      let page = "https://www.example.com/buy/\(number % 13)"
      return Request(
        second: number / 10, status: status, size: number * 37 % 150_000, method: method,
        path: path, query: query, referrer: generator.pick(["-", page, "https://a.example/"]),
        agent: generator.pick([RandomLog.phone, "curl/8.6.0", "AASA-Bot/1.0.0", "-"]))
    }
  }

  /// The W3C's format, in which the columns change again and again.
  static func w3c(_ requests: [Request]) -> [String] {
    requests.enumerated().flatMap { number, request -> [String] in
      let agent = request.agent.replacing(" ", with: "+")
      let query = request.query.isEmpty ? "-" : request.query
      let isDated = number / 700 % 2 == 0
      let heading =
        isDated
        ? "#Fields: date time cs-method cs-uri-stem cs-uri-query sc-status sc-bytes cs(User-Agent) cs(Referer)"
        : "#Date: 2026-11-19 00:00:00\n"
          + "#Fields: sc-status cs(Referer) time c-ip cs(User-Agent) cs-uri cs-method sc-bytes"
      let line =
        isDated
        ? "2026-11-19 \(request.clock) \(request.method) \(request.path) \(query) \(request.status) \(request.size) \(agent) \(request.referrer)"
        : "\(request.status) \(request.referrer) \(request.clock) 192.0.2.1 \(agent) \(request.target) \(request.method) \(request.size)"
      return number % 700 == 0 ? [heading, line] : [line]
    }
  }

  @Test(arguments: [1, 2, 5], [1, 3]) func formatsDoNotMatter(jobs: Int, files: Int) throws {
    let requests = Self.requests(9_000)
    let expected = try ReductionTests.reduce([requests.map(\.combined)])
    let template = try LogFormat(
      definition: "$status|$time_iso8601|$request|$http_user_agent|$http_referer|$body_bytes_sent|")
    let parts = (0..<files).map { part in
      Array(requests[(part * requests.count / files)..<((part + 1) * requests.count / files)])
    }
    let others: [(lines: ([Request]) -> [String], format: LogFormat?)] = [
      (Self.w3c, nil), ({ $0.map(\.json) }, nil), ({ $0.map(\.squeezed) }, template),
      ({ $0.map(\.logfmt) }, nil), ({ $0.map(\.ltsv) }, nil),
    ]
    for (number, other) in others.enumerated() {
      for memoryLimit in [ReductionOptions.defaultMemoryLimit, 1 << 18] {
        let digest = try ReductionTests.reduce(
          parts.map(other.lines), jobs: jobs, format: other.format, memoryLimit: memoryLimit)
        let place = Comment(rawValue: "format \(number)")
        #expect(try digest.counts() == expected.counts(), place)
        #expect(digest.fetches.count == 6 && digest.fetches.allSatisfy { $0.sizes != nil })
        #expect(digest.tally.requests == requests.count, place)
      }
    }
  }

  @Test(arguments: [1, 4]) func timesOutsideAreNotCounted(jobs: Int) throws {
    let requests = Self.requests(3_000, seed: 5)
    let lines = requests.map { $0.combined + "\n" }.joined() + "garbage\n"
    var options = ReductionOptions(jobs: jobs)
    options.timeSpan = TimeSpan(
      since: TimeBound("2026-11-19T08:01", now: 0, isEnd: false),
      until: TimeBound("2026-11-19T08:02", now: 0, isEnd: true))
    let digest = try TrafficDigest.reduce(log: lines.utf8, options: options)
    let wanted = requests.filter { (60..<180).contains($0.second) }
    #expect(digest.tally.requests == wanted.count)
    #expect(digest.tally.outside == requests.count - wanted.count)
    #expect(digest.tally.rejected == 1)
    #expect(digest.times?.lowerBound.description == "2026-11-19T08:01:00+00:00")
    #expect(try digest.records().reduce(0) { $0 + $1.requests } == wanted.count)
  }

  @Test(arguments: [1, 3]) func rejectedLinesAreKept(jobs: Int) throws {
    let folder = try TemporaryFolder()
    var inputs: [LogInput] = []
    var expected: [String] = []
    for file in 0..<3 {
      var text: [UInt8] = []
      for (number, request) in Self.requests(4_000, seed: UInt64(file)).enumerated() {
        let rejected = number % 317 == file ? "no request \(number)\r" : nil
        if let rejected {
          expected.append(
            "log-\(file) \(number + 1) \(text.count) noRequest \(rejected.dropLast())")
        }
        text += Array((rejected ?? request.combined).utf8) + [0x0A]
      }
      inputs.append(LogInput(path: try folder.write(text, to: "log-\(file)"), size: text.count))
    }
    var options = ReductionOptions(jobs: jobs)
    options.keepsRejectedLines = true
    options.temporaryDirectory = folder.path
    let digest = try TrafficDigest.reduce(inputs, options: options)
    var kept: [String] = []
    try digest.forEachRejectedLine { place, line in
      let name = place.path.split(separator: "/").last ?? ""
      kept.append(
        "\(name) \(place.line) \(place.offset) \(place.reason.rawValue) "
          + String(decoding: line, as: UTF8.self))
    }
    #expect(kept == expected)
  }

  /// The times of all formats, of which an example has the value.
  @Test(arguments: FormatExample.all.filter { $0.time != nil })
  func timesOfFormats(example: FormatExample) throws {
    var parser = LogParser(try #require(LogFormat(named: example.format)))
    var line = LogLine.rejected(.emptyLine)
    for text in (example.heading + example.line).split(separator: "\n") {
      parser.reset()
      line = parser.parse(Array(text.utf8).span)
    }
    if case .request(let record) = line, let range = record.time {
      #expect(LogTime(parser.text.span.extracting(range))?.description == example.time)
    } else {
      Issue.record("no time: \(line)")
    }
  }
}
