internal import Foundations

/// A compiled association file, which decides which apps a URL opens.
///
///     let file = try AssociationFile(decoding: bytes)
///     let matcher = LinkMatcher(file)
///     matcher.verdict(for: "https://example.com/buy/42")
///     for decision in matcher.decisions(for: "https://example.com/buy/42") {
///       print(decision.app, decision.verdict)
///     }
///
/// Compile once and match many URLs: compiling looks up variables and selects a matching method for
/// each pattern. To match millions of URLs, reuse a ``LinkURL`` and an ``Evaluation`` with
/// ``evaluate(_:into:)``. Then memory is allocated only for new states of automata, and to compare
/// with patterns that are too large for an automaton. A matcher never changes, so any number of
/// threads can share it.
public final class LinkMatcher: Sendable {
  /// An app, and the entry that has its rules.
  public struct App: Sendable {
    /// The app's identifier.
    public let identifier: ApplicationIdentifier

    /// The position in ``LinkMatcher/ruleLists`` of the rules that decide.
    package let ruleList: Int
  }

  /// The rules of one entry of `details`.
  package struct RuleList: Sendable {
    /// The entry as the file identifies it.
    package let entry: AssociationFile.EntryID

    /// The identity of the entry for the system: iOS 12 and earlier count the entries of both forms
    /// of `details`.
    package let systemEntry: AssociationFile.EntryID

    /// The position of the entry in `details`, from 0.
    package let position: Int

    /// The array that holds the rules.
    package let list: RuleID.List

    /// A Boolean value indicating whether the entry has rules; one without them matches every URL.
    package let hasRules: Bool

    /// The numbers of the rules among those of all lists.
    ///
    /// An entry without rules has one number, for a rule that matches every URL.
    package let rules: Range<Int>

    let relativeOrder: Int

    /// The identity of the rule with a number.
    package func id(ofRule number: Int) -> RuleID {
      RuleID(entry: entry, list: list, position: hasRules ? number - rules.lowerBound : nil)
    }
  }

  /// The greatest number of open stars and variables of a pattern that systems support
  /// (Matching.md, 3c.6).
  public static let levelLimit = 64

  /// The generation of systems whose matching this matcher reproduces.
  public let system: OperatingSystem

  /// The apps in the order in which the system prefers them when several match (Matching.md, 1.9).
  public let apps: [App]

  /// The rules of each entry that decides for an app, in file order.
  package let ruleLists: [RuleList]

  /// The positions of these lists, in the order in which the system prefers their apps.
  package let preferredLists: [Int]

  /// The rules of all lists, by number.
  package let rules: [CompiledRule]

  private let patterns: PatternTable

  /// The programs that read paths, each with the position of its first pattern in ``pathStarts``.
  private let paths: [(program: Int, form: TextForm, start: Int)]

  /// The rules with a path in an automaton, by its pattern, and where those of each pattern begin.
  private let pathRules: [RuleEntry]
  private let pathStarts: [Int32]

  /// The rules without a path in an automaton.
  private let otherRules: [RuleEntry]

  /// The conditions on queries and fragments, rule by rule.
  private let conditions: [PatternTable.Condition]

  /// Compiles the rules of an association file, as its ``AssociationFile/system`` reads them.
  public convenience init(_ file: AssociationFile) { self.init(file, Variables(file)) }

