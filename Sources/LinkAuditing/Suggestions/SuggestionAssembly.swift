internal import UniversalLinks

/// Turns what was counted under a file with rules put in into what is suggested.
struct SuggestionAssembly {
  let suggester: Suggester
  let reader: StandingReader

  /// The site with the rules put in.
  let candidate: CompiledSite
  let choice: CandidateChoice
  let insertions: [CandidateChoice.Insertion]
  let content: [UInt8]

  let claims: [RuleDrafts.Claim]

  func suggestion(_ tally: SurveyTally) -> Suggestion {
    var suggestion = Suggestion(
      host: suggester.site.site.host, apps: suggester.apps, place: suggester.place,
      list: suggester.list)
    suggestion.isSmallest = choice.isSmallest
    suggestion.least = choice.least
    suggestion.content = content
    suggestion.total = tally.total
    (suggestion.filter, suggestion.grouping) = (
      suggester.judging.filter, suggester.judging.grouping
    )
    suggestion.weight = suggester.judging.weight
    let rules = placedRules()
    suggestion.placements = placements()
    let sums = Sums(self, tally, positions: rules.map(\.position))
    (suggestion.wanted, suggestion.won) = (sums.wanted, sums.won)
    suggestion.wonFromSameHost = sums.sameHost
    (suggestion.besides, suggestion.taken, suggestion.lost) = (sums.besides, sums.taken, sums.lost)
    suggestion.rules = rules.enumerated().map { number, rule in
      var rule = rule
      let sum = sums.rules[number]
      (rule.won, rule.sameHost, rule.othersTotal) = (sum.won, sum.sameHost, sum.others)
      rule.taken = sum.taken
      rule.routes = sum.routes.map {
        SuggestedRule.ServedRoute(route: source($0.key), traffic: $0.value)
      }.sorted {
        $0.traffic == $1.traffic ? $0.route < $1.route : isHeavier($0.traffic, $1.traffic)
      }
      rule.others = sum.families.map { path, family in
        FamilyTraffic(
          path: path, traffic: family.traffic, rule: nil,
          samples: SampleStore.Sample.encodedBest(family.samples))
      }.sorted { $0.traffic == $1.traffic ? $0.path < $1.path : isHeavier($0.traffic, $1.traffic) }
      if !rule.excludes { rule.unseenPath = UnseenPath.find(rule, self) }
      return rule
    }
    suggestion.remaining = remaining(sums)
    suggestion.claimedByOthers = sums.claimed.map { app, claimed in
      Suggestion.ClaimingApp(app: app, routes: claimed.routes.count, traffic: claimed.traffic)
    }.sorted {
      $0.traffic == $1.traffic ? $0.app.text < $1.app.text : isHeavier($0.traffic, $1.traffic)
    }
    suggestion.hiddenRules = HiddenRules.find(self)
    return suggestion
  }

  private func source(_ route: Int) -> String {
    suggester.site.site.routes?.routes[route].source ?? ""
  }

  private func isHeavier(_ first: Traffic, _ second: Traffic) -> Bool {
    first.isHeavier(than: second, by: suggester.judging.weight)
  }

  /// The rules that were put in, at their places in the new list.
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

  private func placements() -> [Suggestion.Placement] {
    insertions.map { insertion in
      Suggestion.Placement(
        position: insertion.position, count: insertion.drafts.count,
        following: reader.reference(insertion.position))
    }
  }

  /// What isn't claimed after all, and why.
  private func remaining(_ sums: Sums) -> [RemainingRoute] {
    sums.remaining.map { key, sum in
      let reason: RemainingRoute.Reason =
        switch key.kind {
        case .excluded: .excluded(key.rule.flatMap { reader.reference($0) })
        case .unreadable: .oldSystems
        case .foreign: .everyPath
        case .wanted where key.isExcludedByDefault: .excludedByDefault
        case .wanted, .taken, .claimed: reason(key.route, sum.traffic)
        }
      return RemainingRoute(
        route: source(key.route), reason: reason, traffic: sum.traffic,
        samples: SampleStore.Sample.encodedBest(sum.samples))
    }.sorted { first, second in
      first.traffic == second.traffic
        ? (first.route, "\(first.reason)") < (second.route, "\(second.reason)")
        : isHeavier(first.traffic, second.traffic)
    }
  }

  private func reason(_ route: Int, _ traffic: Traffic) -> RemainingRoute.Reason {
    if suggester.weight(traffic) < choice.least { return .light }
    if choice.unmatched[route, default: 0] >= suggester.weight(traffic) { return .unmatched }
    if let refused = choice.refused[route] {
      return .besides(
        rule: claims[refused.claim].draft.json(suggester.form), refused.besides)
    }
    return choice.isCut ? .top : .noRule
  }
}

extension StandingReader {
  /// The name of a rule of the entry as the file has it, or `nil` behind the last.
  func reference(_ position: Int) -> RuleReference? {
    guard position < ruleCount else { return nil }
    let names = RuleNames(site: survey.site)
    for system in [OperatingSystem.current, .legacy] {
      guard let list = survey.list(system) else { continue }
      return names[RuleNames.Key(system: system, list: list, rule: position)]
    }
    return nil
  }
}

