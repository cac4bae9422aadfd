/// All URLs that some lists of rules can distinguish.
///
/// Path, query and fragment are independent texts. So are query items with different names, unless
/// a rule compares the whole query. Each text is explored separately. Then the classes of paths are
/// combined with those classes of other texts that can change which rules match these paths.
struct RuleExploration {
  /// URLs for which the same rules decide.
  struct Situation {
    /// For each list of rules, the position in it of the rule that decides, or -1.
    var deciders: [Int]
    var path: [UInt8] = []
    var query: [UInt8] = []
    var fragment: [UInt8] = []

    /// One of the URLs, from its path on.
    var target: String {
      var bytes = path
      if !query.isEmpty { bytes += [UInt8(ascii: "?")] + query }
      if !fragment.isEmpty { bytes += [UInt8(ascii: "#")] + fragment }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  let table: RuleTable
  private let paths: [TextExploration.Class]

  /// Parts of URLs that depend on each other, and the classes of their texts.
  private let factors:
    [(part: RuleDefinition.Part, conditions: [Int], exploration: TextExploration)]

  /// The factor of each condition, and -1 for those on paths.
  private var factorOfCondition: [Int]

  /// The conditions of each rule, except for those on its path.
  private var furtherConditions: [[Int]] = []

  /// The reason why some URLs may not be represented, or `nil` if all are.
  private(set) var gap: ExplorationGap?

  private let limits: ExplorationLimits

  private(set) var work = 0

  init(_ lists: [ArraySlice<CompiledRule>], limits: ExplorationLimits) {
    let table = RuleTable(lists)
    (self.table, self.limits) = (table, limits)
    // All parts share the limits. Collecting the rules has cost something, too.
    var left = limits
    left.work -= table.rules.count
    func explore(_ conditions: [Int], _ part: RuleDefinition.Part) -> TextExploration {
      let exploration = TextExploration(
        reading: TextReader(conditions, part: part, table: table, limits: left), limits: left)
      left.work -= exploration.work
      left.size -= exploration.size
      left.states -= exploration.stateCount
      return exploration
    }
    let groups = Self.groups(of: table)
    let path = explore(groups.path, .path)
    paths = path.classes.map { ($0.conditions.map { groups.path[$0] }, $0.text) }
    factors = groups.others.map { ($0, $1, explore($1, $0)) }
    factorOfCondition = Array(repeating: -1, count: table.conditions.count)
    for (index, factor) in factors.enumerated() {
      for condition in factor.conditions { factorOfCondition[condition] = index }
    }
    furtherConditions = table.rules.map { [factorOfCondition] rule in
      (rule.conditions ?? []).filter { factorOfCondition[$0] >= 0 }
    }
    work = limits.work - left.work
    if !path.isComplete || factors.contains(where: { !$0.exploration.isComplete }) {
      gap = .tooManyTexts
    } else if table.mayReachLevelLimit {
      gap = .levelLimit
    }
  }

  /// Returns the conditions on paths, and the others, grouped by the texts that they depend on.
  private static func groups(
    of table: RuleTable
  ) -> (path: [Int], others: [(part: RuleDefinition.Part, conditions: [Int])]) {
    var (path, query, fragment): ([Int], [Int], [Int]) = ([], [], [])
    var names: [[UInt8]] = []
    var items: [[UInt8]: [Int]] = [:]
    for index in table.conditions.indices where !table.uses[index].isEmpty {
      let condition = table.conditions[index]
      switch condition.part {
      case .path: path.append(index)
      case .query: query.append(index)
      case .fragment: fragment.append(index)
      case .queryItem:
        // An item whose name is `%61` can also be the one whose name is `a`.
        let name = condition.name
        let decoded = condition.form == .encoded ? PercentEncoding.decoded(name) : name
        if items[decoded] == nil { names.append(decoded) }
        items[decoded, default: []].append(index)
      }
    }
    var others: [(part: RuleDefinition.Part, conditions: [Int])] = []
    if query.isEmpty {
      others = names.map { (.query, items[$0] ?? []) }
    } else {
      others = [(.query, query + names.flatMap { items[$0] ?? [] })]
    }
    if !fragment.isEmpty { others.append((.fragment, fragment)) }
    return (path, others)
  }

  // MARK: - Situations

  /// Calls `body` with every situation, those with cheaper paths first; the same
  /// rules may decide in several.
  mutating func forEachSituation(_ body: (Situation) -> Void) {
    // The rules of each list that match any path.
    let pathless = table.rules.indices.filter { rule in
      table.rules[rule].conditions?.allSatisfy { factorOfCondition[$0] >= 0 } ?? false
    }
    var known: [[Int]: [Situation]] = [:]
    var (combinations, cost, listed, knownCount) = (0, 0, 0, 0)
    defer { work += cost + listed }
    for path in paths {
      let rules = pathless + path.conditions.flatMap { table.uses[$0] }
      listed += rules.count
      let candidates = candidates(rules)
      let leaves: [Situation]
      if let found = known[candidates] {
        leaves = found
      } else {
        leaves = self.leaves(candidates, combinations: &combinations, cost: &cost)
        knownCount += candidates.count
        if knownCount > Self.knownLimit { (known, knownCount) = ([:], candidates.count) }
        known[candidates] = leaves
      }
      combinations += leaves.count * weight
      for var situation in leaves {
        situation.path = path.text
        body(situation)
      }
      // Rules are sorted for each path, which costs more than moving a position.
      if combinations > limits.combinations || listed > limits.work / 4 {
        gap = gap ?? .tooManyCombinations
        return
      }
    }
  }

  /// The greatest number of rules in lists of candidates whose situations are kept.
  private static let knownLimit = 1 << 20

  /// The cost of one combination, whose time and memory grow with the number of lists.
  private var weight: Int { 1 + table.firstRules.count / 32 }

  /// Returns the rules in order, up to the first that always matches once its path does.
  private func candidates(_ rules: [Int]) -> [Int] {
    var candidates: [Int] = []
    var decided = -1
    for rule in rules.sorted() where table.rules[rule].list != decided {
      candidates.append(rule)
      if furtherConditions[rule].isEmpty { decided = table.rules[rule].list }
    }
    return candidates
  }

  /// Returns the situations among rules whose paths match, without the paths.
  ///
  /// This is a decision tree. It branches only on texts that keep a rule from deciding while that
  /// rule still could, so it has few leaves.
  private func leaves(
    _ candidates: [Int], combinations: inout Int, cost: inout Int
  ) -> [Situation] {
    let candidateCost = candidates.reduce(0) { $0 + 4 + furtherConditions[$1].count }
    var choices: [[Int]: [TextExploration.Class]] = [:]
    var found: Set<[Int]> = []
    var leaves: [Situation] = []
    // A work list instead of recursion: the classes of the factors decided so far.
    var waiting: [[Int: TextExploration.Class]] = [[:]]
    while let chosen = waiting.popLast() {
      combinations += weight
      if combinations > limits.combinations { break }
      // The work and the memory for one combination grow with the rules and their items.
      cost += candidateCost + chosen.count
      if cost > limits.work {
        combinations = limits.combinations + 1
        break
      }
      var deciders = Array(repeating: -1, count: table.firstRules.count)
      var unknown: [Int] = []
      for rule in candidates where deciders[table.rules[rule].list] < 0 {
        var (fails, rest): (Bool, [Int]) = (false, [])
        for condition in furtherConditions[rule] where !fails {
          guard let choice = chosen[factorOfCondition[condition]] else {
            rest.append(condition)
            continue
          }
          fails = !choice.conditions.contains(condition, in: choice.conditions.indices)
        }
        if fails { continue }
        guard rest.isEmpty else {
          unknown += rest
          continue
        }
        let list = table.rules[rule].list
        deciders[list] = rule - table.firstRules[list]
      }
      if let factor = unknown.first.map({ factorOfCondition[$0] }) {
        let key = Set(unknown.filter { factorOfCondition[$0] == factor }).sorted()
        let classes: [TextExploration.Class]
        if let known = choices[key] {
          classes = known
        } else {
          classes = self.choices(of: factor, key)
          choices[key] = classes
          cost += factors[factor].exploration.classes.reduce(0) { $0 + $1.conditions.count }
        }
        // The cheapest one is to be seen first.
        for choice in classes.reversed() {
          var next = chosen
          next[factor] = choice
          waiting.append(next)
        }
      } else if found.insert(deciders).inserted {
        leaves.append(leaf(deciders, chosen))
      }
    }
    return leaves
  }

  private func leaf(_ deciders: [Int], _ chosen: [Int: TextExploration.Class]) -> Situation {
    var leaf = Situation(deciders: deciders)
    for (index, factor) in factors.enumerated() {
      guard let text = chosen[index]?.text, !text.isEmpty else { continue }
      if factor.part == .fragment {
        leaf.fragment = text
      } else {
        if !leaf.query.isEmpty { leaf.query.append(UInt8(ascii: "&")) }
        leaf.query += text
      }
    }
    return leaf
  }

  /// Returns the classes of a factor that some conditions distinguish, the cheapest first.
  private func choices(of factor: Int, _ relevant: [Int]) -> [TextExploration.Class] {
    let conditions = factors[factor].conditions
    var isRelevant = [UInt64](bitCount: table.conditions.count)
    for condition in relevant { isRelevant.insertBit(condition) }
    var known: Set<[Int]> = []
    return factors[factor].exploration.classes.compactMap { found in
      let projected = found.conditions.map { conditions[$0] }.filter(isRelevant.hasBit).sorted()
      guard known.insert(projected).inserted else { return nil }
      return (projected, found.text)
    }
  }
}

/// The reason why some URLs that rules distinguish aren't known, as a sentence of a message.
public enum ExplorationGap: String, CustomStringConvertible, Sendable {
  /// The host can't have universal links, so there are no URLs to distinguish.
  case ineligibleHost = "no URL of this host can open an app, whatever the rules are"

