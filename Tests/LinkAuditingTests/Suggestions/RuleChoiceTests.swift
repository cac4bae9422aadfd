import TestSupport
import Testing

@testable import Foundations
@testable import LinkAuditing
@testable import UniversalLinks

@Suite struct RuleChoiceTests {
  struct Outcome: Equatable {
    var chosen: [Int] = []
    var value = 0
    var cost = 0
  }

  struct Problem {
    var options: [RuleChoice.Option]
    var weights: [Int]
    var price: Int
    var top: Int?

    init(_ generator: inout SeededGenerator, options count: Int, groups: Int, share: Int) {
      weights = (0..<groups).map { _ in
        let weight = Int.random(in: 1...20, using: &generator)
        return Int.random(in: 0..<4, using: &generator) == 0 ? -weight : weight
      }
      options = (0..<count).map { _ in
        (
          cost: Int.random(in: 1...2, using: &generator),
          groups: (0..<groups).filter { _ in Int.random(in: 0..<share, using: &generator) == 0 }
        )
      }
      price = Int.random(in: 0...6, using: &generator)
      top = Bool.random(using: &generator) ? Int.random(in: 1...5, using: &generator) : nil
    }

    var cover: Outcome {
      let found = RuleChoice.cover(options, weights: weights, price: price, top: top)
      let outcome = outcome(found.chosen)
      #expect(outcome.cost == found.cost && found.cost <= top ?? .max)
      return outcome
    }

    func outcome(_ chosen: [Int]) -> Outcome {
      let cost = chosen.reduce(0) { $0 + options[$1].cost }
      let groups = Set(chosen.flatMap { options[$0].groups })
      return Outcome(
        chosen: chosen, value: groups.reduce(0) { $0 + weights[$1] } - cost * price, cost: cost)
    }

    var plainBest: Outcome {
      (0..<(1 << options.count)).reduce(Outcome()) { best, bits in
        let outcome = outcome(options.indices.filter { bits >> $0 & 1 == 1 })
        let isBetter = (outcome.value, -outcome.cost) > (best.value, -best.cost)
        return outcome.cost <= top ?? .max && isBetter ? outcome : best
      }
    }
  }

  /// Most choices come near the best one.
  @Test func comesNearTheBest() {
    var generator = SeededGenerator()
    var near = 0
    for _ in 0..<2_000 {
      let count = Int.random(in: 1...9, using: &generator)
      let problem = Problem(&generator, options: count, groups: 9, share: 3)
      let (cover, plain) = (problem.cover, problem.plainBest)
      #expect(cover.value <= plain.value)
      if cover.value * 10 >= plain.value * 9 { near += 1 }
    }
    #expect(near > 1_800, "\(near)")
  }

  /// With many rules, each chosen one is needed, and no other one is worth its line.
  @Test func choosesALocalOptimum() {
    var generator = SeededGenerator()
    for _ in 0..<4 {
      var problem = Problem(&generator, options: 40, groups: 60, share: 8)
      problem.top = nil
      let best = problem.cover
      for option in best.chosen {
        let rest = problem.outcome(best.chosen.filter { $0 != option })
        #expect(rest.value < best.value || rest.cost > best.cost)
      }
      for option in problem.options.indices where !best.chosen.contains(option) {
        #expect(problem.outcome(best.chosen + [option]).value <= best.value)
      }
      problem.top = 3
      _ = problem.cover
    }
  }

  /// Of equal rules, it takes the first.
  @Test func findsTheBestOfManyRules() {
    let options = (0..<300).map { (cost: 1, groups: [$0]) }
    let weights = (0..<300).map { 10 + $0 }
    let cover = RuleChoice.cover(options + options, weights: weights, price: 9, top: nil)
    #expect(cover.chosen == Array(0..<300) && cover.cost == 300)
    let short = RuleChoice.cover(options + options, weights: weights, price: 9, top: 4)
    #expect(short.chosen == [296, 297, 298, 299])
  }
}

@Suite struct AssociationTextTests {
  static func inserted(_ list: String, _ insertions: [(Int, [String])]) throws -> String {
    let head = "{ \"applinks\" : {\"details\":[{}, {\"appID\":\"T.a\",\"paths\":"
    let text = try AssociationText(
      Array((head + list + "}]}}\n").utf8), entry: .index(1), list: .paths)
    let output = text.inserting(insertions.map { (position: $0.0, elements: $0.1) })
    let whole = String(decoding: output, as: UTF8.self)
    #expect(whole.hasPrefix(head) && whole.hasSuffix("}]}}\n"))
    return String(whole.dropFirst(head.count).dropLast(5))
  }

  @Test func elementsAreFormattedLikeOthers() throws {
    #expect(try Self.inserted("[]", [(0, ["1", "2"])]) == "[1, 2]")
    #expect(try Self.inserted("[ 5 ]", [(0, ["1"])]) == "[ 1, 5 ]")
    #expect(try Self.inserted("[5]", [(1, ["1", "2"])]) == "[5, 1, 2]")
    #expect(try Self.inserted("[5,6]", [(1, ["1", "2"]), (2, ["3"])]) == "[5,1,2,6,3]")
    #expect(try Self.inserted("[\r\n\t5\r\n]", [(1, ["1"])]) == "[\r\n\t5,\r\n\t1\r\n]")
    #expect(
      try Self.inserted("[\n  5,\n  \"]\"\n]", [(0, ["1"]), (2, ["2"])])
        == "[\n  1,\n  5,\n  \"]\",\n  2\n]")
  }

  @Test func entriesAreFoundByKeysToo() throws {
    let text = try AssociationText(
      Array(#"{"applinks":{"details":{"T.a":{"paths":["/a"]},"T.b":{"paths":["/a"]}}}}"#.utf8),
      entry: .key("T.b"), list: .paths)
    let output = text.inserting([(position: 0, elements: ["\"/b\""])])
    #expect(
      String(decoding: output, as: UTF8.self)
        == #"{"applinks":{"details":{"T.a":{"paths":["/a"]},"T.b":{"paths":["/b", "/a"]}}}}"#)
  }

  @Test func draftsAreReadAsTheyAreMeant() throws {
    var draft = ComponentDraft(path: "/a\"\\\u{1}茶/?*")
    draft.items = [RuleDefinition.Item(name: "q\"", pattern: "?*")]
    draft.isCaseSensitive = false
    let text = try AssociationText(
      Array(##"{"applinks":{"defaults":{"exclude":true,"#":"x"},"details":[{}]}}"##.utf8),
      entry: .index(0), list: .components)
    let json = draft.json(in: text)
    let file = try AssociationFile(
      "{\"applinks\":{\"details\":[{\"appIDs\":[\"T.a\"],\"components\":[\(json)]}]}}")
    let rule = try #require(file.entries.first?.components?.first)
    #expect(rule.path == draft.path && !rule.excludes && !rule.isCaseSensitive)
    #expect(rule.fragment == "*" && rule.isPercentEncoded)
    #expect(rule.query == .items([RuleDefinition.Item(name: "q\"", pattern: "?*")]))
  }
}
