/// A compiled association file: what each app's rules say of a URL.
///
///     let file = try AssociationFile(decoding: bytes)
///     let matcher = LinkMatcher(file, system: .current)
///     var url = LinkURL("https://example.com/buy/42", host: "example.com")
///     for decision in matcher.decisions(for: &url) {
///       print(decision.app, decision.verdict)
///     }
///
/// Compile once and match many: compiling looks up variables and picks a way of
/// matching for each pattern, matching then allocates nothing. A matcher never
/// changes, so any number of threads can use the same one.
public final class LinkMatcher: Sendable {
  /// An app, and which entry's rules are its own.
  public struct App: Sendable {
    /// The app's identifier.
    public let identifier: ApplicationIdentifier

    /// The position in ``LinkMatcher/ruleLists`` of the rules that decide.
    public let ruleList: Int
  }

  /// The rules of one entry of `details`.
  public struct RuleList: Sendable {
    /// The entry, as the system names it.
    public let place: AssociationFile.Place

    /// The entry, as the file spells it.
    public let filePlace: AssociationFile.Place

    /// The position of the entry in `details`, from 0.
    public let position: Int

    /// A Boolean value indicating whether the entry has an array `components`.
    public let hasComponents: Bool

    /// The rules as decoded, in file order, or `nil` if the entry has none, so
    /// that it matches every URL.
    public let definitions: [RuleDefinition]?

    /// The position of the first rule among those of all lists.
    public let firstRule: Int

    /// The number of rules.
    public let ruleCount: Int

    let relativeOrder: Int
  }

  /// The greatest number of stars and variables of a pattern that systems follow at a time
  /// (MATCHING.md, 3c.6).
  public static let levelLimit = Pattern.levelLimit

  /// The generation of systems that this matcher stands for.
  public let system: OperatingSystem

  /// The apps in the order in which the system prefers them when several match
  /// (MATCHING.md, 1.9).
  public let apps: [App]

  /// The rules of each entry that decides for an app, in file order.
  public let ruleLists: [RuleList]

  /// The number of rules in all lists.
  public var ruleCount: Int { rules.count }

  /// The rules of all lists.
  let rules: [CompiledRule]
  private let index: RuleIndex

  /// The position of the first rule of each list, and what a list comes to
  /// before any rule has been asked.
  private let firstRules: [Int]
  private let initialOutcomes: [Evaluation.Outcome]

  /// Compiles the rules of an association file as a system reads them.
  public init(_ file: AssociationFile, system: OperatingSystem) {
    self.system = system
    let variables = Variables(file.substitutionVariables, for: system)
    var (lists, apps): ([RuleList], [App]) = ([], [])
    var known: Set<ApplicationIdentifier> = []
    var cache = PatternCache()
    var rules: [(rule: CompiledRule, list: Int)] = []
    for entry in file.entries {
      // An app that occurs again keeps its first entry (MATCHING.md, 1.4).
      let newApps = entry.apps(for: system).filter { known.insert($0).inserted }
      guard !newApps.isEmpty else { continue }
      apps += newApps.map { App(identifier: $0, ruleList: lists.count) }
      let definitions = entry.rules(for: system)
      let compiled = (definitions ?? []).map {
        CompiledRule($0, variables: variables, cache: &cache)
      }
      let firstRule = rules.count
      rules += compiled.map { ($0, lists.count) }
      lists.append(
        RuleList(
          place: entry.place(for: system), filePlace: entry.place,
          position: entry.position, hasComponents: entry.components != nil,
          definitions: definitions, firstRule: firstRule, ruleCount: compiled.count,
          // Systems before iOS 13 know `appID` and `paths` only.
          relativeOrder: system == .current ? entry.relativeOrder : 0))
    }
    ruleLists = lists
    self.rules = rules.map(\.rule)
    index = RuleIndex(rules)
    firstRules = lists.map(\.firstRule)
    // An entry without rules matches every URL.
    initialOutcomes = lists.map { $0.definitions == nil ? .matchedWithoutRules : .unmatched }
    self.apps = apps.enumerated().sorted { first, second in
      let (one, other) = (lists[first.element.ruleList], lists[second.element.ruleList])
      if one.relativeOrder != other.relativeOrder { return one.relativeOrder > other.relativeOrder }
      let (oneHasRules, otherHasRules) = (one.definitions != nil, other.definitions != nil)
      if oneHasRules != otherHasRules { return oneHasRules }
      return first.offset < second.offset
    }.map(\.element)
  }
}

extension LinkMatcher {
  /// Asks the rules of every entry about a URL.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - evaluation: Where the answers go; it keeps its space from one URL to
  ///     the next.
  public func evaluate(_ url: inout LinkURL, into evaluation: inout Evaluation) {
    evaluation.isEligible = url.ineligibility == nil
    evaluation.reset(initialOutcomes)
    guard evaluation.isEligible else { return }
    index.collect(&url, into: &evaluation.candidates)
    let hasFragment = !url.fragment.isEmpty
    for candidate in evaluation.candidates.indices {
      let entry = evaluation.candidates[candidate]
      let rule = Int(entry.rule)
      if !entry.isDecided {
        guard hasFragment || entry.matchesWithoutFragment else { continue }
        url.prepare(rules[rule].neededForms)
        guard
          rules[rule].matches(
            url, isPathDecided: entry.isPathDecided, scratch: &evaluation.scratch)
        else { continue }
      }
      let list = Int(entry.list)
      evaluation.add(
        rule: rule, ofRuleList: list, at: rule - firstRules[list], excludes: rules[rule].excludes)
    }
  }

  /// Decides for every app whether a URL opens it, in the order of ``apps``.
  public func decisions(for url: inout LinkURL) -> [Decision] {
    var evaluation = Evaluation()
    evaluate(&url, into: &evaluation)
    return decisions(of: evaluation)
  }

  /// Returns the decision of an evaluation by this matcher for every app, in the order of ``apps``.
  public func decisions(of evaluation: Evaluation) -> [Decision] {
    apps.map { app in
      Decision(
        app: app.identifier, verdict: evaluation.verdict(ofRuleList: app.ruleList),
        place: ruleLists[app.ruleList].place,
        rule: evaluation.decidingRule(ofRuleList: app.ruleList))
    }
  }
}
