import Testing
import TrafficDigest
import UniversalLinks

@testable import Foundations
@testable import LinkAuditing

/// Logs of some days with a problem in the delivery of the file.
@Suite struct DeliveryFindingTests {
  typealias Scene = PlantedProblemTests.Scene

  static let network = "AASA-Bot/1.0.0"
  static let device = "swcd (unknown version) CFNetwork/978.0.7 Darwin/18.7.0"
  static let known = TrafficDigest.Fetch.wellKnownPath
  static let root = TrafficDigest.Fetch.rootPath

  static func line(
    _ day: Int, _ path: String, _ status: Int, _ size: Int = 5, by agent: String,
    method: String = "GET", hour: Int = 10
  ) -> String {
    func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return
      "192.0.2.1 - - [\(padded(day))/Jun/2026:\(padded(hour)):00:00 +0200] \"\(method) \(path) "
      + "HTTP/1.1\" \(status) \(size) \"-\" \"\(agent)\""
  }

  /// A correct log of some days, without fetches.
  static func scene(days: [Int]) -> Scene {
    var scene = Scene()
    scene.lines.removeLast()
    scene.lines += days.map { line($0, "/buy/1", 200, by: CoverageTests.agent) }
    return scene
  }

  struct Plant: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var codes: [String: Severity]
    var days: [Int]

    /// The text of a message.
    var says: String
    var lines: [String]

