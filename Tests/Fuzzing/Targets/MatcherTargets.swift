@testable import UniversalLinks

/// A file before the last line, which is a URL.
extension FuzzTarget {
  private static func seeds(_ sources: SeedSources) throws -> [[UInt8]] {
    try sources.vectors.enumerated().filter { $0.offset % 3 == 0 }.map { _, vector in
      vector.file + [UInt8(ascii: "\n")] + Array(vector.url.utf8)
    }
      + sources.associationFiles.map { $0 + Array("\nhttps://www.example.com/help/7?a=b".utf8) }
  }

  /// All rules together have the same result as each alone, as the explanations, and as the
  /// definition of matching.
  static let matcher = FuzzTarget("matcher", words: fileWords, seeds: seeds) { bytes in
    var input = FuzzInput(bytes)
    let text = input.lastLine()
    guard let file = try? AssociationFile(decoding: input.bytes) else { return }
    for system in [OperatingSystem.current, .legacy] {
      let matcher = LinkMatcher(file, system: system)
      var url = LinkURL(text)
      guard url.ineligibility == nil else { return }
      var evaluation = Evaluation()
      matcher.evaluate(&url, into: &evaluation)
      for (index, list) in matcher.ruleLists.enumerated() {
        var matching: [Int] = []
        guard list.definitions != nil else { continue }
        for number in list.rules {
          let rule = "\(list.id(ofRule: number)) on \(text.text), \(system)"
          let isMatch = evaluation.matches.contains(
            Evaluation.Match(rule: number, ruleList: index))
          if isMatch { matching.append(number) }
          let fresh = matcher.explanation(of: list.id(ofRule: number), for: LinkURL(text))
          try requireEqual(fresh?.matches != false, isMatch, rule)
          guard let explanation = matcher.explanation(ofRule: number, in: index, for: &url)
          else { throw FuzzFailure(description: "no explanation of \(rule)") }
          try requireEqual(explanation.matches, isMatch, "explanation of \(rule)")
          try compare(explanation, rule)
        }
        try requireEqual(evaluation.decidingRule(ofRuleList: index), matching.first, "decider")
      }
    }
  }

  private static func compare(
    _ explanation: RuleExplanation, _ rule: String
  ) throws(FuzzFailure) {
    let plain = PlainMatcher(variables: nil, folds: explanation.ignoresCase)
    for comparison in explanation.comparisons where !comparison.pattern.contains("$(") {
      let text = comparison.text ?? ""
      // The definition tries everything.
      guard comparison.pattern.unicodeScalars.count < 10, text.unicodeScalars.count < 30 else {
        continue
      }
      try requireEqual(
        plain.matches(comparison.pattern, text), comparison.matches, "\(rule), \(comparison)")
    }
  }

  private static let limits = {
    var limits = ExplorationLimits()
    (limits.states, limits.size, limits.work, limits.combinations) = (300, 1 << 20, 50_000, 300)
    return limits
  }()

  /// The URLs that each rule can decide, and its effect on one URL.
  static let reachability = FuzzTarget("reachability", words: fileWords, seeds: seeds) { bytes in
    var input = FuzzInput(bytes)
    let text = input.lastLine()
    guard let file = try? AssociationFile(decoding: input.bytes) else { return }
    let reachability = file.reachability(host: "www.example.com", system: .current, limits: limits)
    try require(reachability.gap != .unconfirmed, "what was found isn't confirmed")
    try requireEqual(
      reachability.misjudgedExamples(of: file, system: .current), [], "what examples are judged")
    var url = LinkURL(text, host: "www.example.com")
    guard url.ineligibility == nil else { return }
    var evaluation = Evaluation()
    LinkMatcher(file, system: .current).evaluate(&url, into: &evaluation)
    try requireEqual(
      reachability.contradiction(to: evaluation), nil, "what is said of \(text.text)")
  }

  /// Two files, with a line `-` between them, and a URL; if no change is reported, nothing changes.
  static let comparison = FuzzTarget(
    "comparison", words: fileWords,
    seeds: { sources in
      let files = try sources.vectors.map(\.file).filter { $0.count < 500 }
      return zip(files, files.dropFirst()).enumerated().filter { $0.offset % 4 == 0 }.map {
        $0.element.0 + Array("\n-\n".utf8) + $0.element.1
          + Array("\nhttps://www.example.com/a/b".utf8)
      }
    },
    run: { bytes in
      var input = FuzzInput(bytes)
      let text = input.lastLine()
      let parts = input.bytes.split(
        separator: Array("\n-\n".utf8), maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let old = try? AssociationFile(decoding: Array(parts[0])),
        let new = try? AssociationFile(decoding: Array(parts[1]))
      else { return }
      let changes = old.changes(to: new, host: "www.example.com", system: .current, limits: limits)
      try require(changes.gap != .unconfirmed, "what was found isn't confirmed")
      let matchers = [LinkMatcher(old, system: .current), LinkMatcher(new, system: .current)]
      func verdicts(_ text: [UInt8]) -> [Verdict] {
        matchers.map { matcher in
          var url = LinkURL(text, host: "www.example.com")
          var evaluation = Evaluation()
          matcher.evaluate(&url, into: &evaluation)
          return evaluation.siteVerdict
        }
      }
      for change in changes.site {
        try requireEqual(
          verdicts(Array(change.url.utf8)), [change.old.verdict, change.new.verdict], change.url)
      }
      let found = verdicts(text)
      if changes.isExhaustive, changes.site.isEmpty, found[0] != .ineligible {
        try requireEqual(found[0], found[1], "a change that isn't told, \(text.text)")
      }
    })
}
