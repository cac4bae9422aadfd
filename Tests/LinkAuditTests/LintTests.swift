import Foundation
import TestSupport
import Testing
import UniversalLinks

@Suite struct LintTests {
  @Test(
    .enabled(if: Checkers.python != nil, Comment(rawValue: Checkers.noPython)),
    arguments: [
      "SampleLogs/aasa-mistakes.json SampleLogs/aasa.json", "SampleLogs/routes.txt",
      "Tests/LinkAuditTests/Inputs/signed.p7",
      "--site example.com=SampleLogs/aasa.json --entitlements Tests/LinkAuditTests/Inputs/Tea.entitlements",
    ])
  func jsonFitsItsSchema(_ options: String) throws {
    let folder = try TemporaryFolder()
    let outcome = try Command.run(
      "linkaudit lint \(options) --format json -o $FOLDER/lint.json",
      environment: ["FOLDER": folder.path])
    #expect(outcome.status <= 1, "\(outcome.stderr)")
    let complaints = try Checkers.complaints(about: folder.path + "/lint.json", schema: "lint-1")
    #expect(complaints == "")
  }

  /// SARIF 2.1.0 requires that rules are found by their index, and regions are in the text.
  @Test func sarifHoldsTogether() throws {
    struct Log: Decodable {
      struct Run: Decodable {
        struct Tool: Decodable { var driver: Driver }
        struct Driver: Decodable {
          var name: String
          var rules: [Rule]
        }
        struct Rule: Decodable { var id: String }
        struct Result: Decodable {
          var ruleId: String
          var ruleIndex: Int
          var level: String
          var locations: [Location]
        }
        struct Location: Decodable { var physicalLocation: Place }
        struct Place: Decodable {
          var artifactLocation: Artifact
          var region: Region?
        }
        struct Artifact: Decodable { var uri: String }
        struct Region: Decodable {
          var startLine: Int
          var startColumn: Int
          var endLine: Int
          var endColumn: Int
        }
        var tool: Tool
        var columnKind: String
        var results: [Result]
      }
      var version: String
      var runs: [Run]
    }
    let outcome = try Command.run("linkaudit lint SampleLogs/aasa-mistakes.json --format sarif")
    let log = try JSONDecoder().decode(Log.self, from: Data(outcome.stdout.utf8))
    #expect(log.version == "2.1.0")
    let run = try #require(log.runs.first)
    #expect(run.tool.driver.rules.map(\.id) == DiagnosticCatalog.lint.kinds.map(\.code))
    let lines = try String(
      contentsOf: Command.packageFolder.appendingPathComponent("SampleLogs/aasa-mistakes.json"),
      encoding: .utf8
    ).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(!run.results.isEmpty)
    for result in run.results {
      #expect(run.tool.driver.rules[result.ruleIndex].id == result.ruleId)
      #expect(["error", "warning", "note"].contains(result.level))
      let place = try #require(result.locations.first?.physicalLocation)
      #expect(place.artifactLocation.uri == "SampleLogs/aasa-mistakes.json")
      let region = try #require(place.region)
      #expect((1...lines.count).contains(region.startLine))
      #expect((1...(lines[region.endLine - 1].unicodeScalars.count + 1)).contains(region.endColumn))
      #expect((region.startLine, region.startColumn) <= (region.endLine, region.endColumn))
    }
  }

  @Test(arguments: [
    ("SampleLogs/aasa.json", 0), ("SampleLogs/aasa.json --fail-on warning", 1),
    ("SampleLogs/aasa-mistakes.json", 1), ("SampleLogs/none.json", 2),
    ("SampleLogs/none.json SampleLogs/aasa-mistakes.json", 2), ("--update-baseline x.json", 64),
    ("a.json b.json --host www.example.com", 64), ("a.json --minimum-os 12", 64),
    ("--entitlements SampleLogs/aasa.json", 2),
  ])
  func exitStatusesAreAsDocumented(_ options: String, _ status: Int32) throws {
    #expect(try Command.run("linkaudit lint \(options)").status == status)
  }
}
