import TestSupport
import Testing

@Suite struct SuggestTests {
  /// The predicted wins are those of 'linkaudit diff' for the candidate file.
  @Test(arguments: [
    "", "--including-excluded", "--max-rules 1", "--tolerance 50%", "--platform inApp,macos",
    "--ignore '/news/*' --sort requests", "--include-bots --status 2xx",
  ])
  func figuresAreThoseOfDiff(options: String) throws {
    let folder = try TemporaryFolder()
    let suggested = try Command.run(
      "linkaudit suggest SampleLogs/logs \(site) \(routes) \(options) --format json "
        + "--candidate \(folder.path)/new.json")
    #expect(suggested.status == 0 && suggested.stderr.isEmpty)
    let judging = options.replacing(/--(including-excluded|max-rules 1|tolerance 50%)/, with: "")
    let compared = try Command.run(
      "linkaudit diff SampleLogs/aasa.json \(folder.path)/new.json SampleLogs/logs "
        + "--host www.example.com \(routes) \(judging) --format json")
    #expect(compared.status == 0)
    let found = try JSONTree(suggested.stdout)
    let traffic = try JSONTree(compared.stdout)["traffic"]
    let newly = traffic["newlyClaimed"]
    for figure in ["requests", "visits"] {
      func sum(_ trees: JSONTree...) throws -> Int {
        try trees.reduce(0) { try $0 + #require($1[figure].number) }
      }
      #expect(try sum(found["won"], found["besides"]) == sum(newly))
      #expect(try sum(found["besides"]) == sum(newly["withoutRoute"]))
      #expect(try sum(found["sameHost"]) == sum(newly["sameHost"]))
      #expect(try sum(found["lost"]) == sum(traffic["noLongerClaimed"]))
      #expect(try sum(found["total"]) == sum(traffic["total"]))
    }
    #expect(newly["visits"].number ?? 0 > 0)
  }

  @Test func digestsAndStoresAreReadAsLogsAre() throws {
    let folder = try TemporaryFolder()
    let made = "linkaudit digest SampleLogs/logs --host www.example.com -o \(folder.path)/d && "
    let stored = "linkaudit ingest SampleLogs/logs --store \(folder.path)/store \(site)"
    #expect(try Command.run(made + stored).status == 0)
    func rules(_ input: String) throws -> [String: JSONTree] {
      let outcome = try Command.run("linkaudit suggest \(input) \(site) \(routes) --format json")
      #expect(outcome.status == 0 && outcome.stderr.isEmpty)
      return try JSONTree(outcome.stdout).members.filter { $0.key != "input" }
    }
    let logs = try rules("SampleLogs/logs")
    #expect(try rules("\(folder.path)/d") == logs)
    #expect(try rules("--store \(folder.path)/store") == logs)
  }

  @Test func printedRulesCanBePasted() throws {
    let options = "SampleLogs/logs \(site) \(routes)"
    let components = try JSONTree(
      Command.run("linkaudit suggest \(options) --format components").stdout)
    let found = try JSONTree(Command.run("linkaudit suggest \(options) --format json").stdout)
    #expect(components == found["components"])
    let expected = ["/news/?*", "/?*/menu"].map { JSONTree.object(["/": .text($0)]) }
    #expect(components == .array(expected))
  }

  @Test func signedFilesAreRead() throws {
    let folder = try TemporaryFolder()
    let outcome = try Command.run(
      "linkaudit suggest SampleLogs/logs --aasa Tests/LinkAuditTests/Inputs/signed.p7 "
        + "--host www.example.com \(routes) --format components "
        + "--candidate \(folder.path)/new.json")
    #expect(outcome.status == 0)
    #expect(outcome.stderr.contains("is signed, but '\(folder.path)/new.json' is not"))
    let text = try folder.text(of: "new.json")
    #expect(text.hasPrefix(#"{"applinks": {"details": ["#) && text.contains("\"/news/?*\""))
    #expect(try JSONTree(text)["applinks"] != .null)
  }
}
