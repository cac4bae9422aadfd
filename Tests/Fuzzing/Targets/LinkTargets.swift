import TestSupport

@testable import UniversalLinks

extension FuzzTarget {
  /// Association files, and their effect on matching.
  static let links = [
    associationFile, signedFile, entitlements, matcher, patterns, urls, comparison, reachability,
  ]

  static let fileWords = [
    "applinks", "details", "appID", "appIDs", "components", "paths", "defaults", "exclude",
    "caseSensitive", "percentEncoded", "comment", "substitutionVariables", "webcredentials",
    "\"/\":", "\"?\":", "\"#\":", "true", "false", "null", "NOT ", "$(", "$(digit)", "$(lower)",
    "$(upper)", "$(alpha)", "$(alnum)", "$(region)", "$(lang)", "\\u0041", "\\ud83d\\ude00", "%2F",
    "ABCDE12345.com.example.app", "https://www.example.com/",
  ]

  private static let associationFile = FuzzTarget(
    "association-file", words: fileWords,
    seeds: { try $0.associationFiles + $0.vectors.every(8).map(\.file) },
    run: { try lint($0.bytes) })

  private static let signedFile = FuzzTarget(
    "signed-file",
    seeds: { sources in [try sources.bytes("Tests/LinkAuditTests/Inputs/signed.p7")] },
    run: { input in
      if let content = EncodedText.signedContent(of: input.bytes) {
        try require(content.count < input.rest.count, "more is signed than there is")
      }
      try lint(input.bytes)
    })

  private static func lint(_ bytes: [UInt8]) throws(FuzzFailure) {
    let file = try? AssociationFile(decoding: bytes)
    let lint = AssociationFile.lint(
      bytes, options: LintOptions(host: bytes.count % 2 == 0 ? "www.example.com" : nil))
    for diagnostic in lint.diagnostics {
      for range in [diagnostic.range] + diagnostic.related.map(\.range) {
        try require(
          range.upperBound <= lint.text.count,
          "\(diagnostic.code) is about \(range) of \(lint.text.count) bytes")
      }
      try require(
        (diagnostic.start.line, diagnostic.start.column)
          <= (diagnostic.end.line, diagnostic.end.column),
        "\(diagnostic.code) ends in front of its start")
    }
    let isFatal = lint.diagnostics.contains(where: \.kind.isFatal)
    try require(isFatal == (file == nil), "a mistake is fatal: \(isFatal)")
    guard let file else { return }
    try require(lint.file != nil, "a file that can be decoded isn't for lint")
    for system in [OperatingSystem.current, .legacy] {
      let matcher = LinkMatcher(file.asRead(by: system))
      var url = LinkURL("https://www.example.com/buy/1?a=b#c")
      var evaluation = Evaluation()
      matcher.evaluate(&url, into: &evaluation)
      _ = matcher.decisions(of: evaluation)
    }
  }

