/// For each rule of a file, a URL that it decides, or the proof that there is none.
///
///     for rule in file.reachability(host: "example.com").rules {
///       if case .covered(let earlier, _) = rule.reach { print(rule.id, earlier) }
///     }
///
/// The search uses only the patterns and takes bounded time, as in ``VerdictChanges``.
/// ``LinkMatcher`` has confirmed every example.
public struct RuleReachability: Sendable {
  /// The URLs that a rule can decide about.
  public enum Reach: Hashable, Sendable {
    /// It decides this URL, and maybe others.
    case decides(url: String)

    /// These earlier rules of its entry decide all URLs that it matches, in their order. If they
    /// are not complete, finding all of them, or a URL that the rule matches, would have taken too
    /// long.
    case covered(by: [RuleID], isComplete: Bool)

    /// It matches no URL at all.
    case matchesNothing

    /// Not known.
    case unknown
  }

  /// A rule, and its reach.
  public struct Rule: Hashable, Sendable {
    /// The apps whose rule it is.
    public var apps: [ApplicationIdentifier]

    /// The rule.
    public var id: RuleID

    /// The rule as decoded; one that matches every URL for an entry without rules.
    public var definition: RuleDefinition

    /// The URLs that it can decide about.
    public var reach: Reach
  }

  /// The rules that decide for some app, in file order.
  public internal(set) var rules: [Rule] = []

  /// The reason why some rules are ``Reach/unknown``, or `nil` if none is.
  public internal(set) var gap: ExplorationGap?

  private(set) var work = 0

  /// The greatest numbers of rules to search further.
  ///
  /// For the first, the search finds, one by one, the earlier rules that decide instead. For the
  /// second, it finds whether they match anything.
  private static let (coverLimit, matchLimit) = (32, 500)

  /// The number of parts of the work, of which a search gets at most one.
  private static let leastParts = 8
}

extension AssociationFile {
  /// Finds a URL that each rule decides on the file's ``AssociationFile/system``.
  ///
  /// - Parameter host: The host of the URLs.
  /// - Returns: The reach of every rule.
  public func reachability(host: String) -> RuleReachability {
    reachability(host: host, limits: ExplorationLimits())
  }

  func reachability(host: String, limits: ExplorationLimits) -> RuleReachability {
    RuleReachability(self, host: host, limits)
  }
}

extension RuleReachability {
  fileprivate init(_ file: AssociationFile, host: String, _ limits: ExplorationLimits) {
    let variables = Variables(file)
    let matcher = LinkMatcher(file, variables)
    let apps = Dictionary(grouping: matcher.apps, by: \.ruleList)
    for (index, list) in matcher.ruleLists.enumerated() {
      let apps = (apps[index] ?? []).map(\.identifier)
      rules += list.rules.map {
        Rule(
          apps: apps, id: list.id(ofRule: $0), definition: matcher.rules[$0].definition,
          reach: .unknown)
      }
    }
    let base = "https://" + host
    guard LinkURL(base + "/", host: host).ineligibility == nil else {
      gap = .ineligibleHost
      return
    }
    var search = ExampleSearch<Int>([(matcher, variables)], base: base, confirmsAll: false) {
      deciders, own in
      deciders.filter { $0 >= 0 && $0 == own ?? $0 }.map { ($0, $0 == own) }
    }
    (gap, work) = search.explore(limits)
    for (rule, url) in search.urls { rules[rule].reach = .decides(url: url) }
    guard gap == nil else { return }
    // Together they may cost about as much as the exploration of all.
    let undeciding = rules.indices.filter { rules[$0].reach == .unknown }
    let parts = min(max(Self.leastParts, undeciding.count), Self.coverLimit)
    for (index, rule) in undeciding.enumerated() {
      let finds = index < Self.coverLimit
      var share = limits
      share.work /= finds ? parts : Self.matchLimit
      rules[rule].reach =
        index < Self.matchLimit
        ? reach(ofUndecidingRule: rule, of: matcher, limits: share, finds: finds)
        : .covered(by: [], isComplete: false)
    }
  }

  /// Finds the reason why a rule never decides.
  ///
  /// It explores the same URLs for the rule alone and for the rules before it.
  private mutating func reach(
    ofUndecidingRule rule: Int, of matcher: LinkMatcher, limits: ExplorationLimits, finds: Bool
  ) -> Reach {
    let list = matcher.ruleLists[matcher.ruleList(ofRule: rule)]
    let first = list.rules.lowerBound
    let (own, others) = (matcher.rules[rule...rule], matcher.rules[first..<rule])
    var (matches, covering): (Bool, Set<Int>) = (false, [])
    let exploration = RuleExploration(finds ? [own, others] : [own], limits: limits) {
      guard $0.deciders[0] >= 0 else { return }
      matches = true
      if finds, $0.deciders[1] >= 0 { covering.insert($0.deciders[1]) }
    }
    work += exploration.work
    guard matches || exploration.gap != nil else { return .matchesNothing }
    return .covered(
      // The rule itself has the first number.
      by: covering.sorted().map { list.id(ofRule: first + $0 - 1) },
      isComplete: finds && exploration.gap == nil)
  }

  /// Returns the positions of exclusions that could be removed without any URL newly opening the app,
  /// because no later rule would claim a URL that they decide.
  ///
  /// The positions are ascending, and also name exclusions that never decide. There are none if the
  /// proof, which uses only the patterns, would take too long. `work` measures its cost.
  static func uselessExclusions(
    of list: LinkMatcher.RuleList, in matcher: LinkMatcher, limits: ExplorationLimits
  ) -> (positions: [Int], work: Int) {
    let rules = matcher.rules[list.rules]
    let exclusions = rules.indices.filter { rules[$0].definition.excludes }
      .map { $0 - rules.startIndex }
    let claims = rules.filter { !$0.definition.excludes }
    // Without claims, the entry as a whole is the mistake.
    guard !exclusions.isEmpty, !claims.isEmpty else { return ([], 0) }
    var useful: Set<Int> = []
    // A rule that claims a URL decided by an exclusion comes after the exclusion.
    let exploration = RuleExploration([rules, claims[...]], limits: limits) {
      if $0.deciders[0] >= 0, $0.deciders[1] >= 0 { useful.insert($0.deciders[0]) }
    }
    guard exploration.gap == nil else { return ([], exploration.work) }
    return (exclusions.filter { !useful.contains($0) }, exploration.work)
  }
}
