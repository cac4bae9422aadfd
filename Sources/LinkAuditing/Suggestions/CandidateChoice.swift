internal import UniversalLinks

/// Chooses among rules by what each would claim alone.
struct CandidateChoice {
  /// The candidates that were chosen.
  private(set) var chosen: [RuleCandidate]

  /// Whether no fewer rules would do.
  let isSmallest: Bool

  /// Whether more rules would be worth it than were asked for.
  let isCut: Bool

  /// The least weight that a rule must win.
  let least: Int

  /// By route, the best rule that would claim too much besides.
  let refused: [Int: Refused]

  /// By route, the weight of what no rule claims that was tried.
  let unmatched: [Int: Int]

  /// A rule that would claim too much besides.
  struct Refused {
    var claim: Int

    /// What it would claim of the route, as it weighs.
    var won: Int
    var besides: Traffic
  }

  init(
    _ suggester: Suggester, _ candidates: RuleCandidates, _ tally: SurveyTally,
    _ reader: StandingReader
  ) {
    least = suggester.least(of: tally.total)
    let measured = Measured(suggester, candidates, tally, reader)
    let limit = least
    var admitted: [Int] = []
    var refused: [Int: Refused] = [:]
    for number in candidates.candidates.indices {
      let sums = measured.sums[number]
      let total = sums.won + sums.foreign
      let isWithin = sums.foreign * 10_000 <= suggester.options.tolerance * total
      guard sums.won >= limit else { continue }
      if isWithin {
        admitted.append(number)
        continue
      }
      // An exclusion that isn't enough says nothing.
      guard candidates.candidates[number].exclusion == nil else { continue }
      for (route, won) in sums.routes {
        let own = Refused(
          claim: candidates.candidates[number].claim, won: won, besides: sums.besides)
        if refused[route].map({ own.isBetter(than: $0, suggester) }) ?? true {
          refused[route] = own
        }
      }
    }
    self.refused = refused
    unmatched = measured.unmatched
    let preferred = admitted.sorted { first, second in
      measured.order(first, candidates) < measured.order(second, candidates)
    }
    let options = preferred.map { number in
      RuleChoice.Option(
        cost: candidates.candidates[number].cost, groups: measured.groups[number])
    }
    func choose(_ top: Int?) -> RuleChoice.Outcome {
      RuleChoice(
        options, weights: measured.weights,
        price: min(limit - 1, Measured.weightLimit) * Measured.scale, top: top
      )
      .best()
    }
    let all = choose(nil)
    let top = suggester.options.top
    isCut = top.map { $0 < all.cost } ?? false
    let outcome = isCut ? choose(top) : all
    isSmallest = outcome.isExact
    chosen = outcome.chosen.map { candidates.candidates[preferred[$0]] }
      .sorted { first, second in
        let one = measured.sums[candidates.position(of: first)]
        let other = measured.sums[candidates.position(of: second)]
        // An exclusion must have nothing behind it that it isn't for.
        return (first.place, first.cost, other.won, first.claim)
          < (second.place, second.cost, one.won, second.claim)
      }
  }

  /// Rules and where they are put.
  struct Insertion {
    var position: Int
    var drafts: [ComponentDraft]
  }

  /// What is put in, by ascending position.
  func insertions(_ candidates: RuleCandidates) -> [Insertion] {
    Self.insertions(of: chosen, candidates)
  }

  /// Leaves out the candidates with some rules that claim.
  mutating func remove(_ claims: Set<ComponentDraft>, _ candidates: RuleCandidates) {
    chosen.removeAll { claims.contains(candidates.claims[$0.claim].draft) }
  }

  /// What some candidates put in that are in ascending order of their places.
  static func insertions(
    of chosen: [RuleCandidate], _ candidates: RuleCandidates
  ) -> [Insertion] {
    var insertions: [Insertion] = []
    var known: Set<ComponentDraft> = []
    for candidate in chosen {
      var drafts: [ComponentDraft] = []
      if let exclusion = candidate.exclusion { drafts.append(candidates.exclusions[exclusion]) }
      drafts.append(candidates.claims[candidate.claim].draft)
      drafts = drafts.filter { known.insert($0).inserted }
      if let last = insertions.indices.last, insertions[last].position == candidate.place {
        insertions[last].drafts += drafts
      } else {
        insertions.append(Insertion(position: candidate.place, drafts: drafts))
      }
    }
    return insertions
  }
}

extension CandidateChoice.Refused {
  /// Returns a Boolean value indicating whether this rule is more worth telling of.
  fileprivate func isBetter(than other: Self, _ suggester: Suggester) -> Bool {
    (won, -suggester.weight(besides), -besides.requests, -claim)
      > (
        other.won, -suggester.weight(other.besides), -other.besides.requests, -other.claim
      )
  }
}

