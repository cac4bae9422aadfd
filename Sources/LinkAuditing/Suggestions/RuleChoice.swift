/// Chooses the fewest rules that are worth most.
///
/// The worth of some rules is the weight of all that any of them claims, less the price of
/// each line; what the app doesn't implement has a negative weight. Of choices that are
/// worth the same, the one with fewer lines is taken.
///
/// Rules that share nothing are chosen apart. Of up to ``exactLimit`` rules that do, all
/// choices are looked at but for those that can't be better; of more, the rule that is worth
/// most a line is taken again and again, and then what has become needless is dropped.
struct RuleChoice {
  /// Rules that are put in together.
  struct Option {
    /// The number of lines.
    var cost: Int

    /// What they claim, by the numbers of groups, ascending.
    var groups: [Int]
  }

  /// The greatest number of rules of which all choices are looked at.
  static let exactLimit = 20

  /// The greatest number of choices that are looked at for rules that share something.
  private static let nodeLimit = 200_000

  private let options: [Option]
  private let weights: [Int]
  private let price: Int
  private let top: Int?

  /// Creates a choice.
  ///
  /// - Parameters:
  ///   - options: The rules, those first that are preferred.
  ///   - weights: The weights of groups.
  ///   - price: What a line costs.
  ///   - top: The greatest number of lines, or `nil` for any.
  init(_ options: [Option], weights: [Int], price: Int, top: Int?) {
    (self.options, self.weights, self.price, self.top) = (options, weights, price, top)
  }

  /// What was chosen.
  struct Outcome: Equatable {
    /// The numbers of the options, ascending.
    var chosen: [Int] = []
    var value = 0
    var cost = 0

    /// Whether no choice is better.
    var isExact = true

    func isBetter(than other: Outcome) -> Bool {
      value != other.value ? value > other.value : cost < other.cost
    }
  }

  /// The best choice that was found.
  func best() -> Outcome {
    let components = components(of: undominated())
    guard let top else {
      return components.reduce(Outcome()) { Self.joined($0, best(of: $1, limit: .max)) }
    }
    // The best with each number of lines, for more and more components.
    var totals = Array(repeating: Outcome(), count: top + 1)
    for component in components {
      let most = min(top, component.reduce(0) { $0 + options[$1].cost })
      let own = (0...most).map { best(of: component, limit: $0) }
      totals = (0...top).map { lines in
        var best = totals[lines]
        for share in own.indices where share > 0 && share <= lines {
          let joined = Self.joined(totals[lines - share], own[share])
          if joined.isBetter(than: best) { best = joined }
        }
        best.isExact = totals[lines].isExact && own.allSatisfy(\.isExact)
        return best
      }
    }
    return totals[top]
  }

  private static func joined(_ first: Outcome, _ second: Outcome) -> Outcome {
    Outcome(
      chosen: (first.chosen + second.chosen).sorted(), value: first.value + second.value,
      cost: first.cost + second.cost, isExact: first.isExact && second.isExact)
  }

  // MARK: - Fewer options

  /// The options without those in whose place another is at least as good.
  private func undominated() -> [Int] {
    let sets = options.map { option in
      (
        won: Set(option.groups.filter { weights[$0] > 0 }),
        lost: Set(option.groups.filter { weights[$0] < 0 })
      )
    }
    func isAsGood(_ one: Int, as other: Int) -> Bool {
      options[one].cost <= options[other].cost && sets[one].won.isSuperset(of: sets[other].won)
        && sets[one].lost.isSubset(of: sets[other].lost)
    }
    var known: Set<[Int]> = []
    // Of those that claim the same, the cheapest, then the first.
    let distinct = options.indices.sorted { (options[$0].cost, $0) < (options[$1].cost, $1) }
      .filter { !sets[$0].won.isEmpty && known.insert(options[$0].groups).inserted }.sorted()
    return distinct.filter { option in
      !distinct.contains { other in
        other != option && isAsGood(other, as: option)
          && (other < option || !isAsGood(option, as: other))
      }
    }
  }