  /// Compiles the rules with the variables of their file, and with a limit of
  /// ``PatternTable/positionLimit``.
  init(
    _ file: AssociationFile, _ variables: Variables?,
    positionLimit: Int = PatternTable.positionLimit
  ) {
    system = file.system
    var (lists, apps): ([RuleList], [App]) = ([], [])
    var known: Set<ApplicationIdentifier> = []
    var patterns = PatternTableBuilder(variables)
    var rules: [CompiledRule] = []
    for entry in file.entries {
      // An app that occurs again keeps its first entry (Matching.md, 1.4).
      let newApps = entry.appIDs.filter { known.insert($0).inserted }
      guard !newApps.isEmpty else { continue }
      apps += newApps.map { App(identifier: $0, ruleList: lists.count) }
      let first = rules.count
      // An entry without rules matches every URL, as one rule would.
      rules += (entry.rules ?? [RuleDefinition()]).map {
        CompiledRule($0, patterns: &patterns)
      }
      lists.append(
        RuleList(
          entry: entry.id,
          systemEntry: file.system == .current || entry.id == .apps
            ? entry.id : .index(entry.position),
          position: entry.position, list: entry.components == nil ? .paths : .components,
          hasRules: entry.rules != nil, rules: first..<rules.count,
          relativeOrder: entry.relativeOrder))
    }
    patterns.forgetKnownPatterns()
    let table = PatternTable(patterns, positionLimit: positionLimit)
    var (indexed, conditions): ([RuleEntry], [PatternTable.Condition]) = ([], [])
    for (list, ruleList) in lists.enumerated() {
      for number in ruleList.rules where rules[number].isPossible {
        indexed.append(
          RuleEntry(rules[number], number: number, list: list, of: table, conditions: &conditions))
      }
    }
    (ruleLists, self.rules, self.conditions, self.patterns) = (lists, rules, conditions, table)
    (paths, pathStarts, pathRules) = Self.sort(indexed, of: table)
    otherRules = indexed.filter { $0.path == nil }
    self.apps = apps.enumerated().sorted { first, second in
      let (one, other) = (lists[first.element.ruleList], lists[second.element.ruleList])
      if one.relativeOrder != other.relativeOrder { return one.relativeOrder > other.relativeOrder }
      if one.hasRules != other.hasRules { return one.hasRules }
      return first.offset < second.offset
    }.map(\.element)
    var preferred: Set<Int> = []
    preferredLists = self.apps.map(\.ruleList).filter { preferred.insert($0).inserted }
  }
}

extension LinkMatcher {
  /// Evaluates the rules of every entry for a URL.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - evaluation: Receives the results; it reuses its memory from one URL to the next.
  public func evaluate(_ url: inout LinkURL, into evaluation: inout Evaluation) {
    evaluation.isEligible = url.ineligibility == nil
    guard evaluation.isEligible else { return evaluation.reset(ruleListCount: 0) }
    evaluation.reset(ruleListCount: ruleLists.count)
    evaluation.cache.begin(patterns)
    for index in otherRules.indices { ask(otherRules[index], &url, into: &evaluation) }
    for index in paths.indices { read(index, &url, into: &evaluation) }
  }

  /// Finds the patterns of an automaton that a URL's path matches, and evaluates their rules.
  @inline(__always)
  private func read(_ path: Int, _ url: inout LinkURL, into evaluation: inout Evaluation) {
    let (program, form, start) = paths[path]
    let found = url.path.withBytes(form) { evaluation.cache.read($0, program: program) }
    for position in found {
      let pattern = start + Int(evaluation.cache.found[position])
      for rule in pathStarts[pattern]..<pathStarts[pattern + 1] {
        ask(pathRules[Int(rule)], &url, into: &evaluation)
      }
    }
  }

  /// Sorts rules by the patterns of their paths.
  private static func sort(
    _ rules: [RuleEntry], of table: PatternTable
  ) -> (paths: [(program: Int, form: TextForm, start: Int)], starts: [Int32], rules: [RuleEntry]) {
    var paths: [(program: Int, form: TextForm, start: Int)] = []
    var (starts, sorted): ([Int32], [RuleEntry]) = ([], [])
    for (index, source) in table.sources.enumerated() where source.part == .path {
      let own = Dictionary(grouping: rules.filter { $0.path?.program == Int32(index) }) {
        $0.path?.pattern
      }
      paths.append((index, source.form, starts.count))
      for pattern in 0..<Int32(table.programs[index].patternCount) {
        starts.append(Int32(sorted.count))
        sorted += own[pattern] ?? []
      }
    }
    return (paths, starts + [Int32(sorted.count)], sorted)
  }

  /// Evaluates a rule for a URL whose path matches, if an automaton determines that.
  @inline(__always)
  private func ask(_ entry: RuleEntry, _ url: inout LinkURL, into evaluation: inout Evaluation) {
    let rule = Int(entry.rule)
    evaluation.candidateCount += 1
    if !entry.isDecided {
      guard !url.fragment.isEmpty || entry.matchesWithoutFragment,
        matchesRest(of: entry, &url, &evaluation)
      else { return }
    }
    evaluation.add(rule: rule, ofRuleList: Int(entry.list), excludes: entry.excludes)
  }

  private func matchesRest(
    of entry: RuleEntry, _ url: inout LinkURL, _ evaluation: inout Evaluation
  ) -> Bool {
    guard entry.hasConditions else {
      return rules[Int(entry.rule)].matches(&url, isPathDecided: entry.path != nil)
    }
    for index in Int(entry.firstCondition)..<Int(entry.conditionEnd) {
      guard patterns.holds(conditions[index], for: &url, cache: &evaluation.cache) else {
        return false
      }
    }
    return true
  }

