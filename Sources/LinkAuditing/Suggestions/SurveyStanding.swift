internal import UniversalLinks

/// The kind of some traffic, for rules that are put into an entry.
struct SurveyStanding: Hashable {
  /// Kinds of traffic.
  enum Kind: Hashable {
    /// The app implements it, and nobody claims it.
    case wanted

    /// The app doesn't implement it, and nobody claims it.
    case foreign

    /// Another app opens it, but this one would if it claimed it.
    case taken

    /// Another app opens it.
    case claimed

    /// A rule of the entry excludes it, which is left alone.
    case excluded

    /// The systems that it came from don't read the list.
    case unreadable
  }

  var kind: Kind

  /// The greatest position in the list in front of which a rule would decide.
  var limit: Int

  /// Whether the app implements it.
  var isImplemented: Bool
}

/// Finds out the standing of traffic.
struct StandingReader {
  let survey: RuleSurvey
  let includesExcluded: Bool

  /// The number of rules.
  let ruleCount: Int

  /// The position of the first rule that excludes all that reaches it.
  let excludesAll: Int?

  /// Whether a route has every path, as screens for what is not found have.
  let hasEveryPath: [Bool]

  init(_ survey: RuleSurvey, includesExcluded: Bool) {
    (self.survey, self.includesExcluded) = (survey, includesExcluded)
    let matcher = survey.site.matcher(survey.system)
    let rules = survey.list(survey.system).flatMap { matcher.ruleLists[$0].definitions } ?? []
    ruleCount = rules.count
    excludesAll = rules.firstIndex { rule in
      var rule = rule
      if rule.path == "/*" { rule.path = "*" }
      return rule.excludes && rule.matchesEverything
    }
    hasEveryPath = (survey.site.site.routes?.routes ?? []).map(\.hasEveryPath)
  }

  /// Returns the rule of the entry at a position, or `nil` after the last.
  func rule(at position: Int) -> ReportedRule? {
    guard position < ruleCount, let list = survey.list(survey.system) else { return nil }
    let first = survey.site.matcher(survey.system).ruleLists[list].rules.lowerBound
    return RuleNames(site: survey.site).rule(first + position, survey.system)
  }

  /// The position after which no rule would decide anything.
  var end: Int { excludesAll ?? ruleCount }

  func standing(of decision: SurveyTally.Decision) -> SurveyStanding {
    let isImplemented = decision.route.map { !hasEveryPath[$0] } ?? false
    var standing = SurveyStanding(kind: .claimed, limit: .max, isImplemented: isImplemented)
    let old = decision.old
    guard let list = survey.list(decision.system) else {
      standing.kind = old.site == .claimed ? .claimed : .unreadable
      return standing
    }
    if old.own == .claimed { return standing }
    if old.own == .excluded, let rule = old.rule {
      standing.limit = rule
      guard rule == excludesAll || includesExcluded else {
        standing.kind = old.site == .claimed ? .claimed : .excluded
        return standing
      }
    }
    if old.site == .claimed {
      standing.kind = isPreferred(list, to: old.opener, decision.system) ? .taken : .claimed
    } else {
      standing.kind = isImplemented ? .wanted : .foreign
    }
    return standing
  }

  /// Whether a system asks the apps of one list before those of another.
  private func isPreferred(_ list: Int, to other: Int?, _ system: OperatingSystem) -> Bool {
    let order = system == .current ? survey.site.currentLists : survey.site.legacyLists
    guard let other, let own = order.firstIndex(of: list), let theirs = order.firstIndex(of: other)
    else { return false }
    return own < theirs
  }
}

extension RoutePattern {
  /// A Boolean value indicating whether the route has every path, but perhaps the root: it has
  /// no text and no least length, so it says nothing of what the app implements.
  var hasEveryPath: Bool {
    items.isEmpty
      && paths.contains { path in
        path.glob == nil && path.elements.contains(where: \.allowsMany)
          && path.elements.allSatisfy { $0.matcher == .any }
          && path.elements.count { !$0.allowsNone } <= 1
      }
  }
}
