import Testing

@testable import Foundations
@testable import TrafficDigest

@Suite struct TimeSpanTests {
  /// 2026-11-19T12:00:00Z.
  static let now = 1_795_089_600

  @Test(
    arguments: [
      ("10/Oct/2000:13:55:36 -0700", "2000-10-10T13:55:36-07:00"),
      ("10/Oct/2000:13:55:36.123", "2000-10-10T13:55:36+00:00"),
      ("2000-10-10T13:55:36.5+02:00", "2000-10-10T13:55:36+02:00"),
      ("2000-10-10T13:55:36+0200", "2000-10-10T13:55:36+02:00"),
      ("2000-10-10 13:55:36", "2000-10-10T13:55:36+00:00"),
      ("2000/10/10 13:55:36", "2000-10-10T13:55:36+00:00"),
      ("2000-10-10T13:55:36Z", "2000-10-10T13:55:36+00:00"),
      ("2000-10-10", "2000-10-10T00:00:00+00:00"),
      ("03/20/01 7:55:20", "2001-03-20T07:55:20+00:00"),
      ("20/03/2001 7:55:20", "2001-03-20T07:55:20+00:00"),
      ("3/3/2001 7:55:20", "2001-03-03T07:55:20+00:00"),
      ("9/1/2001 7:55:20", nil), ("10/06/2001 07:55:20", nil), ("13/13/2001 07:55:20", nil),
      ("10/Oct/2000 13:55:36", "2000-10-10T13:55:36+00:00"),
      ("10/Oct/2000 13:55:36 -0700", "2000-10-10T13:55:36-07:00"),
      ("1.7809e9", "2026-06-08T06:26:40+00:00"), ("1.780488e+12", "2026-06-03T12:00:00+00:00"),
      ("1.780488E09", "2026-06-03T12:00:00+00:00"),
      ("1.780488123456e+09", "2026-06-03T12:02:03+00:00"),
      ("1.780488e+18", "2026-06-03T12:00:00+00:00"), ("1.780488e+21", nil), ("1.780488e-09", nil),
      ("0.780488e+09", nil), ("1.780488e+", nil), ("1.780488e9x", nil), ("17.80488e8", nil),
      ("Tue, 10 Oct 2000 13:55:36 GMT", "2000-10-10T13:55:36+00:00"), ("9//2001 7:55:20", nil),
      ("Tue, 10 Okt 2000 13:55:36 GMT", nil), ("///////// ", nil),
      ("971211336", "2000-10-10T20:55:36+00:00"), ("971211336.123", "2000-10-10T20:55:36+00:00"),
      ("971211336123", "2000-10-10T20:55:36+00:00"),
      ("1712790000100000", "2024-04-10T23:00:00+00:00"),
      ("1712790000100000000", "2024-04-10T23:00:00+00:00"), ("", nil), ("-", nil),
      ("13:55:36", nil), ("10/Okt/2000:13:55:36 -0700", nil), ("2000-13-10T13:55:36Z", nil),
      ("2000-10-10T25:55:36Z", nil), ("99999999999999999999999999", nil), ("2000-10-10Tx", nil),
    ] as [(String, String?)])
  func times(text: String, expected: String?) {
    #expect(LogTime(reading: Array(text.utf8))?.description == expected)
  }

  /// A time in a log, by its clock.
  static func time(_ text: String) throws -> LogTime {
    try #require(LogTime(reading: Array(text.utf8)))
  }

  @Test(
    arguments: [
      ("2026-11-19", "2026-11-19", "2026-11-19T00:00:00+09:00", true),
      ("2026-11-19", "2026-11-19", "2026-11-19T23:59:59-09:00", true),
      ("2026-11-19", "2026-11-19", "2026-11-20T00:00:00+09:00", false),
      ("2026-11-19", "2026-11-19", "2026-11-18T23:59:59Z", false),
      ("2026-11-19T13:00", nil, "2026-11-19T13:00:00+05:00", true),
      ("2026-11-19T13:00", nil, "2026-11-19T12:59:59+05:00", false),
      ("2026-11-19T13:00:00+01:00", nil, "2026-11-19T12:00:00Z", true),
      ("2026-11-19T13:00:00+01:00", nil, "2026-11-19T11:59:59Z", false),
      (nil, "2026-11-19 13:00", "2026-11-19T13:00:59Z", true),
      (nil, "2026-11-19 13:00", "2026-11-19T13:01:00Z", false),
      (nil, "2026-11-19T13:00Z", "2026-11-19T14:00:59+01:00", true),
      ("yesterday", "yesterday", "2026-11-18T00:00:00Z", true),
      ("yesterday", "yesterday", "2026-11-18T23:59:59Z", true),
      ("yesterday", "yesterday", "2026-11-19T00:00:00Z", false),
      // It is the 20th already if the clock is 13 hours ahead.
      ("yesterday", "yesterday", "2026-11-19T00:00:00+13:00", true),
      ("today", nil, "2026-11-19T23:59:59+13:00", false),
      ("7d", nil, "2026-11-12T00:00:00Z", true), ("7d", nil, "2026-11-11T23:59:59Z", false),
      ("1w", nil, "2026-11-12T00:00:00Z", true), ("12h", nil, "2026-11-19T00:00:00Z", true),
      ("12h", nil, "2026-11-18T23:59:59Z", false), (nil, "now", "2026-11-19T12:00:00Z", true),
      (nil, "now", "2026-11-19T12:00:01Z", false), (nil, nil, "1970-01-01T00:00:00Z", true),
      ("10/Oct/2000:13:55:36 -0700", nil, "2000-10-10T20:55:36Z", true),
    ] as [(String?, String?, String, Bool)])
  func spans(since: String?, until: String?, time: String, isContained: Bool) throws {
    let span = TimeSpan(
      since: try since.map { try #require(TimeBound($0, now: Self.now, isEnd: false)) },
      until: try until.map { try #require(TimeBound($0, now: Self.now, isEnd: true)) })
    #expect(span.contains(try Self.time(time)) == isContained)
    #expect(span.contains(nil) == span.isUnlimited)
  }

  @Test(
    arguments: [
      "", "x", "3x", "-1d", "d", "2026-13-01", "2026-11-19T", "19.11.2026", "+7d", "1e3d",
      "2026-01-01T13:00:00garbage", "2026-01-01Z",
    ])
  func otherTextsAreNoTimes(text: String) {
    #expect(TimeBound(text, now: Self.now, isEnd: false) == nil)
  }

  @Test func emptySpans() throws {
    let since = try #require(TimeBound("2026-11-20", now: Self.now, isEnd: false))
    let until = try #require(TimeBound("2026-11-19", now: Self.now, isEnd: true))
    #expect(TimeSpan(since: since, until: until).isEmpty)
    #expect(!TimeSpan(since: since).isEmpty)
  }
}
