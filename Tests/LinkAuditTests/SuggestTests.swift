import Foundation
import TestSupport
import Testing

@Suite struct SuggestTests {
  static let site = "--aasa SampleLogs/aasa.json --host www.example.com"
  static let routes = "--routes SampleLogs/routes.txt"

  static func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  static func traffic(_ value: Any?) -> [Int] {
    let object = value as? [String: Any] ?? [:]
    return ["requests", "visits"].map { object[$0] as? Int ?? -1 }
  }

  /// The predicted wins are those of 'linkaudit diff' for the candidate file.
  @Test(arguments: [
    "", "--including-excluded", "--max-rules 1", "--tolerance 50%", "--platform inApp,macos",
    "--ignore '/news/*' --sort requests", "--include-bots --status 2xx",
  ])
  func figuresAreThoseOfDiff(options: String) throws {
    let folder = try TemporaryFolder()
    let suggested = try Command.run(
      "linkaudit suggest SampleLogs/logs \(Self.site) \(Self.routes) \(options) --format json "
        + "--candidate \(folder.path)/new.json")
    #expect(suggested.status == 0 && suggested.stderr.isEmpty)
    let judging = options.replacingOccurrences(of: "--including-excluded", with: "")
      .replacingOccurrences(of: "--max-rules 1", with: "")
      .replacingOccurrences(of: "--tolerance 50%", with: "")
    let compared = try Command.run(
      "linkaudit diff SampleLogs/aasa.json \(folder.path)/new.json SampleLogs/logs "
        + "--host www.example.com \(Self.routes) \(judging) --format json")
    #expect(compared.status == 0)
    let found = try Self.object(suggested.stdout)
    let traffic = try #require(try Self.object(compared.stdout)["traffic"] as? [String: Any])
    let newly = try #require(traffic["newlyClaimed"] as? [String: Any])
    let won = zip(Self.traffic(found["won"]), Self.traffic(found["besides"])).map { $0 + $1 }
    #expect(won == Self.traffic(newly))
    #expect(Self.traffic(found["besides"]) == Self.traffic(newly["withoutRoute"]))
    #expect(Self.traffic(found["sameHost"]) == Self.traffic(newly["sameHost"]))
    #expect(Self.traffic(found["lost"]) == Self.traffic(traffic["noLongerClaimed"]))
    #expect(Self.traffic(found["total"]) == Self.traffic(traffic["total"]))
    #expect(won[1] > 0)
  }

  @Test func digestsAndStoresAreReadAsLogsAre() throws {
    let folder = try TemporaryFolder()
    let made = try Command.run(
      "linkaudit digest SampleLogs/logs --host www.example.com -o \(folder.path)/d && "
        + "linkaudit ingest SampleLogs/logs --store \(folder.path)/store \(Self.site)")
    #expect(made.status == 0)
    func rules(_ input: String) throws -> String {
      let outcome = try Command.run(
        "linkaudit suggest \(input) \(Self.site) \(Self.routes) --format json")
      #expect(outcome.status == 0 && outcome.stderr.isEmpty)
      var object = try Self.object(outcome.stdout)
      object["input"] = nil
      return String(
        decoding: try JSONSerialization.data(withJSONObject: object, options: .sortedKeys),
        as: UTF8.self)
    }
    let logs = try rules("SampleLogs/logs")
    #expect(try rules("\(folder.path)/d") == logs)
    #expect(try rules("--store \(folder.path)/store") == logs)
  }

  @Test func printedRulesCanBePasted() throws {
    let options = "SampleLogs/logs \(Self.site) \(Self.routes)"
    let array = try Command.run("linkaudit suggest \(options) --format components").stdout
    let found = try Self.object(
      try Command.run("linkaudit suggest \(options) --format json").stdout)
    let components = try #require(
      try JSONSerialization.jsonObject(with: Data(array.utf8)) as? [[String: String]])
    #expect(components == found["components"] as? [[String: String]])
    #expect(components == [["/": "/news/?*"], ["/": "/?*/menu"]])
  }

  @Test func signedFilesAreRead() throws {
    let folder = try TemporaryFolder()
    let outcome = try Command.run(
      "linkaudit suggest SampleLogs/logs --aasa Tests/LinkAuditTests/Inputs/signed.p7 "
        + "--host www.example.com \(Self.routes) --format components "
        + "--candidate \(folder.path)/new.json")
    #expect(outcome.status == 0)
    #expect(outcome.stderr.contains("is signed, but '\(folder.path)/new.json' is not"))
    let text = try String(contentsOfFile: folder.path + "/new.json", encoding: .utf8)
    #expect(text.hasPrefix(#"{"applinks": {"details": ["#) && text.contains("\"/news/?*\""))
    _ = try Self.object(text)
  }

  @Test func theOptionOfAPlaceIsNamed() throws {
    let command = "linkaudit suggest SampleLogs/logs \(Self.site) \(Self.routes)"
    let candidate = try Command.run("\(command) --candidate /nonexistent/x.json")
    #expect(candidate.status == 2 && candidate.stderr.contains("another place with '--candidate'"))
    let output = try Command.run("\(command) -o /nonexistent/x.txt")
    #expect(output.status == 2 && output.stderr.contains("another place with '-o'"))
  }

}
