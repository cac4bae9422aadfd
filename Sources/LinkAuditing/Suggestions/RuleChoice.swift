internal import UniversalLinks

/// The rules that are suggested, chosen by the traffic that each candidate would claim alone.
struct RuleChoice {
  /// The chosen candidates, in the order in which they are inserted.
  let chosen: [RuleCandidate]

  /// Whether it is proved that no fewer rules would do.
  let isSmallest: Bool

  /// Whether the limit left out rules that are worth their lines.
  let isCut: Bool

  /// The least weight that a rule must win.
  let least: Int

  /// By route, the best rule that would claim too much without a route.
  private(set) var refused: [Int: Refused] = [:]

  /// By route, the weight that the app implements and no candidate claims.
  private(set) var unmatched: [Int: Int] = [:]

  /// A rule that would claim too much without a route.
  struct Refused {
    var claim: Int

    /// The weight that it would claim of the route.
    var won: Int
    var besides: Traffic

    /// A number that is greater for a rule that says more.
    fileprivate func rank(_ suggester: Suggester) -> (Int, Int, Int, Int) {
      (won, -suggester.weight(besides), -besides.requests, -claim)
    }
  }

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

  /// Chooses rules.
  ///
  /// - Parameters:
  ///   - suggester: The options, and the file.
  ///   - candidates: The possible new rules.
  ///   - tally: The traffic, by the rules that match it.
  init(_ suggester: Suggester, _ candidates: RuleCandidates, _ tally: RuleSurvey.Tally) {
    let (all, options) = (candidates.candidates, suggester.options)
    let (sums, weights, unmatched) = Self.sums(suggester, all, tally.decisions)
    let least = suggester.least(of: tally.total)
    (self.least, self.unmatched) = (least, unmatched)
    let worthwhile = sums.indices.filter { sums[$0].won >= least }
    let admitted = worthwhile.filter {
      sums[$0].foreign * 10_000 <= options.tolerance * (sums[$0].won + sums[$0].foreign)
    }
    // An exclusion that isn't enough says nothing.
    for number in Set(worthwhile).subtracting(admitted) where all[number].exclusion == nil {
      for (route, won) in sums[number].routes {
        let own = Refused(claim: all[number].claim, won: won, besides: sums[number].besides)
        let isBetter = refused[route].map { own.rank(suggester) > $0.rank(suggester) }
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
    func cover(_ top: Int?) -> RuleCover {
      RuleCover(
        preferred.map { RuleCover.Option(cost: all[$0].cost, groups: sums[$0].groups) },
        weights: weights, price: min(least - 1, Self.weightLimit) * Self.scale, top: top)
    }
    let whole = cover(nil)
    isCut = options.top.map { $0 < whole.best.cost } ?? false
    let taken = isCut ? cover(options.top) : whole
    isSmallest = taken.isExact
    chosen = taken.best.chosen.map { preferred[$0] }.sorted { first, second in
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
      let claims = suggester.form.excludes(decision.system) ? [] : decision.matches
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
