internal import UniversalLinks

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
    context.singleRules(of: Self.self) { list, rule in
      guard rule.traffic.requests == 0, rule.shadowed > 0 else { return nil }
      let deciders = rule.shadowedBy.compactMap { list.rule(shadow: $0, of: rule) }
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

extension RuleListTraffic {
  /// The rule that decided in the place of another one.
  fileprivate func rule(shadow: ShadowingRule, of rule: RuleTraffic) -> RuleTraffic? {
    func isIt(_ other: RuleTraffic) -> Bool {
      other.rule == shadow.rule && other.list == rule.list && other.place == rule.place
    }
    // Rules stand in their order; those of old systems follow.
    if rules.indices.contains(shadow.rule), isIt(rules[shadow.rule]) { return rules[shadow.rule] }
    return rules.first(where: isIt)
  }
}

extension SiteFindingContext {
  /// The number of findings of a kind that are told of a site one by one: no file that systems
  /// read has more rules.
  static let ruleFindingLimit = 10_000

  /// The rules of an array of an entry.
  private struct RuleArray: Hashable {
    var place: AssociationFile.Place
    var list: RuleListKind
  }

  /// Finds something for each rule of the file once, whichever apps share it.
  ///
  /// - Parameters:
  ///   - kind: What kind of finding it is.
  ///   - find: A function that returns what is found for a rule.
  /// - Returns: The findings, of which the last one stands for those that are too many.
  func singleRules(
    of kind: any SiteFindingKind.Type, _ find: (RuleListTraffic, RuleTraffic) -> Finding?
  ) -> [Finding] {
    guard audit.total.requests > 0, !audit.apps.isEmpty else { return [] }
    var findings: [Finding] = []
    var (others, severity, traffic) = (0, Finding.Severity.note, Traffic())
    // Apps of one entry share its rules, and what is wrong with them.
    var seen: [RuleArray: [Bool]] = [:]
    for list in newestRuleLists {
      for rule in list.rules {
        guard let position = rule.rule else { continue }
        let array = RuleArray(place: rule.place, list: rule.list)
        let missing = position + 1 - (seen[array]?.count ?? 0)
        if missing > 0 {
          seen[array, default: []].append(contentsOf: repeatElement(false, count: missing))
        }
        guard seen[array]?[position] == false else { continue }
        seen[array]?[position] = true
        guard let finding = find(list, rule) else { continue }
        if findings.count < Self.ruleFindingLimit {
          findings.append(finding)
        } else {
          others += 1
          severity = max(severity, finding.severity)
          traffic += finding.traffic
        }
      }
    }
    guard others > 0 else { return findings }
    let rest = kind.finding(
      severity, host: audit.host, about: "(other rules)",
      "The same is true of \(others.counted("more rule")), which are not listed.", traffic)
    return findings + [rest]
  }
}
