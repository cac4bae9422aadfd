/// Whether the rules of a file can decide about any URL, told from the patterns
/// alone: for each rule a URL that it decides, or the proof that there is none.
///
///     let reachability = RuleReachability(file, host: "example.com", system: .current)
///     if case .covered(let earlier, _) = reachability.ruleLists[0][3] { … }
///
/// Every example has been confirmed by ``LinkMatcher``, and a comparison takes a
/// bounded time, as in ``RuleComparison``.
public struct RuleReachability: Sendable {
  /// What a rule can decide.
  public enum Reach: Hashable, Sendable {
    /// It decides about this URL, and maybe about others.
    case decides(url: String)

    /// Earlier rules of its entry decide about all URLs that it matches: those with
    /// these positions, ascending. If they are not complete, it would have taken too
    /// long to find all, or a URL that the rule matches.
    case covered(by: [Int], isComplete: Bool)

    /// It matches no URL at all.
    case matchesNothing

    /// Not known.
    case unknown
  }

  /// What each rule can decide, by the position of its list in
  /// ``LinkMatcher/ruleLists`` and its own in that.
  public private(set) var ruleLists: [[Reach]] = []

  /// Why some rules are ``Reach/unknown``, or `nil` if none is.
  public private(set) var gap: ExplorationGap?

  /// A measure of what the exploration has cost.
  private(set) var work = 0

  /// The greatest number of rules for which it is worked out, one by one, which rules
  /// in front of them decide instead, and of those that are asked whether they match
  /// anything.
  private static let (coverLimit, matchLimit) = (32, 500)

  /// Explores what the rules of a file can decide.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - host: The host whose URLs are asked about.
  ///   - system: The generation of systems.
  public init(_ file: AssociationFile, host: String, system: OperatingSystem) {
    self.init(file, host: host, system: system, limits: ExplorationLimits())
  }

  init(
    _ file: AssociationFile, host: String, system: OperatingSystem, limits: ExplorationLimits
  ) {
    let matcher = LinkMatcher(file, system: system)
    ruleLists = matcher.ruleLists.map { Array(repeating: .unknown, count: $0.ruleCount) }
    let base = "https://" + host
    guard LinkURL(base + "/", host: host).ineligibility == nil else {
      gap = .ineligibleHost
      return
    }
    var search = ReachSearch(matcher: matcher, base: base)
    search.tryExamples(file)
    var exploration = RuleExploration(RuleTable([(matcher, file)]), limits: limits)
    exploration.forEachSituation { search.add($0) }
    gap = exploration.gap ?? (search.isConfirmed ? nil : .unconfirmed)
    work = exploration.work
    let variables = Variables(file.substitutionVariables, for: system)
    var covers = 0
    for (number, list) in matcher.ruleLists.enumerated() {
      for position in 0..<list.ruleCount {
        if let example = search.examples[RuleTable.Place(list: number, rule: position)] {
          ruleLists[number][position] = .decides(url: example.text)
        } else if gap == nil {
          covers += 1
          // Together they may cost about as much as the exploration of all.
          var share = limits
          share.work /= covers <= Self.coverLimit ? Self.coverLimit : Self.matchLimit
          ruleLists[number][position] =
            covers > Self.matchLimit
            ? .covered(by: [], isComplete: false)
            : Self.reach(
              ofUndecidingRule: position, in: list.definitions ?? [], variables: variables,
              limits: share, finds: covers <= Self.coverLimit)
        }
      }
    }
  }

  /// What keeps a rule from deciding: it alone and the rules with those in front of
  /// it are asked about the same URLs.
  private static func reach(
    ofUndecidingRule position: Int, in rules: [RuleDefinition], variables: Variables?,
    limits: ExplorationLimits, finds: Bool
  ) -> Reach {
    var exploration = RuleExploration(
      RuleTable(
        finds ? [[rules[position]], Array(rules[..<position])] : [[rules[position]]],
        variables: variables), limits: limits)
    var (matches, covering): (Bool, Set<Int>) = (false, [])
    exploration.forEachSituation { situation in
      guard situation.deciders[0] >= 0 else { return }
      matches = true
      if finds, situation.deciders[1] >= 0 { covering.insert(situation.deciders[1]) }
    }
    guard matches || exploration.gap != nil else { return .matchesNothing }
    return .covered(by: covering.sorted(), isComplete: finds && exploration.gap == nil)
  }
}

/// Collects URLs that rules decide about, the plainest one for each.
private struct ReachSearch {
  let judge: RuleJudge
  let base: String
  private(set) var examples: [RuleTable.Place: ExampleRank] = [:]
  private(set) var isConfirmed = true
  private var budget: JudgingBudget

  init(matcher: LinkMatcher, base: String) {
    judge = RuleJudge(matcher)
    self.base = base
    budget = JudgingBudget(matcher)
  }

  /// Judges the URLs that the rules were probably written for.
  mutating func tryExamples(_ file: AssociationFile) {
    let source = RuleExamples(judge.matcher, file: file)
    for (number, list) in judge.matcher.ruleLists.enumerated() {
      for (position, definition) in (list.definitions ?? []).enumerated() {
        for index in 0..<RuleExamples.count {
          let target = source.target(of: definition, index: index)
          guard budget.spend(onURLOf: target.count) else { return }
          let url = base + String(decoding: target, as: UTF8.self)
          if judge.deciders(for: url, &budget)[number] == position {
            let place = RuleTable.Place(list: number, rule: position)
            add(ExampleRank(url, distance: index == 0 ? 0 : 1), place)
          }
        }
      }
    }
  }

  /// Adds a situation.
  mutating func add(_ situation: RuleExploration.Situation) {
    let example = ExampleRank(base + situation.target, distance: 1)
    let places = situation.deciders.enumerated().filter { $0.element >= 0 }.map {
      RuleTable.Place(list: $0.offset, rule: $0.element)
    }.filter { place in examples[place].map { example < $0 } ?? true }
    guard !places.isEmpty else { return }
    guard judge.deciders(for: example.text, &budget) == situation.deciders else {
      isConfirmed = false
      return
    }
    for place in places { add(example, place) }
  }

  private mutating func add(_ example: ExampleRank, _ place: RuleTable.Place) {
    if let known = examples[place], !(example < known) { return }
    examples[place] = example
  }
}
