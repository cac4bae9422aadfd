internal import Foundations
internal import UniversalLinks

// Some kinds are found with traffic and without, from the patterns alone. These have a name, and
// an entry in both lists.
extension Finding {
  /// The kinds of findings about a change under traffic, in the order in which equals are shown.
  static let comparisonKinds: [FindingKind<Comparison>] = [
    claimsLost.finding { context in
      let comparison = context.subject
      let lost = comparison.noLongerClaimed
      let rows = comparison.changes.filter(\.transition.isLoss)
      guard let first = rows.first else { return nil }
      let rule =
        first.newRule.map { ", which \(context.name($0)) excludes" } ?? ", which no rule matches"
      return context.measured(
        lost, of: comparison.total,
        "\(lost.weightText.capitalizedFirst) would no longer open the app. Heaviest: \(first.path)\(rule).",
        context.evidence(rows), visitsToWin: lost.visits)
    },
    appRemoved.findings { context in
      context.apps.filter { $0.kind == .removed }.map { app in
        context.finding(
          .warning, about: app.app.text,
          "The new file no longer names \(app.app.text), for which the old one claims \(app.lost.weightText).",
          app.lost, share: context.share(app.lost, of: context.total), visitsToWin: app.lost.visits)
      }
    },
    appClaimsLost.findings { context in
      let comparison = context.subject
      return comparison.apps.compactMap { app in
        // Losses of the whole site are another finding.
        guard app.kind == .kept, app.lost.requests > comparison.noLongerClaimed.requests else {
          return nil
        }
        return context.measured(
          app.lost, of: comparison.total, about: app.app.text,
          "\(app.lost.weightText.capitalizedFirst) would no longer open \(app.app.text).",
          visitsToWin: app.lost.visits)
      }
    },
    DiagnosticKind(
      "claimed-without-route", note: 0, warning: 10, error: 100, of: "visits",
      "Newly claimed without a route",
      condition: """
        the new file claims visits that the old one does not, and the app has no route for them
        """,
      meaning: "The app would open, but could not show the page.",
      remedy: """
        Narrow the rule that claims these paths, put an exclusion before it, or implement them \
        first.
        """
    ).finding { context in
      let comparison = context.subject
      guard let traffic = comparison.newlyClaimedWithoutRoute else { return nil }
      let rows = comparison.changes.filter { $0.transition.isGain && $0.isImplemented == false }
      guard let first = rows.first else { return nil }
      let rule = context.rule(first.newRule, "claimed by")
      return context.measured(
        traffic, of: comparison.total,
        "\(traffic.weightText.capitalizedFirst) would be newly claimed, but the app has no route for them. Heaviest: \(first.path)\(rule).",
        context.evidence(rows))
    },
    opensAnotherApp.finding { context in
      let comparison = context.subject
      let rows = comparison.changes.filter { $0.transition.from == $0.transition.to }
      guard let first = rows.first else { return nil }
      let apps = [first.oldRule, first.newRule].compactMap { $0?.app.text }
        .joined(separator: " before, now ")
      return context.measured(
        comparison.opensAnotherApp, of: comparison.total,
        "\(comparison.opensAnotherApp.weightText.capitalizedFirst) would open another app. Heaviest: \(first.path), \(apps).",
        context.evidence(rows))
    },
    ruleNewlyShadowed.findings { context in
      context.rules { change in
        (change.kind == .added || change.oldTraffic.requests > 0)
          && change.newTraffic.requests == 0 && change.newShadowed > 0
      }.map { rule, change in
        let name = context.name(rule)
        let subject =
          change.kind == .added
          ? "The new \(name) decides" : "\(name.capitalizedFirst) no longer decides"
        let object = change.kind == .added ? "nothing" : "anything"
        return context.finding(
          .warning, about: rule.subject,
          "\(subject) \(object): earlier rules decide all \(change.newShadowed.counted("request")) that it matches.",
          change.oldTraffic.requests > 0
            ? change.oldTraffic : Traffic(requests: change.newShadowed),
          Finding.Evidence(rules: [rule]))
      }
    },
    claimsGained.finding { context in
      let comparison = context.subject
      let gained = comparison.newlyClaimed
      let rows = comparison.changes.filter(\.transition.isGain)
      guard let first = rows.first else { return nil }
      let sameHost = comparison.newlyClaimedFromSameHost
      let caveat =
        sameHost.visits > 0
        ? " Of these, \(sameHost.weightText) came from pages of the same host, where links never open the app."
        : ""
      return context.measured(
        gained, of: comparison.total,
        "\(gained.weightText.capitalizedFirst) would be newly claimed. Heaviest: \(first.path).\(caveat)",
        context.evidence(rows))
    },
    DiagnosticKind(
      "added-rule-unused", .note, "New rule that matches no request",
      condition: "an added rule matches no request",
      meaning: "The logs have no request for such a URL, or the rule is misspelt.",
      remedy: "Test the rule with 'linkaudit match' and a URL that it should match."
    ).findings { context in
      context.rules {
        $0.kind == .added && !($0.new?.dependsOnFragment ?? false) && $0.newTraffic.requests == 0
          && $0.newShadowed == 0
      }.map { rule, _ in
        context.finding(
          .note, about: rule.subject,
          "The new \(context.name(rule)) matches no request in these logs.", Traffic(),
          Finding.Evidence(rules: [rule]))
      }
    },
  ]