extension SuggestionAssembly {
  /// What was counted, added up.
  private struct Sums {
    struct Family {
      var traffic = Traffic()
      var samples: [SampleStore.Sample] = []
    }

    struct Rule {
      var won = Traffic()
      var sameHost = Traffic()
      var routes: [Int: Traffic] = [:]
      var others = Traffic()
      var taken = Traffic()
      var families: [String: Family] = [:]
    }

    struct RemainingKey: Hashable {
      var route: Int
      var kind: SurveyStanding.Kind
      var rule: Int?
      var isExcludedByDefault = false
    }

    var (wanted, won, sameHost) = (Traffic(), Traffic(), Traffic())
    var (besides, taken, lost) = (Traffic(), Traffic(), Traffic())
    var rules: [Rule]
    var remaining: [RemainingKey: Family] = [:]
    var claimed: [ApplicationIdentifier: (routes: Set<Int>, traffic: Traffic)] = [:]

    /// What becomes of traffic.
    private enum Fate {
      /// A rule that was put in claims it, and the app implements it, or not.
      case claimed(rule: Int, isWanted: Bool)

      /// A rule that was put in claims it, and another app opens it so far.
      case taken(rule: Int)

      /// A rule that was put in keeps it on the web.
      case kept(rule: Int)
      case remaining(RemainingKey)
      case other
    }

    init(_ assembly: SuggestionAssembly, _ tally: SurveyTally, positions: [Int]) {
      rules = Array(repeating: Rule(), count: positions.count)
      let numbers = Dictionary(
        uniqueKeysWithValues: positions.enumerated().map { ($0.element, $0.offset) })
      let reader = assembly.reader
      var fates: [SurveyTally.Decision: Fate] = [:]
      tally.forEachDecision { decision, sum in
        let standing = reader.standing(of: decision)
        var fate = Self.fate(of: decision, standing, numbers)
        if assembly.suggester.form.isExcluding, decision.system == .current,
          case .remaining(var key) = fate, key.kind == .wanted
        {
          key.isExcludedByDefault = true
          fate = .remaining(key)
        }
        fates[decision] = fate
        if standing.kind == .wanted { wanted += sum.traffic }
        let (old, new) = (decision.old, decision.new ?? decision.old)
        if old.site == .claimed, new.site != .claimed { lost += sum.traffic }
        if old.site == .claimed, new.site == .claimed, old.opener != new.opener {
          taken += sum.traffic
        }
        if standing.isImplemented, let route = decision.route, let opener = old.opener,
          old.own != .claimed, new.opener == opener
        {
          let matcher = assembly.suggester.site.matcher(decision.system)
          if let app = matcher.apps.first(where: { $0.ruleList == opener })?.identifier {
            claimed[app, default: ([], Traffic())].routes.insert(route)
            claimed[app, default: ([], Traffic())].traffic += sum.traffic
          }
        }
        if case .claimed(let rule, let isWanted) = fate {
          sameHost += sum.sameHost
          rules[rule].sameHost += sum.sameHost
          if isWanted {
            won += sum.traffic
            rules[rule].won += sum.traffic
            if let route = decision.route {
              rules[rule].routes[route, default: Traffic()] += sum.traffic
            }
          } else {
            besides += sum.traffic
            rules[rule].others += sum.traffic
          }
        }
        if case .taken(let rule) = fate { rules[rule].taken += sum.traffic }
        if case .kept(let rule) = fate { rules[rule].others += sum.traffic }
      }
      tally.forEachFamily { family, decision, traffic, samples in
        switch fates[decision] {
        case .claimed(let rule, isWanted: false), .kept(let rule):
          rules[rule].families[family, default: Family()].traffic += traffic
          rules[rule].families[family, default: Family()].samples += samples
        case .remaining(let key):
          remaining[key, default: Family()].traffic += traffic
          remaining[key, default: Family()].samples += samples
        default: break
        }
      }
    }

    private static func fate(
      of decision: SurveyTally.Decision, _ standing: SurveyStanding, _ numbers: [Int: Int]
    ) -> Fate {
      let new = decision.new ?? decision.old
      let rule = new.rule.flatMap { numbers[$0] }
      if new.own != decision.old.own || new.rule != decision.old.rule, let rule {
        // Another app goes on opening it.
        if standing.kind == .claimed { return .other }
        if standing.kind == .taken { return new.own == .claimed ? .taken(rule: rule) : .other }
        if new.own == .claimed {
          return .claimed(rule: rule, isWanted: standing.kind == .wanted)
        }
        if new.own == .excluded, standing.kind == .foreign {
          return .kept(rule: rule)
        }
      }
      guard let route = decision.route, new.site != .claimed else { return .other }
      switch standing.kind {
      case .foreign:
        // The app has a route for it, of those that have every path.
        return .remaining(RemainingKey(route: route, kind: .foreign))
      case .excluded where standing.isImplemented:
        return .remaining(
          RemainingKey(route: route, kind: .excluded, rule: decision.old.rule))
      case .wanted, .unreadable:
        return standing.isImplemented
          ? .remaining(RemainingKey(route: route, kind: standing.kind)) : .other
      case .excluded, .taken, .claimed: return .other
      }
    }
  }
}
