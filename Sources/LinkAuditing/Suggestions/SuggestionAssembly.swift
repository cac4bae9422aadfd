internal import UniversalLinks

/// Creates a suggestion from the chosen rules and the traffic, by the rules that match it.
struct SuggestionAssembly {
  private let suggester: Suggester
  private let candidates: RuleCandidates
  private let choice: RuleChoice

  /// The file with the rules inserted, and its rules as current systems read them.
  private let file: AssociationFile
  private let matcher: LinkMatcher

  /// The numbers of the inserted rules in their order, and the positions of the rules that they
  /// precede.
  private let placed: [(draft: Int, position: Int)]
  private(set) var suggestion: Suggestion

  /// By inserted rule, the traffic that it claims, or keeps on the web.
  private var sums: [(routes: [Int: Traffic], others: [String: SampledTraffic])]

  /// The traffic of routes that aren't claimed, by the reason, or `nil` if that depends on the sum.
  private var remaining: [Int: [RemainingRoute.Reason?: SampledTraffic]] = [:]
  private var claimed: [ApplicationIdentifier: (routes: Set<Int>, traffic: Traffic)] = [:]

  private var survey: RuleSurvey { suggester.survey }
  private var host: String { suggester.site.site.exampleHost }

  init(
    _ suggester: Suggester, _ candidates: RuleCandidates, _ choice: RuleChoice,
    _ judged: JudgedTraffic<RuleSurvey.Tally>
  ) {
    let tally = judged.tally
    (self.suggester, self.candidates, self.choice) = (suggester, candidates, choice)
    let chosen = candidates.insertions(of: choice.chosen)
    let content = suggester.content(with: chosen, of: candidates)
    let decoded = try? AssociationFile(decoding: content)
    // A file can be too long with more rules.
    let insertions = decoded == nil ? [] : chosen
    file = decoded ?? suggester.site.site.file
    matcher = LinkMatcher(file)
    placed = insertions.flatMap { insertion in
      insertion.drafts.map { (draft: $0, position: insertion.position) }
    }
    sums = placed.map { _ in ([:], [:]) }
    suggestion = Suggestion(
      host: suggester.site.site.host, apps: suggester.apps, entry: suggester.entry,
      list: suggester.list,
      rules: placed.enumerated().map { number, rule in
        let draft = candidates.drafts[rule.draft]
        return SuggestedRule(
          json: draft.json(in: suggester.text), excludes: draft.excludes,
          position: rule.position + number)
      },
      placements: insertions.map { insertion in
        let position = insertion.position
        return (position, insertion.drafts.count, suggester.survey.rule(at: position))
      },
      total: tally.total, least: choice.least,
      content: decoded == nil ? suggester.text.bytes : content, options: suggester.judging)
    let effects = tally.decisions.decisions.map { ($0, effect(on: $0)) }
    tally.decisions.paths.forEachCount(in: judged.groups[0]) { key, path, traffic, samples in
      let (decision, effect) = effects[Int(key.second)]
      add(path, decision, effect, traffic, samples)
    }
    for number in sums.indices { finishRule(number) }
    let weight = suggester.judging.weight
    suggestion.remaining = remaining.flatMap { route, sums in
      sums.map { known, sum in
        RemainingRoute(
          route: source(route), reason: known ?? reason(route, sum.traffic),
          traffic: sum.traffic, samples: sum.texts)
      }
    }.heaviestFirst(by: weight, \.traffic) { "\($0.route)\0\($0.reason)" }
    suggestion.claimedByOthers = claimed.map { app, claimed in
      (app: app, routes: claimed.routes.count, traffic: claimed.traffic)
    }.heaviestFirst(by: weight, \.traffic, name: \.app.text)
    suggestion.hiddenRules = hiddenRules()
  }

  private func source(_ route: Int) -> String {
    suggester.site.site.routes?.routes[route].source ?? ""
  }
}

// MARK: - Adding up

extension SuggestionAssembly {
  /// The effect of the new rules on traffic.
  private enum Effect {
    /// A new rule claims it, or keeps it on the web.
    case decided(rule: Int)
    case remaining(route: Int, RemainingRoute.Reason?)
    case none
  }

  private func effect(on decision: RuleSurvey.Decision) -> Effect {
    let isExcluding = suggester.text.excludes(decision.system)
    if decision.kind.isOpen, !isExcluding,
      let rule = placed.firstIndex(where: {
        $0.position <= decision.limit && decision.matches.contains(Int32($0.draft))
      })
    {
      let excludes = suggestion.rules[rule].excludes
      if !excludes || decision.kind == .foreign { return .decided(rule: rule) }
    }
    guard let route = decision.route, decision.opener == nil else { return .none }
    switch decision.kind {
    case .foreign: return .remaining(route: route, .everyPath)
    case .excluded where survey.isImplemented(route):
      let rule = decision.excludingRule.flatMap { survey.rule(at: $0) }
      return .remaining(route: route, .excluded(rule))
    case .unreadable where survey.isImplemented(route):
      return .remaining(route: route, .oldSystems)
    case .wanted: return .remaining(route: route, isExcluding ? .excludedByDefault : nil)
    case .excluded, .unreadable, .taken, .claimed: return .none
    }
  }

