import TestSupport
import Testing

@testable import Foundations
@testable import TrafficDigest

@Suite struct DimensionTests {
  @Test func everyDayFollowsTheOneBefore() throws {
    var previous = try #require(Day(year: 0, month: 1, day: 1))
    #expect(previous.number > 0)
    for year in 0...9999 {
      for month in 1...12 {
        for dayOfMonth in 1...31 {
          guard let day = Day(year: year, month: month, day: dayOfMonth) else { continue }
          let follows = day.number == previous.number + 1 || day == previous
          if !follows || day.components != (year, month, dayOfMonth) {
            Issue.record("\(year)-\(month)-\(dayOfMonth) is \(day), after \(previous)")
            return
          }
          previous = day
        }
      }
    }
    #expect(Day(year: 1970, month: 1, day: 1)?.daysSince1970 == 0)
    #expect(Day(year: 2000, month: 3, day: 1)?.daysSince1970 == 11_017)
  }

  @Test(arguments: [(2026, 2, 29), (1900, 2, 29), (2026, 13, 1), (2026, 4, 31), (2026, 1, 0)])
  func thereIsNoSuchDay(year: Int, month: Int, day: Int) {
    #expect(Day(year: year, month: month, day: day) == nil)
  }

  /// A time, and notations of it between bars.
  static let notations = rows(
    """
    2000-10-10T13:55:36+00:00 => 10/Oct/2000:13:55:36 | 10/Oct/2000:13:55:36.123
    2000-10-10T13:55:36+00:00 => 2000-10-10 13:55:36 | 2000/10/10 13:55:36 | 2000-10-10T13:55:36Z
    2000-10-10T13:55:36+00:00 => 10-Oct-2000 13:55:36 | 2000-10-10T01:55:36.5PM
    2000-10-10T13:55:36+00:00 => 2000-10-10 13:55:36 PM | 10/Oct/2000 13:55:36
    2000-10-10T13:55:36+00:00 => Tue, 10 Oct 2000 13:55:36 GMT
    2000-10-10T13:55:36-07:00 => 10/Oct/2000:13:55:36 -0700 | 10/Oct/2000 13:55:36 -0700
    2000-10-10T13:55:36+02:00 => 2000-10-10T13:55:36.5+02:00 | 2000-10-10T13:55:36+0200
    2000-10-10T13:55:36+02:00 => 10 Oct 2000 13:55:36 +0200
    1970-01-01T00:00:00+00:00 => 01/Jan/1970:00:00:00 +0000
    1969-12-31T23:59:59+00:00 => 31/Dec/1969:23:59:59 +0000
    2024-02-29T00:30:00+05:30 => 29/Feb/2024:00:30:00 +0530
    2015-06-30T23:59:59+00:00 => 30/Jun/2015:23:59:60 +0000
    2000-10-10T00:00:00+00:00 => 2000-10-10
    2001-03-20T07:55:20+00:00 => 03/20/01 7:55:20 | 20/03/2001 7:55:20 | 20-03-2001 7:55:20
    2001-03-03T07:55:20+00:00 => 3/3/2001 7:55:20
    2000-06-03T13:55:36+00:00 => 03.06.2000 13:55:36 | 3.6.2000 13:55:36
    2001-03-20T19:55:20+00:00 => 03/20/2001 7:55:20 PM
    2001-03-20T00:55:20+00:00 => 03/20/2001 12:55:20 AM
    2001-03-20T12:55:20+01:00 => 03/20/2001 12:55:20 pm +0100
    2000-10-10T01:55:36+00:00 => 2000-10-10 01:55:36 PMT
    2026-06-08T06:26:40+00:00 => 1.7809e9
    2026-06-03T12:00:00+00:00 => 1.780488e+12 | 1.780488E09 | 1.780488e+18
    2026-06-03T12:02:03+00:00 => 1.780488123456e+09
    2000-10-10T20:55:36+00:00 => 971211336 | 971211336.123 | 971211336123
    2024-04-10T23:00:00+00:00 => 1712790000100000 | 1712790000100000000
    """)

  @Test(arguments: notations) func times(time: String, notations: String) {
    for text in notations.split(separator: " | ") {
      let read = LogTime(reading: Array(text.utf8))
      #expect(read?.description == time, "\(text)")
      #expect(read?.day.description == String(time.prefix(10)), "\(text)")
    }
  }

