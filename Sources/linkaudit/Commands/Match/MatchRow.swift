internal import UniversalLinks

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A line of `match --format ndjson`.
struct MatchRow: Encodable {
  /// An app, and what its rules say.
  struct App: Encodable {
    var app: String
    var verdict: String
    var detail: JSONPlace
    var rule: JSONNullable<Int>
    var rules: [Rule]?
  }

  /// A rule, and what it compares.
  struct Rule: Encodable {
    var rule: Int
    var line: Int?
    var matches: Bool
    var dependsOnEscapes: Bool?
    var decides: Bool
    var excludes: Bool
    var caseSensitive: Bool
    var percentEncoded: Bool
    var requiresEntitlement: Bool
    var fromDefaults: [String]
    var comparisons: [Comparison]
  }

  /// A text of the URL beside a pattern.
  struct Comparison: Encodable {
    var part: String
    var name: String?
    var pattern: String
    var text: JSONNullable<String>
    var spelling: String?
    var matches: Bool
    var exceedsLevels: Bool?
  }

  var url: String
  var verdict: String
  var apps: [App]
  var ineligible: String?
  var line: Int?
  var expected: MatchExpectation.Outcome?
  var expectedApp: String?
  var differs: Bool?

  /// Asks the rules about a URL.
  ///
  /// - Parameters:
  ///   - question: The URL and its rules.
  ///   - explains: Whether all apps are named, and all that their rules compare.
  init(_ question: inout MatchQuestion, explains: Bool) {
    url = question.text
    verdict = question.evaluation.siteVerdict.rawValue
    apps = []
    if explains { ineligible = question.url.ineligibility?.rawValue }
    let decisions = question.matcher.decisions(of: question.evaluation)
    for (app, decision) in zip(question.matcher.apps, decisions) {
      let isShown =
        explains
        ? decision.verdict != .ineligible
        : decision.verdict == .claimed || decision.verdict == .excluded
      guard isShown else { continue }
      apps.append(
        App(
          app: decision.app.text, verdict: decision.verdict.rawValue,
          detail: JSONPlace(decision.place), rule: JSONNullable(decision.rule),
          rules: explains ? Self.rules(of: app.ruleList, &question) : nil))
    }
  }

  private static func rules(of list: Int, _ question: inout MatchQuestion) -> [Rule] {
    let rules = question.matcher.ruleLists[list]
    let deciding = question.evaluation.decidingRule(ofRuleList: list)
    return (0..<rules.ruleCount).compactMap { position in
      question.matcher.explanation(ruleList: list, rule: position, url: &question.url).map {
        Rule(
          rule: position, line: rules.definitions?[position].position?.line, matches: $0.matches,
          dependsOnEscapes: $0.dependsOnEscapes ? true : nil, decides: position == deciding,
          excludes: $0.excludes, caseSensitive: !$0.ignoresCase,
          percentEncoded: !$0.isDecoded, requiresEntitlement: $0.requiresEntitlement,
          fromDefaults: $0.inheritedKeys,
          comparisons: $0.comparisons.map {
            Comparison(
              part: $0.part.rawValue, name: $0.name, pattern: $0.pattern,
              text: JSONNullable($0.text), spelling: $0.spelling, matches: $0.matches,
              exceedsLevels: $0.exceedsLevels ? true : nil)
          })
      }
    }
  }

  /// Says what was expected of the URL.
  mutating func expect(_ expectation: MatchExpectation, differs: Bool) {
    line = expectation.line
    expected = expectation.outcome
    expectedApp = expectation.app?.text
    self.differs = differs
  }
}

/// Writes rows as lines of JSON.
struct MatchRowEncoder {
  private let encoder = JSONEncoder()

  init() {
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  }

  /// A row with its line feed.
  func line(_ row: MatchRow) throws -> String {
    SafeText.escapedJSON(String(decoding: try encoder.encode(row), as: UTF8.self)) + "\n"
  }
}