  /// The kinds of findings about a change without traffic, in the order in which findings of equal
  /// severity are shown.
  ///
  /// Every loss is a warning, because its traffic is unknown.
  static let patternKinds: [FindingKind<PatternComparison>] = [
    appRemoved.findings { context in
      let kept = Set(context.new.file.entries.flatMap(\.namedApps))
      return context.old.file.entries.distinctApps.filter { !kept.contains($0) }.map {
        context.finding(.warning, about: $0.text, "The new file no longer names \($0.text).")
      }
    },
    claimsLost.finding { context in
      let lost = context.changes.filter(\.transition.isLoss)
      guard let first = lost.first else { return nil }
      return context.finding(
        .warning,
        "\(lost.count.counted("group")) of URLs would no longer open the app, such as \(first.url)."
      )
    },
    appClaimsLost.findings { context in
      let kept = Set(context.old.file.entries.distinctApps)
        .intersection(context.new.file.entries.distinctApps)
      let lost = [context.current, context.legacy].flatMap(\.separateAppChanges).filter {
        kept.contains($0.app) && $0.change.transition.isLoss
      }
      return Dictionary(grouping: lost, by: \.app).sorted { $0.key.text < $1.key.text }.map {
        app, changes in
        context.finding(
          .warning, about: app.text,
          "\(changes.count.counted("group")) of URLs would no longer open \(app.text), such as \(changes.first?.change.url ?? "")."
        )
      }
    },
    opensAnotherApp.finding { context in
      let changes = context.changes.filter { $0.transition.from == $0.transition.to }
      guard let first = changes.first else { return nil }
      let apps = [first.old, first.new].compactMap { $0.decision?.app.text }
        .joined(separator: " before, now ")
      return context.finding(
        .warning,
        "\(changes.count.counted("group")) of URLs would open another app, such as \(first.url): \(apps)."
      )
    },
    // Rules of the new file that can decide nothing, because earlier ones take all URLs that they
    // match. Exclude rules that the old file has, unless they could decide there.
    ruleNewlyShadowed.findings { context in
      context.subject.coveredRules.map { rule, earlier, coverers in
        let evidence = Finding.Evidence(
          rules: Array(([rule] + coverers).prefix(Finding.Evidence.limit)))
        let numbers = earlier.prefix(Finding.Evidence.limit).map(String.init)
          .joined(separator: ", ")
        let by = numbers.isEmpty ? "" : " (\(numbers))"
        return context.finding(
          .warning, about: rule.subject,
          "\(context.name(rule).capitalizedFirst) can never decide: earlier rules\(by) match all URLs that it matches.",
          Traffic(), evidence)
      }
    },
    claimsGained.finding { context in
      let gained = context.changes.filter(\.transition.isGain)
      guard let first = gained.first else { return nil }
      return context.finding(
        .note,
        "\(gained.count.counted("group")) of URLs would be newly claimed, such as \(first.url).")
    },
  ]

  /// The codes of findings about visits that would no longer open an app.
  package static let lossCodes: Set = [claimsLost.code, appClaimsLost.code, appRemoved.code]

  private static let claimsLost = DiagnosticKind(
    "claims-lost", note: 0, warning: 100, error: 1_000, of: "visits",
    "Visits that would no longer open the app",
    condition: "the new file no longer claims visits that the old one claims",
    meaning: "Links that open the app today would stay on the web.",
    remedy: """
      If this is not intended, check the rules that decide these URLs in the new file: an earlier \
      exclusion may be too wide, or a rule may be missing.
      """)

