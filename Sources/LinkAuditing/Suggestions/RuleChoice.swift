internal import UniversalLinks

/// New rules that are added together, to claim the URLs that one pattern matches.
struct RuleCandidate: Hashable, Sendable {
  var claim: Int

  /// The number of the preceding rule that excludes URLs that it shouldn't claim, or `nil`.
  var exclusion: Int?

  /// The position in the list of the rule that they precede.
  var position: Int
  var cost: Int { exclusion == nil ? 1 : 2 }

  /// Returns a Boolean value indicating whether the rules claim traffic that their claim matches.
  func keeps(_ decision: RuleSurvey.Decision) -> Bool {
    let isExcluded = exclusion.map { decision.matches.contains(Int32($0)) } ?? false
    return position <= decision.limit && !isExcluded
  }
}

/// The possible new rules of a file, as routes and traffic suggest them.
struct RuleCandidates {
  /// The rules that claim; their positions are their numbers.
  let claims: [RouteDrafts.Claim]

  /// All rules by their numbers: those that claim, then those that exclude.
  private(set) var drafts: [ComponentDraft]
  private(set) var candidates: [RuleCandidate] = []

  /// A file in which each rule is alone in an entry, so that one evaluation finds all that match.
  private(set) var probes: AssociationFile

  /// The greatest numbers of path groups of a route, and of those that the app doesn't implement.
  ///
  /// They are needed because a hostile log can hold any number of path groups.
  private static let (groupLimit, foreignLimit) = (1_000, 5_000)

  /// The greatest number of rules before which exclusions are tried.
  private static let exclusionLimit = 200

  init(_ suggester: Suggester, _ judged: JudgedTraffic<RuleSurvey.Tally>) {
    var routes: [Int: (weight: Int, groups: [String: Int])] = [:]
    var foreign: [String: (weight: Int, samples: [SampleStore.Sample])] = [:]
    // By route, the positions of rules that exclude its paths and that new rules may precede.
    var excluding: [Int: Set<Int>] = [:]
    let (decisions, end) = (judged.tally.decisions.decisions, suggester.survey.end)
    let paths = judged.tally.decisions.paths
    paths.forEachCount(in: judged.groups[0]) { key, path, traffic, samples in
      let (decision, weight) = (decisions[Int(key.second)], suggester.weight(traffic))
      guard weight > 0 else { return }
      if decision.kind == .wanted, let route = decision.route {
        routes[route, default: (0, [:])].weight += weight
        routes[route, default: (0, [:])].groups[path, default: 0] += weight
        if let rule = decision.excludingRule, rule < end {
          excluding[route, default: []].insert(rule)
        }
      } else if decision.kind == .foreign {
        foreign[path, default: (0, [])].weight += weight
        foreign[path, default: (0, [])].samples += samples
      }
    }
    var makers = RouteDrafts(suggester)
    for (route, seen) in routes.sorted(by: { ($1.value.weight, $0.key) < ($0.value.weight, $1.key) }
    )
    where suggester.list != nil {
      let groups = seen.groups.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      makers.add(route, groups.prefix(Self.groupLimit).map { ($0.key, $0.value) })
    }
    makers.addPrefixes()
    claims = makers.claims
    drafts = claims.map(\.draft)
    probes = suggester.text.probes(drafts)
    for (number, claim) in claims.enumerated() {
      let positions = Set([end] + claim.routes.flatMap { excluding[$0] ?? [] })
      candidates += positions.sorted(by: >).map { RuleCandidate(claim: number, position: $0) }
    }
    let heaviest = foreign.sorted { ($1.value.weight, $0.key) < ($0.value.weight, $1.key) }
      .prefix(Self.foreignLimit)
    let caught = caught(
      heaviest.map { ($0.key, SampleStore.Sample.encodedBest($0.value.samples)) },
      host: suggester.site.site.exampleHost)
    var exclusions = Numbering<ComponentDraft>()
    for (claim, paths) in caught.sorted(by: { $0.key < $1.key }).prefix(Self.exclusionLimit) {
      for draft in exclusionDrafts(from: claims[claim].draft.path, paths) {
        for variant in draft.variants(in: suggester.text) {
          let number = claims.count + exclusions.number(of: variant)
          candidates.append(RuleCandidate(claim: claim, exclusion: number, position: end))
        }
      }
    }
    drafts += exclusions.values
    probes = suggester.text.probes(drafts)
  }

  // MARK: - Exclusions

  /// By rule that claims, the segments of the path groups that it would claim.
  private func caught(
    _ groups: [(path: String, samples: [String])], host: String
  ) -> [Int: [[Substring]]] {
    let matcher = LinkMatcher(probes)
    var caught: [Int: [[Substring]]] = [:]
    var evaluation = Evaluation()
    for group in groups {
      var hits: Set<Int> = []
      for sample in group.samples {
        var url = LinkURL("https://\(host)\(sample)", host: host)
        matcher.evaluate(&url, into: &evaluation)
        hits.formUnion(evaluation.matches.map(\.ruleList))
      }
      for hit in hits { caught[hit, default: []].append(group.path.split(separator: "/")) }
    }
    return caught
  }

