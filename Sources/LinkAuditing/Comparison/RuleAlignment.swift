internal import UniversalLinks

/// The correspondence between the rules of an old list and those of a new one.
struct RuleAlignment {
  /// A pair of positions; one of them is `nil` where a rule was added or removed.
  struct Pair: Hashable {
    var old: Int?
    var new: Int?
  }

  /// The pairs in the order of the new list; a removed rule follows the rule that was before
  /// it.
  let pairs: [Pair]

  /// Aligns two lists; `nil` means an entry without rules, which has one rule for all URLs.
  init(old: [RuleDefinition]?, new: [RuleDefinition]?) {
    let oldRules = old.map { $0.map(\.meaning) }
    let newRules = new.map { $0.map(\.meaning) }
    // Equal rules are paired in their order, whatever their positions.
    var waiting: [RuleDefinition: [Int]] = [:]
    for (index, rule) in (newRules ?? []).enumerated().reversed() {
      waiting[rule, default: []].append(index)
    }
    var newPosition: [Int: Int] = [:]
    for (index, rule) in (oldRules ?? []).enumerated() {
      if let position = waiting[rule]?.popLast() { newPosition[index] = position }
    }
    let oldPosition = Dictionary(uniqueKeysWithValues: newPosition.map { ($0.value, $0.key) })
    // The removed rules by the rule of the new list that they follow, or -1.
    var removed: [Int: [Int]] = [:]
    var last = -1
    for index in 0..<(oldRules?.count ?? 0) {
      if let position = newPosition[index] {
        last = position
      } else {
        removed[last, default: []].append(index)
      }
    }
    var pairs = (removed[-1] ?? []).map { Pair(old: $0, new: nil) }
    for index in 0..<(newRules?.count ?? 0) {
      pairs.append(Pair(old: oldPosition[index], new: index))
      pairs += (removed[index] ?? []).map { Pair(old: $0, new: nil) }
    }
    self.pairs = pairs
  }
}

extension RuleDefinition {
  /// The meaning of the rule, wherever it is and however it is spelled: equal for rules that mean
  /// the same.
  var meaning: RuleDefinition {
    var meaning = self
    (meaning.source, meaning.position) = ("", nil)
    return meaning
  }
}
