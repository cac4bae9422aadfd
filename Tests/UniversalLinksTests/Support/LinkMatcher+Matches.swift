@testable import UniversalLinks

extension LinkMatcher {
  /// The rules that decide for some app, in file order.
  var ruleIDs: [RuleID] {
    ruleLists.flatMap { list in list.rules.map { list.id(ofRule: $0) } }
  }

  /// Returns the rules that match the URL of an evaluation by this matcher, in file order.
  ///
  /// It includes rules after the one that decides.
  func matches(of evaluation: Evaluation) -> [RuleID] {
    evaluation.matches.filter { ruleLists.indices.contains($0.ruleList) }
      .sorted { $0.rule < $1.rule }.map { ruleLists[$0.ruleList].id(ofRule: $0.rule) }
  }
}
