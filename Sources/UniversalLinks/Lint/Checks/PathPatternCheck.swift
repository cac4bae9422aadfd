internal import Foundations

extension DiagnosticKind {
  static let oneLetterPath = DiagnosticKind(
    "one-letter-path", .error, except: "`warning` for '?' and an empty path",
    "Path of one character or none",
    meaning: "Systems add no slash before a pattern of one character, so it matches no path. '?' "
      + "and an empty pattern match only the root page.", remedy: "Write the slash: '/a'.",
    example: pattern("a", "/a"))

  static let severalPatterns = DiagnosticKind(
    "several-patterns", .error, "Several patterns in one string",
    meaning: "Systems read a string as one pattern, with its commas and blanks. So it matches none "
      + "of the paths that the parts are for.",
    remedy: "Write each pattern as a string or a rule of its own.",
    example: paths(#""/buy/*, /help/*""#, #""/buy/*", "/help/*""#))

  static let fragmentInPath = DiagnosticKind(
    "fragment-in-path", .error, "Fragment in a path",
    meaning: "The path ends before the '#', so the pattern matches no path.",
    remedy: "Write the fragment as the value of '#', without its own '#'.",
    example: components(##"{"/": "/buy#size"}"##, ##"{"/": "/buy", "#": "size"}"##))

  static let queryInPath = DiagnosticKind(
    "query-in-path", .error, "Query in a path",
    meaning: "The path ends before the query, and '?' matches any one character here. Rules in "
      + "'paths' can't test the query.",
    remedy: "In 'components', write the query as the value of '?': {\"/\": \"/buy\", \"?\": "
      + "{\"id\": \"?*\"}}.",
    example: components(#"{"/": "/buy?id=*"}"#, #"{"/": "/buy", "?": {"id": "?*"}}"#))

  static let hostInPath = DiagnosticKind(
    "host-in-path", .error, "Host in a path",
    meaning: "Systems compare the pattern with the path only, so it doesn't match the links that "
      + "were meant. The file is for the host that serves it. Each other host needs its own file.",
    remedy: "Write the path without scheme and host.",
    example: pattern("https://www.example.com/buy/*", "/buy/*"))

  static let withoutSlash = DiagnosticKind(
    "path-without-slash", .note, "Path without a slash at the start",
    meaning: "Systems add the slash, so it works. People may think that it matches anywhere in the "
      + "path.", remedy: "Write '/' at the start, or '*/' if the text can be anywhere in the path.",
    example: pattern("buy/*", "/buy/*"))

  static let questionMark = DiagnosticKind(
    "question-mark-in-path", .warning, "Question mark after a word",
    meaning: "In a path, '?' matches any one character. It does not begin a query. '/s?*' matches "
      + "every path that begins with '/s' and is longer, such as '/shop/42'.",
    remedy: "If you mean a query, remove it from the path: {\"/\": \"/s\"} matches with any "
      + "query.", example: pattern("/s?*", "/s"))

  static let exclusionPrefix = DiagnosticKind(
    "exclusion-prefix", .error, "Misspelt exclusion",
    meaning: "In 'paths', an exclusion begins with 'NOT' and exactly one space. Systems read "
      + "anything else as a pattern, and this one matches nothing. In 'components', an exclusion "
      + "has the member 'exclude'.",
    remedy: "In 'paths', write 'NOT ' and the path. In 'components', set 'exclude' to true.",
    example: paths(#""NOT/help/*", "*""#, #""NOT /help/*", "*""#))
}

extension LintContext {
  mutating func checkPath(_ pattern: PatternText) {
    if checkSeveral(pattern) { return }
    let (text, bytes) = (pattern.text, pattern.bytes)
    let isPrefixed = checkPrefix(pattern)
    let hasNotation = checkPattern(pattern, isPrefixed: isPrefixed)
    if text.isEmpty || text == "?" {
      report(
        .oneLetterPath, in: pattern, "'\(text)' matches only the root page.", severity: .warning,
        remedy: "Write '/' for the root page, or '*' for all pages.",
        fix: text.isEmpty ? rewriting(pattern, as: ["/"], .safe) : nil)
      return
    }
    let slash = LintFix.insert(
      "/", at: wholeSource(of: pattern).lowerBound, "Write '/\(text)'", .safe)
    if text.utf16.count == 1, text != "/", text != "*" {
      report(
        .oneLetterPath, in: pattern,
        "'\(text)' matches no path: systems add no slash before a pattern of one character.",
        fix: slash, spoils: true)
      return
    }
    let hasHost = checkHost(pattern)
    if checkParts(pattern) || hasNotation { return }
    checkQuestionMark(pattern)
    // Bytes, because a combining mark makes another Character of a slash.
    if !hasHost, !isPrefixed, let first = bytes.first, !"/*".utf8.contains(first),
      !pattern.isPercentEncoded || !bytes.superfluous.contains(0),
      bytes.htmlEntities.first?.range.lowerBound != 0
    {
      report(
        .withoutSlash, in: pattern, "Systems read '\(text)' as '/\(text)'.", fix: slash)
    }
  }

  private mutating func checkSeveral(_ pattern: PatternText) -> Bool {
    // A word before a pattern belongs to it.
    var (patterns, exclusion): ([String], String) = ([], "")
    let entities = pattern.bytes.htmlEntities
    // An entity ends with a semicolon.
    let marks = entities.isEmpty ? ",;|" : ",|"
    for part in pattern.text.split(whereSeparator: { marks.contains($0) || $0.isWhitespace }) {
      if ["NOT", "NOT:"].contains(part.uppercased()) {
        exclusion = "NOT "
        continue
      }
      guard part.hasPrefix("/") || part.hasPrefix("*/") else { return false }
      patterns.append(exclusion + part)
      exclusion = ""
    }
    guard exclusion.isEmpty, !patterns.contains(where: { $0.contains("$(") && !$0.contains(")") })
    else { return false }
    if patterns.count == 1, let mark = pattern.bytes.last, ",;|".utf8.contains(mark),
      entities.last?.range.upperBound != pattern.bytes.count
    {
      let end = (pattern.bytes.lastIndex { !",;| ".utf8.contains($0) } ?? 0) + 1
      let rest = end..<pattern.bytes.count
      report(
        .severalPatterns, in: pattern, at: rest,
        "'\(pattern.text(rest))' at the end belongs to the pattern, so it matches only paths that "
          + "end with it.", writing: "", "Write '\(pattern.text(0..<end))'")
    }
    guard patterns.count > 1 else { return false }
    // The pattern begins after 'NOT ' if the string does.
    if pattern.start > 0 { patterns[0] = "NOT " + patterns[0] }
    let written = patterns.map { encoded($0, like: pattern) }
    let isClear = pattern.entry != nil || !patterns.contains { $0.hasPrefix("NOT ") }
    let fix = copies(of: pattern.element, with: written, at: pattern.literal)
    report(
      .severalPatterns, in: pattern,
      "'\(pattern.text)' is one pattern for systems, so it matches neither the paths of "
        + "'\(patterns[0])' nor those of '\(patterns[1])'"
        + (patterns.count > 2 ? " and the others." : "."),
      fix: isClear ? fix : nil, spoils: true)
    _ = checkVariables(pattern)
    return true
  }

  private mutating func checkPrefix(_ pattern: PatternText) -> Bool {
    let (text, isInPaths) = (pattern.text, pattern.entry != nil)
    let rest = text.withoutSuperfluous.trimmed
    let excluded = notation.excludedPath(of: rest, isAfterNot: pattern.start > 0)
    guard excluded != nil || text.hasPrefix(" "), !rest.isEmpty else { return false }
    let rule = RuleDefinition(
      path: excluded ?? rest, excludes: excluded != nil || pattern.start > 0)
    // Decoded paths can begin with '/ ', and systems add the slash to the pattern.
    let matches = !pattern.isPercentEncoded && text.hasPrefix(" ")
    report(
      .exclusionPrefix, in: pattern,
      excluded == nil
        ? "'\(text)' begins with a space, so it matches "
          + (matches ? "only paths that begin with '/%20'." : "nothing.")
        : "Systems read '\(text)' as a pattern"
          + (isInPaths
            ? ". An exclusion begins with 'NOT' and one space." : ", so it excludes nothing."),
      severity: matches && excluded == nil ? .warning : nil,
      remedy: "Write \(isInPaths ? "'\(rule.pathElement)'" : "{\(rule.members)}").",
      fix: writing(rule, for: pattern), spoils: !matches)
    return true
  }

  private mutating func checkHost(_ pattern: PatternText) -> Bool {
    let (text, lower) = (pattern.text, pattern.text.lowercased())
    let own = options.host ?? ""
    // Most patterns begin with a slash and a name.
    let mayBeHost = lower.first != "/" || lower.dropFirst().first.map { "/h".contains($0) } == true
    let begin = mayBeHost ? lower.prefixMatch(of: notation.host)?.output : nil
    let isOwn = !own.isEmpty && lower.hasPrefix("/\(own)/")
    guard let match = begin ?? (isOwn ? lower.prefix(1) : nil) else { return false }
    let scheme = match.firstRange(of: "://").map { match[..<$0.lowerBound] }
    let isWeb = ["", "http", "https", "/http", "/https", "applinks", "*"].contains(scheme ?? "")
    let rest = text.firstRange(of: "://").map { text[$0.upperBound...] } ?? text[...]
    let host = rest.drop { $0 == "/" }.prefix { !"/?#".contains($0) }
    let tail = text[host.endIndex...]
    let path = tail == "?" ? "/" : (tail.hasPrefix("/") ? "" : "/") + tail
    let isOther = !own.isEmpty && isWeb && !host.isEmpty && !host.contains("*")
    let belongsElsewhere = isOther && host.lowercased() != own
    report(
      .hostInPath, in: pattern,
      "'\(text)' begins with a \(scheme == nil ? "host" : "URL"). Systems compare it with the path "
        + "only, so it doesn't match the links that were meant.",
      remedy: belongsElsewhere
        ? "Move the rule '\(path)' to the file that \(host) serves. This file is for \(own)." : nil,
      writing: isWeb && !belongsElsewhere ? path : nil)
    return true
  }

  /// Reports a query or a fragment in a path.
  private mutating func checkParts(_ pattern: PatternText) -> Bool {
    let entities = pattern.bytes.htmlEntities
    let hash = pattern.plain.lazy.compactMap { range in
      RuleDefinition.hash(in: pattern.bytes[range])
    }.first { index in
      pattern.isPercentEncoded && !entities.contains { $0.range.contains(index) }
    }
    let mark = RuleDefinition.mark(in: pattern.bytes)
    guard let start = mark ?? hash else { return false }
    let rule = RuleDefinition(written: pattern.text)
    report(
      mark == nil ? .fragmentInPath : .queryInPath, in: pattern, at: start..<pattern.bytes.count,
      "'\(pattern.text)' has a \(mark == nil ? "fragment" : "query"), but systems compare it with "
        + "the path only." + (hash == nil ? "" : " It matches no path."),
      remedy: pattern.element?.object?["?"] == nil
        ? rule.map { "In 'components', write {\($0.members)}." } : nil,
      fix: rule.flatMap { writing($0, for: pattern) }, spoils: hash != nil)
    return true
  }

  private mutating func checkQuestionMark(_ pattern: PatternText) {
    // `/v?` and `/v??` count characters.
    guard pattern.bytes.contains(UInt8(ascii: "?")),
      let end = pattern.text.wholeMatch(of: notation.questionMark)?.output.1
    else { return }
    let mark = pattern.range(of: end.drop { $0 != "?" }.startIndex..<end.endIndex)
    let begin = pattern.text(0..<mark.lowerBound)
    report(
      .questionMark, in: pattern, at: mark,
      mark.count > 1
        ? "'\(pattern.text)' matches every path that begins with '\(begin)' and is longer."
        : "'\(pattern.text)' matches '\(begin)' and one more character, but not '\(begin)' itself.",
      remedy: "If you mean a query, write '\(begin)', which matches with any query.", writing: "",
      "Write '\(begin)'")
  }

  mutating func checkElement(_ value: JSONValue, _ rule: RuleDefinition, of entry: JSONObject) {
    guard let source = value.string else {
      var fix: LintFix?
      // A string can say no more than a path and whether it excludes.
      if let object = value.object, let path = object["/"]?.string,
        object.members.allSatisfy({ ["/", "exclude", "comment"].contains($0.name) })
      {
        let excludes = object["exclude"]?.booleanReading ?? false
        let text = RuleDefinition(path: path, excludes: excludes).pathElement
        fix = .replace(value.range, with: LintFix.literal(text), "Write the path as a string")
      }
      reportType(
        value, "This rule", "a string", "the rule has no pattern and matches every URL", fix: fix)
      return
    }
    // That has been reported for the defaults.
    if rule.requiresEntitlement { markUnmatchable(value.range) }
    let path = rule.path ?? source
    checkPath(
      PatternText(
        path, literal: value.range, start: path == source ? 0 : 4, of: rule, value, in: entry))
  }
}
