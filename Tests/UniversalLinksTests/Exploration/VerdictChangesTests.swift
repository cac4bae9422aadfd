import Foundation
import TestSupport
import Testing

@testable import Foundations
@testable import UniversalLinks

@Suite struct VerdictChangesTests {
  private static func file(
    _ rules: String, key: String = "components", variables: String = "{}"
  ) throws -> AssociationFile {
    try AssociationFile(
      """
      {"applinks": {"substitutionVariables": \(variables),
        "details": [{"appID": "A1B2C3D4E5.app", "\(key)": \(rules)}]}}
      """)
  }

  /// Two files, and each change: URL, verdict and rule before, verdict and rule after.
  @Test(
    arguments: rows(
      ##"""
      an exclusion more: [{"/": "/buy/*"}] -> [{"/": "/buy/gift/*", "exclude": true}, {"/": "/buy/*"}]
        => /buy/gift/x claimed 0, excluded 0
      an exclusion behind what it should exclude: [{"/": "/buy/*"}] -> [{"/": "/buy/*"}, {"/": "/buy/gift/*", "exclude": true}] =>
      another order: [{"/": "/a/*"}, {"/": "/a/b", "exclude": true}] -> [{"/": "/a/b", "exclude": true}, {"/": "/a/*"}]
        => /a/b claimed 0, excluded 0
      an order that makes no difference: [{"/": "/a/*"}, {"/": "/b/*"}] -> [{"/": "/b/*"}, {"/": "/a/*"}] =>
      a wider pattern: [{"/": "/buy/*"}] -> [{"/": "/buy*"}] => /buyx unclaimed, claimed 0
      spellings of one pattern: [{"/": "/buy"}] -> [{"/": "//buy//"}] =>
      rules that are one: [{"/": "/a/*"}, {"/": "/a?*"}] -> [{"/": "/a*"}] =>
      letter case: [{"/": "/Buy"}] -> [{"/": "/Buy", "caseSensitive": false}]
        => /buy unclaimed, claimed 0
      percent-encoding: [{"/": "/caf%C3%A9"}] -> [{"/": "/café", "percentEncoded": false}]
        => /caf%C3%a9 unclaimed, claimed 0
      a value more: [{"/": "/$(shop)/*"}] with {"shop": ["de"]} -> [{"/": "/$(shop)/*"}] with {"shop": ["de", "us"]}
        => /us unclaimed, claimed 0
      values and what they stand for: [{"/": "/$(shop)/*"}] with {"shop": ["us", "de"]} -> [{"/": "/de/*"}, {"/": "/us/*"}] =>
      paths and components: ["NOT /a/*", "/*"] -> [{"/": "/a/*", "exclude": true}, {"/": "*"}] =>
      a query item: [{"/": "/a"}] -> [{"/": "/a", "?": {"id": "?*"}}] => /a claimed 0, unclaimed
      a query item that keeps it out: [{"/": "/a"}] -> [{"?": {"web": "1"}, "exclude": true}, {"/": "/a"}]
        => /a?web=1 claimed 0, excluded 0; /x?web=1 unclaimed, excluded 0
      a fragment: [{"/": "/a"}] -> [{"#": "web", "exclude": true}, {"/": "/a"}]
        => /a#web claimed 0, excluded 0; /x#web unclaimed, excluded 0
      old systems ignore components: [{"/": "/a"}] -> [{"/": "/b"}] =>
      old systems read paths: ["/a", "/b"] -> ["/a", "NOT /b"] => /b claimed 1, excluded 1
      old systems know no variables: ["/$(digit)"] -> ["/7"]
        => /$(digit) claimed 0, unclaimed; /7 unclaimed, claimed 0
      """##))
  func changesAreReported(of files: String, expected: String) throws {
    let name = files.prefix { $0 != ":" }
    let both = try files.dropFirst(name.count + 2).split(separator: " -> ").map { text in
      let parts = text.split(separator: " with ").map { String($0) }
      return try Self.file(
        parts[0], key: text.hasPrefix("[\"") ? "paths" : "components",
        variables: parts.count > 1 ? parts[1] : "{}")
    }
    let read = both.map { $0.asRead(by: name.hasPrefix("old") ? .legacy : .current) }
    let found = read[0].changes(to: read[1], host: "shop.example")
    func text(_ outcome: VerdictChanges.Outcome) -> String {
      let rule = outcome.decision?.rule?.position.map { " \($0)" } ?? ""
      return outcome.verdict.rawValue + rule
    }
    let changes = found.site.map { change in
      "\(change.url.dropFirst("https://shop.example".count)) "
        + "\(text(change.old)), \(text(change.new))"
    }
    #expect(changes.joined(separator: "; ") == expected)
    #expect(found.isExhaustive)
  }

  @Test func changesHiddenByAnotherAppAreReported() throws {
    func file(_ second: String) throws -> AssociationFile {
      try AssociationFile(
        """
        {"applinks": {"details": [{"appID": "one", "components": [{"/": "/a/*"}]},
          {"appID": "two", "components": [{"/": "\(second)"}]}]}}
        """)
    }
    let changes = try file("/a/b").changes(to: try file("/a/c"), host: "shop.example")
    #expect(changes.site.isEmpty)
    #expect(
      changes.apps.map { [$0.app.text, $0.change.url, $0.change.new.verdict.rawValue] } == [
        ["two", "https://shop.example/a/b", "unclaimed"],
        ["two", "https://shop.example/a/c", "claimed"],
      ])
    #expect(changes.isExhaustive)
  }

  @Test func aHostWithoutUniversalLinksIsReported() throws {
    let changes = try Self.file("[]").changes(
      to: try Self.file(#"[{"/": "*"}]"#), host: "localhost")
    #expect(changes.isEmpty)
    #expect(changes.gap == .ineligibleHost)
  }

  @Test func complexPatternsMakeComparisonsInexhaustive() throws {
    let stars = String(repeating: "*a", count: 40)
    let variables = #"{"x": ["\#(stars)", "b"]}"#
    let old = try Self.file(#"[{"/": "/$(x)/$(x)"}]"#, variables: variables)
    let new = try Self.file(#"[{"/": "/$(x)/$(x)", "exclude": true}]"#, variables: variables)
    let changes = old.changes(to: new, host: "shop.example")
    #expect(!changes.site.isEmpty)
    #expect(!changes.isExhaustive)
    #expect(old.changes(to: old, host: "shop.example").isExhaustive)
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
      host: "shop.example",
      limits: ExplorationLimits(states: 10_000, work: 500_000))
    #expect(!changes.site.isEmpty)
  }

  private static let corpus = LintFixTests.realFiles.filter { $0.name.hasPrefix("aasa/") }
    .compactMap { try? AssociationFile(decoding: $0.bytes) }.filter { !$0.entries.isEmpty }

  /// Files that differ from one in a rule or in the order of an entry.
  private static func variations(of file: AssociationFile) -> [AssociationFile] {
    var variations = [file]
    for index in file.entries.indices.prefix(2) {
      let rules = file.entries[index].rules ?? []
      guard !rules.isEmpty else { continue }
      var flipped = rules
      flipped[rules.count / 2].excludes.toggle()
      for changed in [Array(rules.dropFirst()), rules.reversed(), flipped] {
        var variation = file
        if file.entries[index].components != nil {
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
      let old = LinkMatcher(file)
      for (number, variation) in Self.variations(of: file).enumerated() {
        // Large files take too long in a debug build to try everything.
        if number > 1, old.rules.count > 60 { continue }
        let changes = file.changes(to: variation, host: "shop.example")
        #expect(changes.isExhaustive)
        if number == 0 { #expect(changes.apps.isEmpty) }
        let new = LinkMatcher(variation)
        for change in changes.site {
          #expect(PlainOutcome(change.url, old) == PlainOutcome(change.old))
          #expect(PlainOutcome(change.url, new) == PlainOutcome(change.new))
        }
      }
    }
  }
}
