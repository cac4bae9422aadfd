/// Chooses a set of rules with a great worth and few lines.
///
/// The worth of a set is the weight of all that any of its rules claims, less the price of each
/// line. Paths that the app doesn't implement have negative weights. The choice is greedy. An upper
/// bound often proves that no other one is better.
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

  /// The choice.
  private(set) var best = Outcome()

  /// Whether it is proved that no choice is better.
  private(set) var isExact = true

  private let options: [Option]
  private let weights: [Int]
  private let price: Int
  private let limit: Int

  /// For each group, the number of chosen options that claim it.
  private var claims: [Int]

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
    chooseGreedily()
    best.chosen.sort()
    // All lines together weigh less than two values can differ by, so a surcharge only decides
    // between equal ones.
    let lines = options.reduce(0) { $0 + $1.cost }
    let extra = 0.25 / Double(1 + min(lines, 4 * best.cost + 16))
    isExact = bound(extra) <= Double(best.value) - extra * Double(best.cost) + extra / 2
  }

  /// Repeatedly adds the option with the greatest worth per line, and removes options that others
  /// make redundant.
  private mutating func chooseGreedily() {
    var isDone = false
    while !isDone {
      isDone = true
      while let option = mostWorth, worth(of: option, claimedBy: 0) > 0 {
        change(option, by: 1)
      }
      for option in best.chosen.reversed() where worth(of: option, claimedBy: 1) <= 0 {
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
    best.value += worth(of: option, claimedBy: count > 0 ? 0 : 1) * count
    best.cost += options[option].cost * count
    for group in options[option].groups { claims[group] += count }
    if count > 0 {
      best.chosen.append(option)
    } else {
      best.chosen.removeAll { $0 == option }
    }
  }

  /// The first option that adds most a line.
  private var mostWorth: Int? {
    var most: (option: Int, worth: Int)?
    for option in options.indices
    where options[option].cost <= limit - best.cost && !best.chosen.contains(option) {
      let worth = worth(of: option, claimedBy: 0)
      let isMore = most.map { worth * options[$0.option].cost > $0.worth * options[option].cost }
      if isMore ?? true { most = (option, worth) }
    }
    return most?.option
  }

  /// An upper bound of what options can be worth together.
  ///
  /// The price of lines can be charged to the groups that they win, by weight. No group is
  /// charged less than by the option that wins most a line.
  private func bound(_ extra: Double) -> Double {
    var rates = Array(repeating: 1.0, count: weights.count)
    for option in options {
      let won = option.groups.reduce(0) { $0 + max(0, weights[$1]) }
      let rate = (Double(price) + extra) * Double(option.cost) / Double(max(1, won))
      for group in option.groups where weights[group] > 0 {
        rates[group] = min(rates[group], rate)
      }
    }
    return zip(weights, rates).reduce(0) { $0 + Double($1.0) * (1 - $1.1) }
  }
}
