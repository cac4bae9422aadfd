import AccessLogs
import TestSupport
import Testing
import TrafficDigest
import UniversalLinks

@testable import LinkAuditing

@Suite struct CauseTests {
  @Test(
    arguments: [
      ("", []), ("a=1&b=2", []), ("utm_medium=email", ["mail"]), ("utm_medium=E-Mail", ["mail"]),
      ("x&utm_source=newsletter", ["mail"]), ("utm_medium=emails", []), ("utm_medium", []),
      ("mc_eid=1", ["mail"]), ("MC_EID=1", []), ("_hsenc", ["mail"]), ("mkt_tok=", ["mail"]),
      ("gclid=a", ["advert"]), ("&&gclid=a", ["advert"]), ("xgclid=a", []), ("gclidx=a", []),
      ("utm_medium=CPC", ["advert"]), ("utm_source=cpc", []),
      ("fbclid=1&mc_cid=2", ["mail", "advert"]),
      ("code=1&state=2", ["login"]), ("code=1", []), ("state=1&x&code", ["login"]),
      ("error=denied&state=1", ["login"]), ("oauth_token=a&oauth_verifier=b", ["login"]),
      ("SAMLResponse=x", ["login"]), ("code=1%26state=2", []), ("a=code&b=state", []),
    ] as [(String, [String])])
  func signs(query: String, expected: [String]) {
    let facts = CauseEvidence.Facts(query: Array(query.utf8).span)
    let names: [(String, CauseEvidence.Facts)] = [
      ("mail", .isMail), ("advert", .isAdvert), ("login", .isLogin),
    ]
    #expect(names.filter { facts.contains($0.1) }.map(\.0) == expected)
  }

  @Test func documentedPairsAreOfLogins() {
    for (first, second) in CauseEvidence.Facts.loginPairs {
      for query in ["\(first)=1&\(second)=2", "\(second)&x&\(first)"] {
        #expect(CauseEvidence.Facts(query: Array(query.utf8).span) == .isLogin, "\(query)")
      }
    }
  }

  /// `RECORD_DOCUMENTATION=1 swift test` rewrites the table.
  @Test func documentedCausesAndItemsAreTheCodes() throws {
    for (name, table) in [("items", CauseEvidence.Facts.markdown), ("causes", Cause.markdown)] {
      #expect(try documentedTable("Causes.md", mark: name, recording: table) == table)
    }
  }

  @Test func numbersAreThoseOfTheCases() {
    for (number, cause) in Cause.allCases.enumerated() {
      #expect(cause.number == number && Cause(number: number) == cause)
    }
    #expect(Set(Cause.allCases.map(\.entry.name)).count == Cause.allCases.count)
  }

  /// Counts keep each cause apart from the site, the verdict and the absence of a cause.
  @Test func countsKeepEachCause() {
    #expect(Cause.allCases.count < CountTable.noCause)
    for cause in Cause.allCases.map(Optional.some) + [nil] {
      for (site, verdict) in zip([0, 1, 4_999], Verdict.allCases) {
        var counts = CountTable()
        counts.add((site, Dimensions(bits: 0), verdict, cause, true, 3))
        for count in counts.dimensionCounts {
          #expect(count.site == site && count.verdict == verdict && count.cause == cause)
          #expect(count.isPage && count.requests == 3)
        }
      }
    }
  }

