@testable import UniversalLinks

extension LinkMatcher {
  /// Returns the rules that match the URL of an evaluation by this matcher, in file order.
  ///
  /// It includes rules after the one that decides.
  func matches(of evaluation: Evaluation) -> [RuleID] {
    evaluation.matches.filter { ruleLists.indices.contains($0.ruleList) }
      .sorted { $0.rule < $1.rule }.map { ruleLists[$0.ruleList].id(ofRule: $0.rule) }
  }
}
