internal import Foundations

/// Finds the plainest URLs for which different rules decide, and confirms them with matchers.
///
/// The rules of all files are numbered one after another.
struct ExampleSearch<Kind: Hashable> {
  typealias File = (matcher: LinkMatcher, variables: Variables?)

  /// A URL, its distance from an example made from the pattern of a rule that decides, and the
  /// penalty for what it shows.
  private typealias Example = (distance: Int, cost: Int, url: String)

  private let files: [File]
  private let base: String

  /// Returns the kinds of URLs for which these rules decide, by list, or -1 where none does.
  ///
  /// For an example that was made from the pattern of a rule, `isOwn` says whether that decides.
  private let kinds: (_ deciders: [Int], _ rule: Int?) -> [(kind: Kind, isOwn: Bool)]

  private var examples: [Kind: Example] = [:]

  /// The plainest URL of each kind.
  var urls: [Kind: String] { examples.mapValues(\.url) }

  /// Whether the matchers judged all situations as expected.
  private var isConfirmed = true

  // Kept from one URL to the next, with the states of the matchers' automata.
  private var link = LinkURL()
  private var evaluations: [Evaluation]

  /// The cost of finding the rules for a short URL, in rules whose paths are compared.
  private let cost: Int

  /// The budget for examples of rules, and what is left for situations that improve no example.
  private static var budget: Int { 1_000_000 }
  private var spareBudget: Int

  /// Prepares a search for URLs that begin with a text.
  ///
  /// If it confirms all situations, those that improve no example only increase confidence.
  init(
    _ files: [File], base: String, confirmsAll: Bool,
    kinds: @escaping (_ deciders: [Int], _ rule: Int?) -> [(kind: Kind, isOwn: Bool)]
  ) {
    (self.files, self.base, self.kinds) = (files, base, kinds)
    evaluations = files.map { _ in Evaluation() }
    spareBudget = confirmsAll ? Self.budget : 0
    // The index skips most of the rules that it knows. The rules that it finds are charged when
    // they have been evaluated.
    let cost = files.reduce(20) { cost, file in
      file.matcher.rules.reduce(cost + file.matcher.ruleLists.count / 4) {
        $0 + ($1.comparison(of: .path)?.pattern.cost ?? 0)
      }
    }
    self.cost = min(cost, 1 << 32)
  }

  /// Explores the rules of all files, after the URLs that they were probably written for.
  ///
  /// - Returns: The reason why examples may be missing, and a measure of the cost.
  mutating func explore(_ limits: ExplorationLimits) -> (gap: ExplorationGap?, work: Int) {
    tryExamples()
    let lists = files.map(\.matcher).flatMap { matcher in
      matcher.ruleLists.map { matcher.rules[$0.rules] }
    }
    let exploration = RuleExploration(lists, limits: limits) { add($0) }
    return (exploration.gap ?? (isConfirmed ? nil : .unconfirmed), exploration.work)
  }

  // MARK: - Judging

  /// Judges the URLs that the rules of entries were probably written for.
  private mutating func tryExamples() {
    var budget = Self.budget
    // The rules of the other file. Rules that only one has show most of the change.
    let others: [Set<RuleDefinition>] =
      files.count == 1
      ? [[]]
      : files.reversed().map { Set($0.matcher.ruleLists.flatMap { $0.entry.rules ?? [] }) }
    for isShared in [false, true] {
      var first = 0
      for ((matcher, variables), others) in zip(files, others) {
        for rule in matcher.ruleLists.lazy.filter({ $0.entry.rules != nil }).flatMap(\.rules)
        where others.contains(matcher.rules[rule].definition) == isShared {
          let targets = matcher.rules[rule].definition.exampleTargets(variables)
          for (index, target) in targets.enumerated() {
            guard spend(onTargetOf: target.count, of: &budget) else { return }
            let url = base + String(decoding: target, as: UTF8.self)
            for (kind, isOwn) in kinds(deciders(of: url, &budget), first + rule) {
              improve(kind, by: Self.example(url, distance: index == 0 && isOwn ? 0 : 1))
            }
          }
        }
        first += matcher.rules.count
      }
    }
  }

  /// Confirms a situation if one of its URLs is plainer than the known examples, or to spare.
  private mutating func add(_ situation: RuleExploration.Situation) {
    let kinds = kinds(situation.deciders, nil).map(\.kind)
    var budget = spareBudget
    defer { spareBudget = budget }
    let isSpare = spend(onTargetOf: situation.target.count, of: &budget)
    guard isSpare || !kinds.isEmpty else { return }
    let example = Self.example(
      base + String(decoding: situation.target, as: UTF8.self), distance: 1)
    guard isSpare || kinds.contains(where: { isImproved($0, by: example) }) else { return }
    guard deciders(of: example.url, &budget) == situation.deciders else {
      isConfirmed = false
      return
    }
    for kind in kinds { improve(kind, by: example) }
  }

