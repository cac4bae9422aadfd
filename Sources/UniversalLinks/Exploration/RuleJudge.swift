/// Makes outcomes of the rules that decide, for one matcher.
struct RuleJudge {
  /// What decides, in numbers.
  struct Ruling: Hashable, Comparable {
    var verdict: Verdict

    /// The position of the app in ``LinkMatcher/apps``, of its list, and of the rule
    /// in that; -1 where there is none.
    var app = -1
    var list = -1
    var rule = -1

    static func < (first: Self, second: Self) -> Bool {
      // What no rule decides comes last.
      func key(_ ruling: Self) -> (Int, Int, Int, Int) {
        (
          ruling.list < 0 ? Int.max : ruling.list, ruling.rule, ruling.app,
          Verdict.allCases.firstIndex(of: ruling.verdict) ?? 0
        )
      }
      return key(first) < key(second)
    }
  }

  let matcher: LinkMatcher

  init(_ matcher: LinkMatcher) { self.matcher = matcher }

  /// The verdict of a list whose rule at `decider` decides, or none if that is -1.
  private func verdict(ofRuleList list: Int, decider: Int) -> Verdict {
    guard let definitions = matcher.ruleLists[list].definitions else { return .claimed }
    guard decider >= 0 else { return .unclaimed }
    return definitions[decider].excludes ? .excluded : .claimed
  }

  /// What the rules that decide come to for the app at a position.
  func ruling(app: Int, deciders: ArraySlice<Int>) -> Ruling {
    let list = matcher.apps[app].ruleList
    let decider = deciders[deciders.startIndex + list]
    let verdict = verdict(ofRuleList: list, decider: decider)
    return verdict == .unclaimed
      ? Ruling(verdict: verdict) : Ruling(verdict: verdict, app: app, list: list, rule: decider)
  }

  /// What the rules that decide come to for the site: the app that claims the URL and
  /// that the system prefers, else one that excludes it.
  func siteRuling(deciders: ArraySlice<Int>) -> Ruling {
    var site = Ruling(verdict: .unclaimed)
    for app in matcher.apps.indices {
      let ruling = ruling(app: app, deciders: deciders)
      if ruling.verdict == .claimed { return ruling }
      if ruling.verdict == .excluded, site.verdict == .unclaimed { site = ruling }
    }
    return site
  }

  /// The rules that decide about a URL, by list.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - budget: What it is paid from, also if there isn't enough.
  /// - Returns: Their positions in the lists, or -1 where none decides.
  func deciders(for url: String, _ budget: inout JudgingBudget) -> [Int] {
    var link = LinkURL(url)
    var evaluation = Evaluation()
    matcher.evaluate(&link, into: &evaluation)
    budget.spend(onRulesAsked: evaluation.candidates.count)
    return matcher.ruleLists.indices.map { evaluation.decidingRule(ofRuleList: $0) ?? -1 }
  }

  /// A ruling in the words of the file.
  func outcome(_ ruling: Ruling) -> RuleComparison.Outcome {
    guard ruling.app >= 0, ruling.list >= 0 else {
      return RuleComparison.Outcome(verdict: ruling.verdict)
    }
    let list = matcher.ruleLists[ruling.list]
    let rule = ruling.rule >= 0 ? ruling.rule : nil
    return RuleComparison.Outcome(
      verdict: ruling.verdict,
      decision: Decision(
        app: matcher.apps[ruling.app].identifier, verdict: ruling.verdict, place: list.place,
        rule: rule),
      source: rule.flatMap { list.definitions?[$0].source })
  }
}

/// How plain an example URL is.
struct ExampleRank: Comparable {
  /// How far it is from being made from the pattern of a rule that decides.
  var distance: Int
  var cost: Int
  var text: String

  init(_ url: String, distance: Int) {
    self.distance = distance
    text = url
    cost = url.utf8.reduce(0) { sum, byte in
      switch byte {
      case UInt8(ascii: "%"), UInt8(ascii: "*"): sum + 8
      case UInt8(ascii: "#"): sum + 12
      case UInt8(ascii: "?"): sum + 6
      default: sum + TextUnit.byte(byte).cost
      }
    }
  }

  static func < (first: Self, second: Self) -> Bool {
    (first.distance, first.cost) == (second.distance, second.cost)
      ? first.text.utf8.lexicographicallyPrecedes(second.text.utf8)
      : (first.distance, first.cost) < (second.distance, second.cost)
  }
}

/// What may be spent on judging URLs, in rules whose paths are compared.
struct JudgingBudget {
  private var rest = 2_000_000
  private let cost: Int

  init(_ matchers: LinkMatcher...) {
    // The index passes over most of the rules that it knows; those that it finds are paid for when
    // they have been asked.
    cost = matchers.reduce(20) { cost, matcher in
      matcher.rules.reduce(cost) { $1.path.isDecidedByEnds ? $0 : $0 + $1.path.cost }
    }
  }

  /// Spends what it cost to ask the rules that the index found for a URL.
  mutating func spend(onRulesAsked count: Int) {
    rest -= min(count / 4, max(0, rest + 1))
  }

  /// Spends what it costs to find the rules for one URL.
  ///
  /// - Parameter length: The number of bytes of the URL.
  /// - Returns: Whether there was enough.
  mutating func spend(onURLOf length: Int) -> Bool {
    let (product, isOverflow) = cost.multipliedReportingOverflow(by: 1 + length / 64)
    rest -= isOverflow ? rest + 1 : min(product, rest + 1)
    return rest >= 0
  }
}
