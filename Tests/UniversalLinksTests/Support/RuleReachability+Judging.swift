@testable import UniversalLinks

extension RuleReachability {
  func misjudgedExamples(of file: AssociationFile) -> [String] {
    let matcher = LinkMatcher(file)
    return rules.compactMap { rule in
      guard case .decides(let example) = rule.reach else { return nil }
      let decisions = matcher.decisions(for: example)
      return decisions.contains { $0.rule == rule.id } ? nil : example
    }
  }

  /// The first contradiction between the reach of the rules that match a URL and the rules that
  /// decide about it.
  func contradiction(to evaluation: Evaluation) -> String? {
    for match in evaluation.matches {
      let decider = evaluation.decidingRule(ofRuleList: match.ruleList).map { rules[$0].id }
      let rule = rules[match.rule]
      switch rule.reach {
      case .decides, .unknown: break
      case .matchesNothing: return "\(rule.id) matches"
      case .covered(let earlier, let isComplete):
        if decider == rule.id || isComplete && !(decider.map(earlier.contains) ?? false) {
          return "\(rule.id) is covered by \(earlier)"
        }
      }
    }
    return nil
  }
}
