internal import Foundations

/// Patterns of paths.
enum PathPatternCheck {
  static let rules = [
    oneLetterPath, emptyPath, fragmentInPath, queryInPath, hostInPath, withoutSlash, questionMark,
    catchAll,
  ]

  static let oneLetterPath = DiagnosticKind(
    "one-letter-path", .error, "Path of one character",
    meaning: "Systems add no slash before a pattern of one character, so it matches no path. '?' "
      + "matches only the root page.",
    remedy: "Write the slash: '/a'.", example: .components(#"{"/": "a"}"#),
    fixed: .components(#"{"/": "/a"}"#))

  static let emptyPath = DiagnosticKind(
    "empty-path", .warning, "Empty path",
    meaning: "It matches only the root page.",
    remedy: "Write '/' for the root page, or '*' for all pages.",
    example: .components(#"{"/": ""}"#), fixed: .components(#"{"/": "/"}"#))

  static let fragmentInPath = DiagnosticKind(
    "fragment-in-path", .error, "Fragment in a path",
    meaning: "The path ends before the '#', so the pattern matches no path.",
    remedy: "Write the fragment as the value of '#', without its own '#'.",
    example: .components(##"{"/": "/buy#size"}"##),
    fixed: .components(##"{"/": "/buy", "#": "size"}"##))

  static let queryInPath = DiagnosticKind(
    "query-in-path", .error, "Query in a path",
    meaning: "The path ends before the query, and '?' matches any one character here. Rules in "
      + "'paths' can't test the query.",
    remedy: "In 'components', write the query as the value of '?': {\"/\": \"/buy\", \"?\": "
      + "{\"id\": \"?*\"}}.",
    example: .components(#"{"/": "/buy?id=*"}"#),
    fixed: .components(#"{"/": "/buy", "?": {"id": "?*"}}"#))

  static let hostInPath = DiagnosticKind(
    "host-in-path", .error, "Host in a path",
    meaning: "Systems compare the pattern with the path only, so it matches no real path. The file "
      + "is for the host that serves it. Each other host needs its own file.",
    remedy: "Write the path without scheme and host.",
    example: .components(#"{"/": "https://www.example.com/buy/*"}"#),
    fixed: .components(#"{"/": "/buy/*"}"#))

  static let withoutSlash = DiagnosticKind(
    "path-without-slash", .note, "Path without a slash at the start",
    meaning: "Systems add the slash, so it works. People may think that it matches anywhere in the "
      + "path.",
    remedy: "Write '/' at the start, or '*/' if the text can be anywhere in the path.",
    example: .components(#"{"/": "buy/*"}"#), fixed: .components(#"{"/": "/buy/*"}"#))

  static let questionMark = DiagnosticKind(
    "question-mark-in-path", .warning, "Question mark after a word",
    meaning: "In a path, '?' matches any one character. It does not begin a query. '/s?*' matches "
      + "every path that begins with '/s' and is longer, such as '/shop/42'.",
    remedy: "If you mean a query, remove it from the path: {\"/\": \"/s\"} matches with any "
      + "query.",
    example: .components(#"{"/": "/s?*"}"#), fixed: .components(#"{"/": "/s"}"#))

  static let catchAll = DiagnosticKind(
    "catch-all", .warning, "Unusual pattern that matches every path",
    meaning: "Systems read repeated '*' or '/' as one, so the pattern is the same as '*'.",
    remedy: "Write '*' to match every path, or correct the pattern.",
    example: .components(#"{"/": "//*"}"#),
    fixed: .components(#"{"/": "*"}"#))

  /// Checks the pattern of a path.
  static func check(
    _ pattern: PatternText, isInComponents: Bool, in context: inout LintContext
  ) {
    let text = pattern.text
    if text.isEmpty {
      context.report(emptyPath, at: pattern.literal, "An empty path matches only the root page.")
      return
    }
    let isPrefixed = checkPrefix(pattern, isInComponents: isInComponents, in: &context)
    let hasOtherSyntax = RouterSyntaxCheck.check(pattern, in: &context)
    PatternCheck.check(pattern, hasOtherSyntax: hasOtherSyntax || isPrefixed, in: &context)
    if text.utf16.count == 1, text != "/", text != "*" {
      context.report(
        oneLetterPath, at: pattern.literal,
        text == "?"
          ? "'?' matches only the root page."
          : "'\(text)' matches no path: systems add no slash before a pattern of one character.",
        severity: text == "?" ? .warning : nil)
      if text != "?" { context.markUnmatchable(pattern.literal) }
      return
    }
    let hasHost = checkHost(pattern, in: &context)
    let hasQuery = checkQuery(pattern, in: &context)
    checkFragment(pattern, in: &context)
    if !hasHost, !isPrefixed, !hasOtherSyntax {
      if let first = text.utf8.first, first != UInt8(ascii: "/"), first != UInt8(ascii: "*") {
        context.report(
          withoutSlash, at: pattern.literal, "Systems read '\(text)' as '/\(text)'.",
          remedy: "Write '/\(text)'.")
      }
    }
    if !hasQuery, !hasOtherSyntax { checkQuestionMark(pattern, in: &context) }
    let normalized = String(decoding: CompiledRule.normalized(path: text), as: UTF8.self)
    if ["*", "/*", "*/"].contains(normalized), !["*", "/*"].contains(text) {
      context.report(catchAll, at: pattern.literal, "'\(text)' matches every path.")
    }
  }

  /// Reports exclusions that don't exclude.
  private static func checkPrefix(
    _ pattern: PatternText, isInComponents: Bool, in context: inout LintContext
  ) -> Bool {
    let text = pattern.text
    let next = text.dropFirst(3).first
    let isNot =
      text.prefix(3).uppercased() == "NOT"
      && next.map { $0.isWhitespace || "/*".contains($0) } ?? false
      || text.prefix(8).uppercased() == "EXCLUDE "
    // The pattern begins after 'NOT ', unless there are two spaces.
    let isMarked =
      isNot || text.hasPrefix("!/") || text.hasPrefix("-/") || text.hasPrefix(" ")
    guard isMarked else { return false }
    context.report(
      PathsCheck.exclusionPrefix, at: pattern.literal,
      text.hasPrefix(" ")
        ? "'\(text)' begins with a space, as no path does, so it matches nothing."
        : isInComponents
          ? "Systems read '\(text)' as a pattern, so it excludes nothing."
          : "Systems read '\(text)' as a pattern. An exclusion begins with 'NOT' and one space.",
      remedy: isInComponents
        ? "Write only the path, and add \"exclude\": true." : "Write 'NOT ' and the path.")
    context.markUnmatchable(pattern.literal)
    return true
  }

  private static func checkHost(_ pattern: PatternText, in context: inout LintContext) -> Bool {
    let text = pattern.text
    let lower = text.lowercased()
    let hasHost =
      ["*://", "www.", "*.www.", "/http://", "/https://"].contains { lower.hasPrefix($0) }
      || hasScheme(lower) || beginsWithHost(lower)
      || context.options.host.map { lower.hasPrefix($0 + "/") || lower.hasPrefix("/" + $0 + "/") }
        ?? false
    guard hasHost else { return false }
    let isURL = hasScheme(lower)
    let isWeb = !isURL || ["http://", "https://"].contains { lower.hasPrefix($0) }
    let (host, path) = hostAndPath(of: text)
    var remedy = isWeb ? "Write '\(path)'." : nil
    if let own = context.options.host, isWeb, !host.isEmpty, !host.contains("*"),
      host.lowercased() != own
    {
      remedy = "Move the rule '\(path)' to the file that \(host) serves. This file is for \(own)."
    }
    context.report(
      hostInPath, at: pattern.literal,
      "'\(text)' begins with a \(isURL ? "URL" : "host"). Systems compare it with the path only, "
        + "so it matches no real path.", remedy: remedy)
    return true
  }

  /// Returns a Boolean value indicating whether a text begins with a host and a slash, as
  /// `example.com/`, `//example.com/` or `*.example.com/`.
  private static func beginsWithHost(_ text: String) -> Bool {
    var rest = text[...]
    for mark in ["//", "*."] where rest.hasPrefix(mark) { rest = rest.dropFirst(mark.count) }
    let segment = rest.prefix { $0 != "/" }
    return segment.count < rest.count && segment.contains(".") && segment.first != "."
      && segment.utf8.allSatisfy { $0.isLetterOrDigit || $0 == 0x2D || $0 == 0x2E }
  }

  /// Splits a pattern that begins with a host, or with a URL, after the host.
  private static func hostAndPath(of text: String) -> (host: Substring, path: String) {
    var rest = text[...]
    if let scheme = rest.firstRange(of: "://") { rest = rest[scheme.upperBound...] }
    rest = rest.drop { $0 == "/" }
    let host = rest.prefix { $0 != "/" }
    let path = rest[host.endIndex...]
    return (host, path.isEmpty ? "/" : String(path))
  }

  /// Returns a Boolean value indicating whether a text begins with a scheme, `https://`.
  private static func hasScheme(_ text: String) -> Bool {
    let scheme = text.utf8.prefix { $0.isLetterOrDigit || "+-.".utf8.contains($0) }
    return !scheme.isEmpty && text.utf8.dropFirst(scheme.count).starts(with: "://".utf8)
  }

  private static func checkQuery(_ pattern: PatternText, in context: inout LintContext) -> Bool {
    let bytes = pattern.bytes
    for index in bytes.indices
    where bytes[index] == UInt8(ascii: "?") || bytes[index] == UInt8(ascii: "&") {
      let name = bytes[(index + 1)...].prefix { $0.isLetterOrDigit || "_-.[]".utf8.contains($0) }
      guard let first = name.first, first.isLetterOrDigit || first == UInt8(ascii: "_"),
        bytes[name.endIndex...].first == UInt8(ascii: "=")
      else { continue }
      context.report(
        queryInPath, at: pattern.place(index..<bytes.count, in: context),
        "'\(pattern.text)' has a query, but systems compare it with the path only.",
        remedy: componentsRemedy(bytes, queryMark: index))
      return true
    }
    return false
  }

  /// Returns a remedy with the path and the query of a pattern, or `nil` if they need escapes or
  /// aren't clear.
  private static func componentsRemedy(_ bytes: [UInt8], queryMark mark: Int) -> String? {
    guard bytes[mark] == UInt8(ascii: "?"), !bytes.contains(where: { "\"\\".utf8.contains($0) })
    else { return nil }
    let path = String(decoding: bytes[..<mark], as: UTF8.self)
    let query = String(decoding: bytes[(mark + 1)...], as: UTF8.self)
    return "In 'components', write {\"/\": \"\(path)\", \"?\": \"\(query)\"}."
  }

  private static func checkFragment(_ pattern: PatternText, in context: inout LintContext) {
    guard let index = pattern.firstPlain(where: { $0 == UInt8(ascii: "#") }),
      pattern.isPercentEncoded
    else { return }
    context.report(
      fragmentInPath, at: pattern.place(index..<pattern.bytes.count, in: context),
      "'\(pattern.text)' has a fragment, but systems compare it with the path only. It matches no path."
    )
    context.markUnmatchable(pattern.literal)
  }

  /// Reports a question mark that looks like the beginning of a query.
  private static func checkQuestionMark(_ pattern: PatternText, in context: inout LintContext) {
    let bytes = pattern.bytes
    guard let index = bytes.firstIndex(of: UInt8(ascii: "?")), index > 0,
      bytes[index - 1].isLetterOrDigit,
      bytes[(index + 1)...].elementsEqual("*".utf8) || index + 1 == bytes.count,
      // `/v?` and `/v??` count characters.
      index + 1 < bytes.count || bytes[..<index].suffix(2).allSatisfy(\.isLetterOrDigit)
    else { return }
    let begin = String(decoding: bytes[..<index], as: UTF8.self)
    context.report(
      questionMark, at: pattern.place(index..<bytes.count, in: context),
      index + 1 < bytes.count
        ? "'\(pattern.text)' matches every path that begins with '\(begin)' and is longer."
        : "'\(pattern.text)' matches '\(begin)' and one more character, but not '\(begin)' itself.",
      remedy: "If you mean a query, write '\(begin)', which matches with any query.")
  }
}

/// Elements of `paths`.
enum PathsCheck {
  static let rules = [exclusionPrefix]

  static let exclusionPrefix = DiagnosticKind(
    "exclusion-prefix", .error, "Misspelt exclusion",
    meaning: "In 'paths', an exclusion begins with 'NOT' and exactly one space. Systems read "
      + "anything else as a pattern, and this one matches nothing. In 'components', an exclusion "
      + "has the member 'exclude'.",
    remedy: "In 'paths', write 'NOT ' and the path. In 'components', set 'exclude' to true.",
    example: .paths(#""NOT/help/*", "*""#), fixed: .paths(#""NOT /help/*", "*""#))

  /// Checks an element.
  static func check(
    _ value: JSONValue, _ rule: RuleDefinition, in context: inout LintContext
  ) {
    guard let source = value.string else {
      MemberCheck.reportType(
        value, "This rule", "a string", "the rule has no pattern and matches every URL",
        in: &context)
      return
    }
    // That has been reported for the defaults.
    if rule.requiresEntitlement { context.markUnmatchable(value.range) }
    let hasPrefix = rule.path != source && rule.path != nil
    let bytes = Array((rule.path ?? source).utf8)
    PathPatternCheck.check(
      PatternText(
        bytes, literal: value.range, start: hasPrefix ? 4 : 0,
        isPercentEncoded: rule.isPercentEncoded, isCaseSensitive: rule.isCaseSensitive),
      isInComponents: false, in: &context)
  }
}
