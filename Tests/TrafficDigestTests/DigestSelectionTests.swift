import AccessLogs
import TestSupport
import Testing

@testable import TrafficDigest

@Suite struct DigestSelectionTests {
  /// Digests of some logs each.
  private static func digests(
    _ groups: [[Int]], in folder: TemporaryFolder, host: String = "www.example.com"
  ) throws -> [DigestFile] {
    let inputs = try DigestFileTests.logs(4, lines: 50, seed: 1, in: folder)
    return try groups.enumerated().map { number, group in
      var options = DigestFileTests.options(folder)
      options.defaultHost = number == 0 ? "www.example.com" : host
      let digest = try TrafficDigest.reduce(group.map { inputs[$0] }, options: options)
      return try DigestFileTests.write(digest, to: "\(number).digest", folder)
    }
  }

  private static func names(_ files: [DigestFile]) -> [String] {
    files.map { String($0.path.suffix(8)) }
  }

  @Test func eachInputCountsOnce() throws {
    let folder = try TemporaryFolder()
    let files = try Self.digests([[0, 1], [2], [0, 1], [1], [3]], in: folder)
    let selection = try DigestSelection(files.reversed(), in: TimeSpan())
    #expect(Self.names(selection.files) == ["0.digest", "1.digest", "4.digest"])
    #expect(selection.repeated.map { String($0.path.suffix(8)) } == ["2.digest", "3.digest"])
    #expect(selection.repeated.allSatisfy { $0.other.hasSuffix("0.digest") })
  }

  @Test func digestsThatOverlapAreRefused() throws {
    let folder = try TemporaryFolder()
    let files = try Self.digests([[0, 1], [1, 2]], in: folder)
    let conflict = #expect(throws: DigestSelection.Conflict.self) {
      try DigestSelection(files, in: TimeSpan())
    }
    guard case .sharedInput(let input, let first, let second) = conflict else {
      Issue.record("\(String(describing: conflict))")
      return
    }
    #expect(input.hasSuffix("1.log") && first != second)
  }

  /// The same log, read differently, counts as another one.
  @Test func anInputThatWasReadOtherwiseIsRefused() throws {
    let folder = try TemporaryFolder()
    let files = try Self.digests([[0, 1], [0]], in: folder, host: "m.example.com")
    #expect(throws: DigestSelection.Conflict.self) { try DigestSelection(files, in: TimeSpan()) }
  }

  @Test func aLogThatIsInADigestIsFound() throws {
    let folder = try TemporaryFolder()
    let files = try Self.digests([[0, 1]], in: folder)
    let selection = try DigestSelection(files, in: TimeSpan())
    let inputs = try DigestFileTests.logs(4, lines: 50, seed: 1, in: folder)
    let options = DigestFileTests.options(folder)
    let other = try TrafficDigest.reduce([inputs[2]], options: options)
    let same = try TrafficDigest.reduce([inputs[1], inputs[2]], options: options)
    #expect(selection.conflict(with: other) == nil)
    #expect(
      selection.conflict(with: same)
        == .sharedInput(
          input: inputs[1].path, first: files[0].path, second: inputs[1].path))
  }

  /// A digest of requests at some times is inside a span, outside, or neither; reading the log
  /// gives the same answer.
  @Test func aSpanOfTimeTakesDigestsWhole() throws {
    let folder = try TemporaryFolder()
    let times = [
      ["02/Jun/2026:00:00:00 +0200", "02/Jun/2026:23:59:59 +0200"],
      ["02/Jun/2026:10:00:00 +0200", "03/Jun/2026:01:00:00 +0200"], ["x"],
      ["02/Jun/2026:10:00:00 +0200", "x"], [],
      ["02/Jun/2026:23:59:59 +0100", "02/Jun/2026:00:00:00 +0300"],
    ]
    let bounds = [
      nil, "2026-06-01", "2026-06-02", "2026-06-03", "2026-06-02T09:00", "2026-06-02T12:00",
      "2026-06-02T00:00:00+02:00", "2026-06-02T20:59:59Z", "2026-06-02T23:59:59Z", "1d", "0d",
    ]
    let now = 1_780_400_000  // 2026-06-02T11:33:20Z
    for (number, times) in times.enumerated() {
      let lines = times.map { "h 192.0.2.1 - - [\($0)] \"GET / HTTP/1.1\" 200 5 \"-\" \"-\"\n" }
      let path = try folder.write(lines.joined().utf8, to: "log")
      let input = LogInput(path: path)
      let digest = try TrafficDigest.reduce([input], options: DigestFileTests.options(folder))
      let file = try DigestFileTests.write(digest, to: "\(number).digest", folder)
      for since in bounds {
        for until in bounds {
          let span = TimeSpan(
            since: since.flatMap { TimeBound($0, now: now, isEnd: false) },
            until: until.flatMap { TimeBound($0, now: now, isEnd: true) })
          var options = DigestFileTests.options(folder)
          options.timeSpan = span
          let tally = try TrafficDigest.reduce([input], options: options).tally
          let position = file.position(in: span)
          let name: Comment = "\(times) since \(since ?? "") until \(until ?? "")"
          switch position {
          case .inside: #expect(tally.outside == 0, name)
          case .outside: #expect(tally.requests == 0, name)
          // On the log's clock, only days are known.
          case .cut:
            #expect(tally.outside > 0 || "\(since ?? "")\(until ?? "")".contains("T"), name)
          }
        }
      }
    }
  }
}
