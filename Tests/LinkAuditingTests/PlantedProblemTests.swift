import AccessLogs
import TestSupport
import Testing
import TrafficDigest
import UniversalLinks

@testable import Foundations
@testable import LinkAuditing

/// Logs, rules and routes without a fault, and the same with one fault of each kind.
@Suite struct PlantedProblemTests {
  struct Scene {
    var rules = [
      #"{"/": "/account/*", "exclude": true}"#, #"{"/": "/buy/*"}"#, #"{"/": "/help/*"}"#,
    ]
    var entry = #""appIDs": ["A1B2C3D4E5.com.example.shop"]"#
    var routes: String? = "/buy/:id\n/help/:article"
    /// 100 visits without referrers, 90 of them claimed, and a fetch of the file.
    ///
    /// `no-referrers` is found from 100 claimed visits on, so a large fault replaces lines.
    var lines: [String]
    var fileSize: Int?
    var format = LogFormat.combined

    var today: Day?

    /// The number of bytes that the end of the gzipped log lacks, or `nil` for a plain log.
    var missing: Int?

    var servedFiles: @Sendable (AssociationFile) -> [ServedFile] = { _ in [] }

    init() {
      lines =
        CoverageTests.get("/buy/1", 200, 60) + CoverageTests.get("/help/website", 200, 30)
        + CoverageTests.get("/account/me", 200, 5) + CoverageTests.get("/about", 200, 5)
      fetch(200)
    }

    mutating func fetch(_ status: Int) {
      lines += CoverageTests.get(TrafficDigest.Fetch.wellKnownPath, status, agent: "AASA-Bot/1.0.0")
    }

    /// Adds visits of an iPhone without a referrer.
    mutating func get(_ path: String, _ status: Int = 200, _ count: Int = 1) {
      lines += CoverageTests.get(path, status, count)
    }

    func findings() throws -> [Finding] {
      let components = rules.joined(separator: ",\n")
      var site = try AuditTests.site(
        entries: ["\(entry), \"components\": [\n\(components)]"], routes: routes)
      site.fileSize = fileSize
      var history = SiteHistory(site)
      history.servedFiles = servedFiles(site.file)
      let log = Array(lines.joined(separator: "\n").utf8)
      let digest = try TrafficDigest.reduce(
        log: missing.map { GzipWriter.member(log).dropLast($0) } ?? log[...],
        options: ReductionOptions(defaultHost: "www.example.com", format: format, jobs: 1))
      var options = AuditOptions()
      options.today = today
      return try Auditor(histories: [history], options: options).audit(digest).findings
    }
  }

  struct Plant: CustomTestStringConvertible {
    var testDescription: String
    var codes: Set<String>
    var change: @Sendable (inout Scene) -> Void

    init(
      _ name: String, _ codes: Set<String>, _ change: @escaping @Sendable (inout Scene) -> Void
    ) {
      (testDescription, self.codes, self.change) = (name, codes, change)
    }
  }

  @Test func nothingIsFoundWhereNothingIsWrong() throws {
    #expect(try Scene().findings().map(\.message) == [])
  }

