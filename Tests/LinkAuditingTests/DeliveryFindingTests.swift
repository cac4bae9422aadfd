import TestSupport
import Testing
import TrafficDigest
import UniversalLinks

@testable import Foundations
@testable import LinkAuditing

@Suite struct DeliveryFindingTests {
  private static let known = TrafficDigest.Fetch.wellKnownPath

  private static func days(_ text: Substring) -> [Int] {
    let ends = text.split(separator: "-").compactMap { Int($0) }
    if ends.count == 2 { return Array(ends[0]...ends[1]) }
    return text.split(separator: "+").compactMap { Int($0) }
  }

  /// A correct log with fetches of the file.
  ///
  /// After the name and a colon come fetches by AASA-Bot: days, a status with a slash and a size,
  /// and other differences. `logs` and days replace the days of visits, which are 1 to 6.
  private static func scene(_ plant: String) -> PlantedProblemTests.Scene {
    var visits = days("1-6")
    var fetches: [String] = []
    for item in plant.drop(while: { $0 != ":" }).dropFirst().split(separator: ",") {
      let words = item.split(separator: " ")
      if words[0] == "logs" {
        visits = days(words[1])
        continue
      }
      var (path, status, size) = (known, 200, 5)
      var (agent, method) = ("AASA-Bot/1.0.0", "GET")
      for word in words.dropFirst() {
        switch word {
        case "root": path = TrafficDigest.Fetch.rootPath
        case "elsewhere": path = "http://other.example.net" + known
        case "swcd": agent = "swcd (unknown version) CFNetwork/978.0.7 Darwin/18.7.0"
        case "curl/8": agent = "curl/8"
        case "POST": method = "POST"
        default:
          let numbers = word.split(separator: "/").compactMap { Int($0) }
          status = numbers[0]
          size = numbers.dropFirst().first ?? size
        }
      }
      fetches += days(words[0]).flatMap { day in
        CoverageTests.get(path, status, agent: agent, method: method, time: time(day), size: size)
      }
    }
    var scene = PlantedProblemTests.Scene()
    scene.lines.removeLast()
    scene.lines += visits.flatMap { CoverageTests.get("/buy/1", time: time($0)) } + fetches
    return scene
  }

  private static func time(_ day: Int) -> String {
    (day < 10 ? "0" : "") + "\(day)/Jun/2026:10:00:00 +0200"
  }

  /// Problems, and the findings, with a text of a message.
  static let plants = rows(
    """
    nothing: 1-6 =>
    every other day: 1+3+5 =>
    not modified: 1-6 304/0 =>
    not found: 1-4, 5-6 404 => error file-not-served; 404 (2 times)
    failures name the last good fetch: 1-2, 4-6 503
      => error file-not-served; the last good fetch was on 2026-06-02T10:00:00+02:00, by AASA-Bot
    refused once: 1-6, 4 403 swcd => warning file-not-served; 403 (once)
    redirected: 1-4, 5-6 301 => error file-redirected; 301 (2 times)
    redirected once: 1-6, 2 302 => warning file-redirected
    redirected and refused: 1-3, 4 403, 5 308 => error file-redirected, warning file-not-served
    too large: 1-5, 6 200/131073 => error file-served-too-large; 131,073 bytes
    too large, and fixed: 1 200/131073, 2-6 => warning file-served-too-large
    no byte: 1-6 200/0 => error file-not-served; 200 without content
    large for others: 1-5, 6 200/131072, 6 200/900000 curl/8, 6 404 curl/8, 5 200/900000 POST =>
    not fetched in long logs: => warning file-not-fetched
    not fetched in short logs: logs 1-2 => note file-not-fetched
    fetched by others only: 1-6 curl/8 => warning file-not-fetched
    fetched by devices only: 1-6 swcd
      => warning file-not-fetched; the last good fetch was on 2026-06-06T10:00:00+02:00, by swcd
    asked for at the root only, by devices: 1-6 root swcd
      => note file-asked-at-root-only, warning file-not-fetched
    asked for at the root only: 1-6 root => note file-asked-at-root-only; association', 6 times
    not any more: 1-3
      => warning file-fetches-ended; on 2026-06-03T10:00:00+02:00. These logs end on 2026-06-06
    not for two days: 1-4 =>
    rarely: 1+5+6 => note file-fetches-far-apart; between two fetches was 4 days of the logs
    days without a log don't count: logs 1+8+15+22, 1+8+15 =>
    one visit to another host's file: 1-6 elsewhere => warning file-not-fetched
    """)

  @Test(arguments: plants)
  func findsThePlantedProblemAndNoOther(plant: String, expected: String) throws {
    let findings = try Self.scene(plant).findings()
    #expect(zip(findings, findings.dropFirst()).allSatisfy { !Finding.isFirst($1, $0) })
    let found = Dictionary(findings.map { ($0.code, $0.severity) }) { one, _ in one }
    // Causes measure the same problems by visits.
    let codes = found.filter { $0.key != "other-hosts" && !$0.key.hasPrefix("cause-") }
      .map { "\($0.value.rawValue) \($0.key)" }
    let parts = expected.split(separator: "; ", omittingEmptySubsequences: false)
    let messages = findings.map(\.message)
    #expect(Set(codes) == Set(parts[0].split(separator: ", ").map(String.init)), "\(messages)")
    if parts.count > 1 { #expect(messages.contains { $0.contains(parts[1]) }, "\(messages)") }
    for finding in findings { #expect(finding.message.hasSuffix(".") && !finding.remedy.isEmpty) }
  }

  @Test(arguments: [
    ("1 404, 1 410", "Serve the file at"), ("1 401, 1 403, 1 429", "Let AASA-Bot"),
    ("1 500, 1 503", "error log"), ("1 404, 1 500", "Serve the file with"),
  ])
  func remediesFitTheFailure(fetches: String, remedy: String) throws {
    let scene = Self.scene("failures: logs 1-2, \(fetches)")
    let finding = try #require(try scene.findings().first { $0.code == "file-not-served" })
    #expect(finding.remedy.contains(remedy))
    #expect(finding.message.contains("no fetch by Apple in these logs succeeded"))
  }

  /// The selection of judged requests doesn't affect the file's delivery.
  @Test func filtersDoNotMatter() throws {
    let digest = try AuditTests.digest(Self.scene("rarely: 1+5+6, 6 404 curl/8").lines)
    var options = AuditOptions()
    options.filter.platforms = [.android]
    let site = try AuditTests.site()
    let all = try AuditTests.audit(digest, site)
    let some = try AuditTests.audit(digest, site, options)
    #expect(all.fetches == some.fetches && all.fetchers == some.fetchers)
    #expect(all.fetchers.map(\.fetcher) == [.cdn, .other])
    let network = try #require(all.fetchers.first)
    #expect(network.goodDays == 3 && network.greatestGap == 4 && network.good == 3)
    #expect(network.first?.day.description == "2026-06-01")
    #expect(network.lastGood == network.last)
    #expect(all.fetchers.last?.good == 0 && all.fetchers.last?.greatestGap == nil)
  }
}
