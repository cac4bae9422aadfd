import TestSupport
import Testing

@testable import LinkAuditing

@Suite struct RuleChoiceTests {
  /// A random problem.
  struct Problem {
    var options: [RuleChoice.Option]
    var weights: [Int]
    var price: Int
    var top: Int?

    init(_ generator: inout SeededGenerator) {
      let groups = Int.random(in: 1...9, using: &generator)
      weights = (0..<groups).map { _ in
        let weight = Int.random(in: 1...20, using: &generator)
        return Int.random(in: 0..<4, using: &generator) == 0 ? -weight : weight
      }
      options = (0..<Int.random(in: 1...9, using: &generator)).map { _ in
        RuleChoice.Option(
          cost: Int.random(in: 1...2, using: &generator),
          groups: (0..<groups).filter { _ in Int.random(in: 0..<3, using: &generator) == 0 })
      }
      price = Int.random(in: 0...6, using: &generator)
      top = Bool.random(using: &generator) ? Int.random(in: 1...5, using: &generator) : nil
    }

    /// What a choice is worth.
    func outcome(_ chosen: [Int]) -> RuleChoice.Outcome {
      let cost = chosen.reduce(0) { $0 + options[$1].cost }
      let groups = Set(chosen.flatMap { options[$0].groups })
      return RuleChoice.Outcome(
        chosen: chosen, value: groups.reduce(0) { $0 + weights[$1] } - cost * price, cost: cost)
    }

    /// The best of all choices.
    var plainBest: RuleChoice.Outcome {
      (0..<(1 << options.count)).reduce(RuleChoice.Outcome()) { best, bits in
        let outcome = outcome(options.indices.filter { bits >> $0 & 1 == 1 })
        return outcome.cost <= top ?? .max && outcome.isBetter(than: best) ? outcome : best
      }
    }
  }

  @Test func agreesWithTryingAll() {
    let seed = TestRun.seed
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<3_000 {
      let problem = Problem(&generator)
      let found = RuleChoice(
        problem.options, weights: problem.weights, price: problem.price, top: problem.top
      ).best()
      let plain = problem.plainBest
      #expect(
        found.value == plain.value && found.cost == plain.cost && found.isExact,
        "seed: \(seed), \(problem)")
      let own = problem.outcome(found.chosen)
      #expect(own.value == found.value && own.cost == found.cost, "seed: \(seed)")
    }
  }

  /// Of many rules, no one that was taken is needless, and none that is left would do good.
  @Test func manyRulesAreChosenOneByOne() {
    let seed = TestRun.seed
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      let weights = (0..<60).map { _ in Int.random(in: 1...9, using: &generator) }
      let options = (0..<40).map { _ in
        RuleChoice.Option(
          cost: 1,
          groups: (0..<60).filter { _ in Int.random(in: 0..<8, using: &generator) == 0 })
      }
      func value(_ chosen: [Int]) -> Int {
        Set(chosen.flatMap { options[$0].groups }).reduce(0) { $0 + weights[$1] } - chosen.count * 2
      }
      let found = RuleChoice(options, weights: weights, price: 2, top: nil).best()
      #expect(!found.isExact && found.value == value(found.chosen), "seed: \(seed)")
      for option in found.chosen {
        #expect(value(found.chosen.filter { $0 != option }) < found.value, "seed: \(seed)")
      }
      for option in options.indices where !found.chosen.contains(option) {
        #expect(value(found.chosen + [option]) <= found.value, "seed: \(seed)")
      }
      let short = RuleChoice(options, weights: weights, price: 2, top: 3).best()
      #expect(short.cost <= 3)
    }
  }

  @Test func ofTheSameTheFirstIsTaken() {
    let option = RuleChoice.Option(cost: 1, groups: [0])
    let found = RuleChoice([option, option], weights: [5], price: 0, top: nil).best()
    #expect(found.chosen == [0])
  }
}
