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
    seeds: { sources in
      try sources.associationFiles
        + sources.paths(below: "Tests/LinkAuditTests/Inputs", suffix: ".json")
        .map(sources.bytes)
        + sources.vectors.enumerated().filter { $0.offset % 8 == 0 }
        .map(\.element.file)
    },
    run: lint)

  private static let signedFile = FuzzTarget(
    "signed-file",
    seeds: { sources in [try sources.bytes("Tests/LinkAuditTests/Inputs/signed.p7")] },
    run: { bytes in
      if let content = SignedMessage.content(of: bytes) {
        try require(content.count < bytes.count, "more is signed than there is")
      }
      try lint(bytes)
    })

  /// Checks a file as `linkaudit lint` does.
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
    guard let file else { return }
    try require(lint.file != nil, "a file that can be decoded isn't for lint")
    for system in [OperatingSystem.current, .legacy] {
      let matcher = LinkMatcher(file, system: system)
      var url = LinkURL("https://www.example.com/buy/1?a=b#c")
      _ = matcher.decisions(for: &url)
    }
  }

  /// The entitlements' domains, one on each line, against a fixed file.
  private static let entitlements = FuzzTarget(
    "entitlements",
    words: ["applinks:", "webcredentials:", "?mode=developer", "*.", "www.example.com", "xn--"],
    seeds: { _ in
      [
        "applinks:www.example.com\nwebcredentials:example.com\napplinks:*.example.com?mode=developer",
        "applinks:WWW.EXAMPLE.COM:443\napplinks:https://www.example.com/\nactivitycontinuation:x.y",
      ].map { Array($0.utf8) }
    },
    run: { bytes in
      let domains = bytes.text.split(separator: "\n", omittingEmptySubsequences: false)
        .map(String.init)
      let file = try AssociationFile(
        decoding: Array(
          #"{"applinks":{"details":[{"appID":"ABCDE12345.com.example.app","paths":["*"]}]}}"#.utf8))
      for domain in domains.prefix(64) {
        if let read = try? AssociatedDomain(domain) { _ = read.covers("www.example.com") }
      }
      let entitlements = Entitlements(
        domains: Array(domains.prefix(64)), app: "ABCDE12345.com.example.app")
      let site = Entitlements.Site(host: "www.example.com", file: file, name: "aasa.json")
      for diagnostic in entitlements.lint(against: [site], text: bytes) {
        try require(diagnostic.range.upperBound <= bytes.count, "\(diagnostic)")
      }
    })

  /// Whether letter case counts, then a pattern, a text, and values of variables, one on each line.
  private static let patterns = FuzzTarget(
    "patterns", words: ["*", "?", "**", "$(v)", "$(w)", "$(digit)", "é", "\u{212A}", "ſ"],
    seeds: { _ in
      [
        "0/a/*/b?\n/a/xx/bc", "1$(v)$(w)*A\naBbA\na\nv=ab", "0*$(digit)*$(v)\nx7é\n?",
        "1\u{212A}*\nkk",
      ].map { Array($0.utf8) }
    },
    run: { bytes in
      var input = FuzzInput(bytes)
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
      var builder = PatternTableBuilder(own)
      let entry = builder.add(Array(pattern.utf8), for: .query, .decoded, ignoresCase: folds)
      _ = builder.add(
        Array((pattern + "a*b").utf8), for: .query, .decoded, ignoresCase: folds)
      guard let condition = entry.condition else { return }
      let table = PatternTable(builder)
      for limit in [1 << 20, 1] {
        var cache = AutomatonCache(limit: limit)
        for _ in 0..<2 {
          cache.begin(table)
          cache.read(plainText.span, program: 0)
          try requireEqual(cache.hasFound(condition.pattern, program: 0), isMatch, remark)
        }
      }
    })

  private static func prepare(_ url: inout LinkURL) {
    for form in TextForm.allCases { url.prepare(all: form) }
  }

  /// A target as logged, and the same in a URL.
  private static let urls = FuzzTarget(
    "urls", words: ["https://", "%2F", "%C3%A9", "%", "//", "/../", "?", "#", "&", "=", "+", "@"],
    seeds: { sources in
      try sources.vectors.enumerated().filter { $0.offset % 4 == 0 }.map {
        Array($0.element.url.utf8)
      }
        + ["/a//b/?c=d&e&=f", "/%zz/%c3%a9%ff/é"].map { Array($0.utf8) }
    },
    run: { bytes in
      var whole = LinkURL(bytes, host: "www.example.com")
      prepare(&whole)
      guard bytes.first == UInt8(ascii: "/"), !bytes.contains(UInt8(ascii: "#")),
        bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
      else { return }
      var target = LinkURL()
      target.setTarget(bytes.span)
      var url = LinkURL(Array("https://www.example.com".utf8) + bytes)
      prepare(&target)
      prepare(&url)
      for form in TextForm.allCases {
        try requireEqual(target.path[form], url.path[form], "paths of \(bytes.text)")
        try requireEqual(target.query[form], url.query[form], "queries of \(bytes.text)")
      }
    })
}
