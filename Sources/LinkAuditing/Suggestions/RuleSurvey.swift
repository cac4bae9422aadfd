internal import TrafficDigest
internal import UniversalLinks

/// The questions about each target when looking for rules.
///
/// These are the verdict of the file, and which of the possible new rules match the target. It is a
/// class, because workers read it for each target and must not copy it.
final class RuleSurvey: Sendable {
  private let site: RuleSet.Version

  /// Whether new rules may precede rules that exclude paths of the app.
  private let includesExcluded: Bool

  /// The site with the possible new rules, each in an entry of its own.
  fileprivate let probes: RuleSet.Version?

  /// The lists of the entry, or `nil` where a system doesn't read it.
  private let lists: BySystem<Int?>

  /// The generation of systems whose reading of the entry counts: the current one, unless it
  /// doesn't read the entry.
  let system: OperatingSystem
  private let ruleCount: Int

  /// The position of the first rule that excludes all that reaches it.
  private let excludesAll: Int?

  /// Whether a route has every path, as screens for "not found" have.
  private let hasEveryPath: [Bool]

  init(
    _ site: RuleSet.Version, entry: AssociationFile.EntryID, includesExcluded: Bool,
    probes: RuleSet.Version? = nil
  ) {
    (self.site, self.includesExcluded, self.probes) = (site, includesExcluded, probes)
    let lists = BySystem { site.matchers[$0].list(of: entry) }
    self.lists = lists
    system = lists.current == nil ? .legacy : .current
    let matcher = site.matchers[system]
    let rules = lists[system].flatMap { matcher.ruleLists[$0].entry.rules } ?? []
    ruleCount = rules.count
    excludesAll = rules.firstIndex { rule in
      var rule = rule
      if rule.path == "/*" { rule.path = "*" }
      return rule.excludes && rule.matchesEverything
    }
    hasEveryPath = (site.site.routes?.routes ?? []).map(\.hasEveryPath)
  }

  /// The position after which no rule would decide anything.
  var end: Int { excludesAll ?? ruleCount }

  /// Returns the rule of the entry at a position, or `nil` after the last.
  func rule(at position: Int) -> ReportedRule? {
    guard position < ruleCount, let list = lists[system] else { return nil }
    let first = site.matchers[system].ruleLists[list].rules.lowerBound
    return RuleNames(site).rule(first + position, system)
  }

  /// Returns a Boolean value indicating whether the app implements the paths of a route.
  func isImplemented(_ route: Int?) -> Bool { route.map { !hasEveryPath[$0] } ?? false }
}

extension LinkMatcher {
  /// The position of the rules of an entry.
  func list(of entry: AssociationFile.EntryID) -> Int? {
    ruleLists.firstIndex { $0.entry.id == entry }
  }
}

extension RoutePattern {
  /// A Boolean value indicating whether the route matches every path, except perhaps the root.
  ///
  /// It has no text and no minimum length, so it says nothing about what the app implements.
  var hasEveryPath: Bool {
    items.isEmpty
      && paths.contains { path in
        path.contains(where: \.allowsMany) && path.allSatisfy { $0.matcher == .any }
          && path.count { !$0.allowsNone } <= 1
      }
  }
}

// MARK: - Decisions

extension RuleSurvey {
  /// Kinds of traffic that the entry doesn't claim.
  enum Kind: Hashable, Sendable {
    /// The app implements it, and no rule claims it.
    case wanted

    /// The app doesn't implement it, and no rule claims it.
    case foreign

    /// Another app opens it, but this one would if it claimed it.
    case taken

    /// Another app opens it, and would go on to.
    case claimed

    /// A rule of the entry excludes it, and no new rule may precede that rule.
    case excluded

    /// Its systems don't read the entry.
    case unreadable

    /// Whether a rule that is inserted into the entry would claim it.
    var isOpen: Bool { self == .wanted || self == .foreign || self == .taken }
  }