  /// The options by those that share groups.
  private func components(of options: [Int]) -> [[Int]] {
    var owners = Array(repeating: -1, count: weights.count)
    var parents = Dictionary(uniqueKeysWithValues: options.map { ($0, $0) })
    func root(_ option: Int) -> Int {
      var option = option
      while let parent = parents[option], parent != option { option = parent }
      return option
    }
    for option in options {
      for group in self.options[option].groups {
        if owners[group] < 0 {
          owners[group] = option
        } else {
          let (one, other) = (root(owners[group]), root(option))
          parents[max(one, other)] = min(one, other)
        }
      }
    }
    return Dictionary(grouping: options, by: root).sorted { $0.key < $1.key }.map(\.value)
  }

  // MARK: - Search

  private func best(of component: [Int], limit: Int) -> Outcome {
    if component.count <= Self.exactLimit, let outcome = searched(component, limit: limit) {
      return outcome
    }
    return greedy(component, limit: limit)
  }

  /// How often each group is claimed, and what that is worth.
  private struct Cover {
    var counts: [Int: Int] = [:]
    var value = 0
    var cost = 0

    mutating func add(_ option: Option, _ weights: [Int], price: Int) {
      for group in option.groups {
        let count = counts[group, default: 0]
        if count == 0 { value += weights[group] }
        counts[group] = count + 1
      }
      value -= option.cost * price
      cost += option.cost
    }

    mutating func remove(_ option: Option, _ weights: [Int], price: Int) {
      for group in option.groups {
        let count = counts[group, default: 1] - 1
        if count == 0 { value -= weights[group] }
        counts[group] = count
      }
      value += option.cost * price
      cost -= option.cost
    }
  }

  /// The best choice, or `nil` if there are too many to look at.
  private func searched(_ component: [Int], limit: Int) -> Outcome? {
    // What the options from each one on could still win.
    var reach: [Set<Int>] = [[]]
    for option in component.reversed() {
      let won = options[option].groups.filter { weights[$0] > 0 }
      reach.append((reach.last ?? []).union(won))
    }
    reach.reverse()
    var (best, cover, chosen, nodes) = (Outcome(), Cover(), [Int](), 0)
    func visit(_ index: Int) {
      nodes += 1
      let outcome = Outcome(chosen: chosen, value: cover.value, cost: cover.cost)
      if outcome.isBetter(than: best) { best = outcome }
      guard nodes < Self.nodeLimit, index < component.count else { return }
      let open = reach[index].reduce(0) {
        cover.counts[$1, default: 0] == 0 ? $0 + weights[$1] : $0
      }
      guard open > 0, cover.value + open - price >= best.value else { return }
      let option = options[component[index]]
      if cover.cost + option.cost <= limit {
        cover.add(option, weights, price: price)
        chosen.append(component[index])
        visit(index + 1)
        chosen.removeLast()
        cover.remove(option, weights, price: price)
      }
      visit(index + 1)
    }
    visit(0)
    return nodes < Self.nodeLimit ? best : nil
  }

  private func greedy(_ component: [Int], limit: Int) -> Outcome {
    var (cover, chosen) = (Cover(), [Int]())
    repeat {
      while let option = bestAddition(
        to: cover, of: component.filter { !chosen.contains($0) }, limit)
      {
        chosen.append(option)
        cover.add(options[option], weights, price: price)
      }
      for option in chosen.reversed() {
        var next = cover
        next.remove(options[option], weights, price: price)
        guard next.value >= cover.value else { continue }
        cover = next
        chosen.removeAll { $0 == option }
      }
      // Where one was dropped, another can be worth its line again.
    } while bestAddition(to: cover, of: component.filter { !chosen.contains($0) }, limit) != nil
    return Outcome(
      chosen: chosen.sorted(), value: cover.value, cost: cover.cost, isExact: false)
  }

  /// The option that is worth most a line, or `nil` if none is worth its price.
  private func bestAddition(to cover: Cover, of others: [Int], _ limit: Int) -> Int? {
    var best: (option: Int, gain: Int)?
    for option in others {
      guard cover.cost + options[option].cost <= limit else { continue }
      var next = cover
      next.add(options[option], weights, price: price)
      let gain = next.value - cover.value
      let (cost, bestCost) = (options[option].cost, best.map { options[$0.option].cost } ?? 1)
      if gain > 0, best.map({ gain * bestCost > $0.gain * cost }) ?? true {
        best = (option, gain)
      }
    }
    return best?.option
  }
}
