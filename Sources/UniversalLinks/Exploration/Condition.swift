/// A condition of a rule on one part of a URL: that its text matches a pattern.
///
/// Rules of several files with the same condition share it.
struct Condition: Hashable {
  /// The part of a URL whose text is compared.
  var part: PatternTable.Text
  var form: TextForm
  var pattern: Pattern
}

/// Variables of several files, of which those with the same values become one object.
///
/// Conditions are then compared without their values, of which hostile files have millions.
private struct SharedVariables {
  private var known: Set<VariableValues> = []
  private var shared: [ObjectIdentifier: VariableValues] = [:]

  /// Returns a pattern with the shared variables.
  ///
  /// - Parameter pattern: The pattern, whose variables outlive this value.
  /// - Returns: An equal pattern.
  mutating func pattern(_ pattern: Pattern) -> Pattern {
    let tokens = pattern.tokens.map { token in
      guard case .variable(let values) = token else { return token }
      if let known = shared[ObjectIdentifier(values)] { return .variable(known) }
      let one = known.insert(values).memberAfterInsert
      shared[ObjectIdentifier(values)] = one
      return .variable(one)
    }
    return Pattern(tokens, ignoresCase: pattern.ignoresCase)
  }
}

/// Lists of rules, as conditions.
///
/// Rules are numbered list by list.
struct RuleTable {
  struct Rule {
    /// The position of its list.
    var list: Int

    /// The positions of the conditions, or `nil` if the rule never matches.
    var conditions: [Int]?
  }

  private(set) var rules: [Rule] = []

  /// The number of the first rule of each list.
  private(set) var firstRules: [Int] = []
  private(set) var conditions: [Condition] = []

  /// The numbers of the rules that have each condition, in order.
  private(set) var uses: [[Int]] = []

  /// A Boolean value indicating whether a text could open too many stars and
  /// variables of a pattern (Matching.md, 3c.6), which isn't followed here.
  private(set) var mayReachLevelLimit = false

  /// Collects the rules of lists, which may belong to several matchers.
  init(_ lists: [ArraySlice<CompiledRule>]) {
    var known: [Condition: Int] = [:]
    var variables = SharedVariables()
    for (number, list) in lists.enumerated() {
      firstRules.append(rules.count)
      for rule in list {
        var positions: [Int] = []
        for comparison in rule.comparisons {
          let pattern = comparison.pattern
          if pattern.isImpossible || pattern.isAnything { continue }
          if pattern.hasUndecidedLevels { mayReachLevelLimit = true }
          let condition = Condition(
            part: comparison.text, form: rule.form, pattern: variables.pattern(pattern))
          let position = known[condition] ?? conditions.count
          if position == conditions.count {
            known[condition] = position
            conditions.append(condition)
            uses.append([])
          }
          if !positions.contains(position) { positions.append(position) }
        }
        if rule.isPossible { for position in positions { uses[position].append(rules.count) } }
        rules.append(Rule(list: number, conditions: rule.isPossible ? positions : nil))
      }
    }
  }
}

extension LinkMatcher {
  /// The rules of each list.
  var compiledLists: [ArraySlice<CompiledRule>] { ruleLists.map { rules[$0.rules] } }
}
