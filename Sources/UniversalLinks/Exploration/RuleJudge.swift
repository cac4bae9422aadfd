internal import Foundations

/// Determines which rules decide, for one matcher.
struct RuleJudge {
  /// A verdict and the rule that decided, in numbers.
  struct Ruling: Hashable, Comparable {
    var verdict: Verdict

    /// The position of the app in ``LinkMatcher/apps`` and the number of the rule, or -1.
    var app = -1
    var rule = -1

    static func < (first: Self, second: Self) -> Bool {
      // A ruling without a rule comes last.
      func key(_ ruling: Self) -> (Int, Int, Int) {
        (
          ruling.rule < 0 ? Int.max : ruling.rule, ruling.app,
          Verdict.allCases.firstIndex(of: ruling.verdict) ?? 0
        )
      }
      return key(first) < key(second)
    }
  }

  let matcher: LinkMatcher
  private let variables: Variables?

  // Kept from one URL to the next, with the states of the matcher's automata.
  private var link = LinkURL()
  private var evaluation = Evaluation()

  /// Creates a judge for a file, whose rules are explored together with those of another.
  init(_ file: AssociationFile, with other: RuleJudge? = nil) {
    variables = Variables(file, sharing: other?.variables)
    matcher = LinkMatcher(file, variables)
  }

  /// Returns the ruling for the app at a position, given the rules that decide by list.
  func ruling(app: Int, deciders: ArraySlice<Int>) -> Ruling {
    let list = matcher.apps[app].ruleList
    let decider = deciders[deciders.startIndex + list]
    guard decider >= 0 else { return Ruling(verdict: .unclaimed) }
    let rule = matcher.ruleLists[list].rules.lowerBound + decider
    return Ruling(
      verdict: matcher.rules[rule].definition.excludes ? .excluded : .claimed, app: app, rule: rule)
  }

  /// Returns the ruling for the site.
  ///
  /// It is the ruling for the claiming app that the system prefers, else for an app that excludes
  /// the URL.
  func siteRuling(deciders: ArraySlice<Int>) -> Ruling {
    let rulings = matcher.apps.indices.lazy.map { ruling(app: $0, deciders: deciders) }
    return rulings.first { $0.verdict == .claimed } ?? rulings.first { $0.verdict == .excluded }
      ?? Ruling(verdict: .unclaimed)
  }

  /// Finds the rules that decide a URL, by list.
  mutating func deciders(for url: String, _ budget: inout JudgingBudget) -> [Int] {
    link.set(Array(url.utf8), in: nil)
    matcher.evaluate(&link, into: &evaluation)
    budget.spend(onRulesAsked: evaluation.candidateCount)
    return matcher.ruleLists.indices.map { list in
      evaluation.decidingRule(ofRuleList: list)
        .map { $0 - matcher.ruleLists[list].rules.lowerBound } ?? -1
    }
  }

  func outcome(_ ruling: Ruling) -> VerdictChanges.Outcome {
    guard ruling.app >= 0 else { return VerdictChanges.Outcome(verdict: ruling.verdict) }
    let app = matcher.apps[ruling.app]
    return VerdictChanges.Outcome(
      verdict: ruling.verdict,
      decision: Decision(
        app: app.identifier, verdict: ruling.verdict,
        rule: matcher.ruleLists[app.ruleList].id(ofRule: ruling.rule)),
      definition: matcher.definition(ofRule: ruling.rule))
  }
}

/// The simplicity of an example URL.
struct ExampleRank: Comparable {
  /// The distance from an example made from the pattern of a rule that decides.
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

extension Dictionary where Value == ExampleRank {
  /// Returns a Boolean value indicating whether an example is better than the known one for a key.
  func isImproved(by example: ExampleRank, at key: Key) -> Bool {
    self[key].map { example < $0 } ?? true
  }

  /// Keeps an example for a key if it is better than the known one.
  mutating func improve(by example: ExampleRank, at key: Key) {
    if isImproved(by: example, at: key) { self[key] = example }
  }
}

/// A budget for judging URLs, in rules whose paths are compared.
struct JudgingBudget {
  private var rest = 1_000_000
  private let cost: Int

