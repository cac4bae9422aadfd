internal import Foundations

extension DiagnosticKind {
  static let oneLetterPath = DiagnosticKind(
    "one-letter-path", .error, "Path of one character",
    meaning: "Systems add no slash before a pattern of one character, so it matches no path. '?' "
      + "matches only the root page.", remedy: "Write the slash: '/a'.",
    example: .components(#"{"/": "a"}"#), fixed: #"{"/": "/a"}"#)

  static let emptyPath = DiagnosticKind(
    "empty-path", .warning, "Empty path", meaning: "It matches only the root page.",
    remedy: "Write '/' for the root page, or '*' for all pages.",
    example: .components(#"{"/": ""}"#), fixed: #"{"/": "/"}"#)

  static let severalPatterns = DiagnosticKind(
    "several-patterns", .error, "Several patterns in one string",
    meaning:
      "Systems read a string as one pattern, with its commas and blanks. So it matches none of "
      + "the paths that the parts are for.",
    remedy: "Write each pattern as a string or a rule of its own.",
    example: .paths(#""/buy/*, /help/*""#), fixed: #""/buy/*", "/help/*""#)

  static let fragmentInPath = DiagnosticKind(
    "fragment-in-path", .error, "Fragment in a path",
    meaning: "The path ends before the '#', so the pattern matches no path.",
    remedy: "Write the fragment as the value of '#', without its own '#'.",
    example: .components(##"{"/": "/buy#size"}"##), fixed: ##"{"/": "/buy", "#": "size"}"##)

  static let queryInPath = DiagnosticKind(
    "query-in-path", .error, "Query in a path",
    meaning: "The path ends before the query, and '?' matches any one character here. Rules in "
      + "'paths' can't test the query.",
    remedy: "In 'components', write the query as the value of '?': {\"/\": \"/buy\", \"?\": "
      + "{\"id\": \"?*\"}}.", example: .components(#"{"/": "/buy?id=*"}"#),
    fixed: #"{"/": "/buy", "?": {"id": "?*"}}"#)

  static let hostInPath = DiagnosticKind(
    "host-in-path", .error, "Host in a path",
    meaning: "Systems compare the pattern with the path only, so it doesn't match the links that "
      + "were meant. The file is for the host that serves it. Each other host needs its own file.",
    remedy: "Write the path without scheme and host.",
    example: .components(#"{"/": "https://www.example.com/buy/*"}"#), fixed: #"{"/": "/buy/*"}"#)

  static let withoutSlash = DiagnosticKind(
    "path-without-slash", .note, "Path without a slash at the start",
    meaning: "Systems add the slash, so it works. People may think that it matches anywhere in the "
      + "path.", remedy: "Write '/' at the start, or '*/' if the text can be anywhere in the path.",
    example: .components(#"{"/": "buy/*"}"#), fixed: #"{"/": "/buy/*"}"#)

  static let questionMark = DiagnosticKind(
    "question-mark-in-path", .warning, "Question mark after a word",
    meaning: "In a path, '?' matches any one character. It does not begin a query. '/s?*' matches "
      + "every path that begins with '/s' and is longer, such as '/shop/42'.",
    remedy: "If you mean a query, remove it from the path: {\"/\": \"/s\"} matches with any "
      + "query.", example: .components(#"{"/": "/s?*"}"#), fixed: #"{"/": "/s"}"#)

  static let catchAll = DiagnosticKind(
    "catch-all", .warning, "Unusual pattern that matches every path",
    meaning: "Systems read repeated '*' or '/' as one, so the pattern is the same as '*'.",
    remedy: "Write '*' to match every path, or correct the pattern.",
    example: .components(#"{"/": "//*"}"#), fixed: #"{"/": "*"}"#)

  static let exclusionPrefix = DiagnosticKind(
    "exclusion-prefix", .error, "Misspelt exclusion",
    meaning: "In 'paths', an exclusion begins with 'NOT' and exactly one space. Systems read "
      + "anything else as a pattern, and this one matches nothing. In 'components', an exclusion "
      + "has the member 'exclude'.",
    remedy: "In 'paths', write 'NOT ' and the path. In 'components', set 'exclude' to true.",
    example: .paths(#""NOT/help/*", "*""#), fixed: #""NOT /help/*", "*""#)
}

extension LintContext {
  mutating func checkPath(_ pattern: PatternText) {
    let text = pattern.text
    if checkSeveral(pattern) { return }
    let start = wholeSource(of: pattern).lowerBound
    if text.isEmpty {
      report(
        .emptyPath, at: pattern.literal, "An empty path matches only the root page.",
        fix: rewriting(pattern, as: "/", .safe))
      return
    }
    let isPrefixed = checkPrefix(pattern)
    let hasOtherSyntax = checkRouterSyntax(pattern)
    checkPattern(pattern, hasOtherSyntax: hasOtherSyntax || isPrefixed)
    if text == "?" {
      report(
        .oneLetterPath, at: pattern.literal, "'?' matches only the root page.", severity: .warning,
        remedy: "Write '/' for the root page, or '*' for all pages.")
      return
    }
    if text.utf16.count == 1, text != "/", text != "*" {
      report(
        .oneLetterPath, at: pattern.literal,
        "'\(text)' matches no path: systems add no slash before a pattern of one character.",
        cure: .insert("/", at: start, "Write '/\(text)'"), spoiling: pattern.literal)
      return
    }
    let hasHost = checkHost(pattern)
    let hasQuery = checkQuery(pattern)
    if !hasQuery { checkFragment(pattern) }
    // Bytes, because a combining mark makes another Character of a slash.
    if !hasHost, !hasQuery, !isPrefixed, !hasOtherSyntax, let first = pattern.bytes.first,
      first != UInt8(ascii: "/"), first != UInt8(ascii: "*"),
      !pattern.isPercentEncoded || !pattern.bytes.superfluous.contains(0),
      pattern.bytes.htmlEntities.first?.range.lowerBound != 0
    {
      report(
        .withoutSlash, at: pattern.literal, "Systems read '\(text)' as '/\(text)'.",
        cure: .insert("/", at: start, "Write '/\(text)'", .safe))
    }
    if !hasQuery, !hasOtherSyntax { checkQuestionMark(pattern) }
    let normalized = String(decoding: CompiledRule.normalized(path: text), as: UTF8.self)
    // '*/' doesn't match paths that end in '*'.
    if ["*", "/*"].contains(normalized), !["*", "/*"].contains(text) {
      report(
        .catchAll, at: pattern.literal, "'\(text)' matches every path.",
        fix: rewriting(pattern, as: "*", .safe))
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
      let range = source(end..<pattern.bytes.count, of: pattern)
      report(
        .severalPatterns, at: range,
        "'\(pattern.text(end..<pattern.bytes.count))' at the end belongs to the pattern, so it "
          + "matches only paths that end with it.",
        cure: .replace(range, with: "", "Write '\(pattern.text(0..<end))'"))
    }
    guard patterns.count > 1 else { return false }
    // The pattern begins after 'NOT ' if the string does.
    if pattern.start > 0 { patterns[0] = "NOT " + patterns[0] }
    let written = patterns.map { encoded($0, like: pattern) }
    let isInPaths = pattern.entry != nil
    let title = "Write \(patterns.count) \(isInPaths ? "strings" : "rules")"
    let cure = pattern.element.map { copies(of: $0, with: written, at: pattern.literal, title) }
    let excludes = patterns.contains { $0.hasPrefix("NOT ") }
    report(
      .severalPatterns, at: pattern.literal,
      "'\(pattern.text)' is one pattern for systems, so it matches neither the paths of "
        + "'\(patterns[0])' nor those of '\(patterns[1])'\(patterns.count > 2 ? " and the others" : "").",
      remedy: "Write \(written.map { LintFix.literal($0) }.joined(separator: ", "))"
        + (isInPaths ? "." : ", each in a rule of its own."),
      fix: isInPaths || !excludes ? cure : nil, spoiling: pattern.literal)
    _ = checkVariables(pattern)
    return true
  }

  /// The path after 'NOT' or another such word, with or without a colon, or `nil` if a text begins
  /// with none.
  static func excludedPath(of text: String) -> String? {
    // Most patterns begin with a slash.
    guard let first = text.utf8.first, "NnEe".utf8.contains(first) else { return nil }
    let word = /(?:NOT(?=:?[\s\/*])|EXCLUDE(?=:?\s)):?/.ignoresCase()
    return text.prefixMatch(of: word).map { String(text[$0.range.upperBound...]).trimmed }
  }

  private mutating func checkPrefix(_ pattern: PatternText) -> Bool {
    let (text, literal, isInPaths) = (pattern.text, pattern.literal, pattern.entry != nil)
    let rest = text.withoutSuperfluous.trimmed
    let excluded = Self.excludedPath(of: rest)
    // The pattern begins after 'NOT ', unless there are two spaces.
    let marks = ["!/", "! /", "-/"] + (pattern.start > 0 ? [":/", ": ", ":*"] : [])
    let hasMark = excluded == nil && marks.contains(where: rest.hasPrefix)
    let isMarked = excluded != nil || hasMark
    guard isMarked || text.hasPrefix(" ") else { return false }
    let path = excluded ?? String(rest.dropFirst(hasMark ? 1 : 0)).trimmed
    // Decoded paths can begin with '/ ', and systems add the slash to the pattern.
    let matches = !pattern.isPercentEncoded && text.hasPrefix(" ")
    let isExclusion = isMarked || pattern.start > 0
    let isMember = isExclusion && !isInPaths
    let written = (isExclusion && isInPaths ? "NOT " : "") + path
    let isClear =
      isInPaths || pattern.element?.object.map { $0["exclude"] == nil || !isMember } ?? false
    let fix = LintFix.replace(
      literal, with: LintFix.literal(written) + (isMember ? ", \"exclude\": true" : ""),
      isMember ? "Exclude '\(path)'" : "Write '\(written)'")
    let problem =
      text.hasPrefix(" ") && !isMarked
      ? "'\(text)' begins with a space, so it matches "
        + (matches ? "only paths that begin with '/%20'." : "nothing.")
      : "Systems read '\(text)' as a pattern"
        + (isInPaths
          ? ". An exclusion begins with 'NOT' and one space." : ", so it excludes nothing.")
    report(
      .exclusionPrefix, at: literal, problem, severity: matches && !isMarked ? .warning : nil,
      remedy: isMember
        ? "Write \"/\": \"\(path)\", and add \"exclude\": true." : "Write '\(written)'.",
      fix: path.isEmpty || !isClear ? nil : fix, spoiling: matches ? nil : literal)
    return true
  }

  private mutating func checkHost(_ pattern: PatternText) -> Bool {
    let text = pattern.text
    let lower = text.lowercased()
    func begins(_ starts: String...) -> Bool { starts.contains(where: lower.hasPrefix) }
    let scheme = lower.utf8.prefix { $0.isLetterOrDigit || "+-.".utf8.contains($0) }
    let isURL = !scheme.isEmpty && lower.utf8.dropFirst(scheme.count).starts(with: "://".utf8)
    // A host and a slash: `example.com/`, `//example.com/` or `*.example.com/`.
    var rest = lower[...]
    for mark in ["//", "*."] where rest.hasPrefix(mark) { rest = rest.dropFirst(mark.count) }
    let segment = rest.prefix { $0 != "/" }
    let isHost =
      segment.count < rest.count && segment.contains(".") && segment.first != "."
      && segment.utf8.allSatisfy { $0.isLetterOrDigit || $0 == 0x2D || $0 == 0x2E }
    guard
      isURL || isHost || begins("*://", "*.www.", "/http://", "/https://")
        // 'www.txt' is a path.
        || begins("www.") && lower.prefix(while: { $0 != "/" }).count(where: { $0 == "." }) > 1
        || options.host.map({ begins($0 + "/", "/" + $0 + "/") }) ?? false
    else { return false }
    let isWeb = !isURL || begins("http://", "https://", "applinks://", "*://")
    rest = text[...]
    if let scheme = rest.firstRange(of: "://") { rest = rest[scheme.upperBound...] }
    let host = rest.drop { $0 == "/" }.prefix { !"/?#".contains($0) }
    let tail = text[host.endIndex...]
    let path = tail == "?" ? "/" : (tail.hasPrefix("/") ? "" : "/") + tail
    var (remedy, cure): (String?, LintFix?)
    if let own = options.host, isWeb, !host.isEmpty, !host.contains("*"), host.lowercased() != own {
      remedy = "Move the rule '\(path)' to the file that \(host) serves. This file is for \(own)."
    } else if isWeb {
      cure = rewriting(pattern, as: path)
    }
    report(
      .hostInPath, at: pattern.literal,
      "'\(text)' begins with a \(isURL ? "URL" : "host"). Systems compare it with the path only, "
        + "so it doesn't match the links that were meant.", remedy: remedy, cure: cure)
    return true
  }

  private mutating func checkQuery(_ pattern: PatternText) -> Bool {
    guard let mark = PathWithQuery.mark(in: pattern.bytes) else { return false }
    let hasFragment = pattern.isPercentEncoded && pattern.bytes.contains(UInt8(ascii: "#"))
    let parts = PathWithQuery(pattern.text)
    var (rule, fix) = (parts?.members, LintFix?.none)
    if let entry = pattern.entry {
      fix = parts == nil ? nil : componentsFix(entry)
    } else if let component = pattern.element?.object {
      let cure = parts.flatMap { componentFix($0, pattern, component) }
      fix = cure?.fix
      // Beside another pattern of the query, only both together say what is meant.
      if component["?"] != nil { rule = cure?.rule }
    }
    report(
      .queryInPath, at: source(mark..<pattern.bytes.count, of: pattern),
      "'\(pattern.text)' has a query, but systems compare it with the path only.",
      remedy: rule.map { "In 'components', write {\($0)}." }, fix: fix,
      spoiling: hasFragment ? pattern.literal : nil)
    return true
  }

  /// The fix that moves a query from a path to '?', and its members, if the rule has no other one.
  private func componentFix(
    _ parts: PathWithQuery, _ pattern: PatternText, _ object: JSONObject
  ) -> (rule: String, fix: LintFix)? {
    guard let member = object.members.first(where: { $0.name == "/" }),
      member.value.range == pattern.literal, parts.fragment == nil || object["#"] == nil
    else { return nil }
    let title = "Write the query as the value of '?'"
    guard let query = object["?"] else {
      let range = member.nameRange.lowerBound..<pattern.literal.upperBound
      return (parts.members, .replace(range, with: parts.members, title))
    }
    guard let own = query.object, let first = own.members.first, let last = own.members.last,
      let items = parts.items, parts.fragment == nil, items.allSatisfy({ own[$0.name] == nil })
    else { return nil }
    let (start, path) = (first.nameRange.lowerBound, LintFix.literal(parts.path))
    let members = PathWithQuery.members(items)
    let others = spelling(of: start..<last.value.range.upperBound)
    return (
      "\"/\": \(path), \"?\": {\(members), \(others)}",
      LintFix(
        .suggestion, title,
        [LintFix.Edit(pattern.literal, path), LintFix.Edit(start..<start, members + ", ")])
    )
  }

  /// The fix that writes rules with queries as `components`, which iOS 13 and later read, and leaves
  /// the others in `paths`, which iOS 12 reads.
  private func componentsFix(_ entry: JSONObject) -> LintFix? {
    guard entry["components"] == nil,
      let member = entry.members.first(where: { $0.name == "paths" }),
      let elements = member.value.array
    else { return nil }
    var rules: [LintFix.Edit] = []
    // The elements that stay in 'paths'.
    var kept: [Int] = []
    for (index, element) in elements.enumerated() {
      guard let source = element.string else { return nil }
      let excludes = source.hasPrefix("NOT ")
      let path = excludes ? String(source.dropFirst(4)) : source
      let parts = PathWithQuery(path)
      if parts == nil { kept.append(index) }
      let own = parts?.members ?? "\"/\": \(LintFix.literal(path))"
      rules.append(LintFix.Edit(element.range, "{\(own)\(excludes ? ", \"exclude\": true" : "")}"))
    }
    let title = "Write 'components', which can test queries (iOS 13)"
    // Without 'appID', iOS 12 reads neither.
    guard let last = kept.last, entry["appID"] != nil else {
      return LintFix(.suggestion, title, [LintFix.Edit(member.nameRange, "\"components\"")] + rules)
    }
    let array = member.value.range
    let components = LintFix.apply(rules, to: Array(text[..<array.upperBound]))[array.lowerBound...]
    // Each element goes with the white space after it, and the last ones with what is before them.
    var removals = elements.indices.filter { $0 < last && !kept.contains($0) }.map {
      elements[$0].range.lowerBound..<elements[$0 + 1].range.lowerBound
    }
    if let end = elements.last?.range.upperBound, last + 1 < elements.count {
      removals.append(elements[last].range.upperBound..<end)
    }
    return LintFix(
      .suggestion, title,
      removals.map { LintFix.Edit($0, "") } + [
        LintFix.Edit(
          array.upperBound..<array.upperBound,
          "," + separator(before: member.nameRange.lowerBound) + "\"components\": "
            + String(decoding: components, as: UTF8.self))
      ])
  }

  private mutating func checkFragment(_ pattern: PatternText) {
    guard pattern.isPercentEncoded, pattern.bytes.contains(UInt8(ascii: "#")) else { return }
    let entities = pattern.bytes.htmlEntities
    let mark = pattern.plain.joined().first { index in
      pattern.bytes[index] == UInt8(ascii: "#")
        && !entities.contains { $0.range.contains(index) && $0.text != "#" }
    }
    guard let index = mark else { return }
    let isEntity = entities.contains { $0.range.contains(index) }
    var fix: LintFix?
    let range = source(index..<pattern.bytes.count, of: pattern)
    if let component = pattern.element?.object, component["#"] == nil, index > 0, !isEntity {
      let fragment = spelling(of: (range.lowerBound + 1)..<(pattern.literal.upperBound - 1))
      fix = .replace(
        range.lowerBound..<pattern.literal.upperBound,
        with: fragment.isEmpty ? "\"" : "\", \"#\": \"\(fragment)\"",
        fragment.isEmpty ? "Remove the '#'" : "Write the fragment as the value of '#'")
    }
    report(
      .fragmentInPath, at: range,
      "'\(pattern.text)' has a fragment, but systems compare it with the path only. It matches no path.",
      fix: fix, spoiling: pattern.literal)
  }

  private mutating func checkQuestionMark(_ pattern: PatternText) {
    let bytes = pattern.bytes
    guard let index = bytes.firstIndex(of: UInt8(ascii: "?")), index > 0,
      bytes[index - 1].isLetterOrDigit,
      bytes[(index + 1)...].elementsEqual("*".utf8) || index + 1 == bytes.count,
      // `/v?` and `/v??` count characters.
      index + 1 < bytes.count || bytes[..<index].suffix(2).allSatisfy(\.isLetterOrDigit)
    else { return }
    let begin = pattern.text(0..<index)
    let range = source(index..<bytes.count, of: pattern)
    report(
      .questionMark, at: range,
      index + 1 < bytes.count
        ? "'\(pattern.text)' matches every path that begins with '\(begin)' and is longer."
        : "'\(pattern.text)' matches '\(begin)' and one more character, but not '\(begin)' itself.",
      remedy: "If you mean a query, write '\(begin)', which matches with any query.",
      fix: .replace(range, with: "", "Write '\(begin)'"))
  }

  /// The fix of a component in place of a string, or `nil` if a string can't say the same.
  private func pathFix(_ value: JSONValue) -> LintFix? {
    guard let object = value.object, let path = object["/"]?.string,
      object.members.allSatisfy({ ["/", "exclude", "comment"].contains($0.name) })
    else { return nil }
    let excludes = object["exclude"]?.booleanReading ?? false
    return .replace(
      value.range, with: LintFix.literal((excludes ? "NOT " : "") + path),
      "Write the path as a string")
  }

  mutating func checkElement(_ value: JSONValue, _ rule: RuleDefinition, of entry: JSONObject) {
    guard let source = value.string else {
      reportType(
        value, "This rule", "a string", "the rule has no pattern and matches every URL",
        fix: pathFix(value))
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

/// A path and the query that was written behind it.
struct PathWithQuery {
  let path: String

  /// The query as a pattern of its own.
  private let query: String
  private(set) var fragment: String?

  /// Reads a pattern, or creates `nil` if its parts aren't clear.
  init?(_ pattern: String) {
    var bytes = Array(pattern.utf8).withoutEntities
    guard let mark = Self.mark(in: bytes) else { return nil }
    // Before '&', a star or a parameter stands for the '?' and other items, too.
    let before = String(decoding: bytes[..<mark], as: UTF8.self)
    guard
      bytes[mark] == UInt8(ascii: "?")
        || before.firstMatch(of: /(?:[*}\]>]|\/:\w+)$/) != nil
    else { return nil }
    if let start = bytes.firstIndex(of: UInt8(ascii: "#")) {
      guard start > mark else { return nil }
      let text = String(decoding: bytes[(start + 1)...], as: UTF8.self)
      fragment = text.isEmpty ? nil : text
      bytes.removeSubrange(start...)
    }
    path = mark == 0 ? "/" : String(decoding: bytes[..<mark], as: UTF8.self)
    query = String(decoding: bytes[(mark + 1)...], as: UTF8.self)
  }

  /// The place of the '?' or '&' before the first item of a query in a pattern.
  static func mark(in bytes: [UInt8]) -> Int? {
    bytes.indices.first { index in
      guard bytes[index] == UInt8(ascii: "?") || bytes[index] == UInt8(ascii: "&") else {
        return false
      }
      let name = bytes[(index + 1)...].prefix { $0.isLetterOrDigit || "_-.[]".utf8.contains($0) }
      return name.first.map { $0.isLetterOrDigit || $0 == UInt8(ascii: "_") } ?? false
        && bytes[name.endIndex...].first == UInt8(ascii: "=")
    }
  }

  /// The items, if each has a name and a value, and no name occurs twice.
  var items: [(name: String, value: String)]? {
    var items: [(name: String, value: String)] = []
    // A star at the end stands for any other items, which are allowed anyway.
    for item in query.split(separator: "&") where item != "*" {
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      guard parts.count == 2, !name.isEmpty, !name.contains("*"), !name.contains("?"),
        !items.contains(where: { $0.name == name })
      else { return nil }
      items.append((name, ["", "*"].contains(parts[1]) ? "?*" : String(parts[1])))
    }
    return items
  }

  static func members(_ items: [(name: String, value: String)]) -> String {
    items.map { LintFix.literal($0.name) + ": " + LintFix.literal($0.value) }
      .joined(separator: ", ")
  }

  /// The members of a rule: `"/": "/help", "?": {"topic": "?*"}`.
  var members: String {
    let query = items.map { "{\(Self.members($0))}" } ?? LintFix.literal(query)
    return "\"/\": \(LintFix.literal(path)), \"?\": \(query)"
      + (fragment.map { ", \"#\": \(LintFix.literal($0))" } ?? "")
  }
}