  /// Rules that keep paths from a rule that claims a pattern.
  private func exclusionDrafts(from own: String, _ paths: [[Substring]]) -> [ComponentDraft] {
    func pattern(_ segments: ArraySlice<Substring>) -> String {
      "/"
        + segments.map { $0.hasPrefix("{") && $0.hasSuffix("}") ? "?*" : $0 }
        .joined(separator: "/")
    }
    let common = paths.dropFirst().reduce(paths[0][...]) { common, path in
      common.prefix(zip(common, path).prefix { $0 == $1 }.count)
    }
    // A parameter is one segment, but a star is any number.
    var patterns = own.hasSuffix("?*") ? [own + "/?*"] : []
    patterns.append(pattern(paths[0][...]))
    if !common.isEmpty { patterns.append(pattern(common) + "/*") }
    return patterns.filter { $0 != own }.map { ComponentDraft(path: $0, excludes: true) }
  }

  /// Removes the candidates with exclusions that match paths of the app, by the decisions about
  /// traffic.
  mutating func removeHarmful(_ decisions: [RuleSurvey.Decision], _ survey: RuleSurvey) {
    let harmful = decisions.reduce(into: Set<Int>()) { harmful, decision in
      if survey.isImplemented(decision.route) { harmful.formUnion(decision.matches.map(Int.init)) }
    }
    candidates.removeAll { $0.exclusion.map(harmful.contains) ?? false }
  }

  // MARK: - Insertions

  /// Rules that are inserted before the rule of the file at a position, by their numbers.
  typealias Insertion = (position: Int, drafts: [Int])

  /// The rules of candidates that are in ascending order of their positions.
  func insertions(of chosen: [RuleCandidate]) -> [Insertion] {
    var known: Set<Int> = []
    return chosen.grouped(by: \.position).map { position, candidates in
      let drafts = candidates.flatMap { [$0.exclusion, $0.claim].compactMap(\.self) }
      return (position, drafts.filter { known.insert($0).inserted })
    }
  }
}

/// The rules that are suggested, chosen by the traffic that each candidate would claim alone.
struct RuleChoice {
  let chosen: [RuleCandidate]

  /// Whether the limit left out rules that are worth their lines.
  let isCut: Bool

  /// The least weight that a rule must win.
  let least: Int

  /// By route, the best rule that would claim too much without a route.
  private(set) var refused: [Int: Refused] = [:]

  /// By route, the weight that the app implements and no candidate claims.
  private(set) var unmatched: [Int: Int] = [:]

  /// A rule that would claim too much without a route, and the weight that it would claim of the route.
  typealias Refused = (claim: Int, won: Int, besides: Traffic)

  /// The traffic that a candidate claims alone.
  private struct Sum {
    /// By route, the weight that the app implements.
    var routes: [Int: Int] = [:]
    var won = 0

    /// The unclaimed weight that the app doesn't implement.
    var foreign = 0

    /// The weight that another app opens.
    var taken = 0
    var besides = Traffic()

    /// The numbers of the decisions that count.
    var groups: [Int] = []
  }

  /// The scale of weights that are won: weights without a route break ties only, as their share is
  /// checked before.
  private static let scale = 10_000

  /// An upper bound that no site reaches; beyond it, sums of forged digests would overflow.
  private static let weightLimit = 1 << 36

  init(_ suggester: Suggester, _ candidates: RuleCandidates, _ tally: RuleSurvey.Tally) {
    let (all, options) = (candidates.candidates, suggester.options)
    let (sums, weights, unmatched) = Self.sums(suggester, all, tally.decisions)
    let least = suggester.least(of: tally.total)
    (self.least, self.unmatched) = (least, unmatched)
    let worthwhile = sums.indices.filter { sums[$0].won >= least }
    let admitted = worthwhile.filter {
      sums[$0].foreign * 10_000 <= options.tolerance * (sums[$0].won + sums[$0].foreign)
    }
    /// A number that is greater for a rule that says more.
    func rank(_ rule: Refused) -> (Int, Int, Int, Int) {
      (rule.won, -suggester.weight(rule.besides), -rule.besides.requests, -rule.claim)
    }
    // An exclusion that isn't enough says nothing.
    for number in Set(worthwhile).subtracting(admitted) where all[number].exclusion == nil {
      for (route, won) in sums[number].routes {
        let own = (claim: all[number].claim, won: won, besides: sums[number].besides)
        let isBetter = refused[route].map { rank(own) > rank($0) }
        if isBetter ?? true { refused[route] = own }
      }
    }

    // Among equals, the nearest to what routes say.
    func order(_ number: Int) -> (Int, Int, Int, Int, Int, String) {
      let (sum, candidate) = (sums[number], all[number])
      let claim = candidates.claims[candidate.claim]
      return (
        sum.foreign + sum.taken, claim.likeness.rawValue, -candidate.position,
        sum.besides.requests, claim.draft.path.utf8.count,
        "\(claim.draft.path) \(candidate.claim) \(candidate.exclusion ?? -1)"
      )
    }
    let preferred = admitted.map { (number: $0, order: order($0)) }
      .sorted { $0.order < $1.order }.map(\.number)
    func cover(_ top: Int?) -> (chosen: [Int], cost: Int) {
      Self.cover(
        preferred.map { (cost: all[$0].cost, groups: sums[$0].groups) },
        weights: weights, price: min(least - 1, Self.weightLimit) * Self.scale, top: top)
    }
    let whole = cover(nil)
    isCut = options.top.map { $0 < whole.cost } ?? false
    let taken = isCut ? cover(options.top) : whole
    chosen = taken.chosen.map { preferred[$0] }.sorted { first, second in
      let (one, other) = (all[first], all[second])
      // An exclusion must have nothing after it that it isn't for.
      return (one.position, one.cost, sums[second].won, one.claim)
        < (other.position, other.cost, sums[first].won, other.claim)
    }.map { all[$0] }
  }