    init(
      _ name: String, _ codes: [String: Severity], days: [Int] = Array(1...6), says: String = "",
      lines: [String]
    ) {
      (testDescription, self.codes, self.days) = (name, codes, days)
      (self.says, self.lines) = (says, lines)
    }
  }

  static func good(_ days: [Int]) -> [String] { days.map { line($0, known, 200, by: network) } }

  static let plants = [
    Plant("nothing", [:], lines: good([1, 2, 3, 4, 5, 6])),
    Plant("every other day", [:], lines: good([1, 3, 5])),
    Plant("not modified", [:], lines: (1...6).map { line($0, known, 304, 0, by: network) }),
    Plant(
      "not found", ["file-not-served": .error], says: "404 (2 times)",
      lines: good([1, 2, 3, 4]) + [5, 6].map { line($0, known, 404, by: network) }),
    Plant(
      "failures name the last good fetch", ["file-not-served": .error],
      says: "the last good fetch was on 2026-06-02T10:00:00+02:00, by AASA-Bot",
      lines: good([1, 2]) + [4, 5, 6].map { line($0, known, 503, by: network) }),
    Plant(
      "refused once", ["file-not-served": .warning], says: "403 (once)",
      lines: good([1, 2, 3, 4, 5, 6]) + [line(4, known, 403, by: device)]),
    Plant(
      "redirected", ["file-redirected": .error], says: "301 (2 times)",
      lines: good([1, 2, 3, 4]) + [5, 6].map { line($0, known, 301, by: network) }),
    Plant(
      "redirected once", ["file-redirected": .warning],
      lines: good([1, 2, 3, 4, 5, 6]) + [line(2, known, 302, by: network)]),
    Plant(
      "redirected and refused", ["file-redirected": .error, "file-not-served": .warning],
      lines: good([1, 2, 3]) + [line(4, known, 403, by: network), line(5, known, 308, by: network)]),
    Plant(
      "too large", ["file-served-too-large": .error], says: "131,073 bytes",
      lines: good([1, 2, 3, 4, 5]) + [line(6, known, 200, 131_073, by: network)]),
    Plant(
      "too large, and fixed", ["file-served-too-large": .warning],
      lines: [line(1, known, 200, 131_073, by: network)] + good([2, 3, 4, 5, 6])),
    Plant(
      "no byte", ["file-not-served": .error], says: "200 without content",
      lines: (1...6).map { line($0, known, 200, 0, by: network) }),
    Plant(
      "just small enough, and what nobody of Apple gets", [:],
      lines: good([1, 2, 3, 4, 5]) + [
        line(6, known, 200, 131_072, by: network), line(6, known, 200, 900_000, by: "curl/8"),
        line(6, known, 404, 5, by: "curl/8"),
        line(5, known, 200, 900_000, by: network, method: "POST"),
      ]),
    Plant("not fetched in long logs", ["file-not-fetched": .warning], lines: []),
    Plant("not fetched in short logs", ["file-not-fetched": .note], days: [1, 2], lines: []),
    Plant(
      "fetched by others only", ["file-not-fetched": .warning],
      lines: (1...6).map { line($0, known, 200, by: "curl/8") }),
    Plant(
      "fetched by devices only", ["file-not-fetched": .warning],
      says: "the last good fetch was on 2026-06-06T10:00:00+02:00, by swcd",
      lines: (1...6).map { line($0, known, 200, by: device) }),
    Plant(
      "asked for at the root only, by devices",
      ["file-asked-at-root-only": .note, "file-not-fetched": .warning],
      lines: (1...6).map { line($0, root, 200, by: device) }),
    Plant(
      "asked for at the root only", ["file-asked-at-root-only": .note],
      says: "association', 6 times", lines: (1...6).map { line($0, root, 200, by: network) }),
    Plant(
      "not any more", ["file-fetches-ended": .warning],
      says: "on 2026-06-03T10:00:00+02:00. These logs end on 2026-06-06", lines: good([1, 2, 3])),
    Plant("not for two days", [:], lines: good([1, 2, 3, 4])),
    Plant(
      "rarely", ["file-fetches-far-apart": .note],
      says: "between two fetches was 4 days of the logs", lines: good([1, 5, 6])),
    Plant("days without a log don't count", [:], days: [1, 8, 15, 22], lines: good([1, 8, 15])),
    Plant(
      "one visit to another host's file", ["file-not-fetched": .warning, "other-hosts": .note],
      lines: good([1, 2, 3, 4, 5, 6]).map {
        $0.replacing("GET /", with: "GET http://other.example.net/")
      }),
  ]

  @Test(arguments: plants)
  func findsThePlantedProblemAndNoOther(plant: Plant) throws {
    var scene = Self.scene(days: plant.days)
    scene.lines += plant.lines
    let findings = try scene.findings()
    let found = Dictionary(findings.map { ($0.code, $0.severity) }) { one, _ in one }
    // Causes measure the same problems by visits.
    let ignored = { (code: String) in code == "other-hosts" || code.hasPrefix("cause-") }
    #expect(
      found.filter { !ignored($0.key) } == plant.codes.filter { !ignored($0.key) },
      "\(findings.map(\.message))")
    #expect(
      plant.says.isEmpty || findings.contains { $0.message.contains(plant.says) },
      "\(findings.map(\.message))")
    for finding in findings { #expect(finding.message.hasSuffix(".") && !finding.remedy.isEmpty) }
  }

  @Test(arguments: [
    ([404, 410], "Serve the file at"), ([401, 403, 429], "Let AASA-Bot"),
    ([500, 503], "error log"),
    ([404, 500], "Serve the file with"),
  ])
  func remediesFitTheFailure(statuses: [Int], remedy: String) throws {
    var scene = Self.scene(days: [1, 2])
    scene.lines += statuses.map { Self.line(1, Self.known, $0, by: Self.network) }
    let finding = try #require(try scene.findings().first { $0.code == "file-not-served" })
    #expect(finding.remedy.contains(remedy))
    #expect(finding.message.contains("no fetch by Apple in these logs succeeded"))
  }

  /// The selection of judged requests doesn't affect the file's delivery.
  @Test func filtersDoNotMatter() throws {
    var scene = Self.scene(days: Array(1...6))
    scene.lines += Self.good([1, 5, 6]) + [Self.line(6, Self.known, 404, by: "curl/8")]
    let digest = try AuditTests.digest(scene.lines)
    var options = AuditOptions()
    options.filter.platforms = [.android]
    let site = try AuditTests.site()
    let (all, some) = (
      try Auditor(sites: [site]).audit(digest).sites[0],
      try Auditor(sites: [site], options: options).audit(digest).sites[0]
    )
    #expect(all.fetches == some.fetches && all.fetchers == some.fetchers)
    #expect(all.fetchers.map(\.fetcher) == [.cdn, .other])
    let network = try #require(all.fetchers.first)
    #expect(network.goodDays == 3 && network.greatestGap == 4 && network.good == 3)
    #expect(network.first?.day.description == "2026-06-01")
    #expect(network.lastGood == network.last)
    #expect(all.fetchers.last?.good == 0 && all.fetchers.last?.greatestGap == nil)
  }
}
