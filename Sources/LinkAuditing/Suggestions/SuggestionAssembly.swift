internal import UniversalLinks

/// Makes a suggestion of the traffic that was counted under the file with the new rules.
struct SuggestionAssembly {
  let suggester: Suggester
  let reader: StandingReader

  /// The site with the rules put in.
  let candidate: CompiledSite
  let choice: RuleChoice
  let insertions: [RuleCandidates.Insertion]
  let content: [UInt8]

  let claims: [RouteDrafts.Claim]

  func suggestion(_ tally: SurveyTally) -> Suggestion {
    var suggestion = Suggestion(
      host: suggester.site.site.host, apps: suggester.apps, entry: suggester.entry,
      list: suggester.list)
    suggestion.isSmallest = choice.isSmallest
    suggestion.least = choice.least
    suggestion.content = content
    suggestion.total = tally.total
    suggestion.filter = suggester.judging.filter
    suggestion.grouping = suggester.judging.grouping
    suggestion.weight = suggester.judging.weight
    suggestion.placements = insertions.map { insertion in
      Suggestion.Placement(
        position: insertion.position, count: insertion.drafts.count,
        following: reader.rule(at: insertion.position))
    }
    var sums = Sums(rules: placedRules())
    var fates: [SurveyTally.Decision: Fate] = [:]
    tally.forEachDecision { decision, sum in
      let standing = reader.standing(of: decision)
      let fate = fate(of: decision, standing, sums.rules)
      fates[decision] = fate
      add(sum, decision, standing, fate, to: &suggestion, &sums)
    }
    tally.forEachFamily { family, decision, traffic, samples in
      switch fates[decision] {
      case .claimed(let rule, isWanted: false), .kept(let rule):
        sums.others[Sums.Share(rule: rule, path: family), default: Family()].add(traffic, samples)
      case .remaining(let key): sums.remaining[key, default: Family()].add(traffic, samples)
      default: break
      }
    }
    suggestion.rules = rules(sums)
    suggestion.remaining = sums.remaining.map { key, family in
      RemainingRoute(
        route: source(key.route), reason: reason(key, family.traffic), traffic: family.traffic,
        samples: SampleStore.Sample.encodedBest(family.samples))
    }.sorted { first, second in
      first.traffic == second.traffic
        ? (first.route, "\(first.reason)") < (second.route, "\(second.reason)")
        : isHeavier(first.traffic, second.traffic)
    }
    suggestion.claimedByOthers = sums.claimed.map { app, claimed in
      Suggestion.ClaimingApp(app: app, routes: claimed.routes.count, traffic: claimed.traffic)
    }.sorted {
      $0.traffic == $1.traffic ? $0.app.text < $1.app.text : isHeavier($0.traffic, $1.traffic)
    }
    suggestion.hiddenRules = hiddenRules()
    return suggestion
  }

  private func source(_ route: Int) -> String {
    suggester.site.site.routes?.routes[route].source ?? ""
  }

  private func isHeavier(_ first: Traffic, _ second: Traffic) -> Bool {
    first.isHeavier(than: second, by: suggester.judging.weight)
  }

  /// The rules that were put in, with their positions in the new list.
  private func placedRules() -> [SuggestedRule] {
    var rules: [SuggestedRule] = []
    for insertion in insertions {
      for draft in insertion.drafts {
        rules.append(
          SuggestedRule(
            json: draft.json(suggester.form), excludes: draft.excludes,
            position: insertion.position + rules.count))
      }
    }
    return rules
  }

  /// The rules with all that they claim.
  private func rules(_ sums: Sums) -> [SuggestedRule] {
    var rules = sums.rules
    for (share, traffic) in sums.routes {
      rules[share.rule].routes.append(
        SuggestedRule.ServedRoute(route: share.path, traffic: traffic))
    }
    for (share, family) in sums.others {
      rules[share.rule].others.append(
        FamilyTraffic(
          path: share.path, traffic: family.traffic, rule: nil,
          samples: SampleStore.Sample.encodedBest(family.samples)))
    }
    for number in rules.indices {
      rules[number].routes.sort {
        $0.traffic == $1.traffic ? $0.route < $1.route : isHeavier($0.traffic, $1.traffic)
      }
      rules[number].others.sort {
        $0.traffic == $1.traffic ? $0.path < $1.path : isHeavier($0.traffic, $1.traffic)
      }
      if !rules[number].excludes { rules[number].unseenPath = unseenPath(of: rules[number]) }
    }
    return rules
  }

