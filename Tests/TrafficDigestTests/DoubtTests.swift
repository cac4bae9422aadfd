import AccessLogs
import TestSupport
import Testing

@testable import Foundations
@testable import TrafficDigest

/// The signs that a host or a format is probably wrong.
@Suite struct DoubtTests {
  private static func digest(
    _ referrers: [(String, Int)], host: String? = "shop.example", isConfirmed: Bool = false,
    lineHost: String? = nil
  ) throws -> TrafficDigest {
    let lines = referrers.map { referrer, count in
      let line = logLine("/a", host: lineHost, from: referrer, agent: "Mozilla/5.0 (iPhone)")
      return String(repeating: line, count: count)
    }
    var options = ReductionOptions(
      defaultHost: host, format: lineHost == nil ? .combined : .vcombined)
    options.isHostConfirmed = isConfirmed
    return try TrafficDigest.reduce(log: lines.joined().utf8, options: options)
  }

  @Test func theHostOfMostReferrersIsTheLikelyHost() throws {
    let referrers = [
      ("https://WWW.shop.example/a", 7), ("http://www.shop.example:8080/b", 5), ("-", 50),
      ("https://search.example/", 3), ("android-app://org.example", 9), ("https://[::1]/", 9),
      ("https://192.0.2.7/", 9), ("https://a<b.example/", 9),
    ]
    let digest = try Self.digest(referrers)
    #expect(
      digest.doubtfulHosts == [
        TrafficDigest.DoubtfulHost(
          host: "shop.example", likelyHost: "www.shop.example", likelyRequests: 12,
          ownRequests: 0, requests: 15)
      ])
    let some = try Self.digest(referrers + [("https://shop.example/c", 2)])
    #expect(some.doubtfulHosts.map(\.ownRequests) == [2])
    #expect(try Self.digest(referrers, isConfirmed: true).referringHosts.isEmpty)
    #expect(try Self.digest(referrers, host: nil).referringHosts.isEmpty)
    #expect(try Self.digest(referrers, lineHost: "m.shop.example").referringHosts.isEmpty)
  }

  @Test(arguments: [
    // Too few, no majority, and the host itself.
    [("https://www.shop.example/", 9)],
    [("https://www.shop.example/", 9), ("https://search.example/", 9)],
    [("https://shop.example/", 20), ("https://www.shop.example/", 19)],
    [("-", 100)],
  ])
  func othersAreNoDoubt(referrers: [(String, Int)]) throws {
    #expect(try Self.digest(referrers).doubtfulHosts.isEmpty)
  }

  /// A name that no referrer has is misspelt if the most frequent one is nearly the same.
  @Test func misspeltHostsAreDoubtful() throws {
    let referrers = [
      ("https://shop.example/", 9), ("https://search.example/", 8), ("https://mail.example/", 7),
    ]
    let digest = try Self.digest(referrers, host: "shpo.example")
    #expect(digest.doubtfulHosts.map(\.likelyHost) == ["shop.example"])
    #expect(digest.doubtfulHosts.allSatisfy { !$0.isContradicted })
    for other in [("https://shpo.example/", 1), ("https://search.example/", 2)] {
      #expect(try Self.digest(referrers + [other], host: "shpo.example").doubtfulHosts.isEmpty)
    }
    #expect(try Self.digest(referrers, host: "garden.example").doubtfulHosts.isEmpty)
  }

  /// The same names are kept, however many are sent.
  @Test func manyNamesAreLimited() throws {
    let referrers = (0..<15_000).map { ("https://made-up-\($0 % 13_000).example/", 1) }
    let digest = try Self.digest([("https://a.example/", 3)] + referrers)
    #expect(digest.referringHosts.count == TrafficDigest.ReferringHost.limit)
    #expect(digest.referringHosts.first?.referrer == "a.example")
    let names = Set((0..<13_000).map { "made-up-\($0).example" } + ["a.example"])
    let kept = names.sorted { $0.precedesByLength($1) }.prefix(TrafficDigest.ReferringHost.limit)
    #expect(digest.referringHosts.map(\.referrer) == Array(kept))
  }

  @Test(arguments: [
    (#""https://a.example/" "Mozilla/5.0 (iPhone)""#, 0), (#""-" "curl/8.0""#, 0), (#""-" "-""#, 0),
    (#""Mozilla/5.0 (iPhone)" "-""#, 1), (#""Mozilla/5.0" "https://a.example/""#, 1),
    (#""x" "https://a.example/" "Mozilla/5.0 (iPhone)""#, 1),
    (#""-" "App/1.0 like Mozilla/5.0""#, 0), (#""-" "Mozilla" "Mozilla/""#, 1),
  ])
  func agentsInOtherFieldsAreCounted(fields: String, expected: Int) throws {
    let line = "192.0.2.1 - - [01/Jun/2026:10:00:00 +0000] \"GET /a HTTP/1.1\" 200 5 \(fields)\n"
    let digest = try TrafficDigest.reduce(
      log: line.utf8, options: ReductionOptions(format: .combined))
    #expect(digest.tally.misplacedAgents == expected && digest.tally.requests == 1)
  }

  /// A few lines are not enough, and neither dashes nor ambiguous days count.
  @Test(arguments: [
    ("[03/Jun/2026:12:00:00 +0000]", 10, false), ("[x]", 9, false), ("[x]", 10, true),
    ("2026-06-03 12:00:00", 10, true), ("[-]", 10, false), ("[10/06/2026 12:00:00]", 10, false),
    ("[32/Foo/2026:12:00:00 +0000]", 12, true),
  ])
  func timesThatAreNotUnderstoodAreDoubtful(time: String, count: Int, expected: Bool) throws {
    let line = "192.0.2.1 - - \(time) \"GET /a?b HTTP/1.1\" 200 5 \"-\" \"Mozilla/5.0 (iPhone)\"\n"
    let digest = try TrafficDigest.reduce(
      log: String(repeating: line, count: count).utf8, options: ReductionOptions(format: .combined))
    let input = digest.inputs[0]
    #expect(input.tally.lacksTimes == expected && input.tally.requests == count)
    #expect((input.doubtfulLine != nil) == expected)
  }

  @Test func theDoubtfulLineShowsNoClient() throws {
    let line =
      #"www.example.com 192.0.2.1 - - [x] "GET /a?token=1 HTTP/1.1" 200 5 "192.0.2.7, 192.0.2.8" "\x1b[31m\#(String(repeating: "y", count: 60)) z" "Mozilla/5.0""#
    let digest = try TrafficDigest.reduce(
      log: (line + "\n").utf8, options: ReductionOptions(format: .vcombined))
    let fields = try #require(digest.inputs[0].doubtfulLine)
    #expect(fields.map(\.name) == ["target", "status", "host", "user agent", "referrer", "time"])
    #expect(
      fields.map(\.value) == [
        "/a…", "200", "www.example.com", #"\x1b[31m"# + String(repeating: "y", count: 40) + "…",
        "(an address)", "x",
      ])
  }

  /// A log that no format fits counts nothing, although some lines look like requests.
  @Test func nothingCountsWithoutAFormat() throws {
    let line =
      #"192.0.2.1 - - [03/Jun/2026:12:00:00 +0000] "GET /a HTTP/1.1" 200 5 "192.0.2.7:80" "0.01" "Mozilla/5.0 (iPhone)"#
    let digest = try TrafficDigest.reduce(
      log: String(repeating: line + "\n", count: 3).utf8, options: ReductionOptions())
    let input = digest.inputs[0]
    #expect(input.format == nil && !input.unreadStart.isEmpty)
    #expect(input.tally.requests == 0 && input.tally.rejected == 3)
    #expect(digest.rejections == [.noFields: 3])
  }

  @Test func doubtsAreCountedWithAnExample() throws {
    let line = #"[03/Jun/2026:12:00:00 +0000] "GET /a HTTP/1.1" 200 "Mozilla/5.0 (iPhone""# + "\n"
    let format = try LogFormat(definition: #"[$time_local] "$request" $status "$http_user_agent""#)
    let digest = try TrafficDigest.reduce(
      log: String(repeating: line, count: 20).utf8, options: ReductionOptions(format: format))
    let doubt = FormatReview.Doubt(
      oddity: .cutAgent, count: 20, total: 20, example: "Mozilla/5.0…")
    #expect(digest.inputs[0].doubts == [doubt] && digest.inputs[0].isMisread)
  }

  /// Another format of later lines is found, by any workers and in any run.
  @Test(arguments: [1, 3]) func changesOfFormatsAreFound(jobs: Int) throws {
    typealias Format = (FormatReductionTests.Request) -> String
    var requests = FormatReductionTests.requests(9_000)
    for number in 0..<4_500 { requests[number * 2].agent = RandomLog.phone + "/\(number % 7)" }
    let withKey: Format = { $0.json.replacing("{", with: #"{"host":"www.example.com","#) }
    let changes: [(before: Format, after: Format, oddities: [FormatReview.Oddity])] = [
      (\.combined, \.combined, []), (\.json, \.json, []), (withKey, \.json, [.absentHost]),
      (\.combined, { "www.example.com " + $0.combined }, [.ignoredHost]),
      (\.combined, { $0.combined + " www.example.com" }, [.ignoredHost]),
      (
        \.ltsv, { $0.ltsv.replacing(/er:(.*)\tua:(.*)/) { "er:\($0.2)\tua:\($0.1)" } },
        [.referrer, .agent, .unreadAgent]
      ),
      (\.json, { $0.json.replacing("http_user_agent", with: "client") }, [.unreadAgent]),
      (\.json, { $0.json.replacing("time_iso8601", with: "moment") }, [.absentTime]),
    ]
    let (folder, options) = (try TemporaryFolder(), ReductionOptions(jobs: jobs))
    for (before, after, oddities) in changes {
      let lines = requests.enumerated().map { ($0 < 5_000 ? before : after)($1) + "\n" }
      let log = LogInput(path: try folder.write(lines.joined().utf8, to: "log"))
      let whole = try TrafficDigest.reduce([log], options: options).inputs[0].doubts
      #expect(whole.map(\.oddity) == oddities && whole.allSatisfy { $0.line == 8_953 })
      let length = lines[..<4_000].reduce(0) { $0 + $1.utf8.count }
      let earlier = ContinuedLog(log, settledLength: length, settledLines: 4_000)
      let (_, logs) = try TrafficDigest.reduce(continuing: [earlier], options: options)
      #expect(logs[0].input.doubts == whole)
    }
  }
}
