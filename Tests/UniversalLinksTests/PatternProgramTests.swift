import TestSupport
import Testing

@testable import UniversalLinks

/// Compares automata of many patterns with the patterns on their own.
@Suite struct PatternProgramTests {
  /// Patterns in one automaton.
  private struct Scene {
    let patterns: [String]
    private let entries: [PatternTableBuilder.Entry]
    private let table: PatternTable
    private var cache: AutomatonCache

    /// States are discarded when they reach the limit.
    init(
      _ patterns: [String], variables: [String: [String]]? = nil, folds: Bool = false,
      limit: Int = 4 << 20
    ) {
      var builder = PatternTableBuilder(variables.map { Variables(values: $0) })
      entries = patterns.map {
        builder.add(Array($0.utf8), for: .query, .decoded, ignoresCase: folds)
      }
      (self.patterns, table) = (patterns, PatternTable(builder))
      cache = AutomatonCache(limit: limit)
    }

    var count: Int { entries.count { $0.condition != nil } }

    /// Records each pattern for which the automaton disagrees with the pattern.
    mutating func compare(_ text: String, _ remark: String = "") {
      let bytes = Array(text.utf8)
      cache.begin(table)
      if !table.programs.isEmpty { cache.find(in: bytes.span, program: 0) }
      for (pattern, entry) in zip(patterns, entries) {
        guard let condition = entry.condition else { continue }
        let isFound = cache.hasFound(condition.pattern, program: 0)
        if isFound != entry.pattern.matches(bytes.span) {
          Issue.record(
            "pattern '\(pattern.prefix(200))' on '\(text.prefix(200))': \(isFound) \(remark)")
        }
      }
    }
  }

  /// With little memory, states are discarded at each step, and texts are read without states.
  private static let limits = [4 << 20, 3_000, 1]

  @Test(arguments: limits)
  func agreesOnAllSmallPatternsTogether(limit: Int) {
    let patterns = strings(over: ["a", "b", "*", "?"], upTo: 4)
    var scene = Scene(patterns, limit: limit)
    for text in strings(over: ["a", "b"], upTo: 5) + strings(over: ["a", "é", "😀"], upTo: 3) {
      scene.compare(text)
    }
  }

  @Test func agreesOnEachSmallPattern() {
    let texts = strings(over: ["a", "b"], upTo: 5) + strings(over: ["a", "é"], upTo: 3)
    let length = TestRun.size(full: 5, usual: 4)
    for pattern in strings(over: ["a", "b", "*", "?"], upTo: length) {
      var scene = Scene([pattern])
      for text in texts { scene.compare(text) }
    }
  }

  @Test(
    arguments: PatternTests.values + [["a", "b"], ["ab", "aa", "b"], ["é", "è"], [""]])
  func agreesOnAllSmallPatternsWithVariables(values: [String]) {
    let variables = ["v": values]
    let texts =
      strings(over: ["a", "b", "$", "("], upTo: 3) + strings(over: ["é", "è", "b"], upTo: 3)
    let length = TestRun.size(full: 4, usual: 3)
    let patterns = strings(over: ["a", "*", "?", "$(v)", "(", "$"], upTo: length)
    for limit in Self.limits {
      var scene = Scene(patterns, variables: variables, limit: limit)
      for text in texts { scene.compare(text, "\(variables)") }
    }
    for pattern in patterns {
      var scene = Scene([pattern], variables: variables)
      for text in texts { scene.compare(text, "\(variables)") }
    }
  }

  @Test func agreesOnRandomPatterns() {
    var generator = SeededGenerator()
    let letters = ["a", "A", "b", "/", "%41", "é", "É", "ß", "ẞ", "K", "k", "\u{212A}", "ſ", "😀"]
    let variables = [
      "v": ["a", "Ab", "/*/", "é?", "", "k$"], "digit": ["1", "2"], "w": ["xx*y"],
      "u": ["é", "è", "éb", "abba", "abbb"],
    ]
    let pieces =
      letters + ["*", "*", "*a", "?", "$(v)", "$(w)", "$(u)", "$(digit)", "$(nope)", "$(", "("]
    for _ in 0..<TestRun.size(full: 1_500, usual: 300) {
      let patterns = (0..<Int.random(in: 1...30, using: &generator)).map { _ in
        generator.text(of: pieces, 0...8)
      }
      let limit = generator.pick(Self.limits)
      var scene = Scene(
        patterns, variables: variables, folds: Bool.random(using: &generator), limit: limit)
      for _ in 0..<20 {
        let text = generator.text(of: letters, 0...12)
        scene.compare(text, "limit \(limit)")
      }
    }
  }

