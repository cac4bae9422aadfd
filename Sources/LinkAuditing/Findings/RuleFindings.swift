internal import Foundations
internal import UniversalLinks

extension Finding {
  /// The greatest number of findings of a kind for the rules of a site: no file that systems
  /// read has more rules.
  static let ruleLimit = 10_000

  /// The kinds of findings about single rules, in the order in which equals are shown.
  static let ruleKinds: [FindingKind<AuditedSite>] = [
    DiagnosticKind(
      "rule-shadowed", .warning,
      except: "`note` if all earlier rules do the same as this one",
      "Rule that others shadow",
      condition: "a rule decided nothing, because earlier rules decided all that it matches",
      meaning: """
        The first rule that matches decides. This rule has no effect in these logs. If an earlier \
        rule does the opposite, links may not behave as the author of the file intended.
        """,
      remedy: "Move the rule before the rules that match its URLs. If they do the same, remove it."
    ).findings { context in
      context.singleRules { list, rule in
        guard rule.traffic.requests == 0, rule.shadowed > 0 else { return nil }
        let excludes = rule.rule.excludes
        let deciders = rule.shadowedBy.compactMap { list.rule(with: $0.rule) }
        let opposite = deciders.first { $0.excludes != excludes }
        let by = (opposite ?? deciders.first).map { context.name($0) } ?? "an earlier rule"
        let name = context.name(rule.rule, of: list)
        let taken =
          deciders.count > 1
          ? "\(deciders.count) earlier rules decided all \(rule.shadowed.counted("request")) that it matches, among them \(by)"
          : rule.shadowed == 1
            ? "\(by) decided the only request that it matches"
            : "\(by) decided all \(rule.shadowed.counted("request")) that it matches"
        let effect =
          opposite == nil
          ? deciders.count > 1
            ? " They all \(excludes ? "exclude" : "claim") them, as this rule would."
            : " That rule \(excludes ? "excludes" : "claims") them, too."
          : excludes ? " That rule claims them." : " That rule excludes them."
        let shadow = rule.shadowTraffic
        return context.finding(
          opposite == nil ? .note : .warning, about: rule.rule.subject,
          "\(name.capitalizedFirst) decided nothing: \(taken).\(effect)", shadow,
          Finding.Evidence(rules: [rule.rule] + deciders.prefix(Finding.Evidence.limit)),
          share: context.share(shadow, of: context.audit.total),
          remedy: opposite == nil
            ? "You can remove the rule: no link would change."
            : opposite.flatMap { cause in
              cause.optionalItems.first.map {
                "'*' also matches URLs without the query item '\($0)': write '?*' in \(context.name(cause))."
              }
            } ?? "If the rule should have an effect, move it before the rules that match its URLs.")
      }
    },
    DiagnosticKind(
      "fragment-dependent", .note, "Rule that depends on the fragment",
      condition: "a rule depends on the fragment, which never reaches a server",
      meaning: """
        linkaudit judges URLs without a fragment, so logs can't show what the rule decides on \
        devices.
        """,
      remedy: "If this is intended, do nothing, but don't rely on the figures of this rule."
    ).findings { context in
      context.singleRules { list, rule in
        let isShadowed = rule.traffic.requests == 0 && rule.shadowed > 0
        guard rule.rule.dependsOnFragment, !isShadowed else { return nil }
        return context.finding(
          .note, about: rule.rule.subject,
          "\(context.name(rule.rule, of: list).capitalizedFirst) depends on the fragment, which logs don't record. linkaudit judges it without one."
            + (rule.withFragment.visits > 0
              ? " It would decide \(rule.withFragment.visits.counted("visit")) if their links had such a fragment."
              : ""),
          rule.withFragment, Finding.Evidence(rules: [rule.rule]),
          share: context.share(rule.withFragment, of: context.audit.total))
      }
    },
    DiagnosticKind(
      "rule-unused", .note, "Rule that matches no request",
      condition: "a rule matched no request, and does not depend on the fragment",
      meaning: "The logs have no request for such a URL, or the rule is misspelt.",
      remedy: """
        Test the rule with 'linkaudit match' and a URL that it should match. If it is right, keep \
        it: other days may have such requests.
        """
    ).findings { context in
      context.singleRules { list, rule in
        guard rule.traffic.requests == 0, rule.shadowed == 0, !rule.rule.dependsOnFragment
        else { return nil }
        return context.finding(
          .note, about: rule.rule.subject,
          context.name(rule.rule, of: list).capitalizedFirst
            + " matched no\(context.isPartial ? "ne" : "") \(context.scope).",
          Traffic(), Finding.Evidence(rules: [rule.rule]))
      }
    },
  ]
}

extension RuleListTraffic {
  fileprivate func rule(with id: RuleID) -> ReportedRule? {
    // Rules are in file order; those of old systems follow.
    if let position = id.position, rules.indices.contains(position),
      rules[position].rule.id == id
    {
      return rules[position].rule
    }
    return rules.first { $0.rule.id == id }?.rule
  }
}

extension FindingContext<AuditedSite> {
  /// Finds something for each rule of the file once, whichever apps share it.
  ///
  /// The last finding represents all beyond the limit.
  fileprivate func singleRules(_ find: (RuleListTraffic, RuleTraffic) -> Finding?) -> [Finding] {
    guard self.audit.total.requests > 0, !self.audit.apps.isEmpty else { return [] }
    var findings: [Finding] = []
    var (others, severity, traffic) = (0, Severity.note, Traffic())
    // Apps of one entry share its rules and their problems.
    var seen: Set<RuleID> = []
    for list in subject.newestRuleLists {
      for rule in list.rules where rule.rule.id.position != nil {
        guard seen.insert(rule.rule.id).inserted else { continue }
        guard let finding = find(list, rule) else { continue }
        if findings.count < Finding.ruleLimit {
          findings.append(finding)
        } else {
          others += 1
          severity = max(severity, finding.severity)
          traffic += finding.traffic
        }
      }
    }
    guard others > 0 else { return findings }
    return findings + [
      finding(
        severity, about: "(other rules)",
        "The same is true of \(others.counted("more rule")), which are not listed.", traffic)
    ]
  }
}
