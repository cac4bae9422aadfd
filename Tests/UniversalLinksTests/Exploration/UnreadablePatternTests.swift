import TestSupport
import Testing

@testable import UniversalLinks

/// Patterns with unknown variables, or without an end.
///
/// Examples, reachability, changes and lint have the same results as for a file without them.
@Suite struct UnreadablePatternTests {
  /// Texts around unknown variables.
  private static let texts = strings(over: ["/", "a", "*", "?", "$(none)", "$("], upTo: 4)

  /// Files in which a text is a pattern of each kind.
  private static func files(_ text: String) throws -> [AssociationFile] {
    try [
      #""paths":["\#(text)","NOT \#(text)","NOT\#(text)"]"#, #""components":[{"/":"\#(text)"}]"#,
      ##""components":[{"?":"\##(text)","#":"\##(text)"}]"##,
      #""components":[{"?":{"\#(text)":"x","y":"\#(text)"}}]"#,
    ].map { members in
      try AssociationFile(
        decoding: Array(
          #"{"applinks":{"details":[{"appID":"A.b","appIDs":["A.b"],\#(members)}]}}"#.utf8))
    }
  }

  private static let limits = {
    var limits = ExplorationLimits()
    (limits.states, limits.size, limits.work, limits.combinations) = (100, 100_000, 5_000, 100)
    return limits
  }()

  @Test func rulesAreReachedAsTheMatcherDecides() throws {
    for text in Self.texts {
      for file in try Self.files(text) {
        let reachability = file.reachability(
          host: "www.example.com", system: .current, limits: Self.limits)
        let misjudged = reachability.misjudgedExamples(of: file, system: .current)
        #expect(misjudged.isEmpty, "\(text)")
      }
    }
  }

  @Test func comparisonsFindWhatTheMatcherDecides() throws {
    let other = try AssociationFile(decoding: Array(#"{"applinks":{"details":[]}}"#.utf8))
    for text in Self.texts {
      for file in try Self.files(text) {
        let changes = other.changes(
          to: file, host: "www.example.com", system: .current, limits: Self.limits)
        #expect(changes.gap != .unconfirmed, "\(text)")
        let back = file.changes(
          to: other, host: "www.example.com", system: .current, limits: Self.limits)
        #expect(back.site.count == changes.site.count, "\(text)")
      }
    }
  }

  /// Of many similar ones, the first are reported, each time.
  @Test func theFirstUnusedVariablesAreTold() {
    let names = (0..<400).map { "v\($0)" }
    let variables = names.map { #""\#($0)":["a"]"# }.joined(separator: ",")
    let file =
      #"{"applinks":{"substitutionVariables":{\#(variables)},"details":[{"appIDs":"#
      + #"["A1B2C3D4E5.com.example.tea"],"components":[{"/":"/a"}]}]}}"#
    let told = AssociationFile.lint(Array(file.utf8)).diagnostics.filter {
      $0.code == "unused-variable"
    }
    #expect(told.count == 200)
    for (name, diagnostic) in zip(names, told) {
      #expect(diagnostic.message.contains("'\(name)'"))
    }
  }

  @Test func lintTellsOfThem() {
    for text in strings(over: ["/", "a", "*", "$(none)", "$("], upTo: 3) {
      let file =
        #"{"applinks":{"details":[{"appIDs":["A1B2C3D4E5.com.example.tea"],"components":"#
        + ##"[{"/":"\##(text)"},{"?":{"x":"\##(text)"}},{"#":"\##(text)"}]}]}}"##
      let rules = Set(AssociationFile.lint(Array(file.utf8)).diagnostics.map(\.code))
      let told = !rules.isDisjoint(with: [
        "unknown-variable", "unclosed-variable", "variable-syntax",
      ])
      #expect(told == text.contains("$("), "\(text): \(rules)")
    }
  }
}