  /// The patterns can be combined in more ways than are followed.
  case tooManyTexts = "the patterns can be combined in too many ways to follow them all"

  /// Paths, queries and fragments can be combined in more ways than are followed.
  case tooManyCombinations =
    "paths, queries and fragments can be combined in too many ways to follow them all"

  /// A pattern has too many wildcards and variables (Matching.md, 3c.6).
  case levelLimit =
    "a pattern has so many wildcards and variables that systems may give up on it"

  /// The matcher's verdict on an example differs from the computed one.
  case unconfirmed = "an example was judged otherwise than the patterns say"

  /// The sentence.
  public var description: String { rawValue }
}

/// The limits on the cost of an exploration, which then takes about a quarter of a second.
///
/// Rules that begin with literals need about as many states as they have characters. The states of
/// rules that search for texts multiply: with enough of them, they would exceed any limit.
struct ExplorationLimits {
  /// The greatest number of states of reading texts of one part of URLs.
  var states = 50_000

  /// The greatest number of bytes of memory that automata and states use.
  var size = 32 << 20

  /// The greatest amount of work, which limits the time.
  var work = 5_000_000

  /// The greatest number of combinations of paths, queries and fragments.
  var combinations = 40_000

  func divided(by divisor: Int) -> ExplorationLimits {
    var limits = self
    limits.states /= divisor
    limits.size /= divisor
    limits.work /= divisor
    limits.combinations /= divisor
    return limits
  }
}

/// A condition of a rule on one part of a URL: that its text matches a pattern.
///
/// Rules of several files with the same condition share it, if the files share their variables.
struct Condition: Hashable {
  var part: RuleDefinition.Part

