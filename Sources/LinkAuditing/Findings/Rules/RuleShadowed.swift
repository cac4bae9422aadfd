/// Earlier rules take all that a rule matches.
enum RuleShadowed: SiteFindingKind {
  static let code = Finding.Code.ruleShadowed
  static let title = "A rule that others shadow"
  static let condition = "a rule decided nothing, because earlier rules took all that it matches"
  static let meaning =
    "The first rule that matches decides. This one says nothing in these logs, and if an earlier "
    + "one says the opposite, links don't do what the file's author wanted."
  static let remedy =
    "Move the rule in front of those that take its URLs, or remove it if they say the same."
  static let severity = FindingSeverity.fixed(
    .warning, except: "`note` if all those rules say the same as this one")

  static func findings(in context: SiteFindingContext) -> [Finding] {
    context.singleRules { list, rule in
      guard rule.traffic.requests == 0, rule.shadowed > 0 else { return nil }
      let deciders = rule.shadowedBy.compactMap { shadow in
        list.rules.first {
          $0.rule == shadow.rule && $0.list == rule.list && $0.place == rule.place
        }
      }
      let opposite = deciders.first { $0.excludes != rule.excludes }
      let shown = opposite ?? deciders.first
      let by = shown.flatMap { list.reference($0) }.map { context.name($0) } ?? "an earlier rule"
      let name = context.name(rule, of: list)
      let taken =
        deciders.count > 1
        ? "\(deciders.count) earlier rules took all \(rule.shadowed.counted("request")) that it matches, most of all \(by)"
        : rule.shadowed == 1
          ? "\(by) took the only request that it matches"
          : "\(by) took all \(rule.shadowed.counted("request")) that it matches"
      let effect =
        opposite == nil
        ? " It says the same."
        : rule.excludes ? " That one claims them." : " That one excludes them."
      var evidence = Finding.Evidence()
      evidence.rules = ([rule] + deciders.prefix(Finding.Evidence.limit))
        .compactMap { list.reference($0) }
      let shadow = rule.shadowTraffic
      return finding(
        opposite == nil ? .note : .warning, host: context.audit.host,
        about: list.reference(rule)?.subject ?? rule.pattern,
        "\(name.capitalizedFirst) decided nothing: \(taken).\(effect)", shadow, evidence,
        share: context.share(shadow, of: context.audit.total),
        remedy: opposite == nil
          ? "Remove the rule, or leave it for other days: those in front of it say the same."
          : "Move the rule in front of those that take its URLs, if it is meant.")
    }
  }
}

extension String {
  /// The text with its first letter in upper case.
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension SiteFindingContext {
  /// Finds something for each rule of the file once, whichever apps share it.
  func singleRules(
    _ find: (RuleListTraffic, RuleTraffic) -> Finding?
  ) -> [Finding] {
    guard audit.total.requests > 0 else { return [] }
    var seen: Set<RuleReference> = []
    return newestRuleLists.flatMap { list in
      list.rules.compactMap { rule in
        guard rule.rule != nil, var name = list.reference(rule), let app = audit.apps.first?.app
        else { return nil }
        // Apps of one entry share its rules, and what is wrong with them.
        name.app = app
        return seen.insert(name).inserted ? find(list, rule) : nil
      }
    }
  }
}
