import AccessLogs
import TestSupport
import Testing

@testable import Foundations
@testable import TrafficDigest

/// The number of counts is bounded, and doesn't depend on how logs are split.
@Suite struct LimitTests {
  private static func tally(_ keys: some Collection<FetchTally.Key>) -> FetchTally {
    var tally = FetchTally()
    for key in keys { tally.add(key, RequestFigures(requests: 1)) }
    tally.limit()
    return tally
  }

  @Test func fetchesOfTooManyHostsAreTheSameForAnySplit() throws {
    var generator = SeededGenerator()
    // More kinds of fetches than are listed, of hosts with names of several lengths.
    let keys = (0..<FetchTally.limit * 5 / 2).map { number in
      FetchTally.Key(
        day: number % 7,
        fetch: TrafficDigest.Fetch(
          host: "\(number / 3).example.com", path: TrafficDigest.Fetch.rootPath, fetcher: .other,
          status: UInt16(200 + number % 3), figures: RequestFigures()))
    }.shuffled(using: &generator)
    let whole = Self.tally(keys)
    let listed = whole.values.count
    #expect(listed <= FetchTally.limit && listed > FetchTally.limit - 7)
    let requests = (Array(whole.values.values) + Array(whole.unlisted.values)).map(\.requests)
    #expect(requests.reduce(0, +) == keys.count && whole.unlisted.count == 7)
    #expect(whole.values.keys.contains { $0.fetch.host == "7.example.com" })

    let cut = Int.random(in: 0...keys.count, using: &generator)
    var parts = [Self.tally(keys[..<cut]), Self.tally(keys[cut...])]
    if Bool.random(using: &generator) { parts.reverse() }
    var sum = FetchTally()
    for part in parts { sum.merge(part) }
    sum.limit()
    #expect(sum.values == whole.values && sum.unlisted == whole.unlisted)
    #expect(sum.firstUnlistedHost == whole.firstUnlistedHost)

    // The same through summaries, as in digest files.
    let summaries = parts.map { part in
      var summary = DigestSummary()
      summary.dailyFetches = TrafficDigest.Daily.sums(part.counts)
      summary.firstUnlistedFetchHost = part.firstUnlistedHost
      return summary
    }
    let merged = DigestSummary(adding: summaries)
    #expect(merged.dailyFetches == TrafficDigest.Daily.sums(whole.counts))
    #expect(merged.firstUnlistedFetchHost == whole.firstUnlistedHost)
    let payload = try merged.payload
    #expect(DigestSummary.read(payload, count: payload.count) == merged)
  }

  /// Empty lines are counted many at a time, or one by one where each is kept.
  @Test(arguments: [LogFormat.combined, .vcombined, .w3c], [1, 3])
  func emptyLinesCountTheSameHoweverTheyAreCounted(format: LogFormat, jobs: Int) throws {
    var generator = SeededGenerator()
    let folder = try TemporaryFolder()
    var log = RandomLog()
    let inputs = try (0..<3).map { number in
      var text = ""
      for _ in 0..<40 {
        text += log.line() + "\n"
        let end = Bool.random(using: &generator) ? "\n" : "\r\n"
        text += String(repeating: end, count: Int.random(in: 0..<2_000, using: &generator))
      }
      return LogInput(path: try folder.write((text + "\r").utf8, to: "\(number).log"))
    }
    var options = ReductionOptions(defaultHost: "www.example.com", format: format, jobs: jobs)
    options.temporaryDirectory = folder.path
    let counted = try TrafficDigest.reduce(inputs, options: options)
    options.keepsRejectedLines = true
    let kept = try TrafficDigest.reduce(inputs, options: options)
    #expect(counted.summary == kept.summary)
    #expect(counted.rejections[.emptyLine] ?? 0 > 10_000)
    var lines = 0
    try kept.forEachRejectedLine { place, _ in lines += place.reason == .emptyLine ? 1 : 0 }
    #expect(counted.rejections[.emptyLine] == lines)
  }

  /// Hosts that look alike are distinguished by their bytes, as servers do, whichever comes first.
  @Test func hostsThatLookAlikeAreNotOne() {
    let hosts = ["caf\u{E9}.example", "cafe\u{301}.example"]
    for order in [hosts, hosts.reversed()] {
      let fetches = order.map { host in
        TrafficDigest.Fetch(
          host: host, path: TrafficDigest.Fetch.rootPath, fetcher: .other, status: 200,
          figures: RequestFigures(requests: 1))
      }
      let sums = TrafficDigest.Fetch.sums(fetches + fetches)
      #expect(sums.map { Array($0.host.utf8) } == hosts.reversed().map { Array($0.utf8) })
      #expect(sums.map(\.requests) == [2, 2])
    }
    #expect(LogInput(path: hosts[0]) != LogInput(path: hosts[1]))
  }

  @Test func timesAreThoseOfTheirLines() {
    var memo = TimeMemo(TimeSpan())
    for text in ["2026-11-19T12:00:00+00:00", String(repeating: "\0", count: 26)] {
      let bytes = Array(text.utf8)
      memo.read(0..<bytes.count, in: bytes.span)
      #expect((memo.time == nil) == text.hasPrefix("\0"))
    }
  }

