internal import UniversalLinks

/// An entry has no rules, so that it claims all there is.
enum MatchesEverything: SiteFindingKind {
  static let code = Finding.Code.matchesEverything
  static let title = "An entry claims everything"
  static let condition = "an entry has neither `components` nor `paths`"
  static let meaning =
    "Such an entry claims every URL of the host, those that the app cannot show among them."
  static let remedy =
    "Give the entry 'components' that name what the app implements, or '{\"/\": \"*\"}' if it is "
    + "meant to claim everything."
  static let severity = FindingSeverity.fixed(.warning)

  static func findings(in context: SiteFindingContext) -> [Finding] {
    context.newestRuleLists.flatMap { list in
      list.rules.filter { $0.rule == nil }.map { rule in
        var evidence = Finding.Evidence()
        evidence.rules = list.reference(rule).map { [$0] } ?? []
        return finding(
          .warning, host: context.audit.host, about: list.apps.first?.text ?? "",
          "The entry of \(list.name) has neither 'components' nor 'paths', so it claims every URL.",
          rule.traffic, evidence, share: context.share(rule.traffic, of: context.audit.total))
      }
    }
  }
}

extension RuleListTraffic {
  /// The name of one of the rules.
  func reference(_ rule: RuleTraffic) -> RuleReference? {
    apps.first.map { app in
      RuleReference(
        app: app, place: rule.place, list: rule.list, rule: rule.rule, pattern: rule.pattern,
        excludes: rule.excludes, position: rule.position, version: rule.version)
    }
  }
}
