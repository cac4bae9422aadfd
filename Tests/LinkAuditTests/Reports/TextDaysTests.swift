import Testing
import TrafficDigest
import UniversalLinks

@testable import Foundations
@testable import LinkAuditCommand
@testable import LinkAuditing
@testable import Reporting

/// Trends in a text report.
@Suite struct TextDaysTests {
  /// The lines about a site with the same traffic on each of some days.
  static func lines(
    _ days: [Day], visits: Int = 10, versions: [SiteVersion] = []
  ) -> [String] {
    var site = SiteAudit(host: "www.example.com")
    site.versions = versions
    site.days = days.map { day in
      DayTraffic(
        day: day,
        verdicts: [
          .claimed: Traffic(requests: 8, visits: visits * 4 / 10),
          .unclaimed: Traffic(requests: 12, visits: visits * 6 / 10),
        ], referrals: [.sameHost: Traffic(requests: 2, visits: visits / 10)])
    }
    for day in site.days { site.verdicts.merge(day.verdicts, uniquingKeysWith: +) }
    return TextDays(site: site, style: Style(isTerminal: false)).lines()
  }

  static func days(_ count: Int, from first: Int = 20_600) -> [Day] {
    (0..<count).map { Day(daysSince1970: first + $0) }
  }

  @Test(arguments: [
    (4, "day", 4), (14, "day", 14), (15, "week", 3), (90, "week", 14), (120, "month", 5),
    (365, "month", 13), (500, "quarter", 7), (1_200, "quarter", 14), (1_300, "year", 4),
  ])
  func spansGrowWithTheTime(count: Int, unit: String, rows: Int) {
    let lines = Self.lines(Self.days(count))
    #expect(lines[1] == "Visits by \(unit)")
    // The title, its empty line, the heading, and the note.
    #expect(lines.count == rows + 4)
    for line in lines { #expect(line.count <= 80) }
    // Weekend days outside the span don't count.
    for line in lines[3..<(3 + rows)] {
      #expect(
        line.split(separator: " ").suffix(5) == ["10", "40.0%", "0.0%", "60.0%", "25.0%"], "\(line)"
      )
    }
  }

  @Test func fewDaysHaveNoTrend() {
    #expect(Self.lines(Self.days(3)).isEmpty)
    #expect(Self.lines([]).isEmpty)
  }

  @Test func withoutVisitsRequestsCount() {
    let lines = Self.lines(Self.days(5), visits: 0)
    #expect(lines[1] == "Requests by day")
    #expect(lines[3].hasSuffix("20    40.0%      0.0%      60.0%      25.0%"))
  }

  /// Weeks begin on Mondays; those without traffic have no row.
  @Test func weeksBeginOnMondays() throws {
    let days = try [(1, 5), (1, 11), (1, 12), (2, 2), (2, 20)].map {
      try #require(Day(year: 2026, month: $0.0, day: $0.1))
    }
    let names = Self.lines(days + Self.days(10, from: days[4].daysSince1970 + 1))
      .dropFirst(3).dropLast().map { $0.split(separator: " ").first ?? "" }
    #expect(
      names == ["2026-01-05", "2026-01-12", "2026-02-02", "2026-02-16", "2026-02-23", "2026-03-02"])
  }

  /// A report is readable even for dates without visits.
  @Test func farDatesAreFewRows() throws {
    let days = (0..<60).map { Day(daysSince1970: -700_000 + $0 * 50_000) }
    let lines = Self.lines(days)
    #expect(lines[1] == "Visits by year")
    #expect(lines.count == 14 + 5)
    #expect(lines[17] == "  … after 46 earlier ones")
  }

  @Test func changesOfRulesAreMarked() {
    let days = Self.days(90)
    let versions = [
      SiteVersion(number: 0, last: days[49], filePath: "old.json"),
      SiteVersion(number: 1, first: days[50], filePath: "new.json\u{1B}"),
    ]
    let lines = Self.lines(days, versions: versions)
    #expect(lines.count { $0.contains(" * ") } == 2)
    #expect(
      lines.last == "  * The rules changed: version 1, since \(days[50]): new.json\\u{1B}")
    #expect(lines.allSatisfy { $0.count <= 80 })
  }
}
