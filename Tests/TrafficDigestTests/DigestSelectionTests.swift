import AccessLogs
import TestSupport
import Testing

@testable import TrafficDigest

@Suite struct DigestSelectionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func digests(_ groups: [[Int]], host: String = "www.example.com") throws -> [DigestFile] {
    let inputs = try DigestFileTests.logs(4, lines: 50, seed: 1, in: folder)
    return try groups.enumerated().map { number, group in
      var options = DigestFileTests.options(folder)
      if number > 0 { options.defaultHost = host }
      let digest = try TrafficDigest.reduce(group.map { inputs[$0] }, options: options)
      return try digest.written(to: "\(number).digest", folder)
    }
  }

  @Test func eachInputCountsOnce() throws {
    let files = try digests([[0, 1], [2], [0, 1], [1], [3]])
    let selection = try DigestSelection(files.reversed(), in: TimeSpan())
    #expect(selection.files.map { $0.path.suffix(8) } == ["0.digest", "1.digest", "4.digest"])
    #expect(selection.repeated.map { $0.path.suffix(8) } == ["2.digest", "3.digest"])
    #expect(selection.repeated.allSatisfy { $0.other.hasSuffix("0.digest") })
  }

  @Test func digestsThatOverlapAreRefused() throws {
    let files = try digests([[0, 1], [1, 2]])
    let conflict = #expect(throws: DigestSelection.Conflict.self) {
      try DigestSelection(files, in: TimeSpan())
    }
    if case .sharedInput(let input, let first, let second) = conflict {
      #expect(input.hasSuffix("1.log") && first != second)
    } else {
      Issue.record("\(String(describing: conflict))")
    }
  }

  /// The same log, read differently, counts as another one.
  @Test func anInputThatWasReadOtherwiseIsRefused() throws {
    let files = try digests([[0, 1], [0]], host: "m.example.com")
    #expect(throws: DigestSelection.Conflict.self) { try DigestSelection(files, in: TimeSpan()) }
  }

  @Test func aLogThatIsInADigestIsFound() throws {
    let files = try digests([[0, 1]])
    let selection = try DigestSelection(files, in: TimeSpan())
    let inputs = try DigestFileTests.logs(4, lines: 50, seed: 1, in: folder)
    let other = try TrafficDigest.reduce([inputs[2]], folder)
    let same = try TrafficDigest.reduce([inputs[1], inputs[2]], folder)
    #expect(selection.conflict(with: other) == nil)
    let path = inputs[1].path
    #expect(
      selection.conflict(with: same)
        == .sharedInput(input: path, first: files[0].path, second: path))
  }

  /// A digest of requests at some times is inside a span, outside, or neither; reading the log
  /// gives the same answer.
  @Test func aSpanOfTimeTakesDigestsWhole() throws {
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
      let lines = times.map { logLine(host: "h", at: $0) }
      let input = LogInput(path: try folder.write(lines.joined().utf8, to: "log"))
      let file = try TrafficDigest.reduce([input], folder).written(to: "\(number)", folder)
      for since in bounds {
        for until in bounds {
          let span = TimeSpan(
            since: since.flatMap { TimeBound($0, now: now, isEnd: false) },
            until: until.flatMap { TimeBound($0, now: now, isEnd: true) })
          var options = DigestFileTests.options(folder)
          options.timeSpan = span
          let tally = try TrafficDigest.reduce([input], options: options).tally
          let name: Comment = "\(times) since \(since ?? "") until \(until ?? "")"
          switch file.position(in: span) {
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
