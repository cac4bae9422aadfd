/// Chooses the set of rules with the greatest worth, and of several such sets the one with the
/// fewest lines.
///
/// The worth of a set is the weight of all that any of its rules claims, less the price of each
/// line. Paths that the app doesn't implement have negative weights. A greedy choice comes first.
/// Then a branch-and-bound search improves it within a limited time; the upper bound usually
/// excludes all other choices.
struct RuleCover {
  /// Rules that are inserted together.
  struct Option {
    /// The number of lines.
    var cost: Int

    /// The numbers of the groups of traffic that they claim.
    var groups: [Int]
  }

  /// A choice.
  struct Outcome: Equatable {
    /// The numbers of the options, ascending.
    var chosen: [Int] = []
    var value = 0

    /// The number of lines.
    var cost = 0

    func isBetter(than other: Outcome) -> Bool {
      value != other.value ? value > other.value : cost < other.cost
    }
  }

  /// The best choice that was found.
  private(set) var best = Outcome()

  /// Whether no choice is better.
  private(set) var isExact = true

  private let options: [Option]
  private let weights: [Int]
  private let price: Int
  private let limit: Int

  /// The choice that is tried, and for each group the number of its options that claim it.
  private var current = Outcome()
  private var claims: [Int]

  /// A surcharge for each line, so small that it only decides between equal choices.
  private var extra = 0.0

  /// A surcharge for each line, paid back for as many as are allowed.
  private var surcharge = 0.0

  /// The groups that the search may still look at.
  private var work = 0

  /// Chooses among options.
  ///
  /// - Parameters:
  ///   - options: The options, the preferred ones first.
  ///   - weights: The weights of groups.
  ///   - price: The price of a line.
  ///   - top: The greatest number of lines, or `nil` for any.
  init(_ options: [Option], weights: [Int], price: Int, top: Int?) {
    (self.options, self.weights, self.price, limit) = (options, weights, price, top ?? .max)
    claims = Array(repeating: 0, count: weights.count)
    let all = Array(options.indices)
    chooseGreedily(all)
    (best, current) = (current, Outcome())
    claims = Array(repeating: 0, count: weights.count)
    let lines = options.reduce(0) { $0 + $1.cost }
    // All lines together weigh less than two values can differ by.
    extra = 0.25 / Double(1 + min(lines, 4 * best.cost + 16))
    if top != nil {
      let most = Set(options.map { Double(won(by: $0)) / Double($0.cost) - Double(price) })
      let bounds = ([0] + most.filter { $0 > 0 }.sorted()).map { surcharge in
        self.surcharge = surcharge
        return (surcharge, bound(all))
      }
      surcharge = bounds.min { $0.1 < $1.1 }?.0 ?? 0
    }
    let size = options.reduce(weights.count) { $0 + $1.groups.count }
    work = 2_000_000 + 4 * (best.chosen.count + 1) * size
    search(all)
    if !isExact {
      for option in best.chosen { change(option, by: 1) }
      chooseGreedily(all)
      best = current
    }
    best.chosen.sort()
  }

  // MARK: - Greedy choice

  /// Repeatedly adds the option with the greatest worth per line, and removes options that others
  /// make redundant.
  private mutating func chooseGreedily(_ all: [Int]) {
    var isDone = false
    while !isDone {
      isDone = true
      while let option = mostWorth(all), worth(of: option, claimedBy: 0) > 0 {
        change(option, by: 1)
      }
      for option in current.chosen.reversed() where worth(of: option, claimedBy: 1) <= 0 {
        change(option, by: -1)
        // Another can be worth its line again.
        isDone = false
      }
    }
  }

  /// Returns the worth of an option for the groups that `count` chosen options claim.
  ///
  /// With 0, the option is added to the chosen ones; with 1, it is one of them.
  private func worth(of option: Int, claimedBy count: Int) -> Int {
    options[option].groups.reduce(-options[option].cost * price) {
      claims[$1] == count ? $0 + weights[$1] : $0
    }
  }

  private mutating func change(_ option: Int, by count: Int) {
    current.value += worth(of: option, claimedBy: count > 0 ? 0 : 1) * count
    current.cost += options[option].cost * count
    for group in options[option].groups { claims[group] += count }
    if count > 0 {
      current.chosen.append(option)
    } else {
      current.chosen.removeAll { $0 == option }
    }
  }

  /// The first option that adds most a line.
  private func mostWorth(_ open: [Int]) -> Int? {
    var most: (option: Int, worth: Int)?
    for option in open
    where options[option].cost <= limit - current.cost && !current.chosen.contains(option) {
      let worth = worth(of: option, claimedBy: 0)
      let isMore = most.map { worth * options[$0.option].cost > $0.worth * options[option].cost }
      if isMore ?? true { most = (option, worth) }
    }
    return most?.option
  }

  // MARK: - Search

  /// Tries to add options to the current ones, unless the bound shows that they can't beat the
  /// best.
  private mutating func search(_ open: [Int]) {
    if current.isBetter(than: best) { best = current }
    let open = open.filter { options[$0].cost <= limit - current.cost && won(by: options[$0]) > 0 }
    func score(_ outcome: Outcome) -> Double {
      Double(outcome.value) - extra * Double(outcome.cost)
    }
    guard score(current) + bound(open) > score(best) + extra / 2, let next = mostWorth(open)
    else { return }
    work -= open.reduce(weights.count) { $0 + options[$1].groups.count }
    guard work > 0 else {
      isExact = false
      return
    }
    let rest = open.filter { $0 != next }
    change(next, by: 1)
    search(rest)
    change(next, by: -1)
    search(rest)
  }

  /// Returns the weight that an option would win.
  private func won(by option: Option) -> Int {
    option.groups.reduce(0) { claims[$1] == 0 ? $0 + max(0, weights[$1]) : $0 }
  }

  /// An upper bound of what any of some options can add.
  ///
  /// The price of lines can be charged to the groups that they win, by weight. No group is
  /// charged less than by the option that wins most a line.
  private func bound(_ open: [Int]) -> Double {
    var rates = Array(repeating: 1.0, count: weights.count)
    let price = Double(price) + extra + surcharge
    for option in open {
      let rate = price * Double(options[option].cost) / Double(max(1, won(by: options[option])))
      for group in options[option].groups where claims[group] == 0 && weights[group] > 0 {
        rates[group] = min(rates[group], rate)
      }
    }
    let lines = surcharge > 0 ? Double(limit - current.cost) : 0
    return zip(weights, rates).reduce(surcharge * lines) { $0 + Double($1.0) * (1 - $1.1) }
  }
}