  /// The entitlements' domains, one on each line, against a fixed file.
  private static let entitlements = FuzzTarget(
    "entitlements",
    words: ["applinks:", "webcredentials:", "?mode=developer", "*.", "www.example.com", "xn--"],
    texts: [
      "applinks:www.example.com\nwebcredentials:example.com\napplinks:*.example.com?mode=developer",
      "applinks:WWW.EXAMPLE.COM:443\napplinks:https://www.example.com/\nactivitycontinuation:x.y",
    ],
    run: { input in
      let domains = input.bytes.text.split(separator: "\n", omittingEmptySubsequences: false)
        .map(String.init)
      let file = try AssociationFile(
        #"{"applinks":{"details":[{"appID":"ABCDE12345.com.example.app","paths":["*"]}]}}"#)
      for domain in domains.prefix(64) {
        _ = AssociatedDomain(domain).covers("www.example.com")
      }
      let entitlements = Entitlements(
        domains: Array(domains.prefix(64)), app: "ABCDE12345.com.example.app")
      let site = Entitlements.Site(host: "www.example.com", file: file, name: "aasa.json")
      for diagnostic in entitlements.lint(against: [site], text: input.bytes) {
        try require(diagnostic.range.upperBound <= input.rest.count, "\(diagnostic)")
      }
    })

  /// Whether letter case counts, then a pattern, a text, and values of variables, one on each line.
  private static let patterns = FuzzTarget(
    "patterns", words: ["*", "?", "**", "$(v)", "$(w)", "$(digit)", "é", "\u{212A}", "ſ"],
    texts: [
      "0/a/*/b?\n/a/xx/bc", "1$(v)$(w)*A\naBbA\na\nv=ab", "0*$(digit)*$(v)\nx7é\n?",
      "1\u{212A}*\nkk",
    ],
    run: { input in
      let folds = input.byte() & 1 == 1
      let (pattern, text) = (input.firstLine().text, input.firstLine().text)
      let lines = input.bytes.text.split(separator: "\n").map(String.init)
      // The definition tries everything.
      guard pattern.unicodeScalars.count <= 10, text.unicodeScalars.count <= 12, lines.count <= 4,
        lines.allSatisfy({ $0.unicodeScalars.count <= 5 && !$0.contains("$(") })
      else { return }
      let variables = [
        "v": lines.filter { !$0.hasPrefix("w=") },
        "w": lines.filter { $0.hasPrefix("w=") }.map { String($0.dropFirst(2)) }, "digit": ["7"],
      ]
      let own = Variables(variables.map { SubstitutionVariable(name: $0.key, values: $0.value) })
      let compiled = Pattern(
        PatternToken.tokens(of: Array(pattern.utf8), variables: own, folds: folds),
        ignoresCase: folds)
      let plainText = Array(text.utf8)
      let plain = PlainMatcher(variables: variables, folds: folds)
      let isMatch = plain.matches(pattern, text)
      let remark = "'\(pattern)' on '\(text)', \(variables), folds \(folds)"
      try requireEqual(compiled.matches(plainText.span), isMatch, remark)
      // The same by an automaton, with and without states, next to a pattern with the same
      // beginning.
      let matcher = LinkMatcher(queries: [pattern, pattern + "a*b"], own, folds: folds)
      guard let condition = matcher.rules[0].comparisons[0].condition else { return }
      for limit in [1 << 20, 1] {
        var cache = AutomatonCache(limit: limit)
        for _ in 0..<2 {
          cache.begin(matcher)
          cache.find(in: plainText.span, program: 0)
          try requireEqual(cache.hasFound(condition.pattern, program: 0), isMatch, remark)
        }
      }
    })

  private static func texts(of url: inout LinkURL) -> [[UInt8]] {
    TextForm.allCases.flatMap { [url.path.text($0), url.query.text($0), url.fragment.text($0)] }
  }

  /// A target as logged, and the same in a URL.
  private static let urls = FuzzTarget(
    "urls", words: ["https://", "%2F", "%C3%A9", "%", "//", "/../", "?", "#", "&", "=", "+", "@"],
    seeds: { sources in
      try (sources.vectors.every(4).map(\.url) + ["/a//b/?c=d&e&=f", "/%zz/%c3%a9%ff/é"])
        .map { Array($0.utf8) }
    },
    run: { input in
      let bytes = input.bytes
      var whole = LinkURL(bytes, host: "www.example.com")
      _ = texts(of: &whole)
      guard bytes.first == UInt8(ascii: "/"), !bytes.contains(UInt8(ascii: "#")),
        bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
      else { return }
      var target = LinkURL()
      target.setTarget(bytes.span)
      var url = LinkURL(Array("https://www.example.com".utf8) + bytes)
      let (one, other) = (texts(of: &target), texts(of: &url))
      try requireEqual(one, other, "texts of \(bytes.text)")
    })

  /// A file before the last line, which is a URL.
  private static func seeds(_ sources: SeedSources) throws -> [[UInt8]] {
    try sources.vectors.every(3).map { $0.file + Array("\n\($0.url)".utf8) }
      + sources.associationFiles.map { $0 + Array("\nhttps://www.example.com/help/7?a=b".utf8) }
  }

  /// All rules together have the same result as each alone, as the explanations, and as the
  /// definition of matching.
  static let matcher = FuzzTarget("matcher", words: fileWords, seeds: seeds) { input in
    let text = input.lastLine()
    guard let file = try? AssociationFile(decoding: input.bytes) else { return }
    for system in [OperatingSystem.current, .legacy] {
      let matcher = LinkMatcher(file.asRead(by: system))
      var url = LinkURL(text)
      guard url.ineligibility == nil else { return }
      var evaluation = Evaluation()
      matcher.evaluate(&url, into: &evaluation)
      for (index, list) in matcher.ruleLists.enumerated() {
        var matching: [Int] = []
        guard list.entry.rules != nil else { continue }
        for number in list.rules {
          let rule = "\(list.id(ofRule: number)) on \(text.text), \(system)"
          let isMatch = evaluation.matches.contains { $0 == (number, index) }
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

  private static func compare(_ explanation: RuleExplanation, _ rule: String) throws(FuzzFailure) {
    let plain = PlainMatcher(variables: nil, folds: !explanation.definition.isCaseSensitive)
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
  static let reachability = FuzzTarget("reachability", words: fileWords, seeds: seeds) { input in
    let text = input.lastLine()
    guard let file = try? AssociationFile(decoding: input.bytes) else { return }
    let reachability = file.reachability(host: "www.example.com", limits: limits)
    try require(reachability.gap != .unconfirmed, "what was found isn't confirmed")
    try requireEqual(
      reachability.misjudgedExamples(of: file), [], "what examples are judged")
    var url = LinkURL(text, host: "www.example.com")
    guard url.ineligibility == nil else { return }
    var evaluation = Evaluation()
    LinkMatcher(file).evaluate(&url, into: &evaluation)
    try requireEqual(
      reachability.contradiction(to: evaluation), nil, "what is said of \(text.text)")
  }

  /// Two files, with a line `-` between them, and a URL; if no change is reported, nothing changes.
  static let comparison = FuzzTarget(
    "comparison", words: fileWords,
    seeds: { sources in
      let files = try sources.vectors.map(\.file).filter { $0.count < 500 }
      return Array(zip(files, files.dropFirst())).every(4).map { old, new in
        old + Array("\n-\n".utf8) + new + Array("\nhttps://www.example.com/a/b".utf8)
      }
    },
    run: { input in
      let text = input.lastLine()
      let parts = input.bytes.split(
        separator: Array("\n-\n".utf8), maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let old = try? AssociationFile(decoding: Array(parts[0])),
        let new = try? AssociationFile(decoding: Array(parts[1]))
      else { return }
      let changes = old.changes(to: new, host: "www.example.com", limits: limits)
      try require(changes.gap != .unconfirmed, "what was found isn't confirmed")
      let matchers = [LinkMatcher(old), LinkMatcher(new)]
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