  /// Sets of positions of many words, in which steps, links and stars cross words.
  @Test func agreesOnLongPatterns() {
    var generator = SeededGenerator()
    let variables = ["v": ["ab", "ba", "aaa", ""], "w": ["a?b", "?*a", "bb"]]
    for _ in 0..<TestRun.size(full: 400, usual: 60) {
      let patterns = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
        (0..<Int.random(in: 1...40, using: &generator)).map { _ in
          let piece = generator.pick(["*", "?", "$(v)", "$(w)", "a", "b"])
          let count = piece == "a" || piece == "b" ? Int.random(in: 1...70, using: &generator) : 1
          return String(repeating: piece, count: count)
        }.joined()
      }
      var scene = Scene(patterns, variables: variables, limit: generator.pick(Self.limits))
      for pattern in patterns {
        for _ in 0..<4 {
          // A text that the pattern matches, in most cases.
          var text = ""
          var rest = pattern[...]
          while let first = rest.popFirst() {
            switch first {
            case "*":
              text += String(repeating: "b", count: Int.random(in: 0...9, using: &generator))
            case "?": text += generator.pick(["a", "é"])
            case "$":
              text += generator.pick(rest.hasPrefix("(v") ? ["ab", ""] : ["axb", "bb"])
              rest = rest.dropFirst(3)
            default: text.append(first)
            }
          }
          if Bool.random(using: &generator) { text.removeLast(min(1, text.count)) }
          scene.compare(text)
        }
      }
    }
  }

  /// Patterns that could open too many levels are not in the automaton.
  @Test func leavesOutWhatCountsLevels() {
    let variables = ["x": ["*a", "a"]]
    let stars = String(repeating: "*a", count: 63)
    #expect(Scene([stars + "$(x)"], variables: variables).count == 0)
    #expect(Scene([String(stars.dropFirst(2)) + "$(x)"], variables: variables).count == 1)
    #expect(Scene([stars + "*"]).count == 1)
    #expect(Scene([stars + "*a*a*"]).count == 0)
  }

  /// Texts that lead to a new state at almost each byte.
  @Test(arguments: [4 << 20, 20_000])
  func hurtfulPatternsEnd(limit: Int) {
    var generator = SeededGenerator()
    let values = (0..<300).map { "a?*\($0)" }
    let repeated = { (text: String, count: Int) in String(repeating: text, count: count) }
    let patterns = [
      "*" + repeated("a?", 2_000) + "Z*", "*" + repeated("a", 3_900) + "Z*", "*$(v)Z*",
      "*" + repeated("$(alpha)?", 30) + "Z*",
    ]
    var scene = Scene(patterns, variables: ["v": values], limit: limit)
    for _ in 0..<3 {
      let text = (0..<8_000).map { _ in Int.random(in: 0..<9, using: &generator) == 0 ? "b" : "a" }
      scene.compare(text.joined() + "Z")
      scene.compare(repeated("a", 8_000) + "Z" + text.joined())
    }
  }

  @Test(arguments: limits)
  func rulesTogetherSayWhatEachSaysAlone(limit: Int) throws {
    var generator = SeededGenerator()
    func pick(_ choices: [String]) -> String { generator.pick(choices) }
    let paths = ["*", "/a/*", "/a", "*b", "/*a*b*", "/?/b", "/$(v)/*", "/A/é*", "/$(lang)*"]
    let values = ["", "*", "?*", "a", "*a*", "$(v)", "$(w)?", "B", "é"]
    for _ in 0..<TestRun.size(full: 300, usual: 40) {
      let rules = (0..<Int.random(in: 1...25, using: &generator)).map { _ in
        var rule = RuleDefinition()
        if Int.random(in: 0..<5, using: &generator) > 0 { rule.path = pick(paths) }
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: rule.query = .whole(pick(values))
        case 1, 2:
          let names = ["a", "b", "é", ""].filter { _ in Bool.random(using: &generator) }
          rule.query = .items(names.map { RuleDefinition.Item(name: $0, pattern: pick(values)) })
        default: break
        }
        if Int.random(in: 0..<4, using: &generator) == 0 { rule.fragment = pick(values) }
        for key in [\RuleDefinition.isCaseSensitive, \.isPercentEncoded, \.excludes]
        where Int.random(in: 0..<3, using: &generator) == 0 {
          rule[keyPath: key] = Bool.random(using: &generator)
        }
        return rule
      }
      let entries = [rules, Array(rules.reversed())].enumerated().map { index, rules in
        AssociationFile.Entry(
          id: .index(index), position: index, appIDs: [ApplicationIdentifier("app\(index)")],
          components: rules)
      }
      let file = AssociationFile(
        entries: entries,
        substitutionVariables: [
          SubstitutionVariable(name: "v", values: ["a", "b*"]),
          SubstitutionVariable(name: "w", values: ["a", "ab"]),
        ])
      let matcher = LinkMatcher(file)
      let other = LinkMatcher(file.asRead(by: .legacy))
      var evaluation = Evaluation(limit: limit)
      for _ in 0..<30 {
        let query = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
          pick(["a", "b", "%C3%A9", ""]) + pick(["", "="])
            + pick(["", "a", "ab", "B", "%61", "xay", "é"])
        }.joined(separator: "&")
        let url =
          "https://www.example.com"
          + pick(["", "/", "/a", "/a/b", "/A/b", "/%61/b", "/en/x", "/xaxb", "/a/%C3%A9", "/b/b"])
          + pick(["", "?" + query]) + pick(["", "#a", "#b"])
        var link = LinkURL(url)
        // Several matchers share the state of an evaluation.
        other.evaluate(&link, into: &evaluation)
        matcher.evaluate(&link, into: &evaluation)
        let found = matcher.matches(of: evaluation)
        let alone = matcher.ruleIDs.filter {
          matcher.explanation(of: $0, for: LinkURL(url))?.matches == true
        }
        #expect(found == alone, "\(url), \(rules)")
      }
    }
  }
}