  @Test(arguments: [
    "", "x", "-", "10/Foo/2000:13:55:36 -0700", "10/Okt/2000:13:55:36 -0700",
    "32/Oct/2000:13:55:36 -0700", "10/Oct/2000:24:00:00 +0000", "10/Oct/2000:13:55:36 +2401",
    "10/Oct/2000:13:55:36 -9959", "9/1/2001 7:55:20", "10/06/2001 07:55:20", "13/13/2001 07:55:20",
    "10-Oct/2000 13:55:36", "03.13.2000 13:55:36", "09-01-2001 7:55:20", "20-03-01 7:55:20",
    "20/03-2001 7:55:20", "1.780488e+21", "1.780488e-09", "0.780488e+09", "1.780488e+",
    "1.780488e9x", "17.80488e8", "9//2001 7:55:20", "Tue, 10 Okt 2000 13:55:36 GMT", "///////// ",
    "13:55:36", "2000-13-10T13:55:36Z", "2000-10-10T25:55:36Z", "99999999999999999999999999",
    "2000-10-10Tx",
  ])
  func notTimes(text: String) { #expect(LogTime(reading: Array(text.utf8)) == nil) }

  @Test(arguments: Platform.allCases, Referral.allCases)
  func dimensionsSurvivePacking(platform: Platform, referral: Referral) {
    for (isGet, status, day) in [
      (true, 0, nil), (false, 999, Day(year: 9999, month: 12, day: 31)),
      (true, 404, Day(year: 0, month: 1, day: 1)),
    ] as [(Bool, UInt16, Day?)] {
      for referrer in ReferrerKind.allCases {
        for age in SystemAge.allCases {
          let dimensions = Dimensions(
            day: Dimensions.bits(day), platform: platform, referral: referral, isGet: isGet,
            status: status, referrer: referrer, systemAge: age, isSubresource: !isGet)
          #expect(dimensions.isPlausible && dimensions.day == day && dimensions.status == status)
          #expect(dimensions.platform == platform && dimensions.referral == referral)
          #expect(dimensions.isGet == isGet && dimensions.isSubresource == !isGet)
          #expect(dimensions.referrer == referrer && dimensions.systemAge == age)
        }
      }
    }
  }

  @Test(arguments: [
    ("/", "/"), ("/buy/42", "/buy/{n}"), ("/buy/42/", "/buy/{n}/"), ("/a/0b1c2d3e", "/a/{hex}"),
    ("/a/deadbeef", "/a/deadbeef"), ("/a/0b1c2d3", "/a/0b1c2d3"), ("//1//", "//{n}//"),
    ("/123E4567-e89b-12d3-a456-426614174000/x", "/{uuid}/x"), ("/12345678", "/{n}"),
    ("/123E4567-e89b-12d3-a456-42661417400g", "/123E4567-e89b-12d3-a456-42661417400g"),
    ("/facade/feedface/DECADE/defaced", "/facade/feedface/DECADE/defaced"),
    ("/decade-of-bad-cafe", "/decade-of-bad-cafe"),
    ("/effaced-bee/deedface", "/effaced-bee/deedface"),
    ("/{n}", "/%7Bn%7D"), ("/a.1", "/a.1"), ("/caf%C3%A9/7", "/caf%C3%A9/{n}"), ("1", "{n}"),
  ])
  func templates(path: String, template: String) {
    var output: [UInt8] = []
    PathTemplate.append(folding: Array(path.utf8).span, to: &output)
    #expect(String(decoding: output, as: UTF8.self) == template)
  }

  @Test func templatesAreBounded() {
    var output: [UInt8] = []
    let path = Array(String(repeating: "/a", count: 100_000).utf8)
    PathTemplate.append(folding: path.span, to: &output)
    #expect(output.count < 200 && String(decoding: output, as: UTF8.self).hasSuffix("/{*}"))
  }

  /// The scanner reads each byte once; both implementations must agree.
  @Test func theScannerAgreesWithPathTemplate() {
    var generator = SeededGenerator()
    let pieces = [
      "/", "//", "a", "g", "7", "42", "-", "?", "#", "{", "}", "{n}", "\\", " ", "0b1c2d3e", "é",
      "%41", "123E4567-e89b-12d3-a456-426614174000", "deadbeef", String(repeating: "/x", count: 63),
    ]
    let scanner = TemplateScanner()
    var buffer: [UInt8] = []
    for _ in 0..<20_000 {
      let path = Array(generator.text(of: pieces, 0...6).utf8)
      let text = path.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
      var template: [UInt8] = []
      PathTemplate.append(folding: Array(text).span, to: &template)
      let start = Int.random(in: 0...3, using: &generator)
      let padded = Array(repeating: UInt8(ascii: "?"), count: start) + path
      if let folded = scanner.fold(padded.span, from: start, into: &buffer) {
        #expect(
          buffer[..<folded.count] == template[...] && folded.end == start + text.count, "\(path)")
      } else {
        let isRare = text.contains { "{}\\ ".utf8.contains($0) }
        let slashes = text.count { $0 == UInt8(ascii: "/") }
        #expect(isRare || slashes > PathTemplate.segmentLimit, "\(path)")
      }

      guard let end = scanner.endOfTemplate(in: path.span, from: 0) else { continue }
      #expect(end == text.count && template == Array(text), "\(path)")
    }
  }
}

@Suite struct TimeSpanTests {
  /// 2026-11-19T12:00:00Z.
  static let now = 1_795_089_600

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
    let moment = try #require(LogTime(reading: Array(time.utf8)))
    #expect(span.contains(moment) == isContained)
    #expect(span.contains(nil) == span.isUnlimited)
  }

  @Test(arguments: [
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