  /// A cause wins visits only if its sign says that the app stays closed.
  @Test func uncertainCausesPromiseNothing() throws {
    #expect(Finding.causeKinds.count == Cause.allCases.count - 2)
    let site = try AuditTests.site(entries: [#""appID":"T.a","components":[{"/":"/buy/*"}]"#])
    for (referrer, wins) in [("blog.example.com", nil), ("bit.ly", 4)] as [(String, Int?)] {
      let lines = CoverageTests.get("/buy/1", agent: Self.safari, 4, from: "https://\(referrer)/")
      let findings = try Auditor(sites: [site]).audit(try AuditTests.digest(lines)).findings
      let finding = try #require(findings.first { $0.code.hasPrefix("cause-") })
      #expect(finding.visitsToWin == wins, "\(finding.message)")
    }
  }

  private static let safari = RandomLog.phone.replacing("17_5_1", with: "17_5")

  /// Lines with their causes: each cause takes precedence over all later ones.
  private static let cases: [(cause: Cause, target: String, referrer: String, agent: String)] = {
    func agent(_ version: String) -> String { safari.replacing("17_5", with: version) }
    let app = safari.replacing("Safari/604.1", with: "Instagram 330.0")
    let chrome = safari.replacing("Version/17.5", with: "CriOS/126.0")
    let (google, own) = ("https://www.google.com/", "https://blog.example.com/")
    let marked = "/buy/1?code=1&state=2&utm_medium=email&gclid=3"
    return [
      (.sameHost, marked, "https://www.example.com/", app),
      (.inAppBrowser, marked, "https://bit.ly/x", app),
      (.otherBrowser, marked, "https://bit.ly/x", chrome),
      (.oldSystem, marked, "https://bit.ly/x", agent("8_4")),
      (.oldSystem, "/CASE/1", "-", agent("13_4")),
      (.unknown, "/CASE/1", "-", agent("13_5")),
      (.oldSystem, "/decoded/x", "-", agent("13_5")), (.unknown, "/decoded/x", "-", agent("14_0")),
      (.oldSystem, "/ANY/1", "-", agent("13_5")), (.oldSystem, "/id/1", "-", agent("13_4")),
      (.unknown, "/buy/1", "-", agent("13_0")),
      (.loginCallback, marked, "https://bit.ly/x", safari),
      (.loginCallback, "/auth/done?gclid=1", "-", safari),
      (.ownRedirect, "/buy/1?utm_medium=email&gclid=3", "https://bit.ly/x", safari),
      (.ownRedirect, "/buy/1", "https://click.example.com/", safari),
      (.mail, "/buy/1?utm_medium=email&gclid=3", own, safari),
      (.mail, "/buy/1", "https://mail.google.com/", safari),
      (.advert, "/buy/1?gclid=3", own, safari),
      (.advert, "/buy/1", "https://googleads.g.doubleclick.net/", safari),
      (.ownHost, "/buy/1", own, safari), (.search, "/buy/1", google, safari),
      (.social, "/buy/1", "https://t.co/", safari),
      (.otherSite, "/buy/1", "https://example.org/", safari),
      (.otherSite, "/buy/1", "android-app://example.app/", safari),
      (.unknown, "/buy/1", "-", safari),
    ]
  }()

  private static let entries = [
    #""appIDs": ["ABCDE12345.com.example"], "components": [{"/": "/buy/*"}, {"/": "/auth/*"}, "#
      + #"{"/": "/case/*", "caseSensitive": false}, {"/": "/decoded/*", "percentEncoded": false}]"#,
    #""appID": "ABCDE12345.com.example.old", "paths": ["/buy/*", "/id/$(digit)"]"#,
    #""appID": "ABCDE12345.com.example.any", "defaults": {"caseSensitive": false}, "#
      + #""components": [{"/": "/any/*"}]"#,
  ]

  private static func audit(_ lines: [String]) throws -> SiteAudit {
    let digest = try AuditTests.digest(lines, trackers: ["click.example.com"])
    var options = AuditOptions()
    options.callbackPaths = PathPatterns(["/auth/*"])
    return try AuditTests.audit(digest, try AuditTests.site(entries: entries), options)
  }

  private static func get(
    _ target: String, _ status: Int = 200, from referrer: String, agent: String, day: Int = 10
  ) -> [String] {
    let time = "\(day)/Nov/2026:10:00:00 +0000"
    return CoverageTests.get(target, status, agent: agent, from: referrer, time: time, size: 10)
  }

  @Test(arguments: cases.indices)
  func causeOfALine(index: Int) throws {
    let one = Self.cases[index]
    let site = try Self.audit(Self.get(one.target, from: one.referrer, agent: one.agent))
    #expect(site.causes.map(\.cause) == [one.cause])
    #expect(site.causes.first?.traffic == Traffic(requests: 1, visits: 1))
  }

  @Test func undeliveredDays() throws {
    let path = "/.well-known/apple-app-site-association"
    let visits = [10, 11, 12, 13].flatMap {
      Self.get("/buy/1", from: "-", agent: Self.safari, day: $0)
    }
    let fetches = [
      (11, 404, "AASA-Bot/1.0.0"), (12, 500, "AASA-Bot/1.0.0"), (12, 200, "AASA-Bot/1.0.0"),
      (13, 404, "curl/8.6.0"),
    ].flatMap { Self.get(path, $1, from: "-", agent: $2, day: $0) }
    let site = try Self.audit(visits + fetches)
    #expect(site.days.map { $0.causes[.fileNotDelivered].visits } == [0, 1, 0, 0])
  }

  @Test func causesAddUp() throws {
    let lines = Self.cases.enumerated().flatMap { index, one in
      (0...index).flatMap {
        Self.get(one.target, from: one.referrer, agent: one.agent, day: 10 + $0 % 7)
      }
    }
    let site = try Self.audit(lines)
    let claimed = site.verdicts[.claimed]
    #expect(site.causes.sum(\.traffic) == claimed)
    for row in site.causes {
      #expect(row.paths.sum(\.traffic) == row.traffic)
      #expect(site.days.sum { $0.causes[row.cause] } == row.traffic)
    }
    #expect(Set(site.causes.map(\.cause)) == Set(Self.cases.map(\.cause)))
  }
}

extension Cause {
  fileprivate static var markdown: String {
    let rows = allCases.map(\.entry).map {
      "| `\($0.name)` | \($0.certainty.rawValue) | \($0.about) |"
    }
    return (["| cause | certainty | sign |", "| --- | --- | --- |"] + rows).joined(separator: "\n")
  }
}

extension CauseEvidence.Facts {
  fileprivate static var markdown: String {
    func code(_ texts: [some CustomStringConvertible]) -> String {
      texts.map { "`\($0)`" }.joined(separator: ", ")
    }
    let pairs = loginPairs.map { "`\($0.0)` with `\($0.1)`" }.joined(separator: ", ")
    return [
      "| cause | items |", "| --- | --- |", "| `login-callback` | \(pairs), \(code(loginItems)) |",
      "| `mail` | `utm_medium` or `utm_source` of \(code(mailValues)); \(code(mailItems)) |",
      "| `advert` | `utm_medium` of \(code(advertValues)); \(code(advertItems)) |",
    ].joined(separator: "\n")
  }
}
