import AccessLogs
import TestSupport
import Testing

@testable import Foundations
@testable import TrafficDigest

/// Numeric dates have the order that the complete log shows.
@Suite struct DateOrderTests {
  @Test(
    arguments: [
      ("10/06/2026 12:00:00", .dayFirst, "2026-06-10T12:00:00+00:00"),
      ("10/06/2026 12:00:00", .monthFirst, "2026-10-06T12:00:00+00:00"),
      ("1/2/26 7:00:00", .dayFirst, "2026-02-01T07:00:00+00:00"),
      ("10/06/2026:12:00:00 +0200", .dayFirst, "2026-06-10T12:00:00+02:00"),
      // The numbers themselves show the order.
      ("30/06/2026 12:00:00", .monthFirst, "2026-06-30T12:00:00+00:00"),
      ("06/30/2026 12:00:00", .dayFirst, "2026-06-30T12:00:00+00:00"),
      ("10/06/2026 12:00:00", nil, nil), ("6/6/2026 12:00:00", nil, "2026-06-06T12:00:00+00:00"),
    ] as [(String, DateOrder?, String?)])
  func ordersAreKept(text: String, order: DateOrder?, expected: String?) {
    #expect(LogTime(Array(text.utf8).span, order: order)?.description == expected)
  }

  static func line(_ day: String, _ number: Int) -> String {
    "192.0.2.1 - - [\(day) 12:00:00] \"GET /\(number) HTTP/1.1\" 200 5 \"-\" \"x\""
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

  /// Each of two logs has its own order.
  @Test func logsDifferInTheirOrder() throws {
    let files = [["10/06/2026", "13/06/2026"], ["10/06/2026", "06/13/2026"], ["10/06/2026"]]
    let digest = try ReductionTests.reduce(files.map { $0.map { Self.line($0, 1) } })
    #expect(
      digest.inputs.map { $0.times?.lowerBound.day.description } == [
        "2026-06-10", "2026-06-13", nil,
      ])
  }
}
