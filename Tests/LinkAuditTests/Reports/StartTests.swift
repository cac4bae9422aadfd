import TestSupport
import Testing
import TrafficDigest

@testable import LinkAuditing
@testable import Reporting
@testable import UniversalLinks

/// The beginning of a text report: short, ordered, and suitable for a terminal.
@Suite struct StartTests {
  private static func start(
    _ audit: Audit, _ digest: TrafficDigest, words: ReportWords = ReportWords()
  ) -> [String] {
    Report(audit: audit, digest: digest, top: nil, words: words).document
      .text(isFull: false, top: 10, style: Style(isTerminal: false))
      .split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  @Test func oneSiteFits() throws {
    let (audit, digest) = try HistoryReportTests.report()
    let lines = Self.start(audit, digest)
    #expect(lines.count <= TextWriter.startLimit)
    #expect(lines.contains("Since the report of 2026-05-28: 1 new, 1 worse, 1 better, 3 gone."))
    #expect(lines.contains { $0.hasPrefix("    Was ") && $0.hasSuffix(": worse") })
    #expect(lines.filter { $0.hasPrefix("    Next: linkaudit explain ") }.count == 3)
  }

  @Test func aThousandSitesFit() throws {
    var (audit, digest) = try HistoryReportTests.report()
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
    var (audit, digest) = try HistoryReportTests.report(hasHistory: false, hasEarlier: false)
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

  @Test func quotedWordsAreNotBroken() throws {
    var (audit, digest) = try HistoryReportTests.report(hasHistory: false, hasEarlier: false)
    audit.sites[0].filePath = "aasa.json"
    let log = "logs of a very long name that has spaces/and goes on.log"
    let finding = try #require(audit.findings.first { $0.code == "same-host-links" })
    let report = Report(
      audit: audit, digest: digest, top: nil, words: ReportWords(traffic: [log]))
    let lines = NextCommand(report: report, finding: finding).lines(width: 70, limit: 4)
    #expect(lines.count > 1 && lines.contains { $0.contains("'\(log)'") })
    #expect(lines.dropLast().allSatisfy { $0.hasSuffix(" \\") })
  }

  @Test(arguments: [
    (["a.log"], "a.log"), (["my logs/a b.log"], "'my logs/a b.log'"), (["it's"], #"'it'\''s'"#),
    (["--store", "/var/lib/x"], "--store /var/lib/x"), (["a\u{1B}[31m.log"], nil), ([], nil),
  ])
  func commandsAreQuoted(traffic: [String], text: String?) throws {
    var (audit, digest) = try HistoryReportTests.report(hasHistory: false, hasEarlier: false)
    audit.sites[0].filePath = "aasa.json"
    let finding = try #require(audit.findings.first { $0.code == "same-host-links" })
    let report = Report(
      audit: audit, digest: digest, top: nil, words: ReportWords(traffic: traffic))
    let command = NextCommand(report: report, finding: finding).text
    let file = traffic.first == "--store" ? "" : "--aasa aasa.json "
    #expect(
      command
        == (text.map {
          "linkaudit report \($0) \(file)--host www.example.com --format csv --table same-host-fixes"
        } ?? "linkaudit explain same-host-links"))
  }
}
