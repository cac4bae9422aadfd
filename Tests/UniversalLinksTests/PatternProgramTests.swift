import TestSupport
import Testing

@testable import UniversalLinks

@Suite struct PatternProgramTests {
  private struct Scene {
    let patterns: [String]
    private let matcher: LinkMatcher
    private var cache: AutomatonCache

    /// States are discarded when they reach the limit.
    init(
      _ patterns: [String], variables: [String: [String]]? = nil, folds: Bool = false,
      limit: Int = 4 << 20
    ) {
      self.patterns = patterns
      matcher = LinkMatcher(
        queries: patterns, variables.map { Variables(values: $0) }, folds: folds)
      cache = AutomatonCache(limit: limit)
    }

    var count: Int { matcher.rules.count { $0.comparisons[0].condition != nil } }

    mutating func compare(_ text: String, _ remark: String = "") {
      let bytes = Array(text.utf8)
      cache.begin(matcher)
      if !matcher.programs.isEmpty { cache.find(in: bytes.span, program: 0) }
      for (pattern, comparison) in zip(patterns, matcher.rules.map { $0.comparisons[0] }) {
        guard let condition = comparison.condition else { continue }
        let isFound = cache.hasFound(condition.pattern, program: 0)
        if isFound != comparison.pattern.matches(bytes.span) {
          Issue.record(
            "pattern '\(pattern.prefix(200))' on '\(text.prefix(200))': \(isFound) \(remark)")
        }
      }
    }
  }

  /// With little memory, states are discarded at each step, and texts are read without states.
  static let limits = [4 << 20, 3_000, 1]

  private static func compare(
    _ patterns: [String], variables: [String: [String]]? = nil, on texts: [String]
  ) {
    let remark = "\(variables ?? [:])"
    for limit in limits {
      var scene = Scene(patterns, variables: variables, limit: limit)
      for text in texts { scene.compare(text, remark) }
    }
    for pattern in patterns {
      var scene = Scene([pattern], variables: variables)
      for text in texts { scene.compare(text, remark) }
    }
  }

  @Test func agreesOnAllSmallPatterns() {
    let length = TestRun.size(full: 5, usual: 4)
    Self.compare(
      strings(over: ["a", "b", "*", "?"], upTo: length),
      on: strings(over: ["a", "b"], upTo: 5) + strings(over: ["a", "é", "😀"], upTo: 3))
  }

  @Test(arguments: PatternTests.values + [["a", "b"], ["ab", "aa", "b"], ["é", "è"], [""]])
  func agreesOnAllSmallPatternsWithVariables(values: [String]) {
    let length = TestRun.size(full: 4, usual: 3)
    Self.compare(
      strings(over: ["a", "*", "?", "$(v)", "(", "$"], upTo: length), variables: ["v": values],
      on: strings(over: ["a", "b", "$", "("], upTo: 3) + strings(over: ["é", "è", "b"], upTo: 3))
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
}