  /// Decides for a site whether a URL opens any of its apps.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - host: The host that serves the file, `*.` and a domain for all hosts below it, or `nil`
  ///     for any host.
  /// - Returns: The verdict, or ``Verdict/ineligible`` for a text that isn't such a URL.
  public func verdict(for url: String, host: String? = nil) -> Verdict {
    evaluation(of: url, host: host).siteVerdict
  }

  /// Decides for every app whether a URL opens it, in the order of ``apps``.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - host: The host that serves the file, `*.` and a domain for all hosts below it, or `nil`
  ///     for any host.
  /// - Returns: A decision for each app.
  public func decisions(for url: String, host: String? = nil) -> [Decision] {
    decisions(of: evaluation(of: url, host: host))
  }

  private func evaluation(of url: String, host: String?) -> Evaluation {
    var link = LinkURL(url, host: host)
    var evaluation = Evaluation()
    evaluate(&link, into: &evaluation)
    return evaluation
  }

  /// Returns the decision of an evaluation by this matcher for every app, in the order of ``apps``.
  public func decisions(of evaluation: Evaluation) -> [Decision] {
    apps.map { app in
      Decision(
        app: app.identifier, verdict: evaluation.verdict(ofRuleList: app.ruleList),
        rule: evaluation.decidingRule(ofRuleList: app.ruleList).map {
          ruleLists[app.ruleList].id(ofRule: $0)
        })
    }
  }

  // MARK: - Preference

  /// Returns the list of the first app whose rules have decided, or `nil` if none has.
  package func firstList(with verdict: Verdict, _ evaluation: borrowing Evaluation) -> Int? {
    if verdict == .unclaimed { return nil }
    return preferredLists.first { evaluation.verdict(ofRuleList: $0) == verdict }
  }

  /// Returns the number of the rule of that list that has decided, or `nil` if none has.
  package func decidingRule(with verdict: Verdict, _ evaluation: borrowing Evaluation) -> Int? {
    guard let list = firstList(with: verdict, evaluation) else { return nil }
    return evaluation.decidingRule(ofRuleList: list)
  }

  // MARK: - Rules

  /// Returns a rule as decoded, or `nil` if no such rule decides for an app.
  public func definition(of id: RuleID) -> RuleDefinition? {
    number(of: id).flatMap { definition(ofRule: $0.number) }
  }

  /// Returns the rule with a number as decoded, or `nil` for an entry without rules.
  package func definition(ofRule number: Int) -> RuleDefinition? {
    ruleLists[ruleList(ofRule: number)].hasRules ? rules[number].definition : nil
  }

  /// Returns the rules of a list as decoded, in file order; none for an entry without rules.
  package func definitions(of list: RuleList) -> [RuleDefinition] {
    list.hasRules ? rules[list.rules].map(\.definition) : []
  }

  /// Returns the position of the list that has the rule with a number.
  package func ruleList(ofRule number: Int) -> Int {
    ruleLists.indices.partitioningIndex { ruleLists[$0].rules.upperBound > number }
  }

  /// The number of a rule and the position of its list, or `nil` if the matcher doesn't have it.
  func number(of id: RuleID) -> (number: Int, list: Int)? {
    guard let index = ruleLists.firstIndex(where: { $0.entry == id.entry && $0.list == id.list })
    else { return nil }
    let list = ruleLists[index]
    guard (id.position != nil) == list.hasRules else { return nil }
    let (number, isOverflow) = list.rules.lowerBound.addingReportingOverflow(id.position ?? 0)
    return !isOverflow && list.rules.contains(number) ? (number, index) : nil
  }
}

/// A rule as an evaluation asks it.
private struct RuleEntry: BitwiseCopyable, Sendable {
  /// The number of the rule, and the position of its list.
  var rule: Int32
  var list: Int32
  var excludes: Bool

  /// The pattern of the path, if an automaton has it.
  var path: PatternTable.Condition?

  /// Whether a URL with such a path matches, regardless of its other parts.
  var isDecided: Bool { hasConditions && firstCondition == conditionEnd }

  /// Whether the rule can match a URL without a fragment, as all in logs are.
  var matchesWithoutFragment: Bool

  /// Whether conditions that automata test decide once the path matches, and where they are.
  var hasConditions: Bool
  var firstCondition: Int32
  var conditionEnd: Int32