  /// The properties by which targets are counted.
  struct Decision: Hashable, Sendable {
    var system: OperatingSystem
    var route: Int?
    var kind = Kind.claimed

    /// The list of the app that opens, if one does.
    var opener: Int?

    /// The position of the entry's rule that excludes, if one does.
    var excludingRule: Int?

    /// Whether links on pages of the same host led here.
    var isFromSameHost = false

    /// The numbers of the possible new rules that match, ascending.
    var matches: [Int32] = []

    /// The last position at which an inserted rule would decide.
    var limit: Int { excludingRule ?? .max }
  }

  struct Tally: Sendable {
    fileprivate let survey: RuleSurvey
    var total = Traffic()

    /// The traffic that the entry doesn't claim.
    var decisions = DecisionTally<Decision>()

    init(_ survey: RuleSurvey) { self.survey = survey }
  }

  /// Returns the decision about a target under the file, or `nil` if the entry claims it.
  fileprivate func decision(
    _ matcher: LinkMatcher, route: Int?, _ evaluation: borrowing Evaluation
  ) -> Decision? {
    let system = matcher.system
    var decision = Decision(system: system, route: route)
    if evaluation.siteVerdict == .claimed {
      decision.opener = matcher.firstList(with: .claimed, evaluation)
    }
    let isClaimed = decision.opener != nil
    guard let list = lists[system] else {
      decision.kind = isClaimed ? .claimed : .unreadable
      return decision
    }
    let verdict = evaluation.verdict(ofRuleList: list)
    if verdict == .claimed { return nil }
    if verdict == .excluded {
      decision.excludingRule = evaluation.decidingRule(ofRuleList: list).flatMap {
        matcher.ruleLists[list].id(ofRule: $0).position
      }
    }
    if let rule = decision.excludingRule, rule != excludesAll, !includesExcluded {
      decision.kind = isClaimed ? .claimed : .excluded
    } else if let opener = decision.opener {
      // Systems ask the apps of one list before those of another.
      let first = matcher.preferredLists.first { $0 == list || $0 == opener }
      decision.kind = first == list ? .taken : .claimed
    } else {
      decision.kind = isImplemented(route) ? .wanted : .foreign
    }
    return decision
  }
}

extension RuleSurvey.Tally: TargetTally {
  // Rules are drafted by the values that parameters have.
  static let followsRoutes = false

  var requests: Int { total.requests }

  mutating func addIneligible(
    _ target: borrowing JudgedTarget, _ requests: Span<TrafficDigest.Count>
  ) {
    total += target.traffic.current + target.traffic.legacy
  }

  mutating func add(
    _ system: OperatingSystem, _ target: inout JudgedTarget, _ bytes: Span<UInt8>,
    of site: RuleSet.Version, _ requests: Span<TrafficDigest.Count>,
    _ visits: Span<TrafficDigest.Count>
  ) {
    let traffic = target.traffic[system]
    total += traffic
    let matcher = site.matchers[system]
    matcher.evaluate(&target.url, into: &target.evaluation)
    guard var decision = survey.decision(matcher, route: target.route, target.evaluation)
    else { return }
    if let probes = survey.probes?.matchers[system] {
      probes.evaluate(&target.url, into: &target.otherEvaluation)
      decision.matches = target.otherEvaluation.matches.map { Int32($0.ruleList) }.sorted()
    }
    var sameHost = Traffic()
    target.forEachCause(of: requests, system, under: site, target.evaluation) {
      if $0 == .sameHost { sameHost += $2 }
    }
    for (traffic, isFromSameHost) in [(sameHost, true), (traffic - sameHost, false)]
    where traffic.requests > 0 {
      decision.isFromSameHost = isFromSameHost
      decisions.add(traffic, decision, group: target.group, target: bytes)
    }
  }

  mutating func merge(_ other: RuleSurvey.Tally, _ groups: [[Int]]) {
    total += other.total
    decisions.merge(other.decisions, groups[0])
  }
}
