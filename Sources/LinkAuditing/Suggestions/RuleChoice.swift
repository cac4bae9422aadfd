internal import UniversalLinks

/// The rules that are suggested, chosen by the traffic that each candidate would claim alone.
struct RuleChoice {
  /// The candidates that were chosen, in the order in which they are put in.
  private(set) var chosen: [RuleCandidate]

  /// Whether it is proved that no fewer rules would do.
  let isSmallest: Bool

  /// Whether more rules would be worth it than were asked for.
  let isCut: Bool

  /// The least weight that a rule must win.
  let least: Int

  /// By route, the best rule that would claim too much besides.
  let refused: [Int: Refused]

  /// By route, the weight that the app implements and no candidate claims.
  let unmatched: [Int: Int]

  /// A rule that would claim too much besides.
  struct Refused {
    var claim: Int

    /// The weight that it would claim of the route.
    var won: Int
    var besides: Traffic
  }

  /// The traffic that a candidate claims alone.
  private struct Sum {
    /// The weight that the app implements.
    var won = 0

    /// The weight that nobody claims and the app doesn't implement.
    var foreign = 0

    /// The weight that another app opens.
    var taken = 0

    var besides = Traffic()

    /// By route, the weight that the app implements.
    var routes: [Int: Int] = [:]

    /// The numbers of the decisions that count.
    var groups: [Int] = []
  }

  /// The scale of weights that are won: weights that are claimed besides break ties only, as
  /// their share was checked before.
  private static let scale = 10_000

  /// More than any site has: beyond it, sums of made-up digests would overflow.
  private static let weightLimit = 1 << 36

  init(
    _ suggester: Suggester, _ candidates: RuleCandidates, _ tally: SurveyTally,
    _ reader: StandingReader
  ) {
    let all = candidates.candidates
    let limit = suggester.least(of: tally.total)
    least = limit
    var sums = Array(repeating: Sum(), count: all.count)
    var (weights, unmatched, refused) = ([Int](), [Int: Int](), [Int: Refused]())
    let claimants = Claimants(candidates, tally, reader, suggester.form)
    tally.forEachDecision { decision, sum in
      let standing = reader.standing(of: decision)
      guard [.wanted, .foreign, .taken].contains(standing.kind) else { return }
      let isWanted = standing.kind == .wanted
      let weight = min(suggester.weight(sum.traffic), Self.weightLimit)
      let numbers = claimants.numbers(of: decision, standing)
      if numbers.isEmpty, isWanted, let route = decision.route {
        unmatched[route, default: 0] += weight
      }
      for number in numbers {
        if isWanted {
          sums[number].won += weight
          if let route = decision.route { sums[number].routes[route, default: 0] += weight }
        } else if standing.kind == .taken {
          sums[number].taken += weight
        } else {
          sums[number].foreign += weight
          sums[number].besides += sum.traffic
        }
        if weight > 0 { sums[number].groups.append(weights.count) }
      }
      if weight > 0 { weights.append(isWanted ? weight * Self.scale : -weight) }
    }

    var admitted: [Int] = []
    for (number, sum) in sums.enumerated() where sum.won >= limit {
      if sum.foreign * 10_000 <= suggester.options.tolerance * (sum.won + sum.foreign) {
        admitted.append(number)
      } else if all[number].exclusion == nil {
        // An exclusion that isn't enough says nothing.
        for (route, won) in sum.routes {
          let own = Refused(claim: all[number].claim, won: won, besides: sum.besides)
          let isBetter = refused[route].map { own.rank(suggester) > $0.rank(suggester) }
          if isBetter ?? true { refused[route] = own }
        }
      }
    }
    (self.unmatched, self.refused) = (unmatched, refused)

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
    let keys = admitted.map { (number: $0, order: order($0)) }
    let preferred = keys.sorted { $0.order < $1.order }.map(\.number)
    let options = preferred.map {
      RuleCover.Option(cost: all[$0].cost, groups: sums[$0].groups)
    }
    func cover(_ top: Int?) -> RuleCover {
      let price = min(limit - 1, Self.weightLimit) * Self.scale
      return RuleCover(options, weights: weights, price: price, top: top)
    }
    let whole = cover(nil)
    let top = suggester.options.top
    isCut = top.map { $0 < whole.best.cost } ?? false
    let taken = isCut ? cover(top) : whole
    isSmallest = taken.isExact
    chosen = taken.best.chosen.map { preferred[$0] }.sorted { first, second in
      let (one, other) = (all[first], all[second])
      // An exclusion must have nothing after it that it isn't for.
      return (one.position, one.cost, sums[second].won, one.claim)
        < (other.position, other.cost, sums[first].won, other.claim)
    }.map { all[$0] }
  }

  /// Removes the candidates with some rules that claim.
  mutating func remove(_ claims: Set<ComponentDraft>, _ candidates: RuleCandidates) {
    chosen.removeAll { claims.contains(candidates.claims[$0.claim].draft) }
  }
}

extension RuleChoice.Refused {
  /// A number that is greater for a rule that is more worth telling.
  fileprivate func rank(_ suggester: Suggester) -> (Int, Int, Int, Int) {
    (won, -suggester.weight(besides), -besides.requests, -claim)
  }
}

/// The candidates that claim what targets agree in.
private struct Claimants {
  let candidates: RuleCandidates

  /// By claim, the numbers of the candidates that have it.
  private var byClaim: [[Int]]

  /// By exclusion, whether it excludes paths that the app implements, so that it can't be
  /// suggested.
  private var isHarmful: [Bool]

  /// Whether current systems let no rule of the list claim anything.
  private let isExcluding: Bool

  init(
    _ candidates: RuleCandidates, _ tally: SurveyTally, _ reader: StandingReader,
    _ form: ComponentDraft.Form
  ) {
    self.candidates = candidates
    isExcluding = form.isExcluding
    byClaim = Array(repeating: [], count: candidates.claims.count)
    for (number, candidate) in candidates.candidates.enumerated() {
      byClaim[candidate.claim].append(number)
    }
    isHarmful = Array(repeating: false, count: candidates.exclusions.count)
    tally.forEachDecision { decision, _ in
      guard reader.standing(of: decision).isImplemented else { return }
      for exclusion in exclusions(decision) { isHarmful[exclusion] = true }
    }
  }

  /// The numbers of the exclusions that match.
  private func exclusions(_ decision: SurveyTally.Decision) -> [Int] {
    decision.matches.map { Int($0) - byClaim.count }.filter { $0 >= 0 }
  }

  /// The numbers of the candidates that claim a decision's traffic.
  func numbers(of decision: SurveyTally.Decision, _ standing: SurveyStanding) -> [Int] {
    if isExcluding, decision.system == .current { return [] }
    let excluded = Set(exclusions(decision))
    return decision.matches.filter { Int($0) < byClaim.count }.flatMap { byClaim[Int($0)] }
      .filter { number in
        let candidate = candidates.candidates[number]
        if let exclusion = candidate.exclusion,
          isHarmful[exclusion] || excluded.contains(exclusion)
        {
          return false
        }
        return candidate.position <= standing.limit
      }
  }
}