  /// Charges for finding the rules for a URL, and returns whether something is left.
  private func spend(onTargetOf length: Int, of budget: inout Int) -> Bool {
    budget = max(-1, budget - cost * (1 + length / 64))
    return budget >= 0
  }

  /// Finds the rules that decide a URL, by list, and charges for those whose paths match.
  private mutating func deciders(of url: String, _ budget: inout Int) -> [Int] {
    link.set(Array(url.utf8), in: nil)
    var (first, deciders): (Int, [Int]) = (0, [])
    for (index, file) in files.enumerated() {
      file.matcher.evaluate(&link, into: &evaluations[index])
      budget = max(-1, budget - evaluations[index].candidateCount / 2)
      deciders += file.matcher.ruleLists.indices.map { list in
        evaluations[index].decidingRule(ofRuleList: list).map { first + $0 } ?? -1
      }
      first += file.matcher.rules.count
    }
    return deciders
  }

  // MARK: - Examples

  private static func example(_ url: String, distance: Int) -> Example {
    let cost = url.utf8.reduce(0) { sum, byte in
      switch byte {
      case UInt8(ascii: "%"), UInt8(ascii: "*"): sum + 8
      case UInt8(ascii: "#"): sum + 12
      case UInt8(ascii: "?"): sum + 6
      default: sum + TextReader.cost(of: byte)
      }
    }
    return (distance, cost, url)
  }

  private func isImproved(_ kind: Kind, by example: Example) -> Bool {
    examples[kind].map { example < $0 } ?? true
  }

  private mutating func improve(_ kind: Kind, by example: Example) {
    if isImproved(kind, by: example) { examples[kind] = example }
  }
}

extension RuleDefinition {
  /// The texts that replace a star; the first one makes the best examples.
  private static let fillings = ["x", "", "x/y"].map { Array($0.utf8) }

  /// Returns targets that the rule was probably written for, the best first.
  ///
  /// They are the patterns of the rule with the wildcards replaced: a path, with the query and
  /// fragment that the rule requires.
  fileprivate func exampleTargets(_ variables: Variables?) -> [[UInt8]] {
    Self.fillings.indices.map { exampleTarget($0, variables) }
  }

  private func exampleTarget(_ index: Int, _ variables: Variables?) -> [UInt8] {
    let filling = Self.fillings[index]
    func text(_ pattern: String) -> [UInt8] {
      let tokens = PatternToken.tokens(of: Array(pattern.utf8), variables: variables, folds: false)
      let text = (tokens ?? []).example(filling)
      if isPercentEncoded { return text }
      return PercentEncoding.encoded(text) {
        PercentEncoding.isAllowed($0) && !"%#?".utf8.contains($0)
      }
    }
    var target = text(path ?? "*")
    // A word in a path is mostly followed by another segment.
    // A pattern that can't be read has no text at all.
    if index == 0, let path, path.hasSuffix("*"),
      path.dropLast().utf8.last.map({ $0.isLetterOrDigit }) ?? false, target.count >= filling.count
    {
      target.insert(UInt8(ascii: "/"), at: target.count - filling.count)
    }
    if target.first != UInt8(ascii: "/") { target.insert(UInt8(ascii: "/"), at: 0) }
    switch query {
    case nil: break
    case .whole(let pattern):
      if pattern != "*" { target += [UInt8(ascii: "?")] + text(pattern) }
    case .items(let items):
      let texts = items.filter { $0.pattern != "*" }.map { item in
        text(item.name) + [UInt8(ascii: "=")] + text(item.pattern)
      }
      if !texts.isEmpty { target += [UInt8(ascii: "?")] + texts.joined(separator: "&".utf8) }
    }
    if let fragment, fragment != "*" { target += [UInt8(ascii: "#")] + text(fragment) }
    var encoded: [UInt8] = []
    PercentEncoding.append(encodingTarget: target.span, to: &encoded)
    return encoded
  }
}

extension [PatternToken] {
  /// Returns a text that matches if it may have this filling in place of a star.
  fileprivate func example(_ filling: [UInt8]) -> [UInt8] {
    var (text, isAfterAny): ([UInt8], Bool) = ([], false)
    for token in self {
      switch token {
      case .literal(let bytes): text += bytes
      case .anyScalar: text.append(UInt8(ascii: "x"))
      // After `?`, a star needs nothing.
      case .anyRun: text += isAfterAny ? [] : filling
      case .variable(let values):
        let value = values.values.first { !$0.isEmpty || values.texts == nil }
        text += (value ?? []).example(filling)
      }
      isAfterAny = token == .anyScalar
    }
    return text
  }
}
