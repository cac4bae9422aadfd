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
    let outcome = try Command.run("linkaudit lint SampleLogs/aasa-mistakes.json --format sarif")
    let log = try JSONTree(outcome.stdout)
    #expect(log["version"].cell == "2.1.0")
    let run = try #require(log["runs"].elements.first)
    #expect(run["columnKind"].cell == "unicodeCodePoints")
    let codes = run["tool"]["driver"]["rules"].elements.compactMap(\.["id"].cell)
    #expect(codes == DiagnosticCatalog.lint.kinds.map(\.code))
    let lines = try String(
      contentsOf: Command.packageFolder.appendingPathComponent("SampleLogs/aasa-mistakes.json"),
      encoding: .utf8
    ).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(!run["results"].elements.isEmpty)
    for result in run["results"].elements {
      #expect(codes[try #require(result["ruleIndex"].number)] == result["ruleId"].cell)
      #expect(["error", "warning", "note"].contains(result["level"].cell))
      let place = result["locations"].elements.first?["physicalLocation"]
      #expect(place?["artifactLocation"]["uri"].cell == "SampleLogs/aasa-mistakes.json")
      let figures = try ["startLine", "startColumn", "endLine", "endColumn"].map {
        try #require(place?["region"][$0].number)
      }
      #expect((1...lines.count).contains(figures[0]))
      #expect((1...(lines[figures[2] - 1].unicodeScalars.count + 1)).contains(figures[3]))
      #expect((figures[0], figures[1]) <= (figures[2], figures[3]))
    }
  }

  /// All formats have the same codes, lines and columns.
  @Test func formsAgree() throws {
    func text(_ format: String) throws -> String {
      try Command.run(
        "linkaudit lint SampleLogs/aasa-mistakes.json SampleLogs/aasa.json --format \(format)"
      ).stdout
    }
    let json = try JSONTree(text("json"))["files"].elements.flatMap(\.["diagnostics"].elements)
      .map { [$0["code"], $0["line"], $0["column"]].compactMap(\.cell) }
    #expect(json.count == 10)
    let sarif = try JSONTree(text("sarif"))["runs"].elements.flatMap(\.["results"].elements)
      .map { result in
        let region = result["locations"].elements.first?["physicalLocation"]["region"] ?? .null
        return [result["ruleId"], region["startLine"], region["startColumn"]].compactMap(\.cell)
      }
    #expect(sarif == json)
    let github = try text("github").matches(of: /line=([0-9]+),col=([0-9]+),.*?\(([a-z-]+)\)::/)
    #expect(github.map { [String($0.3), String($0.1), String($0.2)] } == json)
    let plain = try text("text").matches(of: /\n  ([0-9]+):([0-9]+)  [a-z]+ ([a-z-]+)\n/)
    #expect(plain.map { [String($0.3), String($0.1), String($0.2)] } == json)
    let markdown = try text("markdown").matches(of: /`([a-z-]+)` \| ([0-9]+):([0-9]+) \|/)
    #expect(markdown.map { [String($0.1), String($0.2), String($0.3)] } == json)
  }

  /// A feature is named with the first system that knows it.
  @Test func laterSystemsAreNamed() throws {
    let outcome = try Command.run("linkaudit lint SampleLogs/aasa.json --minimum-os 13")
    #expect(outcome.status == 0 && outcome.stdout.contains("needs iOS 13.5"))
  }
}
