internal import FoundationSubset
internal import UniversalLinks

/// A line of `match --format ndjson`, without the comparisons of each rule.
package struct MatchRow: Encodable {
  /// An app, and what its rules say.
  struct App: Encodable {
    var app: String
    var verdict: String
    var detail: JSONEntryID
    var rule: JSONNullable<Int>
  }

  /// A rule, and its comparisons.
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

  /// A text of the URL with the pattern that it is compared with.
  package struct Comparison: Encodable {
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

  /// The apps that claim or exclude the URL.
  var apps: [App]?
  var ineligible: String?
  var line: Int?
  var expected: MatchExpectation.Outcome?
  var expectedApp: String?
  var differs: Bool?

  /// Creates a row with the result of the rules for a URL.
  ///
  /// - Parameter question: The URL and its rules.
  package init(_ question: MatchQuestion) {
    url = question.text
    verdict = question.evaluation.siteVerdict.rawValue
    apps = question.decisions.filter { [.claimed, .excluded].contains($0.decision.verdict) }
      .map { App($0.decision, $0.list) }
  }

  /// Adds the expected result of the URL.
  package mutating func expect(_ expectation: MatchExpectation, differs: Bool) {
    line = expectation.line
    expected = expectation.outcome
    expectedApp = expectation.app?.text
    self.differs = differs
  }
}

extension MatchRow.App {
  init(_ decision: Decision, _ list: LinkMatcher.RuleList) {
    self.init(
      app: decision.app.text, verdict: decision.verdict.rawValue,
      detail: JSONEntryID(list.systemEntry), rule: JSONNullable(decision.rule?.position))
  }
}

extension MatchRow.Rule {
  /// Compares a URL with the rule with a number, or returns `nil` for an entry without rules.
  init?(_ number: Int, ofRuleList index: Int, _ question: inout MatchQuestion) {
    let list = question.matcher.ruleLists[index]
    guard let definition = list.definition(ofRule: number),
      let explanation = question.matcher.explanation(
        ofRule: number, in: index, for: &question.url)
    else { return nil }
    self.init(
      rule: number - list.rules.lowerBound, line: definition.position?.line,
      matches: explanation.matches,
      dependsOnEscapes: explanation.dependsOnEscapes ? true : nil,
      decides: number == question.evaluation.decidingRule(ofRuleList: index),
      excludes: explanation.excludes, caseSensitive: !explanation.ignoresCase,
      percentEncoded: !explanation.isDecoded,
      requiresEntitlement: explanation.requiresEntitlement,
      fromDefaults: explanation.inheritedKeys,
      comparisons: explanation.comparisons.map {
        MatchRow.Comparison(
          part: $0.part.rawValue, name: $0.name, pattern: $0.pattern,
          text: JSONNullable($0.text), spelling: $0.spelling, matches: $0.matches,
          exceedsLevels: $0.exceedsLevels ? true : nil)
      })
  }
}

/// Writes rows as lines of JSON.
package struct MatchRowEncoder {
  private let encoder = JSONEncoder()

  package init() {
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  }

  /// A row with its line feed.
  package func line(_ row: MatchRow) throws -> String { try json(row) + "\n" }

  /// Writes a row with all apps and all comparisons of their rules, rule by rule.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - question: The URL and its rules.
  ///   - sink: A function that receives the text piece by piece.
  /// - Throws: Any error that `sink` throws.
  package func writeExplained(
    _ row: MatchRow, _ question: inout MatchQuestion, to sink: (String) throws -> Void
  ) throws {
    // Members ascend by their names, as where the encoder has the whole row.
    try sink("{\"apps\":[")
    var isFirst = true
    for (app, answer) in zip(question.matcher.apps, question.decisions)
    where answer.decision.verdict != .ineligible {
      let row = MatchRow.App(answer.decision, answer.list)
      try sink(
        (isFirst ? "" : ",") + "{\"app\":" + json(row.app) + ",\"detail\":" + json(row.detail)
          + ",\"rule\":" + json(row.rule) + ",\"rules\":[")
      isFirst = false
      try writeRules(ofRuleList: app.ruleList, &question, to: sink)
      try sink("],\"verdict\":" + json(row.verdict) + "}")
    }
    var rest = row
    rest.apps = nil
    rest.ineligible = question.url.ineligibility?.rawValue
    try sink("]," + String(json(rest).dropFirst()) + "\n")
  }

  private func writeRules(
    ofRuleList list: Int, _ question: inout MatchQuestion, to sink: (String) throws -> Void
  ) throws {
    var isFirst = true
    for number in question.matcher.ruleLists[list].rules {
      guard let rule = MatchRow.Rule(number, ofRuleList: list, &question) else { continue }
      try sink((isFirst ? "" : ",") + json(rule))
      isFirst = false
    }
  }

  private func json(_ value: some Encodable) throws -> String {
    SafeText.escapedJSON(String(decoding: try encoder.encode(value), as: UTF8.self))
  }
}
