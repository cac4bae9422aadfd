@testable import UniversalLinks

extension RuleReachability {
  /// The examples of URLs about which, for the matcher, another rule decides than the one whose
  /// examples they are.
  func misjudgedExamples(of file: AssociationFile, system: OperatingSystem) -> [String] {
    let matcher = LinkMatcher(file, system: system)
    var evaluation = Evaluation()
    var misjudged: [String] = []
    for (list, reaches) in ruleLists.enumerated() {
      for (rule, reach) in reaches.enumerated() {
        guard case .decides(let example) = reach else { continue }
        var url = LinkURL(example)
        matcher.evaluate(&url, into: &evaluation)
        if evaluation.decidingRule(ofRuleList: list) != rule { misjudged.append(example) }
      }
    }
    return misjudged
  }

  /// What is wrong with what is said of the rules that match a URL, if anything.
  ///
  /// - Parameter evaluation: What the matcher says of the URL.
  /// - Returns: The rule, and what contradicts it, or `nil` if all is as it was said.
  func contradiction(to evaluation: Evaluation) -> String? {
    for match in evaluation.matches {
      let decider = evaluation.decidingRule(ofRuleList: match.ruleList) ?? -1
      switch ruleLists[match.ruleList][match.position] {
      case .decides, .unknown: break
      case .matchesNothing: return "\(match) matches"
      case .covered(let earlier, let isComplete):
        if isComplete, !earlier.contains(decider) { return "\(match) is covered by \(earlier)" }
      }
    }
    return nil
  }
}
