import Testing

@testable import Foundations
@testable import UniversalLinks

@Suite struct LintRuleTests {
  static let rulesWithExamples = DiagnosticCatalog.lint.kinds.filter { $0.example != nil }

  @Test(arguments: rulesWithExamples.map(\.code))
  func theExampleHasTheMistake(_ code: String) throws {
    let rule = try #require(DiagnosticCatalog.lint.kinds.first { $0.code == code })
    let example = try #require(rule.example)
    let (diagnostics, text) = Self.diagnostics(in: example)
    let found = diagnostics.filter { $0.kind == rule }
    #expect(!found.isEmpty, "\(diagnostics.map(\.code))")
    for diagnostic in diagnostics {
      #expect(diagnostic.range.upperBound <= text.count)
      #expect(diagnostic.message.hasSuffix("."))
      #expect(diagnostic.remedy.hasSuffix(".") || diagnostic.remedy.hasSuffix("}."))
    }
    if !example.hasPrefix("\"com.apple") { LintFixTests.check(text, code) }
    let mistakes = Self.diagnostics(in: try #require(rule.fixedExample)).0.filter {
      $0.kind == rule || $0.severity == .error
    }
    #expect(mistakes.isEmpty, "\(mistakes.map { $0.code + ": " + $0.message })")
  }

  /// The mistakes found in an example, and the whole file.
  static func diagnostics(in text: String) -> ([LintDiagnostic], [UInt8]) {
    let bytes: [UInt8]
    switch text.prefix(10) {
    case "\"applinks\"": bytes = Array("{\(text)}".utf8)
    case let start where !start.hasPrefix("\""): bytes = Array(text.utf8)
    case let start where start != "\"com.apple":
      let app = text.contains("appID") ? "" : #""appIDs": ["A1B2C3D4E5.com.example.tea"], "#
      bytes = Array(#"{"applinks": {"details": [{\#(app)\#(text)}]}}"#.utf8)
    default:
      let members = (try? JSONParser.parse(Array("{\(text)}".utf8)))?.object?.members
      let domains = members?.first?.value.array?.compactMap(\.string)
      let site = Entitlements.Site(host: "www.example.com", file: nil, name: "aasa.json")
      let found = Entitlements(domains: domains).lint(against: [site], text: Array(text.utf8))
      return (found, Array(text.utf8))
    }
    let lint = AssociationFile.lint(
      bytes, options: LintOptions(host: "www.example.com", minimumRelease: .iOS13))
    return (lint.diagnostics, lint.text)
  }
}

@Suite struct LintContextTests {
  /// Places in an edited text, and in the text before the edits.
  @Test func placesAreMappedBack() {
    var context = LintContext(Array("a“b”c,d".utf8), options: LintOptions())
    context.edit([LintFix.Edit(1..<4, "\""), LintFix.Edit(5..<8, "\""), LintFix.Edit(10..<10, " ")])
    #expect(String(decoding: context.text, as: UTF8.self) == "a\"b\"c, d")
    for (range, original) in [
      (0..<1, 0..<1), (1..<4, 1..<8), (2..<3, 4..<5), (1..<2, 1..<4), (4..<6, 8..<10),
      (6..<7, 10..<10), (7..<8, 10..<11), (8..<8, 11..<11), (0..<8, 0..<11),
    ] { #expect(context.original(range) == original, "\(range)") }
    // Again, across the edges of the first edits.
    context.edit([LintFix.Edit(0..<2, ""), LintFix.Edit(5..<7, "--")])
    #expect(String(decoding: context.text, as: UTF8.self) == "b\"c--d")
    for (range, original) in [(0..<1, 4..<5), (1..<2, 5..<8), (3..<5, 9..<10), (5..<6, 10..<11)] {
      #expect(context.original(range) == original, "\(range)")
    }
    let fix = LintFix(.safe, "", [LintFix.Edit(2..<3, "x"), LintFix.Edit(5..<6, "y")])
    #expect(context.original(fix)?.edits.map(\.range) == [8..<9, 10..<11])
    #expect(context.original(.replace(1..<2, with: "", "")) == nil)
  }

  /// The time for many edits of a text that many have changed doesn't grow with their product.
  @Test(.timeLimit(.minutes(1))) func manyEditsAreMappedBack() {
    var context = LintContext(Array(repeating: 0x61, count: 200_000), options: LintOptions())
    context.edit(
      stride(from: 1, to: 200_000, by: 4).map { LintFix.Edit($0..<($0 + 1), "") })
    context.edit(
      stride(from: 1, to: 150_000, by: 3).map { LintFix.Edit($0..<($0 + 1), "bb") })
    #expect(context.text.count == 200_000)
    #expect(context.original(160_003..<160_004) == 160_003..<160_004)
    #expect(context.original(160_001..<160_002) == 160_001..<160_003)
  }
}
