internal import UniversalLinks

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
        .warning, host: context.comparison.host, about: rule.subject,
        "\(subject) \(object): earlier rules take all \(change.newShadowed.counted("request")) that it matches.",
        change.oldTraffic.requests > 0
          ? change.oldTraffic : Traffic(requests: change.newShadowed), evidence)
    }
  }

  /// Without traffic: rules of the new file that can decide nothing, as earlier ones take
  /// all URLs that they match, where the old file had no such rule or it could.
  static func findings(
    in comparison: PatternComparison, old: Site, new: Site
  ) -> [Finding] {
    let host = comparison.exampleHost
    let before = RuleReachability(old.file, host: host, system: .current)
    let after = RuleReachability(new.file, host: host, system: .current)
    let neverDecided = undeciding(
      before, LinkMatcher(old.file, system: .current).ruleLists)
    let newSite = CompiledSite(new)
    let names = RuleNames(site: newSite)
    var findings: [Finding] = []
    for (number, list) in newSite.current.ruleLists.enumerated() {
      for (position, definition) in (list.definitions ?? []).enumerated() {
        guard case .covered(let earlier, _) = after.ruleLists[number][position],
          !neverDecided.contains(definition.meaning),
          let rule = names[RuleNames.Key(system: .current, list: number, rule: position)]
        else { continue }
        let context = ComparisonFindingContext(
          comparison: Comparison(host: comparison.host), site: new,
          thresholds: FindingThresholds())
        var evidence = Finding.Evidence()
        let coverers = earlier.compactMap {
          names[RuleNames.Key(system: .current, list: number, rule: $0)]
        }
        evidence.rules = Array(([rule] + coverers).prefix(Finding.Evidence.limit))
        let numbers = earlier.prefix(Finding.Evidence.limit).map(String.init)
          .joined(separator: ", ")
        let by = numbers.isEmpty ? "" : " (\(numbers))"
        findings.append(
          finding(
            .warning, host: comparison.host, about: rule.subject,
            "\(context.name(rule).capitalizedFirst) can never decide anything: earlier rules\(by) take all URLs that it matches.",
            Traffic(), evidence))
      }
    }
    return findings
  }

  /// What the rules say that can decide nothing.
  private static func undeciding(
    _ reachability: RuleReachability, _ lists: [LinkMatcher.RuleList]
  ) -> Set<RuleDefinition> {
    var meanings: Set<RuleDefinition> = []
    for (list, reaches) in zip(lists, reachability.ruleLists) {
      for (definition, reach) in zip(list.definitions ?? [], reaches) {
        if case .covered = reach { meanings.insert(definition.meaning) }
      }
    }
    return meanings
  }
}

extension ComparisonFindingContext {
  /// The rules of the new file that fulfil a condition, each once.
  ///
  /// Apps can share a rule in the new file and have had others before: for one of them it
  /// is new, for another it isn't.
  func rules(
    _ isIncluded: (RuleChange) -> Bool
  ) -> [(rule: RuleReference, change: RuleChange)] {
    guard comparison.total.requests > 0 else { return [] }
    var order: [RuleReference] = []
    var changes: [RuleReference: (rule: RuleReference, change: RuleChange)] = [:]
    for list in comparison.ruleLists {
      for change in list.rules {
        guard let rule = change.new, rule.rule != nil, let app = comparison.apps.first?.app
        else { continue }
        var name = rule
        name.app = app
        if let known = changes[name]?.change {
          if change.kind == .kept { changes[name]?.change.kind = .kept }
          if change.oldTraffic.isHeavier(than: known.oldTraffic) {
            changes[name]?.change.oldTraffic = change.oldTraffic
          }
        } else {
          order.append(name)
          changes[name] = (rule, change)
        }
      }
    }
    return order.compactMap { changes[$0] }.filter { isIncluded($0.change) }
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
