/// A condition of a rule on one part of a URL: that its text matches a pattern.
///
/// Rules of several files with the same condition share it.
struct Condition {
  /// The part of a URL whose text is compared.
  enum Part: Hashable {
    case path
    case query

    /// Each query item with this name, or the empty text if there is none.
    case item([UInt8])
    case fragment
  }

  var part: Part
  var form: TextForm
  var tokens: [PatternToken]
}

/// The rules of several matchers, as conditions.
///
/// Rules are numbered list by list. The rules of a matcher keep its order, and follow those of the
/// matchers before it.
struct RuleTable {
  struct Rule {
    /// The position of its list among those of all matchers.
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

  private var known: [Key: Int] = [:]

  private struct Key: Hashable {
    var part: Condition.Part
    var form: TextForm
    var pattern: [UInt8]

    /// The position of the file whose variables the pattern uses, or -1 if it uses none.
    var variables: Int
  }

  /// Collects the rules of matchers and the files that they were made from.
  init(_ sources: [(matcher: LinkMatcher, file: AssociationFile)]) {
    for (index, source) in sources.enumerated() {
      // The same variables make the same patterns.
      let variables = source.file.substitutionVariables
      let owner =
        sources[..<index].firstIndex { $0.file.substitutionVariables == variables } ?? index
      let reader = Variables(variables, for: source.matcher.system)
      for list in source.matcher.ruleLists {
        // An entry without rules matches every URL, as one rule would.
        append(list.definitions ?? [RuleDefinition()], variables: reader, owner: owner)
      }
    }
  }

  /// Collects lists of rules of one file.
  ///
  /// - Parameters:
  ///   - lists: The rules.
  ///   - variables: The variables of the file that the system knows; many tables share their
  ///     prepared forms.
  init(_ lists: [[RuleDefinition]], variables: Variables?) {
    for list in lists { append(list, variables: variables, owner: 0) }
  }

  private mutating func append(_ list: [RuleDefinition], variables: Variables?, owner: Int) {
    let number = firstRules.count
    firstRules.append(rules.count)
    for definition in list {
      let conditions = conditions(of: definition, variables: variables, owner: owner)
      for condition in conditions ?? [] { uses[condition].append(rules.count) }
      rules.append(Rule(list: number, conditions: conditions))
    }
  }

  /// The positions of the conditions of a rule, or `nil` if it never matches.
  private mutating func conditions(
    of definition: RuleDefinition, variables: Variables?, owner: Int
  ) -> [Int]? {
    var conditions: [Int] = []
    var form: TextForm = []
    if !definition.isPercentEncoded { form.insert(.decoded) }
    if !definition.isCaseSensitive { form.insert(.folded) }
    var isPossible = !definition.requiresEntitlement
    func require(_ part: Condition.Part, _ pattern: [UInt8], in table: inout Self) {
      let usesVariables = variables != nil && pattern.contains(UInt8(ascii: "$"))
      let key = Key(
        part: part, form: form, pattern: pattern, variables: usesVariables ? owner : -1)
      switch table.condition(key, variables) {
      case .always: break
      case .never: isPossible = false
      case .sometimes(let index): if !conditions.contains(index) { conditions.append(index) }
      }
    }
    if let path = definition.path {
      require(.path, CompiledRule.normalized(path: path), in: &self)
    }
    switch definition.query {
    case nil: break
    case .whole(let pattern): require(.query, Array(pattern.utf8), in: &self)
    case .items(let items):
      for item in items {
        require(.item(Array(item.name.utf8)), Array(item.pattern.utf8), in: &self)
      }
    }
    if let fragment = definition.fragment { require(.fragment, Array(fragment.utf8), in: &self) }
    return isPossible ? conditions : nil
  }

  private enum Demand {
    case always
    case never
    case sometimes(Int)
  }

  private mutating func condition(_ key: Key, _ variables: Variables?) -> Demand {
    let pattern = Pattern(
      PatternToken.tokens(
        of: key.pattern, variables: variables, folds: key.form.contains(.folded)))
    if pattern.isImpossible { return .never }
    if pattern.isAnything { return .always }
    if let index = known[key] { return .sometimes(index) }
    if pattern.hasUndecidedLevels { mayReachLevelLimit = true }
    known[key] = conditions.count
    conditions.append(Condition(part: key.part, form: key.form, tokens: pattern.tokens))
    uses.append([])
    return .sometimes(conditions.count - 1)
  }
}