  private mutating func add(
    _ path: String, _ decision: RuleSurvey.Decision, _ effect: Effect, _ traffic: Traffic,
    _ samples: [SampleStore.Sample]
  ) {
    if decision.kind == .wanted { suggestion.wanted += traffic }
    switch effect {
    case .decided(let rule) where decision.kind == .taken: suggestion.rules[rule].taken += traffic
    case .decided(let rule):
      if decision.kind == .foreign {
        sums[rule].others[path, default: SampledTraffic()].add(traffic, samples)
      } else if let route = decision.route {
        sums[rule].routes[route, default: Traffic()] += traffic
        if decision.isFromSameHost { suggestion.rules[rule].sameHost += traffic }
      }
    case .remaining(let route, let reason):
      remaining[route, default: [:]][reason, default: SampledTraffic()].add(traffic, samples)
    case .none:
      let apps = suggester.site.matchers[decision.system].apps
      if survey.isImplemented(decision.route), let route = decision.route,
        let app = apps.first(where: { $0.ruleList == decision.opener })?.identifier
      {
        claimed[app, default: ([], Traffic())].routes.insert(route)
        claimed[app, default: ([], Traffic())].traffic += traffic
      }
    }
  }

  private mutating func finishRule(_ number: Int) {
    let weight = suggester.judging.weight
    suggestion.rules[number].routes = sums[number].routes.map { route, traffic in
      PathGroupTraffic(path: source(route), traffic: traffic)
    }.heaviestFirst(by: weight, \.traffic, name: \.path)
    suggestion.rules[number].others = sums[number].others.map { path, sum in
      PathGroupTraffic(path: path, traffic: sum.traffic, samples: sum.texts)
    }.heaviestFirst(by: weight, \.traffic, name: \.path)
    let rule = suggestion.rules[number]
    if !rule.excludes { suggestion.rules[number].unseenPath = unseenPath(of: rule) }
  }

  /// Returns the reason why the app would still not open a route that some rule could claim.
  private func reason(_ route: Int, _ traffic: Traffic) -> RemainingRoute.Reason {
    if suggester.weight(traffic) < choice.least { return .light }
    if choice.unmatched[route, default: 0] >= suggester.weight(traffic) { return .unmatched }
    if let refused = choice.refused[route] {
      return .besides(
        rule: candidates.drafts[refused.claim].json(in: suggester.text), refused.besides)
    }
    return choice.isCut ? .top : .noRule
  }
}

// MARK: - Conclusions from patterns

extension SuggestionAssembly {
  /// Returns a path that a rule claims, without a route or a request, or `nil` if no example is
  /// one.
  ///
  /// Examples are derived from the rule, with one or more segments for each star.
  private func unseenPath(of rule: SuggestedRule) -> String? {
    guard let list = matcher.list(of: suggester.entry),
      let definition = matcher.definition(
        ofRule: matcher.ruleLists[list].rules.lowerBound + rule.position),
      let pattern = definition.path
    else { return nil }
    let seen = Set(rule.others.flatMap { [$0.path] + $0.samples })
    // One segment more makes the plainest example.
    for depth in pattern.contains("*") ? [1, 0, 2, 3] : [0] {
      var wider = definition
      wider.path = pattern.replacing("*", with: "*" + String(repeating: "/?*", count: depth))
      guard let target = example(of: wider) else { continue }
      let variants = definition.isCaseSensitive ? [target] : [target, Self.inAnotherCase(target)]
      for target in variants where !seen.contains(target) {
        if isClaimedWithoutRoute(target, list, rule.position) { return target }
      }
    }
    return nil
  }

  /// A target that a rule matches alone.
  private func example(of rule: RuleDefinition) -> String? {
    var file = file
    file.entries = Array(file.entries.filter { $0.id == suggester.entry }.prefix(1))
    guard !file.entries.isEmpty else { return nil }
    file.entries[0].components = [rule]
    guard case .decides(let url)? = file.reachability(host: host).rules.first?.reach
    else { return nil }
    return String(url.dropFirst("https://\(host)".count))
  }

  /// A target with its path in upper case, or in lower case if it is.
  private static func inAnotherCase(_ target: String) -> String {
    let path = target.prefix { $0 != "?" }
    let changed = path == path.uppercased() ? path.lowercased() : path.uppercased()
    return changed + target.dropFirst(path.count)
  }

  private func isClaimedWithoutRoute(_ target: String, _ list: Int, _ position: Int) -> Bool {
    var url = LinkURL("https://\(host)\(target)", host: host)
    var evaluation = Evaluation()
    matcher.evaluate(&url, into: &evaluation)
    let rule = matcher.ruleLists[list].rules.lowerBound + position
    guard evaluation.decidingRule(ofRuleList: list) == rule else { return false }
    let parts = target.utf8.split(separator: UInt8(ascii: "?"), maxSplits: 1).map { Array($0) }
    let route = suggester.site.site.routes?.firstMatch(
      path: parts.first ?? [], query: parts.count > 1 ? parts[1] : [])
    return !survey.isImplemented(route)
  }

  /// Returns the rules of the file that no longer decide anything because of the inserted rules.
  private func hiddenRules() -> [ReportedRule] {
    // After the last rule, nothing is hidden.
    guard placed.contains(where: { $0.position < survey.end }) else { return [] }
    let (before, after) = (reaches(suggester.site.site.file), reaches(file))
    return before.indices.compactMap { position in
      let shift = placed.count { $0.position <= position }
      guard case .decides = before[position], after.indices.contains(position + shift),
        case .covered = after[position + shift]
      else { return nil }
      return survey.rule(at: position)
    }
  }

  /// The reach of each rule of the entry.
  private func reaches(_ file: AssociationFile) -> [RuleReachability.Reach] {
    file.asRead(by: survey.system).reachability(host: host).rules
      .filter { $0.id.entry == suggester.entry }.map(\.reach)
  }
}
