/// A rule of the new file alone matches nothing.
enum AddedRuleUnused: ComparisonFindingKind {
  static let code = Finding.Code.addedRuleUnused
  static let title = "A new rule that nothing matches"
  static let condition = "a rule that was added matches no request"
  static let meaning =
    "Nobody came by with such a URL in the time of these logs; or the rule is misspelt."
  static let remedy = "Try a URL that it is meant for with 'linkaudit match'."
  static let severity = FindingSeverity.fixed(.note)

  static func findings(in context: ComparisonFindingContext) -> [Finding] {
    context.rules {
      $0.kind == .added && !$0.isFragmentDependent && $0.newTraffic.requests == 0
        && $0.newShadowed == 0
    }.map { rule, _ in
      var evidence = Finding.Evidence()
      evidence.rules = [rule]
      return finding(
        .note, host: context.comparison.host, about: rule.subject,
        "The new \(context.name(rule)) matches no request in these logs.", Traffic(), evidence)
    }
  }
}
