internal import UniversalLinks

/// Findings about single rules.
struct RuleFindings {
  let audit: SiteAudit

  /// What tells a rule from others, whichever app it is asked for.
  private struct Name: Hashable {
    var place: AssociationFile.Place
    var list: RuleListKind
    var rule: Int
  }

  func findings() -> [Finding] {
    guard audit.total.requests > 0 else { return [] }
    // Apps of one entry share its rules, and what is wrong with them.
    var seen: Set<Name> = []
    return audit.ruleLists.flatMap { list in
      list.rules.compactMap { rule in
        guard let position = rule.rule,
          seen.insert(Name(place: rule.place, list: rule.list, rule: position)).inserted
        else { return nil }
        return finding(rule, "Rule \(position) of \(list.name) ('\(rule.pattern)')")
      }
    }
  }

  private func finding(_ rule: RuleTraffic, _ name: String) -> Finding? {
    let code: Finding.Code
    let severity: Finding.Severity
    let message: String
    if rule.traffic.requests == 0, rule.shadowed > 0 {
      (code, severity) = (.ruleShadowed, .warning)
      message =
        rule.shadowed == 1
        ? "\(name) decided nothing: an earlier rule took the only request that it matches."
        : "\(name) decided nothing: earlier rules took all \(rule.shadowed) requests."
    } else if rule.isFragmentDependent {
      (code, severity) = (.fragmentDependent, .note)
      message = "\(name) depends on the fragment, which no log shows; it is judged without one."
    } else if rule.traffic.requests == 0 {
      (code, severity) = (.ruleUnused, .note)
      message = "\(name) matched no request in these logs."
    } else {
      return nil
    }
    return Finding(
      code: code, severity: severity, host: audit.host, message: message,
      traffic: Traffic(requests: rule.shadowed))
  }
}