  init(_ matchers: LinkMatcher...) {
    // The index skips most of the rules that it knows. The rules that it finds are charged when
    // they have been evaluated.
    cost = matchers.reduce(20) { cost, matcher in
      matcher.rules.reduce(cost + matcher.ruleLists.count / 4) {
        $0 + ($1.comparison(of: .path)?.pattern.cost ?? 0)
      }
    }
  }

  /// Charges for evaluating the rules that the index found for a URL.
  mutating func spend(onRulesAsked count: Int) { rest -= min(count / 2, max(0, rest + 1)) }

  /// Charges for finding the rules for one URL.
  mutating func spend(onURLOf length: Int) -> Bool {
    let (product, isOverflow) = cost.multipliedReportingOverflow(by: 1 + length / 64)
    rest -= isOverflow ? rest + 1 : min(product, rest + 1)
    return rest >= 0
  }
}

// MARK: - Examples

extension RuleJudge {
  /// The texts that replace a star; the first one makes the best examples.
  private static let fillings = ["x", "", "x/y"].map { Array($0.utf8) }

  /// Returns targets that a rule was probably written for, the best first.
  ///
  /// They are the patterns of the rule with the wildcards replaced: a path, with the query and
  /// fragment that the rule requires.
  func examples(of rule: Int) -> [[UInt8]] {
    Self.fillings.indices.map { example(of: matcher.rules[rule].definition, index: $0) }
  }

  private func example(of definition: RuleDefinition, index: Int) -> [UInt8] {
    let filling = Self.fillings[index]
    func text(_ pattern: String) -> [UInt8] {
      var text: [UInt8] = []
      let tokens = PatternToken.tokens(of: Array(pattern.utf8), variables: variables, folds: false)
      append(tokens ?? [], filling, to: &text)
      if definition.isPercentEncoded { return text }
      return PercentEncoding.encoded(text) {
        PercentEncoding.isAllowed($0) && !"%#?".utf8.contains($0)
      }
    }
    var target = text(definition.path ?? "*")
    // A word in a path is mostly followed by another segment.
    // A pattern that can't be read has no text at all.
    if index == 0, let path = definition.path, path.hasSuffix("*"),
      path.dropLast().utf8.last.map({ $0.isLetterOrDigit }) ?? false, target.count >= filling.count
    {
      target.insert(UInt8(ascii: "/"), at: target.count - filling.count)
    }
    if target.first != UInt8(ascii: "/") { target.insert(UInt8(ascii: "/"), at: 0) }
    switch definition.query {
    case nil: break
    case .whole(let pattern):
      if pattern != "*" { target += [UInt8(ascii: "?")] + text(pattern) }
    case .items(let items):
      let texts = items.filter { $0.pattern != "*" }.map { item in
        text(item.name) + [UInt8(ascii: "=")] + text(item.pattern)
      }
      if !texts.isEmpty { target += [UInt8(ascii: "?")] + texts.joined(separator: "&".utf8) }
    }
    if let fragment = definition.fragment, fragment != "*" {
      target += [UInt8(ascii: "#")] + text(fragment)
    }
    var encoded: [UInt8] = []
    PercentEncoding.append(encodingTarget: target.span, to: &encoded)
    return encoded
  }

  private func append(_ tokens: [PatternToken], _ filling: [UInt8], to text: inout [UInt8]) {
    for (index, token) in tokens.enumerated() {
      switch token {
      case .literal(let bytes): text += bytes
      case .anyScalar: text.append(UInt8(ascii: "x"))
      case .anyRun:
        // After `?`, a star needs nothing.
        if index > 0, case .anyScalar = tokens[index - 1] { continue }
        text += filling
      case .variable(let values):
        let value = values.values.first { !$0.isEmpty || values.texts == nil }
        append(value ?? [], filling, to: &text)
      }
    }
  }
}