  /// Why traffic isn't claimed after all.
  private func reason(_ key: RemainingKey, _ traffic: Traffic) -> RemainingRoute.Reason {
    switch key.kind {
    case .excluded: return .excluded(key.rule.flatMap { reader.rule(at: $0) })
    case .unreadable: return .oldSystems
    case .foreign: return .everyPath
    case .wanted where key.isExcludedByDefault: return .excludedByDefault
    case .wanted, .taken, .claimed: break
    }
    if suggester.weight(traffic) < choice.least { return .light }
    if choice.unmatched[key.route, default: 0] >= suggester.weight(traffic) { return .unmatched }
    if let refused = choice.refused[key.route] {
      return .besides(rule: claims[refused.claim].draft.json(suggester.form), refused.besides)
    }
    return choice.isCut ? .top : .noRule
  }
}

// MARK: - Adding up

extension SuggestionAssembly {
  /// Traffic with samples.
  private struct Family {
    var traffic = Traffic()
    var samples: [SampleStore.Sample] = []

    mutating func add(_ traffic: Traffic, _ samples: [SampleStore.Sample]) {
      self.traffic += traffic
      self.samples += samples
    }
  }

  private struct RemainingKey: Hashable {
    var route: Int
    var kind: SurveyStanding.Kind
    var rule: Int?
    var isExcludedByDefault = false
  }

  private struct Sums {
    /// A family or route and the number of the rule that claims it, or keeps it on the web.
    struct Share: Hashable {
      var rule: Int
      var path: String
    }

    var rules: [SuggestedRule]
    var routes: [Share: Traffic] = [:]
    var others: [Share: Family] = [:]
    var remaining: [RemainingKey: Family] = [:]
    var claimed: [ApplicationIdentifier: (routes: Set<Int>, traffic: Traffic)] = [:]
  }

  /// The effect of the new rules on traffic.
  private enum Fate {
    /// A new rule claims it, and the app implements it, or not.
    case claimed(rule: Int, isWanted: Bool)

    /// A new rule claims it, and another app opens it so far.
    case taken(rule: Int)

    /// A new rule keeps it on the web.
    case kept(rule: Int)
    case remaining(RemainingKey)
    case other
  }

  /// Adds the traffic of a decision.
  private func add(
    _ sum: SurveyTally.Sum, _ decision: SurveyTally.Decision, _ standing: SurveyStanding,
    _ fate: Fate, to suggestion: inout Suggestion, _ sums: inout Sums
  ) {
    let (old, new) = (decision.old, decision.new ?? decision.old)
    if standing.kind == .wanted { suggestion.wanted += sum.traffic }
    if old.site == .claimed, new.site != .claimed { suggestion.lost += sum.traffic }
    if old.site == .claimed, new.site == .claimed, old.opener != new.opener {
      suggestion.taken += sum.traffic
    }
    let apps = suggester.site.matcher(decision.system).apps
    if standing.isImplemented, let route = decision.route, let opener = old.opener,
      old.own != .claimed, new.opener == opener,
      let app = apps.first(where: { $0.ruleList == opener })?.identifier
    {
      sums.claimed[app, default: ([], Traffic())].routes.insert(route)
      sums.claimed[app, default: ([], Traffic())].traffic += sum.traffic
    }
    switch fate {
    case .claimed(let rule, let isWanted):
      suggestion.wonFromSameHost += sum.sameHost
      sums.rules[rule].sameHost += sum.sameHost
      if isWanted {
        suggestion.won += sum.traffic
        sums.rules[rule].won += sum.traffic
        if let route = decision.route {
          sums.routes[Sums.Share(rule: rule, path: source(route)), default: Traffic()] +=
            sum.traffic
        }
      } else {
        suggestion.besides += sum.traffic
        sums.rules[rule].othersTotal += sum.traffic
      }
    case .taken(let rule): sums.rules[rule].taken += sum.traffic
    case .kept(let rule): sums.rules[rule].othersTotal += sum.traffic
    case .remaining, .other: break
    }
  }

  private func fate(
    of decision: SurveyTally.Decision, _ standing: SurveyStanding, _ rules: [SuggestedRule]
  ) -> Fate {
    let (old, new) = (decision.old, decision.new ?? decision.old)
    if new.own != old.own || new.rule != old.rule,
      let rule = rules.firstIndex(where: { $0.position == new.rule })
    {
      switch (standing.kind, new.own) {
      // Another app goes on opening it.
      case (.claimed, _): return .other
      case (.taken, let own): return own == .claimed ? .taken(rule: rule) : .other
      case (_, .claimed): return .claimed(rule: rule, isWanted: standing.kind == .wanted)
      case (.foreign, .excluded): return .kept(rule: rule)
      default: break
      }
    }
    guard let route = decision.route, new.site != .claimed else { return .other }
    var key = RemainingKey(route: route, kind: standing.kind)
    switch standing.kind {
    // Such a route has every path.
    case .foreign: return .remaining(key)
    case .excluded where standing.isImplemented: key.rule = old.rule
    case .wanted, .unreadable: if !standing.isImplemented { return .other }
    case .excluded, .taken, .claimed: return .other
    }
    key.isExcludedByDefault =
      standing.kind == .wanted && suggester.form.isExcluding && decision.system == .current
    return .remaining(key)
  }
}
