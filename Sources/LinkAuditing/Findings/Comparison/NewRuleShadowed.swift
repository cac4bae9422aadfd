/// A rule of the new file alone does nothing, because others come first.
enum NewRuleShadowed: ComparisonFindingKind {
  static let code = Finding.Code.newRuleShadowed
  static let condition =
    "a rule that was added decides nothing, because earlier rules take all that it matches"
  static let meaning = "The change that the rule was meant for does not happen."
  static let remedy = "Move the rule in front of those that take its URLs."
  static let severity = FindingSeverity.fixed(.warning)

  static func findings(in context: ComparisonFindingContext) -> [Finding] {
    context.addedRules { $0.newTraffic.requests == 0 && $0.newShadowed > 0 }.map { rule, change in
      var evidence = Finding.Evidence()
      evidence.rules = [rule]
      return finding(
        .warning, host: context.comparison.host,
        "The new \(context.name(rule)) decides nothing: earlier rules take all \(change.newShadowed.counted("request")) that it matches.",
        Traffic(requests: change.newShadowed), evidence)
    }
  }
}

extension ComparisonFindingContext {
  /// The rules that were added and fulfil a condition, each once.
  func addedRules(
    _ isIncluded: (RuleChange) -> Bool
  ) -> [(rule: RuleReference, change: RuleChange)] {
    guard comparison.total.requests > 0 else { return [] }
    var known: Set<RuleReference> = []
    return comparison.ruleLists.flatMap(\.rules).compactMap { change in
      guard change.kind == .added, let rule = change.new, rule.rule != nil, isIncluded(change),
        known.insert(rule).inserted
      else { return nil }
      return (rule, change)
    }
  }

  /// The heaviest changes as evidence, with the rules that decide for them now.
  func evidence(_ rows: [FamilyChange]) -> Finding.Evidence {
    evidence(
      rows.prefix(Finding.Evidence.limit).map { row in
        FamilyTraffic(
          path: row.path, traffic: row.traffic, rule: row.newRule ?? row.oldRule,
          samples: row.samples)
      })
  }
}