  /// The name of the query item, empty for another part.
  var name: [UInt8]
  var form: TextForm
  var pattern: Pattern
}

/// Lists of rules, as conditions.
///
/// Rules are numbered list by list.
struct RuleTable {
  /// The position of a rule's list, and those of its conditions, or `nil` if it never matches.
  typealias Rule = (list: Int, conditions: [Int]?)

  private(set) var rules: [Rule] = []

  private(set) var firstRules: [Int] = []
  private(set) var conditions: [Condition] = []

  /// The numbers of the rules that have each condition, in order.
  private(set) var uses: [[Int]] = []

  /// A Boolean value indicating whether a text could open too many stars and
  /// variables of a pattern (Matching.md, 3c.6), which isn't followed here.
  private(set) var mayReachLevelLimit = false

  init(_ lists: [ArraySlice<CompiledRule>]) {
    var known: [Condition: Int] = [:]
    for (number, list) in lists.enumerated() {
      firstRules.append(rules.count)
      for rule in list {
        var positions: [Int] = []
        for comparison in rule.comparisons {
          let pattern = comparison.pattern
          if pattern.isImpossible || pattern.isAnything { continue }
          if pattern.hasUndecidedLevels { mayReachLevelLimit = true }
          let condition = Condition(
            part: comparison.part, name: comparison.name, form: rule.definition.form,
            pattern: pattern)
          let position = known[condition] ?? conditions.count
          if position == conditions.count {
            known[condition] = position
            conditions.append(condition)
            uses.append([])
          }
          if !positions.contains(position) { positions.append(position) }
        }
        if rule.isPossible { for position in positions { uses[position].append(rules.count) } }
        rules.append((number, rule.isPossible ? positions : nil))
      }
    }
  }
}

extension LinkMatcher {
  var compiledLists: [ArraySlice<CompiledRule>] { ruleLists.map { rules[$0.rules] } }
}
