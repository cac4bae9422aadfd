import Testing
import TrafficDigest

@testable import Foundations
@testable import LinkAuditing
@testable import Reporting
@testable import UniversalLinks

/// The beginning of a text report: short, ordered, and suitable for a terminal.
@Suite struct StartTests {
  private static func start(_ audit: Audit, _ digest: TrafficDigest) -> [String] {
    Report(audit: audit, digest: digest, top: nil).document
      .text(isFull: false, top: 10, style: Style(isTerminal: false))
      .split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  @Test func oneSiteFits() throws {
    let (audit, digest) = try HistoryReportTests.audited()
    let lines = Self.start(audit, digest)
    #expect(lines.count <= TextWriter.startLimit)
    #expect(lines.contains { $0.hasPrefix("    Was ") && $0.hasSuffix(": worse") })
    #expect(lines.filter { $0.hasPrefix("    Next: linkaudit explain ") }.count == 3)
  }

  @Test func aThousandSitesFit() throws {
    var (audit, digest) = try HistoryReportTests.audited()
    let site = try #require(audit.sites.first)
    audit.sites = (0..<1_000).map { number in
      var copy = site
      copy.host = "\(number).\u{1B}[31m\(String(repeating: "long", count: 40)).example.com"
      return copy
    }
    for index in audit.findings.indices {
      audit.findings[index].host = audit.sites[index].host
      audit.findings[index].message += String(repeating: " \u{1B}[2Jwords", count: 400)
      audit.findings[index].remedy += String(repeating: " words", count: 400)
    }
    let lines = Self.start(audit, digest)
    #expect(lines.count <= TextWriter.startLimit)
    #expect(lines.contains("  … and 992 more sites"))
    #expect(lines.allSatisfy { $0.displayWidth <= 80 })
    #expect(!lines.joined().unicodeScalars.contains("\u{1B}"))
  }

  @Test func causesAreAPicture() throws {
    var (audit, digest) = try HistoryReportTests.audited(hasHistory: false)
    audit.sites[0].causes = Cause.allCases.enumerated().map { index, cause in
      CauseTraffic(cause: cause, traffic: Traffic(requests: 60 - index, visits: 30 - index))
    }
    let lines = Self.start(audit, digest)
    #expect(lines.count <= TextWriter.startLimit)
    #expect(lines.contains { $0.hasPrefix("  Why claimed visits stayed on the web  ") })
    #expect(lines.contains { $0.hasPrefix("  Links on the same host") && $0.contains(" 30 ") })
    #expect(lines.contains("  … and 8 more causes (--full)"))
    let page = Report(audit: audit, digest: digest, top: nil).document.html(top: nil)
    #expect(page.contains(">Why claimed visits stayed on the web</caption>"))
  }

  @Test func figuresThatAreDoubtfulComeFirst() {
    func finding(
      _ severity: Severity, host: String? = "www.example.com", toWin: Int? = nil, visits: Int = 0
    ) -> Finding {
      Finding(
        kind: DiagnosticCatalog.findings.kinds[0], severity: severity, host: host, message: "",
        traffic: Traffic(requests: visits, visits: visits), visitsToWin: toWin, remedy: "")
    }
    let ordered = [
      finding(.error), finding(.warning, host: nil), finding(.note, toWin: 20),
      finding(.error, toWin: 10, visits: 50), finding(.warning, toWin: 10, visits: 10),
      finding(.warning, visits: 100), finding(.note, visits: 1_000), finding(.note),
    ]
    for (one, other) in zip(ordered, ordered.dropFirst()) {
      #expect(Finding.isFirst(one, other) && !Finding.isFirst(other, one))
    }
  }

  private static func nextCommand(
    _ logs: [String]?, options: [[String]] = [], after code: String = "same-host-links",
    host: String = "www.example.com"
  ) throws -> [String] {
    var (audit, digest) = try HistoryReportTests.audited(hasHistory: false)
    audit.sites[0].filePath = "a.json"
    audit.sites.append(SiteAudit(host: "b.example"))
    let finding = Finding(
      kind: try #require(DiagnosticCatalog.findings.kinds.first { $0.code == code }),
      severity: .note, host: host, message: "", traffic: Traffic(), visitsToWin: nil, remedy: "")
    let words = logs.map { ReportWords(logs: $0, options: options) }
    return Report(audit: audit, digest: digest, top: nil, words: words)
      .nextCommand(after: finding)
  }

  @Test func quotedWordsAreNotBroken() throws {
    let log = "logs of a very long name that has spaces/and goes on.log"
    let lines = try #require(
      TextWriter.lines(ofCommand: try Self.nextCommand([log]), width: 70))
    #expect(lines.count > 1 && lines.contains { $0.contains("'\(log)'") })
    #expect(lines.dropLast().allSatisfy { $0.hasSuffix(" \\") })
  }

  static let commands: [(logs: [String]?, options: [[String]], text: String?)] = [
    (["a.log"], [], "a.log"), (["my logs/a b.log"], [], "'my logs/a b.log'"),
    (["it's"], [], #"'it'\''s'"#), ([], [["--store", "/var/lib/x"]], "--store /var/lib/x"),
    (["a", "b"], [["--ignore", "/a/*"], ["--quiet"]], "a b --ignore '/a/*' --quiet"),
    (["a\u{1B}[31m.log"], [], nil), (nil, [], nil), (["-"], [], nil),
    ([], [["--site", "a.example=-"]], nil),
  ]

  @Test(arguments: commands)
  func commandsAreQuoted(logs: [String]?, options: [[String]], text: String?) throws {
    let expected =
      text.map { "linkaudit report \($0) --format csv --table same-host-fixes" }
      ?? "linkaudit explain same-host-links"
    #expect(try Self.nextCommand(logs, options: options).joined(separator: " ") == expected)
  }

  @Test func suggestionsAreForOneSite() throws {
    let options = [
      ["--site", "b.example=b.json"], ["--routes", "B.example=b"], ["--routes", "v=2"],
      ["--app", "A1B2C3D4E5.com.example.tea"], ["--since", "7d"],
    ]
    let command = try Self.nextCommand(["l"], options: options, after: "implemented-not-claimed")
    #expect(
      command.joined(separator: " ")
        == "linkaudit suggest l --aasa a.json --host www.example.com --routes v=2 "
        + "--since 7d --app A1B2C3D4E5.com.example.tea")
    let fetch = try Self.nextCommand([], after: "cdn-behind", host: "*.a.example")
    #expect(fetch == ["linkaudit explain cdn-behind"])
  }
}

@Suite struct TextDaysTests {
  static func lines(_ days: [Day], visits: Int = 10, versions: [SiteVersion] = []) -> [String] {
    var site = SiteAudit(host: "www.example.com")
    site.versions = versions
    site.days = days.map { day in
      var traffic = DayTraffic(day: day)
      traffic.verdicts[.claimed] = Traffic(requests: 8, visits: visits * 4 / 10)
      traffic.verdicts[.unclaimed] = Traffic(requests: 12, visits: visits * 6 / 10)
      traffic.referrals[.sameHost] = Traffic(requests: 2, visits: visits / 10)
      return traffic
    }
    for day in site.days { site.verdicts += day.verdicts }
    return site.lines(ofDaysIn: Style(isTerminal: false))
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
    let lines = Self.lines((0..<60).map { Day(daysSince1970: -700_000 + $0 * 50_000) })
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
    #expect(lines.last == "  * The rules changed: version 1, since \(days[50]): new.json\\u{1B}")
    #expect(lines.allSatisfy { $0.count <= 80 })
  }
}
