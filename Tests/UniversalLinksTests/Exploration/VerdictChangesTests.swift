import Foundation
import Testing

@testable import Foundations
@testable import UniversalLinks

@Suite struct VerdictChangesTests {
  private static func file(
    _ rules: String, key: String = "components", variables: String = "{}"
  ) throws -> AssociationFile {
    try AssociationFile(
      decoding: Array(
        """
        {"applinks": {"substitutionVariables": \(variables),
          "details": [{"appID": "A1B2C3D4E5.app", "\(key)": \(rules)}]}}
        """.utf8))
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var old: String
    var new: String

    /// Each change: URL, verdict and rule before, verdict and rule after.
    var changes: [String]
    var oldKey = "components"
    var newKey = "components"
    var oldVariables = "{}"
    var newVariables = "{}"
    var system = OperatingSystem.current

    var testDescription: String { name }
  }

  static let cases = [
    Case(
      name: "an exclusion more", old: #"[{"/": "/buy/*"}]"#,
      new: #"[{"/": "/buy/gift/*", "exclude": true}, {"/": "/buy/*"}]"#,
      changes: ["/buy/gift/x claimed 0, excluded 0"]),
    Case(
      name: "an exclusion behind what it should exclude", old: #"[{"/": "/buy/*"}]"#,
      new: #"[{"/": "/buy/*"}, {"/": "/buy/gift/*", "exclude": true}]"#, changes: []),
    Case(
      name: "another order", old: #"[{"/": "/a/*"}, {"/": "/a/b", "exclude": true}]"#,
      new: #"[{"/": "/a/b", "exclude": true}, {"/": "/a/*"}]"#,
      changes: ["/a/b claimed 0, excluded 0"]),
    Case(
      name: "an order that makes no difference", old: #"[{"/": "/a/*"}, {"/": "/b/*"}]"#,
      new: #"[{"/": "/b/*"}, {"/": "/a/*"}]"#, changes: []),
    Case(
      name: "a wider pattern", old: #"[{"/": "/buy/*"}]"#, new: #"[{"/": "/buy*"}]"#,
      changes: ["/buyx unclaimed, claimed 0"]),
    Case(
      name: "spellings of one pattern", old: #"[{"/": "/buy"}]"#, new: #"[{"/": "//buy//"}]"#,
      changes: []),
    Case(
      name: "rules that are one", old: #"[{"/": "/a/*"}, {"/": "/a?*"}]"#,
      new: #"[{"/": "/a*"}]"#, changes: []),
    Case(
      name: "letter case", old: #"[{"/": "/Buy"}]"#,
      new: #"[{"/": "/Buy", "caseSensitive": false}]"#,
      changes: ["/buy unclaimed, claimed 0"]),
    Case(
      name: "percent-encoding", old: #"[{"/": "/caf%C3%A9"}]"#,
      new: #"[{"/": "/café", "percentEncoded": false}]"#,
      changes: ["/caf%C3%a9 unclaimed, claimed 0"]),
    Case(
      name: "a value more", old: #"[{"/": "/$(shop)/*"}]"#, new: #"[{"/": "/$(shop)/*"}]"#,
      changes: ["/us unclaimed, claimed 0"], oldVariables: #"{"shop": ["de"]}"#,
      newVariables: #"{"shop": ["de", "us"]}"#),
    Case(
      name: "values and what they stand for", old: #"[{"/": "/$(shop)/*"}]"#,
      new: #"[{"/": "/de/*"}, {"/": "/us/*"}]"#, changes: [],
      oldVariables: #"{"shop": ["us", "de"]}"#),
    Case(
      name: "paths and components", old: #"["NOT /a/*", "/*"]"#,
      new: #"[{"/": "/a/*", "exclude": true}, {"/": "*"}]"#, changes: [], oldKey: "paths"),
    Case(
      name: "a query item", old: #"[{"/": "/a"}]"#, new: #"[{"/": "/a", "?": {"id": "?*"}}]"#,
      changes: ["/a claimed 0, unclaimed"]),
    Case(
      name: "a query item that keeps it out", old: #"[{"/": "/a"}]"#,
      new: #"[{"?": {"web": "1"}, "exclude": true}, {"/": "/a"}]"#,
      changes: ["/a?web=1 claimed 0, excluded 0", "/x?web=1 unclaimed, excluded 0"]),
    Case(
      name: "a fragment", old: #"[{"/": "/a"}]"#,
      new: ##"[{"#": "web", "exclude": true}, {"/": "/a"}]"##,
      changes: ["/a#web claimed 0, excluded 0", "/x#web unclaimed, excluded 0"]),
    Case(
      name: "components don't matter to old systems", old: #"[{"/": "/a"}]"#,
      new: #"[{"/": "/b"}]"#, changes: [], system: .legacy),
    Case(
      name: "paths of old systems", old: #"["/a", "/b"]"#, new: #"["/a", "NOT /b"]"#,
      changes: ["/b claimed 1, excluded 1"], oldKey: "paths", newKey: "paths", system: .legacy),
    Case(
      name: "old systems know no variables", old: #"["/$(digit)"]"#, new: #"["/7"]"#,
      changes: ["/$(digit) claimed 0, unclaimed", "/7 unclaimed, claimed 0"], oldKey: "paths",
      newKey: "paths", system: .legacy),
  ]

  @Test(arguments: cases) func changesAreReported(of example: Case) throws {
    let old = try Self.file(example.old, key: example.oldKey, variables: example.oldVariables)
    let found = old.changes(
      to: try Self.file(example.new, key: example.newKey, variables: example.newVariables),
      host: "shop.example", system: example.system)
    func text(_ outcome: VerdictChanges.Outcome) -> String {
      [outcome.verdict.rawValue, outcome.decision?.rule?.position.map(String.init)].compactMap(
        \.self
      )
      .joined(separator: " ")
    }
    let changes = found.site.map { change in
      "\(change.url.dropFirst("https://shop.example".count)) "
        + "\(text(change.old)), \(text(change.new))"
    }
    #expect(changes == example.changes)
    #expect(found.isExhaustive)
  }

  @Test func changesHiddenByAnotherAppAreReported() throws {
    func file(_ second: String) throws -> AssociationFile {
      try AssociationFile(
        decoding: Array(
          """
          {"applinks": {"details": [{"appID": "one", "components": [{"/": "/a/*"}]},
            {"appID": "two", "components": [{"/": "\(second)"}]}]}}
          """.utf8))
    }
    let changes = try file("/a/b").changes(
      to: try file("/a/c"), host: "shop.example", system: .current)
    #expect(changes.site.isEmpty)
    #expect(
      changes.apps.map { [$0.app.text, $0.change.url, $0.change.new.verdict.rawValue] }
        == [
          ["two", "https://shop.example/a/b", "unclaimed"],
          ["two", "https://shop.example/a/c", "claimed"],
        ])
    #expect(changes.isExhaustive)
  }

  @Test func aHostWithoutUniversalLinksIsReported() throws {
    let changes = try Self.file("[]").changes(
      to: try Self.file(#"[{"/": "*"}]"#), host: "localhost", system: .current)
    #expect(changes.isEmpty)
    #expect(changes.gap == .ineligibleHost)
  }

  @Test func complexPatternsMakeComparisonsInexhaustive() throws {
    let stars = String(repeating: "*a", count: 40)
    let variables = #"{"x": ["\#(stars)", "b"]}"#
    let old = try Self.file(#"[{"/": "/$(x)/$(x)"}]"#, variables: variables)
    let changes = old.changes(
      to: try Self.file(#"[{"/": "/$(x)/$(x)", "exclude": true}]"#, variables: variables),
      host: "shop.example", system: .current)
    #expect(!changes.site.isEmpty)
    #expect(!changes.isExhaustive)
  }

  /// Files that take too long to explore.
  ///
  /// The suite would not end if they did, and results of trying are still reported.
  @Test(arguments: [
    "*a????????????????????????????????", "*a*b*c?????????????????????b?c?",
    "$(lang)*$(lang)?$(region)*x",
  ])
  func hostilePatternsEnd(pattern: String) throws {
    let rule = #"{"/": "\#(pattern)"}, {"/": "*?\#(pattern)??", "?": "\#(pattern)x"}"#
    let changes = try Self.file("[\(rule)]").changes(
      to: try Self.file(#"[{"/": "*a?a?*", "exclude": true}, \#(rule)]"#),
      host: "shop.example", system: .current,
      limits: ExplorationLimits(states: 10_000, work: 500_000))
    #expect(!changes.site.isEmpty)
  }

  // MARK: - Files from the web

  /// The files of the corpus, or none if it is missing.
  private static let corpus: [AssociationFile] = {
    let folder = MatchVector.sharedFolder.appendingPathComponent("corpus/aasa")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().compactMap { name in
      let bytes = try? Data(contentsOf: folder.appendingPathComponent(name))
      return bytes.flatMap { try? AssociationFile(decoding: Array($0)) }
    }.filter { !$0.entries.isEmpty }
  }()

  /// Files that differ from one in a rule or in the order of an entry.
  private static func variations(of file: AssociationFile) -> [AssociationFile] {
    var variations = [file]
    for index in file.entries.indices.prefix(2) {
      let isComponents = file.entries[index].components != nil
      let rules = file.entries[index].rules(for: .current) ?? []
      guard var flipped = Optional(rules), !rules.isEmpty else { continue }
      flipped[rules.count / 2].excludes.toggle()
      for changed in [Array(rules.dropFirst()), rules.reversed(), flipped] {
        var variation = file
        if isComponents {
          variation.entries[index].components = changed
        } else {
          variation.entries[index].paths = changed
        }
        variations.append(variation)
      }
    }
    return variations
  }

  @Test(
    .enabled(
      if: !corpus.isEmpty,
      "no folder 'shared/corpus' beside the package: files from the web are not compared"))
  func changesOfFilesFromTheWebAreTrue() throws {
    for file in Self.corpus {
      let old = LinkMatcher(file, system: .current)
      for (number, variation) in Self.variations(of: file).enumerated() {
        // Large files take too long in a debug build to try everything.
        if number > 1, old.ruleCount > 60 { continue }
        let changes = file.changes(to: variation, host: "shop.example", system: .current)
        #expect(changes.isExhaustive)
        if number == 0 { #expect(changes.apps.isEmpty) }
        let new = LinkMatcher(variation, system: .current)
        for change in changes.site {
          #expect(PlainOutcome(change.url, old) == PlainOutcome(change.old))
          #expect(PlainOutcome(change.url, new) == PlainOutcome(change.new))
        }
      }
    }
  }
}
