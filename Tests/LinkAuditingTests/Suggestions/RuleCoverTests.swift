import TestSupport
import Testing

@testable import LinkAuditing

@Suite struct RuleCoverTests {
  /// A random problem.
  struct Problem {
    var options: [RuleCover.Option]
    var weights: [Int]
    var price: Int
    var top: Int?

    init(_ generator: inout SeededGenerator, options count: Int, groups: Int, share: Int) {
      weights = (0..<groups).map { _ in
        let weight = Int.random(in: 1...20, using: &generator)
        return Int.random(in: 0..<4, using: &generator) == 0 ? -weight : weight
      }
      options = (0..<count).map { _ in
        RuleCover.Option(
          cost: Int.random(in: 1...2, using: &generator),
          groups: (0..<groups).filter { _ in Int.random(in: 0..<share, using: &generator) == 0 })
      }
      price = Int.random(in: 0...6, using: &generator)
      top = Bool.random(using: &generator) ? Int.random(in: 1...5, using: &generator) : nil
    }

    var cover: RuleCover { RuleCover(options, weights: weights, price: price, top: top) }

    func outcome(_ chosen: [Int]) -> RuleCover.Outcome {
      let cost = chosen.reduce(0) { $0 + options[$1].cost }
      let groups = Set(chosen.flatMap { options[$0].groups })
      return RuleCover.Outcome(
        chosen: chosen, value: groups.reduce(0) { $0 + weights[$1] } - cost * price, cost: cost)
    }

    /// The best of all choices.
    var plainBest: RuleCover.Outcome {
      (0..<(1 << options.count)).reduce(RuleCover.Outcome()) { best, bits in
        let outcome = outcome(options.indices.filter { bits >> $0 & 1 == 1 })
        return outcome.cost <= top ?? .max && outcome.isBetter(than: best) ? outcome : best
      }
    }
  }

  /// A choice that is proved to be the best is, and the others come near.
  @Test func agreesWithTryingAll() {
    let seed = TestRun.seed
    var generator = SeededGenerator(seed: seed)
    var (exact, near) = (0, 0)
    for _ in 0..<2_000 {
      let count = Int.random(in: 1...9, using: &generator)
      let problem = Problem(&generator, options: count, groups: 9, share: 3)
      let (cover, plain) = (problem.cover, problem.plainBest)
      #expect(cover.best == problem.outcome(cover.best.chosen), "seed: \(seed)")
      #expect(cover.best.value <= plain.value && cover.best.cost <= problem.top ?? .max)
      if cover.best.value * 10 >= plain.value * 9 { near += 1 }
      guard cover.isExact else { continue }
      exact += 1
      #expect(
        cover.best.value == plain.value && cover.best.cost == plain.cost,
        "seed: \(seed), \(problem)")
    }
    #expect(exact > 200 && near > 1_800, "seed: \(seed), \(exact), \(near)")
  }

  /// With many rules, each chosen one is needed, and no other one is worth its line.
  @Test func choosesALocalOptimum() {
    let seed = TestRun.seed
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<4 {
      var problem = Problem(&generator, options: 40, groups: 60, share: 8)
      problem.top = nil
      let best = problem.cover.best
      for option in best.chosen {
        let rest = problem.outcome(best.chosen.filter { $0 != option })
        #expect(rest.value < best.value || rest.cost > best.cost, "seed: \(seed)")
      }
      for option in problem.options.indices where !best.chosen.contains(option) {
        #expect(problem.outcome(best.chosen + [option]).value <= best.value, "seed: \(seed)")
      }
      problem.top = 3
      #expect(problem.cover.best.cost <= 3)
    }
  }

  @Test func takesTheFirstOfEqualOptions() {
    let option = RuleCover.Option(cost: 1, groups: [0])
    let cover = RuleCover([option, option], weights: [5], price: 0, top: nil)
    #expect(cover.best.chosen == [0] && cover.isExact)
  }

  /// Hundreds of rules with little overlap are fast, also with an upper limit of lines.
  @Test func findsTheBestOfManyRules() {
    let options = (0..<300).map { RuleCover.Option(cost: 1, groups: [$0]) }
    let weights = (0..<300).map { 10 + $0 }
    let cover = RuleCover(options + options, weights: weights, price: 9, top: nil)
    #expect(cover.best.cost == 300 && cover.isExact)
    let short = RuleCover(options + options, weights: weights, price: 9, top: 4)
    #expect(short.best.chosen == [296, 297, 298, 299])
  }
}