  /// Adds the conditions of a rule to those of its file.
  init(
    _ compiled: CompiledRule, number: Int, list: Int, of table: PatternTable,
    conditions: inout [PatternTable.Condition]
  ) {
    func condition(_ comparison: CompiledRule.Comparison) -> PatternTable.Condition? {
      comparison.condition.flatMap { table.omits($0) ? nil : $0 }
    }
    (rule, self.list) = (Int32(number), Int32(list))
    excludes = compiled.definition.excludes
    // A pattern that every text matches constrains nothing.
    let constraints = compiled.comparisons.filter { !$0.pattern.isAnything }
    path = compiled.comparison(of: .path).flatMap(condition)
    hasConditions = constraints.allSatisfy { condition($0) != nil }
    firstCondition = Int32(conditions.count)
    if hasConditions {
      conditions += constraints.filter { $0.text != .path }.compactMap(condition)
    }
    conditionEnd = Int32(conditions.count)
    matchesWithoutFragment = compiled.comparison(of: .fragment)?.pattern.matchesEmptyText ?? true
  }
}

/// A rule as decoded, with its patterns compiled, each on its own and as a condition that an
/// automaton tests.
///
/// It is a class, so that reading a part of it copies nothing else.
package final class CompiledRule: Sendable {
  /// A text of a URL, with the pattern that it is compared with.
  package struct Comparison: Sendable {
    package let text: PatternTable.Text
    package let pattern: Pattern

    /// The pattern in an automaton, unless that omits it, or `nil` if none has it.
    let condition: PatternTable.Condition?
  }

  /// The rule as decoded; for an entry without rules, one that matches every URL.
  package let definition: RuleDefinition

  /// The comparisons, one for each of ``RuleDefinition/patterns``.
  package let comparisons: [Comparison]

  // Other modules would copy the whole definition to read it there.
  package var dependsOnFragment: Bool { definition.dependsOnFragment }

  /// A Boolean value indicating whether some URL may match.
  var isPossible: Bool {
    !definition.requiresEntitlement && !comparisons.contains { $0.pattern.isImpossible }
  }

  /// Compiles a rule, and adds its patterns to those of its file.
  init(_ definition: RuleDefinition, patterns: inout PatternTableBuilder) {
    self.definition = definition
    comparisons = definition.patterns.map { text, pattern in
      let entry = patterns.add(
        text == .path ? CompiledRule.normalized(path: pattern) : Array(pattern.utf8), for: text,
        definition.form, ignoresCase: !definition.isCaseSensitive)
      return Comparison(text: text, pattern: entry.pattern, condition: entry.condition)
    }
  }

  /// The bytes of a path's pattern after normalization (Matching.md, 3a).
  static func normalized(path: String) -> [UInt8] {
    var bytes = Array(path.utf8)
    PathNormalization.normalize(&bytes)
    return bytes
  }

  func comparison(of text: PatternTable.Text) -> Comparison? {
    comparisons.first { $0.text == text }
  }

  /// Whether a URL meets all constraints of the rule (Matching.md, 3.1).
  func matches(_ url: inout LinkURL, isPathDecided: Bool = false) -> Bool {
    for comparison in comparisons {
      if isPathDecided, comparison.text == .path { continue }
      guard comparison.matches(&url, definition.form) else { return false }
    }
    return !definition.requiresEntitlement
  }
}

extension CompiledRule.Comparison {
  /// A text of a URL that is compared, and as the URL spells it, if decoding has changed it.
  typealias Compared = (text: [UInt8], spelling: [UInt8]?)

  /// Returns the texts of a URL that are compared: one, or all query items with the name.
  func texts(of url: inout LinkURL, _ form: TextForm) -> [Compared] {
    func only(_ component: inout ComponentText) -> [Compared] {
      let text = component.text(form)
      return [(text, text == component.text(.encoded) ? nil : component.encodedSource)]
    }
    switch text {
    case .path: return only(&url.path)
    case .query: return only(&url.query)
    case .fragment: return only(&url.fragment)
    case .item(let name):
      return zip(url.items(form), url.items(.encoded)).filter { $0.0.name == name }.map {
        ($0.value, $0.value == $1.value ? nil : $1.value)
      }
    }
  }

  /// Returns a Boolean value indicating whether the text of a URL matches.
  ///
  /// Every query item with a name must match; if there is none, the empty text must (Matching.md,
  /// 3b.2).
  fileprivate func matches(_ url: inout LinkURL, _ form: TextForm) -> Bool {
    if pattern.isAnything { return true }
    let texts = texts(of: &url, form)
    return texts.isEmpty
      ? pattern.matchesEmptyText : texts.allSatisfy { pattern.matches($0.text.span) }
  }
}
