/// Others take all that a rule of the new file matches, which wasn't so before.
enum RuleNewlyShadowed: ComparisonFindingKind {
  static let code = Finding.Code.ruleNewlyShadowed
  static let title = "A rule that others would shadow"
  static let condition =
    "a rule that was added, or that decides something under the old file, decides nothing under "
    + "the new one, because earlier rules take all that it matches"
  static let meaning =
    "What the rule is meant for does not happen: the first rule that matches decides."
  static let remedy = "Move the rule in front of those that take its URLs."
  static let severity = FindingSeverity.fixed(.warning)

  static func findings(in context: ComparisonFindingContext) -> [Finding] {
    context.rules { change in
      (change.kind == .added || change.oldTraffic.requests > 0)
        && change.newTraffic.requests == 0 && change.newShadowed > 0
    }.map { rule, change in
      var evidence = Finding.Evidence()
      evidence.rules = [rule]
      let name = context.name(rule)
      let subject =
        change.kind == .added
        ? "The new \(name) decides" : "\(name.capitalizedFirst) no longer decides"
      let object = change.kind == .added ? "nothing" : "anything"
      return finding(
        .warning, host: context.comparison.host,
        "\(subject) \(object): earlier rules take all \(change.newShadowed.counted("request")) that it matches.",
        change.oldTraffic.requests > 0
          ? change.oldTraffic : Traffic(requests: change.newShadowed), evidence)
    }
  }
}

extension ComparisonFindingContext {
  /// The rules of the new file that fulfil a condition, each once.
  func rules(
    _ isIncluded: (RuleChange) -> Bool
  ) -> [(rule: RuleReference, change: RuleChange)] {
    guard comparison.total.requests > 0 else { return [] }
    var known: Set<RuleReference> = []
    return comparison.ruleLists.flatMap(\.rules).compactMap { change in
      guard let rule = change.new, rule.rule != nil, isIncluded(change),
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
