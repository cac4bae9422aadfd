import AccessLogs
import TestSupport
import Testing

@testable import Foundations
@testable import TrafficDigest

/// Counts by day, and digests that are split by day.
@Suite struct DailyTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  struct Split {
    var files: [Day?: [UInt8]] = [:]
    var days: [Day?] = []

    init(_ digest: TrafficDigest, _ folder: TemporaryFolder, jobs: Int, atATime: Int = 256) throws {
      var files: [Day?: [UInt8]] = [:]
      days = try digest.writeByDay(
        jobs: jobs, temporaryDirectory: folder.path, daysAtATime: atATime
      ) { day, bytes in files[day, default: []] += bytes }
      self.files = files
    }

    func opened() throws -> [DigestFile] {
      try days.map { day in
        try DigestFile(bytes: files[day] ?? [], name: day.map { "\($0)" } ?? "undated")
      }
    }
  }

  @Test func filesOfDaysDependOnTheirRequestsAlone() throws {
    var generator = SeededGenerator()
    let lines = RandomLog.lines(6_000, host: true).map { $0 + "\n" }
    func digest(of lines: [String], logs: Int, jobs: Int, memory: Int) throws -> TrafficDigest {
      var groups = Array(repeating: "", count: logs)
      for line in lines { groups[Int.random(in: 0..<logs, using: &generator)] += line }
      let inputs = try groups.enumerated().map { number, text in
        LogInput(path: try folder.write(text.utf8, to: "\(logs).\(jobs).\(number).log"))
      }
      return try TrafficDigest.reduce(inputs, folder, jobs: jobs, memory: memory)
    }
    let one = try digest(of: lines, logs: 1, jobs: 1, memory: 1 << 30)
    let expected = try Split(one, folder, jobs: 1)
    #expect(
      expected.days.map(\.?.description) == [nil, "2026-06-01", "2026-06-02", "2026-06-03"])
    for (logs, jobs, memory, atATime) in [
      (2, 1, 0, 256), (5, 2, 1 << 16, 1), (9, 3, 1 << 30, 2), (1, 7, 0, 3),
    ] {
      let split = try Split(
        digest(of: lines, logs: logs, jobs: jobs, memory: memory), folder, jobs: jobs,
        atATime: atATime)
      #expect(split.files == expected.files, "logs: \(logs)")
      #expect(split.days == expected.days, "logs: \(logs)")
    }

    // In steps: the days of half of the lines, and the rest.
    let cut = Int.random(in: 0...lines.count, using: &generator)
    let first = try digest(of: Array(lines[..<cut]), logs: 2, jobs: 2, memory: 0)
    let second = try digest(of: Array(lines[cut...]), logs: 3, jobs: 1, memory: 1 << 30)
    let both = try second.adding(
      Split(first, folder, jobs: 2).opened(), jobs: 2, temporaryDirectory: folder.path)
    #expect(try Split(both, folder, jobs: 1).files == expected.files)
    // All days together, and each alone, give the same files again.
    let files = try expected.opened()
    let all = try TrafficDigest.reading(files, folder)
    #expect(try Split(all, folder, jobs: 2).files == expected.files)
    for file in files {
      let split = try Split(.reading([file], folder), folder, jobs: 1)
      #expect(split.days.count == 1)
      for (day, bytes) in split.files { #expect(expected.files[day] == bytes) }
    }

    // The days add up to the total.
    #expect(try all.counts() == one.counts())
    #expect(all.clients == one.clients && all.fetches == one.fetches)
  }

  /// If there are too many days to write at a time, they go through temporary files.
  @Test(arguments: [256, 40]) func daysWithoutNumberAreWrittenInGroups(atATime: Int) throws {
    var generator = SeededGenerator()
    let months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(separator: " ")
    let lines = (0..<900).map { _ in
      let day = Int.random(in: 10...28, using: &generator)
      let month = months[Int.random(in: 0..<12, using: &generator)]
      let year = Int.random(in: 1970...2199, using: &generator)
      return logLine(
        "/\(Int.random(in: 0..<90, using: &generator))", host: "www.example.com",
        at: "\(day)/\(month)/\(year):10:00:00 +0000",
        from: "https://www.example.com/\(Int.random(in: 0..<9, using: &generator))",
        agent: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Safari/604.1")
    }
    let path = try folder.write(lines.joined().utf8, to: "log")
    let digest = try TrafficDigest.reduce([LogInput(path: path)], folder, jobs: 2)
    let expected = try Split(digest, folder, jobs: 1, atATime: 100_000)
    #expect(expected.days.count > 700)
    let split = try Split(digest, folder, jobs: 2, atATime: atATime)
    #expect(split.days == expected.days)
    #expect(split.files == expected.files)
  }

  @Test func aFileOfADayHoldsThatDayAlone() throws {
    let inputs = try DigestFileTests.logs(3, lines: 900, in: folder)
    let digest = try TrafficDigest.reduce(inputs, folder, jobs: 2)
    let split = try Split(digest, folder, jobs: 2)
    let records = try digest.records()
    for (day, file) in zip(split.days, try split.opened()) {
      let own = records.filter { $0.dimensions.day == day }
      let read = try TrafficDigest.reading([file], folder)
      #expect(try read.records() == own)
      try file.verify()
      let requests = own.reduce(0) { $0 + $1.requests }
      #expect(file.days == [day].compactMap { $0 })
      #expect(file.hasUndatedRequests == (day == nil))
      let input = try #require(file.inputs.first)
      #expect(file.inputs.count == 1 && input.path == day?.description ?? "undated")
      var tally = LineTally()
      (tally.lines, tally.requests) = (requests, requests)
      #expect(input.tally == tally)
      #expect(input.fingerprint != nil && input.format == nil && read.rejections.isEmpty)
      #expect(input.times == file.times && (file.times == nil) == (day == nil))
      #expect(read.clients.reduce(0) { $0 + $1.requests } == requests)
      if let times = file.times {
        #expect(times.lowerBound.day == day && times.upperBound.day == day)
      }
    }
    var times: ClosedRange<LogTime>?
    for file in try split.opened() { times.widen(to: file.times) }
    #expect(digest.times == times)
  }

  @Test func nothingIsWrittenOfNothing() throws {
    #expect(try Split(.empty, TemporaryFolder(), jobs: 2).days.isEmpty)
  }

  @Test func daysInAnyOrderAreCounted() throws {
    var generator = SeededGenerator(seed: 7)
    var expected: [String: Int] = [:]
    var text = ""
    for _ in 0..<5_000 {
      let number = Int.random(in: 1...28, using: &generator)
      let agent = generator.pick(["AASA-Bot/1.0.0", "curl/8", "-"])
      let day = number < 10 ? "0\(number)" : "\(number)"
      let isDated = Bool.random(using: &generator)
      text += logLine(
        TrafficDigest.Fetch.wellKnownPath, host: "h",
        at: isDated ? "\(day)/Jun/2026:10:00:00 +0200" : "-", agent: agent)
      expected["\(isDated ? "2026-06-\(day)" : "undated") \(agent)", default: 0] += 1
    }
    let input = LogInput(path: try folder.write(text.utf8, to: "log"))
    let digest = try TrafficDigest.reduce([input], folder)
    let names = ["AASA-Bot": "AASA-Bot/1.0.0", "curl": "curl/8", "no user agent": "-"]
    for daily in digest.dailyClients {
      let day = daily.day.map { "\($0)" } ?? "undated"
      for count in daily.counts {
        #expect(expected["\(day) \(names[count.client.name] ?? "")"] == count.requests)
      }
    }
    for daily in digest.dailyFetches {
      let day = daily.day.map { "\($0)" } ?? "undated"
      let others = (expected["\(day) curl/8"] ?? 0) + (expected["\(day) -"] ?? 0)
      #expect(daily.counts.map(\.fetcher) == [.cdn, .other])
      #expect(daily.counts.map(\.requests) == [expected["\(day) AASA-Bot/1.0.0"] ?? 0, others])
      for count in daily.counts {
        #expect(count.last?.day == daily.day && count.first?.day == daily.day)
        #expect(count.sizes == 5...5)
      }
    }
    #expect(digest.clients.reduce(0) { $0 + $1.requests } == 5_000)
    #expect(digest.dailyClients.count == 29 && digest.dailyFetches.count == 29)
  }

  @Test func inputsCanBeKeptElsewhere() throws {
    let inputs = try DigestFileTests.logs(2, lines: 200, seed: 5, in: folder)
    // Files of days don't show whether the host is right.
    var options = DigestFileTests.options(folder)
    options.isHostConfirmed = true
    let digest = try TrafficDigest.reduce(inputs, options: options)
    #expect(digest.referringHosts.isEmpty)
    let days = try TrafficDigest.reading(Split(digest, folder, jobs: 1).opened(), folder)
    let restored = days.replacingInputs(
      digest.inputs.reversed(), rejections: digest.rejections, rejectedLines: digest.rejectedLines)
    #expect(restored.ownSummary == digest.ownSummary)
    #expect(try restored.bytes(folder) == digest.bytes(folder))
  }

  /// A day counts once, however often it is named; different days with the same name both count.
  @Test func daysAreSelectedAsLogsAre() throws {
    func digest(lines: Int, seed: UInt64) throws -> TrafficDigest {
      try .reduce(DigestFileTests.logs(1, lines: lines, seed: seed, in: folder), folder)
    }
    let days = try Split(digest(lines: 300, seed: 5), folder, jobs: 1).opened()
    let all = try TrafficDigest.reading(days, folder).written(to: "all", folder)
    let once = try DigestSelection([all] + days, in: TimeSpan())
    #expect(once.files.map(\.path) == [all.path] && once.repeated.count == days.count)
    let more = try Split(digest(lines: 200, seed: 6), folder, jobs: 1).opened()
    #expect(try DigestSelection(days + more, in: TimeSpan()).files.count == 8)
    let span = TimeSpan(
      since: TimeBound("2026-06-02", now: 0, isEnd: false),
      until: TimeBound("2026-06-02", now: 0, isEnd: true))
    let selection = try DigestSelection(days, in: span)
    #expect(selection.files.map(\.path) == ["2026-06-02"] && selection.outside.count == 3)
  }
}
