/// A rule had nothing to decide.
enum RuleUnused: SiteFindingKind {
  static let code = Finding.Code.ruleUnused
  static let title = "A rule that nothing matches"
  static let condition =
    "a rule matched no request, though it does not depend on the fragment"
  static let meaning =
    "Nobody came by with such a URL in the time of these logs; or the rule is misspelt and "
    + "matches none that exists."
  static let remedy =
    "Try a URL that it is meant for with 'linkaudit match'. If it is right, leave it: other days "
    + "may have such URLs."
  static let severity = FindingSeverity.fixed(.note)

  static func findings(in context: SiteFindingContext) -> [Finding] {
    context.singleRules(of: Self.self) { list, rule in
      guard rule.traffic.requests == 0, rule.shadowed == 0, !rule.isFragmentDependent,
        let reference = list.reference(rule)
      else { return nil }
      var evidence = Finding.Evidence()
      evidence.rules = [reference]
      return finding(
        .note, host: context.audit.host, about: reference.subject,
        context.name(rule, of: list).capitalizedFirst
          + " matched no\(context.input.isPartial ? "ne" : "") \(context.scope).",
        Traffic(), evidence)
    }
  }
}