  /// A clock that is wrong by millennia must not create as many days.
  @Test func timesOutsideOfTwoCenturiesAreNone() throws {
    let years = ["0000", "0001", "1969", "1970", "2026", "2199", "2200", "9999"]
    let text = years.map {
      "192.0.2.1 - - [01/Jun/\($0):10:00:00 +0000] \"GET /\($0) HTTP/1.1\" 200 5\n"
    }.joined()
    let digest = try TrafficDigest.reduce(
      log: text.utf8, options: ReductionOptions(defaultHost: "a.example", format: .common))
    #expect(digest.tally.requests == years.count)
    #expect(digest.days.map(\.description) == ["1970-06-01", "2026-06-01", "2199-06-01"])
  }

  /// Every value of a summary survives, and impossible values are refused.
  @Test(arguments: [true, false]) func summariesSurviveWriting(isFull: Bool) throws {
    let day = try #require(Day("2026-06-01"))
    let times = day.wholeTimes
    var summary = DigestSummary()
    var input = TrafficDigest.Input(path: "logs/caf\u{E9}")
    if isFull {
      input.damage = LogDamage(.expansionLimit(ratio: 1_000, length: 65_536), offset: 42)
      input.format = TrafficDigest.InputFormat(name: "combined", fields: LogField.allCases)
      input.settings = TrafficDigest.InputSettings(defaultHost: "a.example")
      (input.settings.since, input.settings.until) = ("2026-06-01", "yesterday")
      (input.settings.namesFormat, input.settings.lineLimit) = (true, Int.max)
      (input.tally.lines, input.tally.requests, input.tally.outside) = (9, 4, 3)
      (input.tally.misplacedAgents, input.tally.unreadTimes) = (2, 1)
      input.doubts = [.init(oddity: .cutAgent, count: 1, total: 2, example: "x")]
      (input.tally.rejectedAppleLines, input.doubts[0].line) = (1, 3)
      input.times = times
      input.fingerprint = ContentFingerprint(length: 7, first: .max, second: 1 << 63)
      summary.rejections = [.emptyLine: 1, .lineTooLong: 1 << 44]
      summary.rejectedLines = [.init(reason: .heading, path: "log", line: 3, offset: Int.max)]
      summary.dayTimes.add(times)
      let fetch = TrafficDigest.Fetch(
        host: "a.example", path: "/x", fetcher: .cdn, status: 304,
        figures: RequestFigures(requests: 5, times: times, sizes: 0...9))
      summary.dailyFetches = [.init(day: nil, counts: [fetch]), .init(day: day, counts: [fetch])]
      summary.firstUnlistedFetchHost = "b.example"
      let client = TrafficDigest.ClientCount(
        platform: .ios, client: .safari, systemVersion: 18, requests: 2)
      summary.dailyClients = [.init(day: day, counts: [client])]
      summary.referringHosts = [.init(host: "a.example", referrer: "b.example", requests: 3)]
    }
    summary.inputs = [input]
    summary.days = isFull ? [0, day.number] : []
    let payload = try summary.payload
    #expect(DigestSummary.read(payload, count: payload.count) == summary)
    for count in payload.indices { #expect(DigestSummary.read(payload, count: count) == nil) }
    #expect(DigestSummary.read(payload + [0], count: payload.count + 1) == nil)
    guard isFull else { return }
    let changes = [
      ("\"lines\":9", "\"lines\":6"), ("\"requests\":5", "\"requests\":-1"),
      ("\"requests\":5", "\"requests\":9000000000000000000"), ("\"status\":304", "\"status\":1000"),
      ("\"sizes\":[0,9]", "\"sizes\":[9,0]"), ("\"offset\":42", "\"offset\":true"),
      ("\"offsetInMinutes\":0", "\"offsetInMinutes\":-9223372036854775808"),
      ("\"dayTimes\":{\"7", "\"dayTimes\":{\"6"), ("\"days\":[0,", "\"days\":[9999999,"),
      ("\"day\":7", "\"day\":-7"), ("[0,\"Safari\",2,18]", "[9,\"Safari\",2,18]"),
      ("[0,\"Safari\",2,18]", "[0,\"Safari\",2,256]"), ("\"emptyLine\":1", "\"oddLine\":1"),
      ("\"length\":7", "\"length\":-7"), ("\"lineTooLong\":1", "\"lineTooLong\":2"),
    ]
    for (old, new) in changes {
      let text = String(decoding: payload, as: UTF8.self).replacing(old, with: new)
      let changed = Array(text.utf8)
      #expect(changed != payload, "\(old)")
      #expect(DigestSummary.read(changed, count: changed.count) == nil, "\(new)")
    }
  }

  /// A block must not expand a thousandfold, unless it is small.
  @Test(arguments: [(1 << 24, true), (1 << 24 + 1, false)])
  func blocksThatExpandTooFarAreDamaged(count: Int, isRead: Bool) throws {
    let payload = [UInt8](repeating: 0, count: count)
    let block = try DigestBlock.block(.summary, payload)
    var output: [UInt8] = []
    let opened = DigestBlock.open(block.span, .summary, into: &output)
    #expect((opened == count) == isRead)
  }
}