  private static let appRemoved = DiagnosticKind(
    "app-removed", .warning, "App that would be removed",
    condition: "the new file no longer names an app that the old one names",
    meaning: "No link would open this app, even if rules of other apps claim it.",
    remedy: "If the app is still in use, add it to the new file.")

  private static let appClaimsLost = DiagnosticKind(
    "app-claims-lost", note: 0, warning: 100, error: 1_000, of: "visits",
    "Visits that would no longer open one of the apps",
    condition: """
      the new file no longer claims visits for an app, though another app still claims them
      """,
    meaning: "If only this app is installed, links that open it today would stay on the web.",
    remedy: """
      If this is not intended, add the missing rules to the entry of the app. Only one entry counts \
      for each app.
      """)

  private static let opensAnotherApp = DiagnosticKind(
    "opens-another-app", note: 0, warning: 100, of: "visits", "Visits that would open another app",
    condition: "both files claim visits, but another app claims them first",
    meaning: "If both apps are installed, links would open the other one.",
    remedy: """
      If this is not intended, change the order of entries in 'details', which decides which app \
      comes first.
      """)

  private static let ruleNewlyShadowed = DiagnosticKind(
    "rule-newly-shadowed", .warning, "Rule that others would shadow",
    condition: """
      earlier rules of the new file decide all that a rule matches, and the rule is new or decides \
      something under the old file
      """,
    meaning: "The first rule that matches decides, so this rule would have no effect.",
    remedy: "Move the rule before the rules that match its URLs.")

  private static let claimsGained = DiagnosticKind(
    "claims-gained", note: 0, of: "visits", "Visits that would be newly claimed",
    condition: "the new file claims visits that the old one does not claim",
    meaning: "Links that stay on the web today would open the app.",
    remedy: "Check that the app can show these pages.")
}

extension FindingContext<Comparison> {
  /// The rules of the new file that fulfil a condition, each once.
  ///
  /// Apps can share a rule in the new file and have had others before: for one of them it
  /// is new, for another it isn't.
  fileprivate func rules(
    _ isIncluded: (RuleChange) -> Bool
  ) -> [(rule: ReportedRule, change: RuleChange)] {
    guard subject.total.requests > 0, let app = subject.apps.first?.app else { return [] }
    let changes = subject.ruleLists.flatMap(\.rules).filter { $0.new?.id.position != nil }
    return changes.grouped { $0.new?.of(app) }.compactMap { _, changes in
      guard var change = changes.first, let rule = change.new else { return nil }
      if changes.contains(where: { $0.kind == .kept }) { change.kind = .kept }
      for other in changes where other.oldTraffic.isHeavier(than: change.oldTraffic) {
        change.oldTraffic = other.oldTraffic
      }
      return isIncluded(change) ? (rule, change) : nil
    }
  }

  /// The heaviest changes as evidence, with the rules that decide for them now.
  fileprivate func evidence(_ rows: [PathGroupChange]) -> Finding.Evidence {
    evidence(
      rows.prefix(Finding.Evidence.limit).map { row in
        PathGroupTraffic(
          path: row.path, traffic: row.traffic, rule: row.newRule ?? row.oldRule,
          samples: row.samples)
      })
  }
}

extension PatternComparison {
  /// The rules of the new file that earlier rules keep from deciding, with these rules' numbers and
  /// names.
  ///
  /// Rules that the old file also keeps from deciding are left out.
  fileprivate var coveredRules: [(rule: ReportedRule, by: [Int], coverers: [ReportedRule])] {
    let host = old.exampleHost
    let rules = new.file.reachability(host: host).rules
    // Exploring a file takes a while.
    guard !Self.undeciding(rules).isEmpty else { return [] }
    let neverDecided = Self.undeciding(old.file.reachability(host: host).rules)
    func reported(_ rule: RuleReachability.Rule) -> ReportedRule? {
      rule.apps.first.map { ReportedRule(rule.id, rule.definition, of: $0) }
    }
    let byID = Dictionary(rules.map { ($0.id, $0) }) { first, _ in first }
    return rules.compactMap { rule in
      guard case .covered(let earlier, _) = rule.reach,
        !neverDecided.contains(rule.definition.meaning), let name = reported(rule)
      else { return nil }
      return (
        name, earlier.compactMap(\.position), earlier.compactMap { byID[$0] }.compactMap(reported)
      )
    }
  }

  /// The meanings of rules that can decide nothing.
  private static func undeciding(_ rules: [RuleReachability.Rule]) -> Set<RuleDefinition> {
    Set(
      rules.compactMap { rule in
        if case .covered = rule.reach { rule.definition.meaning } else { nil }
      })
  }
}
