import TestSupport
import Testing

@testable import UniversalLinks

@Suite struct RuleExplanationTests {
  /// Compares the explanation of every rule with the results of the matcher.
  static func check(
    _ matcher: LinkMatcher, _ text: String, host: String? = nil, _ note: String = "",
    after other: LinkMatcher? = nil, using evaluations: inout [Evaluation]
  ) throws {
    var url = LinkURL(text, host: host)
    guard url.ineligibility == nil else { return }
    for index in evaluations.indices {
      // Several matchers share the state of an evaluation.
      other?.evaluate(&url, into: &evaluations[index])
      matcher.evaluate(&url, into: &evaluations[index])
      let matches = [evaluations[index], evaluations[0]].map { evaluation in
        Set(evaluation.matches.map { [$0.rule, $0.ruleList] })
      }
      #expect(matches[0] == matches[1], "\(note), \(text)")
    }
    let evaluation = evaluations[0]
    for (index, list) in matcher.ruleLists.enumerated() {
      // An entry without rules matches everything, and there is nothing to explain.
      guard list.entry.rules != nil else { continue }
      var matching: [Int] = []
      for number in list.rules {
        let explanation = try #require(matcher.explanation(ofRule: number, in: index, for: &url))
        let definition = matcher.rules[number].definition
        #expect(explanation.definition == definition)
        #expect(
          explanation.matches
            == (explanation.comparisons.allSatisfy(\.matches) && !definition.requiresEntitlement))
        let isMatch = evaluation.matches.contains { $0 == (number, index) }
        #expect(explanation.matches == isMatch, "\(note), \(text), \(definition)")
        if explanation.matches { matching.append(number) }
        // Each comparison has the result of its pattern and its text, if no variables are involved.
        let plain = PlainMatcher(variables: nil, folds: !definition.isCaseSensitive)
        for comparison in explanation.comparisons
        where !comparison.pattern.contains("$(") && comparison.pattern.count < 12 {
          let part = comparison.text ?? ""
          guard part.unicodeScalars.count < 40 else { continue }
          let matches = plain.matches(comparison.pattern, part)
          #expect(matches == comparison.matches, "\(note), \(text), \(definition), \(comparison)")
        }
      }
      #expect(evaluation.decidingRule(ofRuleList: index) == matching.first, "\(note), \(text)")
      let count = evaluation.matches.count { $0.ruleList == index }
      #expect(count == matching.count, "\(note), \(text)")
    }
  }

  /// Vectors are checked by ``ConformanceTests``.
  @Test(arguments: RuleAlphabet.all + [RuleAlphabet.everything, .manyRules])
  func agreesOnRandomRules(_ alphabet: RuleAlphabet) throws {
    var generator = SeededGenerator()
    for _ in 0..<alphabet.files {
      let (file, other) = alphabet.files(&generator)
      let (matcher, otherMatcher) = (LinkMatcher(file), LinkMatcher(other))
      let urls = alphabet.urls(&generator, count: 60).shuffled(using: &generator)
      var evaluations = PatternProgramTests.limits.map { limit in
        var evaluation = Evaluation()
        evaluation.cache = AutomatonCache(limit: limit)
        return evaluation
      }
      // Patterns that are too large for an automaton are compared on their own.
      let limit = Int.random(in: 0...40, using: &generator)
      let small = LinkMatcher(file, Variables(file), positionLimit: limit)
      for url in urls.prefix(60) {
        try Self.check(matcher, url, after: otherMatcher, using: &evaluations)
        try Self.check(small, url, "few positions", after: matcher, using: &evaluations)
      }
    }
  }

  private func explanation(
    _ rule: String, _ url: String,
    members: String = #""defaults": {"caseSensitive": false, "percentEncoded": false}, "#
  ) throws -> RuleExplanation {
    let entry = #"{"appIDs": ["A1B2C3D4E5.com.example.app"], "components": [\#(rule)]}"#
    let file = try AssociationFile(#"{"applinks": {\#(members)"details": [\#(entry)]}}"#)
    let matcher = LinkMatcher(file)
    return try #require(matcher.explanation(of: matcher.ruleIDs[0], for: LinkURL(url)))
  }

  @Test func saysWhatIsComparedAndHow() throws {
    let explanation = try explanation(
      ##"{"/": "/Gift/é", "?": {"a": "1*", "b": "?*", "c": "*"}, "#": "x", "caseSensitive": 0}"##,
      "https://a.example//gift/%C3%A9?a=12&a=2%30&b#X")
    #expect(
      explanation.comparisons.map(\.part.rawValue) == [
        "path", "queryItem", "queryItem", "queryItem", "queryItem", "fragment",
      ])
    #expect(explanation.comparisons.map(\.text) == ["/gift/é/", "12", "20", "", nil, "X"])
    #expect(explanation.comparisons.map(\.pattern) == ["/Gift/é/", "1*", "1*", "?*", "*", "x"])
    #expect(explanation.comparisons.map(\.matches) == [true, true, false, false, true, true])
    #expect(
      explanation.comparisons.map(\.spelling) == ["//gift/%C3%A9", nil, "2%30", nil, nil, nil])
    #expect(!explanation.definition.isPercentEncoded && !explanation.definition.isCaseSensitive)
    #expect(explanation.inheritedKeys == ["percentEncoded"])
  }

  @Test func saysWhatCannotBeDecodedOrMatched() throws {
    let bytes = try explanation(#"{"/": "/$(x", "?": ""}"#, "https://a.example/%FF?%FF")
    #expect(bytes.comparisons.map(\.decodesToNothing) == [true, true])
    #expect(bytes.comparisons.map(\.text) == ["/", ""])
    #expect(bytes.comparisons.map(\.isUnmatchable) == [true, false])
    #expect(bytes.comparisons[0].pattern == "/$(x/" && !bytes.matches)
    #expect(bytes.inheritedKeys == ["caseSensitive", "percentEncoded"])
  }

  @Test func saysWhereTooManyStarsKeepARuleFromMatching() throws {
    let stars = String(repeating: "*a", count: 65)
    for (key, url) in [
      ("\"/\": \"/\(stars)\"", "/b"), ("\"?\": \"\(stars)\"", "/"), ("\"#\": \"\(stars)\"", "/#b"),
      ("\"?\": {\"q\": \"\(stars)\"}", "/?q=b"),
    ] {
      let explanation = try explanation("{\(key)}", "https://a.example" + url)
      #expect(explanation.comparisons.map(\.isUnmatchable) == [true])
      #expect(explanation.comparisons.map(\.exceedsLevels) == [true])
    }
    // A run is one star, and a last star opens no level.
    let runs = String(repeating: "a**", count: 65)
    let run = try explanation(#"{"?": "\#(runs)"}"#, "https://a.example/?b")
    #expect(run.comparisons.map(\.exceedsLevels) == [false] && !run.matches)
    #expect(run.comparisons.map(\.pattern) == [runs] && run.comparisons.map(\.text) == ["b"])
    let unknown = try explanation(#"{"?": "$(x"}"#, "https://a.example/")
    #expect(unknown.comparisons.map(\.isUnmatchable) == [true])
    #expect(unknown.comparisons.map(\.exceedsLevels) == [false])
  }

  @Test func saysWhereStarsOfValuesAreTooMany() throws {
    let text = String(repeating: "a", count: 90)
    let value = String(repeating: "*a", count: 40)
    let rule = #"{"?": "$(x)\#(String(repeating: "*a", count: 30))"}"#
    for (query, exceeds) in [(text, true), (text + "b", false)] {
      let explanation = try explanation(
        rule, "https://a.example/?" + query,
        members: #""substitutionVariables": {"x": ["\#(value)"]}, "#)
      #expect(explanation.comparisons.map(\.isUnmatchable) == [false])
      #expect(explanation.comparisons.map(\.exceedsLevels) == [exceeds])
      #expect(!explanation.matches)
    }
  }

  /// Foundation encodes escapes again next to characters that URLs can't contain; browsers don't.
  @Test(arguments: [
    (#"{"?": "t[]=a%20b"}"#, "?t[]=a%20b", false), (#"{"?": "t%5B%5D=a%20b"}"#, "?t[]=a%20b", true),
    (#"{"?": "t%5B%5D=a%2520b"}"#, "?t[]=a%20b", true), (#"{"?": "*"}"#, "?t[]=a%20b", false),
    (#"{"?": {"t%5B%5D": "a?20b"}}"#, "?t[]=a%20b", true),
    (#"{"?": {"t[]": "a b"}, "percentEncoded": false}"#, "?t[]=a%20b", true),
    (#"{"?": {"t%5B%5D": "a%2520b%25"}}"#, "?t[]=a%20b%", false),
    (#"{"?": {"t": "a%20b"}}"#, "?t=a%20b", false), (#"{"/": "/é%41", "?": "x"}"#, "é%41?x", false),
    (#"{"/": "/%C3%A9%41"}"#, "é%41", true), (##"{"#": "a b%41"}"##, "#a b%41", false),
    (##"{"#": "a%20b%41"}"##, "#a b%41", true),
  ])
  func saysWhereItDependsOnEscapes(rule: String, rest: String, depends: Bool) throws {
    let explanation = try explanation(rule, "https://a.example/" + rest, members: "")
    #expect(explanation.dependsOnEscapes == depends)
  }

  /// The variable that fails is named with the text in its place.
  @Test(arguments: [
    ("/UK-en/menu", "region", "UK", "GB"), ("/GB-english/menu", "lang", "english", nil),
  ])
  func failedVariablesAreNamed(_ path: String, _ name: String, _ text: String, _ value: String?)
    throws
  {
    let explanation = try explanation(
      #"{"/":"/$(region)-$(lang)/menu"}"#, "https://www.example.com" + path, members: "")
    #expect(
      explanation.comparisons.first?.failedVariable
        == RuleExplanation.FailedVariable(name: name, text: text, value: value))
  }

  /// Names of query items keep their letter case, also where values don't.
  @Test func otherSpellingsOfItemsAreNamed() throws {
    let explanation = try explanation(
      #"{"?":{"ref":"?*"},"caseSensitive":false}"#, "https://www.example.com/?REF=a", members: "")
    #expect(explanation.comparisons.first?.otherSpelling == "REF")
  }
}