  static let plants = [
    Plant("a claimed path without a route", ["claimed-not-implemented"]) {
      $0.get("/buy/1/reviews")
    },
    Plant("a route that no rule claims", ["implemented-not-claimed"]) {
      $0.routes? += "\n/news/:story"
      $0.get("/news/1")
    },
    Plant("a route that a rule excludes", ["implemented-but-excluded"]) {
      $0.routes? += "\n/account/me"
    },
    Plant("many exclusions", ["excluded-heavy"]) { $0.get("/account/orders", 200, 20) },
    Plant("a heavy path that nobody claims", ["unclaimed-heavy"]) { $0.get("/search", 200, 20) },
    Plant("a clock that is fast", ["days-doubtful"]) {
      $0.today = Day(year: 2026, month: 6, day: 1)
      $0.lines += ["02/Jun/2026", "04/Jun/2026"].flatMap {
        CoverageTests.get("/buy/1", time: "\($0):03:04:05 +0000")
      }
    },
    Plant("visits to an interface", ["visits-not-pages"]) {
      $0.lines += CoverageTests.get("/api/items") + CoverageTests.get("/graphql")
    },
    Plant("a link on the same host", ["same-host-links"]) {
      $0.lines += CoverageTests.get("/buy/7", from: "https://www.example.com/about")
    },
    Plant("a claimed page that is gone", ["claimed-broken"]) { $0.get("/buy/9", 410) },
    Plant("a claimed page that fails", ["claimed-broken"]) { $0.get("/buy/9", 503) },
    Plant("a claimed page that has moved", ["claimed-redirected"]) { $0.get("/buy/9", 301) },
    Plant("a rule behind one that takes all it matches", ["rule-shadowed"]) {
      $0.rules.append(#"{"/": "/buy/1*", "exclude": true}"#)
    },
    Plant("a rule that nobody needs", ["rule-unused"]) { $0.rules.append(#"{"/": "/nobody/*"}"#) },
    Plant("a rule about fragments", ["fragment-dependent"]) {
      $0.rules.insert(##"{"#": "no_app", "exclude": true}"##, at: 0)
    },
    Plant("a fetch of the file that is redirected", ["file-redirected"]) { $0.fetch(301) },
    Plant("a file that nobody fetches", ["file-not-fetched"]) { $0.lines.removeLast() },
    Plant("visits from old systems", ["old-systems"]) {
      $0.lines += CoverageTests.get("/about", agent: CoverageTests.oldAgent)
    },
    Plant(
      "an entry for everything",
      ["matches-everything", "claimed-not-implemented", "file-not-fetched"]
    ) {
      $0.rules = []
      $0.entry = #""appIDs": ["T.x"]}, {"appID": "A1B2C3D4E5.com.example.shop"}, {"appIDs": []"#
      $0.lines.removeLast()
      $0.lines += CoverageTests.get("/", from: "https://search.example/")
      // iOS 12 reads the entry in the same way.
    },
    Plant("a file that claims nothing", ["no-usable-rules", "unclaimed-heavy", "rule-unused"]) {
      $0.rules = [#"{"/": "/account/*", "exclude": true}"#]
      $0.routes = nil
      $0.lines = Array($0.lines.suffix(6))
    },
    Plant("lines that are no requests", ["lines-rejected"]) {
      $0.lines += Array(repeating: "garbage", count: 20)
    },
    Plant("a file beyond the size that systems read", ["file-too-large"]) { $0.fileSize = 131_073 },
    Plant("routes in no known syntax", ["no-routes"]) { $0.routes = "# routes follow\n" },
    Plant("no line is a request", ["no-requests"]) {
      $0.lines = Array(repeating: "garbage", count: 20)
    },
    Plant("a log without the end", ["input-incomplete"]) { $0.missing = 4 },
    Plant("a format without user agents", ["no-user-agents"]) {
      $0.format = .common
      $0.lines = $0.lines.map { line in
        line.split(separator: "\"", maxSplits: 3, omittingEmptySubsequences: false).prefix(3)
          .joined(separator: "\"")
      }
    },
    Plant("visits without referrers", ["no-referrers"]) { $0.get("/buy/1", 200, 10) },
    Plant("the log of another host", ["host-doubtful", "cause-other-site"]) {
      $0.lines += (0..<60).flatMap {
        CoverageTests.get("/buy/1", from: "https://www.other.example/\($0)")
      }
    },
    Plant("no served file", ["served-file-missing"]) {
      $0.servedFiles = { _ in [served(.origin, nil, status: 404)] }
    },
    Plant("an old copy of the CDN", ["cdn-behind"]) {
      $0.servedFiles = { [served(.origin, $0), served(.cdn, otherFile, identity: "b")] }
    },
    Plant("another served file", ["served-file-differs"]) {
      $0.servedFiles = { _ in [served(.origin, otherFile, isInForce: false)] }
    },
    Plant("a certificate of a few days", ["certificate-expires"]) {
      $0.servedFiles = { [served(.origin, $0, certificateDays: 10)] }
    },
    Plant("other hosts", ["other-hosts"]) {
      $0.lines.append("192.0.2.1 - - [-] \"GET http://other.example.com/ HTTP/1.1\" 200 5")
    },
  ]

  private static var otherFile: AssociationFile? {
    try? AssociationFile(
      #"{"applinks": {"details": [{"appIDs": ["A1B2C3D4E5.com.example.shop"], "components": [{"/": "*"}]}]}}"#
    )
  }

  private static func served(
    _ source: DeliverySource, _ file: AssociationFile?, identity: String = "a", status: Int = 200,
    isInForce: Bool = true, certificateDays: Int? = nil
  ) -> ServedFile {
    func time(day: Int) -> LogTime {
      LogTime(secondsSince1970: 1_780_000_000 + day * 86_400, offsetInMinutes: 0)
    }
    return ServedFile(
      source: source, first: time(day: 0), last: time(day: 2), checks: 2, status: status,
      problem: file == nil ? "not-found" : nil, size: 100,
      content: file.map {
        ServedFile.Content(identity: identity, file: $0, inForceSince: nil, isInForce: isInForce)
      }, fields: [], certificateEnd: certificateDays.map { time(day: 2 + $0) })
  }

  @Test(arguments: plants)
  func findsThePlantedProblemAndNoOther(plant: Plant) throws {
    var scene = Scene()
    plant.change(&scene)
    let findings = try scene.findings()
    #expect(Set(findings.map(\.code)) == plant.codes, "\(findings.map(\.message))")
    for finding in findings {
      #expect(!finding.remedy.isEmpty)
      #expect(finding.message.hasSuffix(".") || finding.message.hasSuffix("?"))
    }
  }

  @Test func fragmentsHaveTheirVisits() throws {
    var scene = Scene()
    scene.rules.insert(##"{"/": "/help/*", "#": "web", "exclude": true}"##, at: 0)
    scene.rules.append(##"{"/": "/buy/*", "#": "late"}"##)
    let findings = try scene.findings().filter { $0.code == "fragment-dependent" }
    #expect(findings.map(\.traffic.visits).sorted() == [0, 30])
  }

  /// Every code about logs and sites has a plant, here or in the suite of the delivery over days;
  /// those of causes and changes, and doubtful formats, have suites of their own.
  @Test func everyCodeIsPlanted() {
    let delivery = DeliveryFindingTests.plants.flatMap { $0.1.split { " ,;".contains($0) } }
    let planted = Set(Self.plants.flatMap(\.codes) + delivery.map(String.init))
    let codes = DiagnosticCatalog.findings.groups.filter {
      $0.title.hasPrefix("About the") || $0.title == "About a site"
    }
    .flatMap(\.kinds).map(\.code)
    #expect(codes.count > 20)
    let others = codes.filter { !$0.hasPrefix("cause-") && $0 != "format-doubtful" }
    #expect(others.filter { !planted.contains($0) } == [])
  }

  @Test func severityGrowsWithTheShare() throws {
    func severity(_ count: Int) throws -> Severity? {
      var scene = Scene()
      scene.get("/about", 200, 895)
      scene.get("/buy/1/reviews", 200, count)
      return try scene.findings().first { $0.code == "claimed-not-implemented" }?.severity
    }
    #expect(try [0, 1, 20, 200].map(severity) == [nil, .note, .warning, .error])
  }

  @Test func thresholdsCanBeMoved() throws {
    var thresholds = FindingThresholds()
    thresholds["same-host-links"]?[.note] = nil
    thresholds["same-host-links"]?[.warning] = nil
    thresholds["same-host-links"]?[.error] = 5_000
    let moved = try #require(thresholds["same-host-links"])
    #expect(moved.severity(of: 49, in: 100) == nil)
    #expect(moved.severity(of: 50, in: 100) == .error)
    #expect(thresholds["rule-unused"] == nil)
    #expect(FindingThresholds()["same-host-links"]?.severity(of: 1, in: 100) == .note)
    // No overflow, whatever is counted.
    #expect(moved.severity(of: .max, in: .max) == .error)
  }
}
