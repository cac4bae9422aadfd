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

  /// Chooses rules.
  ///
  /// - Parameters:
  ///   - suggester: The options, and the file.
  ///   - candidates: The rules that could be put in.
  ///   - tally: The traffic, by the candidates that match it.
  ///   - reader: The standing of traffic under the file as it is.
  init(
    _ suggester: Suggester, _ candidates: RuleCandidates, _ tally: SurveyTally,
    _ reader: StandingReader
  ) {
    let all = candidates.candidates
    let traffic = CandidateTraffic(suggester, candidates, tally, reader)
    least = suggester.least(of: tally.total)
    unmatched = traffic.unmatched
    let admitted = traffic.admitted(least: least, tolerance: suggester.options.tolerance)
    refused = traffic.refused(all, least: least, admitted: Set(admitted), suggester)

    let preferred = traffic.preferred(admitted, candidates)
    let options = preferred.map {
      RuleCover.Option(cost: all[$0].cost, groups: traffic.sums[$0].groups)
    }
    let price = CandidateTraffic.price(of: least)
    func cover(_ top: Int?) -> RuleCover {
      RuleCover(options, weights: traffic.weights, price: price, top: top)
    }
    let whole = cover(nil)
    let top = suggester.options.top
    isCut = top.map { $0 < whole.best.cost } ?? false
    let taken = isCut ? cover(top) : whole
    isSmallest = taken.isExact
    chosen = taken.best.chosen.map { preferred[$0] }.sorted { first, second in
      let (one, other) = (all[first], all[second])
      // An exclusion must have nothing after it that it isn't for.
      return (one.position, one.cost, traffic.sums[second].won, one.claim)
        < (other.position, other.cost, traffic.sums[first].won, other.claim)
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

/// The traffic that each candidate claims alone.
private struct CandidateTraffic {
  /// The traffic of a candidate.
  struct Sum {
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
  /// their share is checked before.
  private static let scale = 10_000

  /// More than any site has: beyond it, sums of made-up digests would overflow.
  private static let weightLimit = 1 << 36

  /// By the candidates' numbers.
  private(set) var sums: [Sum]

  /// The scaled weights of the decisions that count, negative for those that nobody wants.
  private(set) var weights: [Int] = []

  /// By route, the weight that the app implements and no candidate claims.
  private(set) var unmatched: [Int: Int] = [:]

  init(
    _ suggester: Suggester, _ candidates: RuleCandidates, _ tally: SurveyTally,
    _ reader: StandingReader
  ) {
    sums = Array(repeating: Sum(), count: candidates.candidates.count)
    let claimants = Claimants(candidates, tally, reader, suggester.form)
    tally.forEachDecision { decision, sum in
      let standing = reader.standing(of: decision)
      guard [.wanted, .foreign, .taken].contains(standing.kind) else { return }
      let weight = min(suggester.weight(sum.traffic), Self.weightLimit)
      add(
        sum.traffic, weight, standing.kind, route: decision.route,
        to: claimants.numbers(of: decision, standing))
    }
  }

  /// Adds the traffic of a decision to the candidates that claim it.
  private mutating func add(
    _ traffic: Traffic, _ weight: Int, _ kind: SurveyStanding.Kind, route: Int?,
    to numbers: [Int]
  ) {
    let isWanted = kind == .wanted
    if numbers.isEmpty, isWanted, let route { unmatched[route, default: 0] += weight }
    for number in numbers {
      if isWanted {
        sums[number].won += weight
        if let route { sums[number].routes[route, default: 0] += weight }
      } else if kind == .taken {
        sums[number].taken += weight
      } else {
        sums[number].foreign += weight
        sums[number].besides += traffic
      }
      if weight > 0 { sums[number].groups.append(weights.count) }
    }
    if weight > 0 { weights.append(isWanted ? weight * Self.scale : -weight) }
  }

  /// The price of a rule that must win a weight, on the scale of ``weights``.
  static func price(of least: Int) -> Int { min(least - 1, weightLimit) * scale }

  /// The numbers of the candidates that win enough and claim little enough besides.
  func admitted(least: Int, tolerance: SeverityLevels.BasisPoints) -> [Int] {
    sums.indices.filter { number in
      let sum = sums[number]
      return sum.won >= least && sum.foreign * 10_000 <= tolerance * (sum.won + sum.foreign)
    }
  }

  /// By route, the best candidate that wins enough and claims too much besides.
  func refused(
    _ all: [RuleCandidate], least: Int, admitted: Set<Int>, _ suggester: Suggester
  ) -> [Int: RuleChoice.Refused] {
    var refused: [Int: RuleChoice.Refused] = [:]
    // An exclusion that isn't enough says nothing.
    for (number, sum) in sums.enumerated()
    where sum.won >= least && !admitted.contains(number) && all[number].exclusion == nil {
      for (route, won) in sum.routes {
        let own = RuleChoice.Refused(claim: all[number].claim, won: won, besides: sum.besides)
        let isBetter = refused[route].map { own.rank(suggester) > $0.rank(suggester) }
        if isBetter ?? true { refused[route] = own }
      }
    }
    return refused
  }

  /// The numbers of candidates in the order in which they are preferred: among equals, the nearest
  /// to what routes say.
  func preferred(_ numbers: [Int], _ candidates: RuleCandidates) -> [Int] {
    func order(_ number: Int) -> (Int, Int, Int, Int, Int, String) {
      let (sum, candidate) = (sums[number], candidates.candidates[number])
      let claim = candidates.claims[candidate.claim]
      return (
        sum.foreign + sum.taken, claim.likeness.rawValue, -candidate.position,
        sum.besides.requests, claim.draft.path.utf8.count,
        "\(claim.draft.path) \(candidate.claim) \(candidate.exclusion ?? -1)"
      )
    }
    return numbers.map { (number: $0, order: order($0)) }
      .sorted { $0.order < $1.order }.map(\.number)
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
