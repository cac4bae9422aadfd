/// All URLs that some lists of rules can distinguish.
///
/// Path, query and fragment are independent texts. So are query items with different names, unless
/// a rule compares the whole query. Each text is explored separately. Then the classes of paths are
/// combined with those classes of other texts that can change which rules match these paths.
struct RuleExploration {
  /// URLs for which the same rules decide: for each list of rules, the number of the rule that
  /// decides, or -1, and one of the URLs, from its path on.
  typealias Situation = (deciders: [Int], target: [UInt8])

  /// Parts of URLs that depend on each other, first the path, and the classes of their texts.
  private typealias Factor = (
    part: RuleDefinition.Part, conditions: [Int], classes: [TextReader.Class]
  )

  private let table: RuleTable
  private var factors: [Factor]

  /// The factor of each condition.
  private var factorOfCondition: [Int]

  /// The conditions of each rule, except for those on its path.
  private var furtherConditions: [[Int]] = []

  /// The reason why some URLs may not be represented, or `nil` if all are.
  private(set) var gap: ExplorationGap?

  private let limits: ExplorationLimits

  /// A measure of the cost.
  private(set) var work: Int

  /// Explores the URLs that lists of rules distinguish.
  ///
  /// It calls `body` with every situation, those with cheaper paths first; the same rules may decide
  /// in several.
  init(
    _ lists: [ArraySlice<CompiledRule>], limits: ExplorationLimits, _ body: (Situation) -> Void
  ) {
    (table, self.limits) = (RuleTable(lists), limits)
    // All parts share the limits. Collecting the rules has cost something, too.
    var left = limits
    left.work -= table.rules.count
    factors = Self.factors(of: table)
    factorOfCondition = Array(repeating: 0, count: table.conditions.count)
    for (index, factor) in factors.enumerated() {
      var reader = TextReader(factor.conditions, part: factor.part, table: table, limits: left)
      let found = reader?.explore(&left)
      if found?.isComplete != true { gap = .tooManyTexts }
      factors[index].classes = (found?.classes ?? []).map { found in
        (found.conditions.map { factor.conditions[$0] }.sorted(), found.text)
      }
      for condition in factor.conditions { factorOfCondition[condition] = index }
    }
    work = limits.work - left.work
    if table.mayReachLevelLimit { gap = gap ?? .levelLimit }
    furtherConditions = table.rules.map { [factorOfCondition] rule in
      (rule.conditions ?? []).filter { factorOfCondition[$0] > 0 }
    }
    forEachSituation(body)
  }

  /// Returns the conditions, grouped by the texts that they depend on.
  private static func factors(of table: RuleTable) -> [Factor] {
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
    let groups = names.map { items[$0] ?? [] }
    return [(.path, path, [])]
      + (query.isEmpty ? groups : [query + groups.joined()]).map { (.query, $0, []) }
      + (fragment.isEmpty ? [] : [(.fragment, fragment, [])])
  }

  // MARK: - Situations

  private mutating func forEachSituation(_ body: (Situation) -> Void) {
    // The rules of each list that match any path.
    let pathless = table.rules.indices.filter { rule in
      table.rules[rule].conditions?.count == furtherConditions[rule].count
    }
    var known: [[Int]: [Situation]] = [:]
    var (combinations, cost, listed, knownCount) = (0, 0, 0, 0)
    defer { work += cost + listed }
    for path in factors[0].classes {
      let rules = pathless + path.conditions.flatMap { table.uses[$0] }
      listed += rules.count
      let candidates = candidates(rules)
      let leaves = known[candidates] ?? leaves(candidates, &combinations, &cost)
      if known[candidates] == nil {
        knownCount += candidates.count
        if knownCount > Self.knownLimit { (known, knownCount) = ([:], candidates.count) }
        known[candidates] = leaves
      }
      combinations += leaves.count * weight
      for leaf in leaves { body((leaf.deciders, path.text + leaf.target)) }
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
  private var weight: Int { 1 + table.listCount / 32 }

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
    _ candidates: [Int], _ combinations: inout Int, _ cost: inout Int
  ) -> [Situation] {
    let candidateCost = candidates.reduce(0) { $0 + 4 + furtherConditions[$1].count }
    var choices: [[Int]: [TextReader.Class]] = [:]
    var found: Set<[Int]> = []
    var leaves: [Situation] = []
    // A work list instead of recursion: the classes of the factors decided so far.
    var waiting: [[Int: TextReader.Class]] = [[:]]
    while let chosen = waiting.popLast() {
      combinations += weight
      if combinations > limits.combinations { break }
      // The work and the memory for one combination grow with the rules and their items.
      cost += candidateCost + chosen.count
      if cost > limits.work {
        combinations = limits.combinations + 1
        break
      }
      var deciders = Array(repeating: -1, count: table.listCount)
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
        deciders[table.rules[rule].list] = rule
      }
      if let factor = unknown.first.map({ factorOfCondition[$0] }) {
        let key = Set(unknown.filter { factorOfCondition[$0] == factor }).sorted()
        let classes = choices[key] ?? self.choices(of: factor, key)
        if choices[key] == nil {
          choices[key] = classes
          cost += factors[factor].classes.reduce(0) { $0 + $1.conditions.count }
        }
        // The cheapest one is to be seen first.
        waiting += classes.reversed().map { choice in
          chosen.merging([factor: choice]) { _, new in new }
        }
      } else if found.insert(deciders).inserted {
        leaves.append((deciders, target(of: chosen)))
      }
    }
    return leaves
  }

  /// Returns a query and a fragment of some classes, with their marks.
  private func target(of chosen: [Int: TextReader.Class]) -> [UInt8] {
    var target: [UInt8] = []
    for (index, factor) in factors.enumerated() {
      guard let text = chosen[index]?.text, !text.isEmpty else { continue }
      let mark = factor.part == .fragment ? "#" : target.isEmpty ? "?" : "&"
      target += mark.utf8 + text
    }
    return target
  }

  /// Returns the classes of a factor that some conditions distinguish, the cheapest first.
  private func choices(of factor: Int, _ relevant: [Int]) -> [TextReader.Class] {
    var isRelevant = [UInt64](bitCount: table.conditions.count)
    for condition in relevant { isRelevant.insertBit(condition) }
    var known: Set<[Int]> = []
    return factors[factor].classes.compactMap { found in
      let projected = found.conditions.filter(isRelevant.hasBit)
      return known.insert(projected).inserted ? (projected, found.text) : nil
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
    ExplorationLimits(
      states: states / divisor, size: size / divisor, work: work / divisor,
      combinations: combinations / divisor)
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

  let listCount: Int
  private(set) var conditions: [Condition] = []

  /// The numbers of the rules that have each condition, in order.
  private(set) var uses: [[Int]] = []

  /// A Boolean value indicating whether a text could open too many stars and
  /// variables of a pattern (Matching.md, 3c.6), which isn't followed here.
  private(set) var mayReachLevelLimit = false

  init(_ lists: [ArraySlice<CompiledRule>]) {
    listCount = lists.count
    var known: [Condition: Int] = [:]
    for (number, list) in lists.enumerated() {
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

  /// Returns the first of some rules of each list; the rules are ascending.
  func firstOfLists(_ rules: [Int]) -> [Int] {
    rules.enumerated().filter { index, rule in
      index == 0 || self.rules[rules[index - 1]].list != self.rules[rule].list
    }.map(\.element)
  }
}
