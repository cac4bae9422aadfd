internal import UniversalLinks

extension JSONWriter {
  /// Writes the answer for a URL as a line of `match --format ndjson`.
  ///
  /// Members ascend by their names.
  ///
  /// - Parameters:
  ///   - question: The URL and its rules.
  ///   - expectation: The expected outcome of the URL, if there is one.
  ///   - differs: Whether the outcome differs from it, or `nil` if none is expected.
  ///   - explains: Whether the line has all apps with all comparisons of their rules; else it has
  ///     the apps that claim or exclude the URL.
  package mutating func line(
    _ question: inout MatchQuestion, _ expectation: MatchExpectation? = nil, differs: Bool? = nil,
    explains: Bool
  ) {
    object { json in
      json.array("apps") { json in
        for (app, answer) in zip(question.matcher.apps, question.decisions) {
          let (decision, list) = answer
          switch decision.verdict {
          case .ineligible: continue
          case .unclaimed where !explains: continue
          default: break
          }
          json.object { json in
            json.member("app", decision.app.text)
            list.systemEntry.value.write("detail", to: &json)
            json.member("rule", decision.rule?.position)
            if explains {
              json.array("rules") { $0.rules(ofRuleList: app.ruleList, &question) }
              let omitted = question.explained(
                list.rules, deciding: question.evaluation.decidingRule(ofRuleList: app.ruleList)
              ).omitted
              if omitted > 0 { json.member("rulesNotExplained", omitted) }
            }
            json.member("verdict", decision.verdict.rawValue)
          }
        }
      }
      if let differs { json.member("differs", differs) }
      if let expectation {
        json.member("expected", expectation.outcome.rawValue)
        if let app = expectation.app { json.member("expectedApp", app.text) }
      }
      if explains, let reason = question.url.ineligibility {
        json.member("ineligible", reason.rawValue)
      }
      if let expectation { json.member("line", expectation.line) }
      json.member("url", question.text)
      json.member("verdict", question.evaluation.siteVerdict.rawValue)
    }
  }

  /// Writes the rules of a list with their comparisons, one by one: a file can have hundreds of
  /// thousands.
  private mutating func rules(ofRuleList index: Int, _ question: inout MatchQuestion) {
    let list = question.matcher.ruleLists[index]
    let deciding = question.evaluation.decidingRule(ofRuleList: index)
    for number in question.explained(list.rules, deciding: deciding).rules {
      guard let definition = list.definition(ofRule: number),
        let explanation = question.matcher.explanation(
          ofRule: number, in: index, for: &question.url)
      else { continue }
      object { json in
        json.member("caseSensitive", !explanation.ignoresCase)
        json.member("comparisons", objects: explanation.comparisons) { $0.members(of: $1) }
        json.member("decides", number == deciding)
        if explanation.dependsOnEscapes { json.member("dependsOnEscapes", true) }
        json.member("excludes", explanation.excludes)
        json.member("fromDefaults", strings: explanation.inheritedKeys)
        if let position = definition.position { json.member("line", position.line) }
        json.member("matches", explanation.matches)
        json.member("percentEncoded", !explanation.isDecoded)
        json.member("requiresEntitlement", explanation.requiresEntitlement)
        json.member("rule", number - list.rules.lowerBound)
      }
      passOn()
    }
  }

  /// Writes a text of the URL with the pattern that it is compared with.
  private mutating func members(of comparison: RuleExplanation.Comparison) {
    if comparison.exceedsLevels { member("exceedsLevels", true) }
    if let variable = comparison.failedVariable {
      member(
        "failedVariable",
        object: { json in
          json.member("name", variable.name)
          json.member("text", variable.text)
          json.member("value", variable.value)
        })
    }
    member("matches", comparison.matches)
    if let name = comparison.name { member("name", name) }
    if let other = comparison.otherSpelling { member("otherSpelling", other) }
    member("part", comparison.part.rawValue)
    member("pattern", comparison.pattern)
    if let spelling = comparison.spelling { member("spelling", spelling) }
    member("text", comparison.text)
  }
}