  /// Adds up the weight that each candidate claims alone.
  ///
  /// - Returns: The sums by candidate, the scaled weights of the decisions that count, and the
  ///   weight of each unclaimed route. Weights of unwanted decisions are negative.
  private static func sums(
    _ suggester: Suggester, _ all: [RuleCandidate],
    _ tally: DecisionTally<RuleSurvey.Decision>
  ) -> (sums: [Sum], weights: [Int], unmatched: [Int: Int]) {
    var sums = Array(repeating: Sum(), count: all.count)
    var weights: [Int] = []
    var unmatched: [Int: Int] = [:]
    let byClaim = Dictionary(grouping: all.indices) { all[$0].claim }
    for (decision, traffic) in zip(tally.decisions, tally.sums) where decision.kind.isOpen {
      let weight = min(suggester.weight(traffic), weightLimit)
      let isWanted = decision.kind == .wanted
      let claims = suggester.text.excludes(decision.system) ? [] : decision.matches
      let numbers = claims.flatMap { byClaim[Int($0)] ?? [] }.filter { all[$0].keeps(decision) }
      if numbers.isEmpty, isWanted, let route = decision.route {
        unmatched[route, default: 0] += weight
      }
      for number in numbers {
        switch decision.kind {
        case .wanted:
          sums[number].won += weight
          if let route = decision.route { sums[number].routes[route, default: 0] += weight }
        case .taken: sums[number].taken += weight
        default:
          sums[number].foreign += weight
          sums[number].besides += traffic
        }
        if weight > 0 { sums[number].groups.append(weights.count) }
      }
      if weight > 0 { weights.append(isWanted ? weight * scale : -weight) }
    }
    return (sums, weights, unmatched)
  }
}

// MARK: - The set of rules

extension RuleChoice {
  /// Rules that are inserted together, and the groups that they claim.
  typealias Option = (cost: Int, groups: [Int])

  /// Chooses a set of options with a great worth and few lines, the preferred ones first.
  ///
  /// The worth of a set is the weight of all groups that any of its options claims, less the price of
  /// each line. Groups that the app doesn't implement have negative weights. The choice is greedy: it
  /// adds the option with the greatest worth per line, and removes those that others make redundant.
  ///
  /// - Returns: The positions of the chosen options in ascending order, and the number of their
  ///   lines, which `top` limits.
  static func cover(
    _ options: [Option], weights: [Int], price: Int, top: Int?
  ) -> (chosen: [Int], cost: Int) {
    var (chosen, cost) = ([Int](), 0)
    // For each group, the number of chosen options that claim it.
    var claims = Array(repeating: 0, count: weights.count)

    /// The worth of an option for groups that no chosen one claims, or else only itself.
    func worth(of option: Int, isChosen: Bool = false) -> Int {
      options[option].groups.reduce(-options[option].cost * price) {
        claims[$1] == (isChosen ? 1 : 0) ? $0 + weights[$1] : $0
      }
    }
    func change(_ option: Int, by count: Int) {
      cost += options[option].cost * count
      for group in options[option].groups { claims[group] += count }
    }
    /// The first option that adds most a line.
    func mostWorth() -> Int? {
      var most: (option: Int, worth: Int)?
      for option in options.indices
      where options[option].cost <= (top ?? .max) - cost && !chosen.contains(option) {
        let worth = worth(of: option)
        let isMore = most.map { worth * options[$0.option].cost > $0.worth * options[option].cost }
        if isMore ?? true { most = (option, worth) }
      }
      return most.flatMap { $0.worth > 0 ? $0.option : nil }
    }

    var isDone = false
    while !isDone {
      isDone = true
      while let option = mostWorth() {
        chosen.append(option)
        change(option, by: 1)
      }
      for option in chosen.reversed() where worth(of: option, isChosen: true) <= 0 {
        chosen.removeAll { $0 == option }
        change(option, by: -1)
        // Another can be worth its line again.
        isDone = false
      }
    }
    return (chosen.sorted(), cost)
  }
}
