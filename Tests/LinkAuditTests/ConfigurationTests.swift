import TestSupport
import Testing

@testable import LinkAuditCommand

@Suite struct ConfigurationTests {
  static func load(_ text: String) throws -> Configuration {
    let folder = try TemporaryFolder()
    return try Configuration.load(try folder.write(text.utf8, to: "linkaudit.yml"))
  }

  /// The configuration that `linkaudit init` writes, with every key active.
  @Test func everyKeyOfTheTemplateIsRead() throws {
    let template = ConfigurationTemplate(routes: "routes.txt", logs: ["logs", "- odd: name"]).text
    let all = template.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.replacing(/^( *)# ( *[a-z-]+:.*)$/) { "\($0.output.1)\($0.output.2)" }
    }.joined(separator: "\n")
    let configuration = try Self.load(all)
    let site = try #require(configuration.sites.first)
    #expect(site.hosts == ["www.example.com"])
    #expect(site.associationFile.hasSuffix("/aasa.json"))
    #expect(site.routes.count == 1 && site.apps.count == 1)
    #expect(site.routeSyntax == "colon")
    #expect(configuration.logs.count == 2 && configuration.logs[1].hasSuffix("/- odd: name"))
    #expect(configuration.values["logs.json-keys"] == ["target=req.uri,status=res.status"])
    #expect(configuration.values["ignore"] == ["/healthz", "/internal/*"])
    #expect(configuration.values["asset-extensions"] == ["css,js,png,svg,woff2"])
    for setting in Setting.all {
      #expect(configuration.values[setting.key]?.isEmpty == false, "\(setting.key)")
    }
  }

  /// Each alias can mean text with other aliases, so a few lines can expand without limit.
  @Test func manyAliasesAreRefused() throws {
    let lists = (1..<20).map { n in "a\(n): &a\(n) [*a\(n - 1), *a\(n - 1)]" }
    for (count, isMany) in [(7, false), (8, true), (19, true)] {
      let text = "a0: &a0 [x]\n" + lists.prefix(count).joined(separator: "\n")
      let message = #expect(throws: Complaint.self) { try Self.load(text) }
      #expect(message?.description.contains("stand for too much") == isMany)
    }
    let patterns = (0..<50).map { "  - /a/*b\($0)/*\n  - '*.log'\n" }.joined()
    #expect(try Self.load("ignore:\n" + patterns).values["ignore"]?.count == 100)
  }

  /// Without a host, no command uses that of an example.
  @Test func sitesOfUnknownHostsAreInComments() throws {
    let template = ConfigurationTemplate(host: nil, routes: "routes.txt")
    #expect(try Self.load(template.text).sites.isEmpty)
    #expect(template.text.contains("#     aasa: aasa.json"))
  }

  @Test func theTemplateItselfIsValid() throws {
    let configuration = try Self.load(ConfigurationTemplate().text)
    #expect(configuration.logs.isEmpty && configuration.values.count == 1)
  }

  @Test func everyKeyIsDocumented() throws {
    let text = try packageText("Documentation/Configuration.md")
    let documented = text.split(separator: "\n").filter { $0.hasPrefix("| `") }.flatMap { row in
      row.split(separator: "|")[0].matches(of: /`([^`]*)`/).map { String($0.output.1) }
    }
    var keys: [String] = []
    var section = ""
    for line in ConfigurationTemplate(routes: "x", logs: ["x"]).text.split(separator: "\n") {
      guard let match = line.wholeMatch(of: /( *)(# |- )?( *)([a-z-]+):.*/) else { continue }
      let (indent, key) = (match.output.1.count, String(match.output.4))
      // The fields of JSON keys have a table of their own.
      if !match.output.3.isEmpty { continue }
      if indent == 0 {
        section = key
        if !["logs", "report", "run"].contains(key) { keys.append(key) }
      } else {
        keys.append(section + (section == "sites" ? "[]." : ".") + key)
      }
    }
    #expect(Set(documented) == Set(keys))
    #expect(documented.count == Set(documented).count)
  }

  @Test(arguments: [
    ("sites:\n  - host: [a.example]\n", "line 2, column 5", "did you mean 'hosts'?"),
    ("sits: []\n", "line 1, column 1", "did you mean 'sites'?"),
    ("sites: x\n", "line 1, column 8", "'sites' must be a list"),
    ("sites:\n  - aasa: x\n", "line 2, column 5", "needs 'hosts'"),
    ("sites:\n  - hosts: a.example\n", "line 2, column 5", "needs 'aasa'"),
    ("sites:\n  - hosts: 'https://a.example'\n    aasa: x\n", "line 2", "is not a host name"),
    ("report:\n  top: ten\n", "line 2, column 8", "must be a whole number"),
    ("report:\n  top: 1\n  top: 2\n", "line 3, column 3", "'top' occurs twice"),
    ("logs: [x\n", "line 2", "not YAML"),
    ("logs:\n  json-keys:\n    targt: x\n", "line 3, column 5", "did you mean 'target'?"),
    ("- x\n", "line 1", "must have keys"),
    ("logs: x\n---\nlogs: y\n", "line 2, column 1", "a second document"),
    ("logs: [*a]\n", "line 1, column 8", "undefined alias"),
    ("logs: &a [*a]\n", "line 1, column 7", "100 levels"),
    (
      String(repeating: "[", count: 200) + String(repeating: "]", count: 200),
      "line 1, column 101", "100 levels"
    ),
    ("logs: \u{1}\n", "at byte 6", "control characters"),
    ("run:\n  jobs: '2'\n", "line 2, column 9", "must be a whole number"),
  ])
  func mistakesAreNamedWithTheirPlace(text: String, place: String, message: String) throws {
    let error = try #require(throws: Complaint.self) { _ = try Self.load(text) }
    #expect("\(error)".contains(place), "\(error)")
    #expect("\(error)".contains(message), "\(error)")
  }

  @Test(arguments: ["", "# nothing\n", "sites:\nlogs:\n", "logs:\n  format:\n"])
  func nothingIsFine(text: String) throws {
    let configuration = try Self.load(text)
    #expect(configuration.sites.isEmpty && configuration.values.values.allSatisfy(\.isEmpty))
  }
}