extension RuleCandidates {
  fileprivate func position(of candidate: RuleCandidate) -> Int {
    candidates.firstIndex(of: candidate) ?? 0
  }
}

/// What candidates come to, alone.
private struct Measured {
  /// What one comes to.
  struct Sum {
    /// The weight of what it claims that the app implements.
    var won = 0

    /// The weight of what it claims besides, which nobody claims.
    var foreign = 0

    /// The weight of what it claims that another app opens.
    var taken = 0

    var besides = Traffic()

    /// What it claims of routes.
    var routes: [Int: Int] = [:]
  }

  /// Traffic that the same candidates claim.
  private struct Group: Hashable {
    var isWanted: Bool
    var route: Int?
    var candidates: [Int]
  }

  /// What is claimed besides counts only where all else is the same: how much there may be
  /// was decided before.
  static let scale = 10_000

  /// More than any site has: beyond it, digests that were made up would overflow sums.
  static let weightLimit = 1 << 36

  private(set) var sums: [Sum]
  private(set) var groups: [[Int]]
  private(set) var weights: [Int] = []

  /// By route, the weight of what the app implements and no candidate claims.
  private(set) var unmatched: [Int: Int] = [:]

  init(
    _ suggester: Suggester, _ candidates: RuleCandidates, _ tally: SurveyTally,
    _ reader: StandingReader
  ) {
    let all = candidates.candidates
    let claimCount = candidates.claims.count
    sums = Array(repeating: Sum(), count: all.count)
    groups = Array(repeating: [], count: all.count)
    var byClaim = Array(repeating: [Int](), count: claimCount)
    for (number, candidate) in all.enumerated() { byClaim[candidate.claim].append(number) }

    // A rule that excludes what the app implements is none to put in front.
    var isHarmful = Array(repeating: false, count: candidates.exclusions.count)
    tally.forEachDecision { decision, _ in
      let standing = reader.standing(of: decision)
      guard standing.isImplemented else { return }
      for match in decision.matches where Int(match) >= claimCount {
        isHarmful[Int(match) - claimCount] = true
      }
    }
    var numbers: [Group: Int] = [:]
    tally.forEachDecision { decision, sum in
      let standing = reader.standing(of: decision)
      guard [.wanted, .foreign, .taken].contains(standing.kind) else { return }
      let isWanted = standing.kind == .wanted
      let weight = min(suggester.weight(sum.traffic), Self.weightLimit)
      let excluded = Set(
        decision.matches.compactMap { Int($0) >= claimCount ? Int($0) - claimCount : nil })
      let canClaim = !suggester.form.isExcluding || decision.system == .legacy
      let claims = canClaim ? decision.matches.filter { Int($0) < claimCount } : []
      let claiming = claims.flatMap { byClaim[Int($0)] }
        .filter { number in
          let candidate = all[number]
          if let exclusion = candidate.exclusion {
            if isHarmful[exclusion] || excluded.contains(exclusion) { return false }
          }
          return candidate.place <= standing.limit
        }.sorted()
      guard !claiming.isEmpty else {
        if isWanted, let route = decision.route { unmatched[route, default: 0] += weight }
        return
      }
      for number in claiming {
        if isWanted {
          sums[number].won += weight
          if let route = decision.route { sums[number].routes[route, default: 0] += weight }
        } else if standing.kind == .taken {
          sums[number].taken += weight
        } else {
          sums[number].foreign += weight
          sums[number].besides += sum.traffic
        }
      }
      guard weight > 0 else { return }
      let group = Group(
        isWanted: isWanted, route: isWanted ? decision.route : nil, candidates: claiming)
      let number = numbers[group] ?? weights.count
      if number == weights.count {
        numbers[group] = number
        weights.append(0)
        for candidate in claiming { groups[candidate].append(number) }
      }
      weights[number] += isWanted ? weight * Self.scale : -weight
    }
    for number in groups.indices { groups[number].sort() }
  }

  /// What candidates are ordered by that are worth the same.
  func order(
    _ number: Int, _ candidates: RuleCandidates
  ) -> (Int, Int, Int, Int, Int, String) {
    let candidate = candidates.candidates[number]
    let claim = candidates.claims[candidate.claim]
    return (
      sums[number].foreign + sums[number].taken, claim.likeness.rawValue, -candidate.place,
      sums[number].besides.requests, claim.draft.path.utf8.count,
      "\(claim.draft.path) \(candidate.claim) \(candidate.exclusion ?? -1)"
    )
  }
}
