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
    /// The entry as decoded.
    package let entry: AssociationFile.Entry

    /// The identity of the entry for the system: iOS 12 and earlier count the entries of both forms
    /// of `details`.
    package let systemEntry: AssociationFile.EntryID

    /// The numbers of the rules among those of all lists.
    ///
    /// An entry without rules has one number, for a rule that matches every URL.
    package let rules: Range<Int>

    /// The identity of the rule with a number.
    package func id(ofRule number: Int) -> RuleID {
      RuleID(
        entry: entry.id, list: entry.list,
        position: entry.rules == nil ? nil : number - rules.lowerBound)
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

  /// The programs of the rules' patterns, and the texts that they read.
  let programs: [PatternProgram]
  private let sources: [RuleCompiler.Source]

  /// The programs that read paths, each with the position of its first pattern in ``pathStarts``.
  private let paths: [(program: Int, form: TextForm, start: Int)]

  /// The rules with a path in an automaton, by its pattern, and where those of each pattern begin.
  private let pathRules: [RuleEntry]
  private let pathStarts: [Int32]

  /// The rules without a path in an automaton.
  private let otherRules: [RuleEntry]

  /// The conditions on queries and fragments, rule by rule.
  private let conditions: [CompiledRule.Condition]

  /// Compiles the rules of an association file, as its ``AssociationFile/system`` reads them.
  public convenience init(_ file: AssociationFile) { self.init(file, Variables(file)) }

  /// Compiles the rules with the variables of their file, and with a limit of
  /// ``RuleCompiler/positionLimit``.
  init(
    _ file: AssociationFile, _ variables: Variables?,
    positionLimit: Int = RuleCompiler.positionLimit
  ) {
    system = file.system
    var (lists, apps): ([RuleList], [App]) = ([], [])
    var known: Set<ApplicationIdentifier> = []
    var compiler = RuleCompiler(variables)
    var rules: [CompiledRule] = []
    for entry in file.entries {
      // An app that occurs again keeps its first entry (Matching.md, 1.4).
      let newApps = entry.appIDs.filter { known.insert($0).inserted }
      guard !newApps.isEmpty else { continue }
      apps += newApps.map { App(identifier: $0, ruleList: lists.count) }
      let first = rules.count
      // An entry without rules matches every URL, as one rule would.
      rules += (entry.rules ?? [RuleDefinition()]).map { compiler.compile($0) }
      lists.append(
        RuleList(
          entry: entry,
          systemEntry: file.system == .current || entry.id == .apps
            ? entry.id : .index(entry.position), rules: first..<rules.count))
    }
    (programs, sources) = compiler.layOut(positionLimit: positionLimit)
    var (indexed, conditions): ([RuleEntry], [CompiledRule.Condition]) = ([], [])
    for (list, ruleList) in lists.enumerated() {
      for number in ruleList.rules where rules[number].isPossible {
        indexed.append(
          RuleEntry(
            rules[number], number: number, list: list, in: programs, conditions: &conditions))
      }
    }
    (ruleLists, self.rules, self.conditions) = (lists, rules, conditions)
    (paths, pathStarts, pathRules) = Self.sort(indexed, programs, sources)
    otherRules = indexed.filter { $0.path == nil }
    self.apps = apps.enumerated().sorted { first, second in
      let (one, other) = (lists[first.element.ruleList].entry, lists[second.element.ruleList].entry)
      if one.relativeOrder != other.relativeOrder { return one.relativeOrder > other.relativeOrder }
      if (one.rules == nil) != (other.rules == nil) { return other.rules == nil }
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
    evaluation.cache.begin(self)
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
    _ rules: [RuleEntry], _ programs: [PatternProgram], _ sources: [RuleCompiler.Source]
  ) -> (paths: [(program: Int, form: TextForm, start: Int)], starts: [Int32], rules: [RuleEntry]) {
    var paths: [(program: Int, form: TextForm, start: Int)] = []
    var (starts, sorted): ([Int32], [RuleEntry]) = ([], [])
    for (index, source) in sources.enumerated() where source.part == .path {
      let own = Dictionary(grouping: rules.filter { $0.path?.program == Int32(index) }) {
        $0.path?.pattern
      }
      paths.append((index, source.form, starts.count))
      for pattern in 0..<Int32(programs[index].patternCount) {
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
      guard holds(conditions[index], for: &url, cache: &evaluation.cache) else { return false }
    }
    return true
  }

  /// Returns a Boolean value indicating whether a URL fulfils a condition on its query or fragment.
  private func holds(
    _ condition: CompiledRule.Condition, for url: inout LinkURL, cache: inout AutomatonCache
  ) -> Bool {
    let program = Int(condition.program)
    let form = sources[program].form
    func read(_ text: inout ComponentText) {
      if !cache.hasRead(program) {
        text.withBytes(form) { cache.find(in: $0, program: program) }
      }
    }
    switch sources[program].part {
    case .path: return false
    case .query: read(&url.query)
    case .fragment: read(&url.fragment)
    case .queryItem:
      if !cache.hasRead(program) {
        cache.beginItems(program: program)
        url.forEachItem(form) { name, value in cache.read(name, value, program: program) }
      }
      // An item that is not there is compared as an empty text (Matching.md, 3b.2).
      return cache.matchesItems(condition) ?? condition.matchesNothing
    }
    return cache.hasFound(condition.pattern, program: program)
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
    ruleLists[ruleList(ofRule: number)].entry.rules == nil ? nil : rules[number].definition
  }

  /// Returns the position of the list that has the rule with a number.
  package func ruleList(ofRule number: Int) -> Int {
    ruleLists.indices.partitioningIndex { ruleLists[$0].rules.upperBound > number }
  }

  /// The number of a rule and the position of its list, or `nil` if the matcher doesn't have it.
  func number(of id: RuleID) -> (number: Int, list: Int)? {
    guard
      let index = ruleLists.firstIndex(where: {
        $0.entry.id == id.entry && $0.entry.list == id.list
      })
    else { return nil }
    let list = ruleLists[index]
    guard (id.position == nil) == (list.entry.rules == nil) else { return nil }
    let (number, isOverflow) = list.rules.lowerBound.addingReportingOverflow(id.position ?? 0)
    return !isOverflow && list.rules.contains(number) ? (number, index) : nil
  }
}
