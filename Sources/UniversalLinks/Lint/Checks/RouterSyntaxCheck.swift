internal import Foundations

extension DiagnosticKind {
  static let routerParameter = DiagnosticKind(
    "router-parameter", .error, "Router parameter",
    meaning: "Patterns have no parameters. The pattern matches only the parameter's own text, and "
      + "so no real path.",
    remedy: "Write '*' for any text, or '?*' for any text that is not empty.",
    example: .components(#"{"/": "/buy/:id"}"#), fixed: #"{"/": "/buy/?*"}"#)

  static let regularExpression = DiagnosticKind(
    "regular-expression", .error, "Regular expression",
    meaning: "Patterns have only '*', '?' and variables. All other characters match themselves.",
    remedy: "Write '*' for any text and '?' for any one character.",
    example: .components(#"{"/": "/buy/.*"}"#), fixed: #"{"/": "/buy/*"}"#)

  static let alternatives = DiagnosticKind(
    "alternatives", .error, "Alternatives in one pattern",
    meaning: "Patterns have no alternatives: braces, commas and bars match only themselves.",
    remedy: "Write a rule for each, or a variable of 'substitutionVariables' with these values.",
    example: .components(#"{"/": "/{buy,help}/*"}"#), fixed: #"{"/": "/buy/*"}, {"/": "/help/*"}"#)
}

extension LintContext {
  /// Checks a pattern, and returns whether it is in another syntax.
  mutating func checkRouterSyntax(_ pattern: PatternText) -> Bool {
    let isOther = checkAlternatives(pattern) || checkExpression(pattern) || checkParameters(pattern)
    if isOther { markUnmatchable(pattern.literal) }
    return isOther
  }

  private mutating func checkAlternatives(_ pattern: PatternText) -> Bool {
    guard let group = Self.alternatives(in: pattern.bytes) else { return false }
    let texts = Self.expanded(pattern.text)
    // The pattern begins after 'NOT ' if the string does.
    let exclusion = pattern.start > 0 ? "NOT " : ""
    var fix: LintFix?
    if let element = pattern.element, let texts {
      fix = copies(
        of: element, with: texts.map { exclusion + $0 }, at: pattern.literal,
        "Write \(texts.count) rules")
    }
    report(
      pattern.bytes[group.lowerBound] == UInt8(ascii: "(") ? .regularExpression : .alternatives,
      at: source(group, of: pattern),
      "'\(pattern.text(group))' is meant as several texts, but matches only itself here.",
      remedy: texts.map {
        "Write a rule for each: \($0.map { "'\($0)'" }.listed). Or write a variable with these "
          + "values."
      }, fix: fix)
    return true
  }

  private mutating func checkExpression(_ pattern: PatternText) -> Bool {
    guard let range = Self.sign(in: pattern.bytes) else { return false }
    report(
      .regularExpression, at: source(range, of: pattern),
      "'\(pattern.text)' looks like a regular expression, but '\(pattern.text(range))' matches only itself here.",
      cure: Self.pattern(of: pattern.text).map { rewriting(pattern, as: $0) })
    return true
  }

  private mutating func checkParameters(_ pattern: PatternText) -> Bool {
    // Most patterns have no byte that begins a parameter.
    guard pattern.bytes.contains(where: \.beginsParameter) else { return false }
    // In a query, also around the names and values of its items.
    let query = PathWithQuery.mark(in: pattern.bytes) ?? pattern.bytes.count
    func separates(_ index: Int) -> Bool {
      switch pattern.bytes[index] {
      case UInt8(ascii: "/"): true
      case UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: "="): index >= query
      default: false
      }
    }
    let segments = pattern.bytes.indices.split(
      omittingEmptySubsequences: false, whereSeparator: separates
    ).map { $0.startIndex..<$0.endIndex }
    let parameter = segments.first { range in
      let segment = pattern.text(range).withoutSuperfluous
      return (isParameter(segment) || hasBraces(segment)) && !namesVariable(segment)
    }
    guard let parameter else { return false }
    let texts = segments.map { range in
      let (end, segment) = (range.upperBound, pattern.text(range).withoutSuperfluous)
      let written = withoutParameters(segment)
      return (written == segment ? pattern.text(range) : written)
        + pattern.text(end..<min(end + 1, pattern.bytes.count))
    }
    let fix = rewriting(pattern, as: texts.joined())
    report(
      .routerParameter, at: source(parameter, of: pattern),
      "'\(pattern.text(parameter))' looks like a router parameter, but matches only itself here.",
      remedy: fix.title + ": '*' is any text, '?*' any text that is not empty.", fix: fix)
    return true
  }

  /// Whether the word in the brackets of a segment names a variable, which is another mistake.
  private func namesVariable(_ segment: String) -> Bool {
    let names = segment.split { "{}[]<>$".contains($0) }.map(String.init)
    return !segment.hasPrefix(":") && names.contains(where: isVariable)
      && !names.contains { $0.contains("...") }
  }

  /// Returns a segment of a router's path with wildcards in place of its parameters.
  private func withoutParameters(_ segment: String) -> String {
    let wildcard = segment.contains("...") || segment.contains("*") ? "*" : "?*"
    if segment.hasPrefix(":"), isParameter(segment) {
      // What follows its name and quantifier stays, such as '.html' or another parameter.
      let name = /:[\p{L}\p{N}_]+(?:[?*+](?![\p{L}\p{N}_])|\(.*\))?/
      return segment.replacing(name) { $0.output.last == "*" ? "*" : "?*" }
    }
    if isParameter(segment) { return wildcard }
    guard hasBraces(segment) else { return segment }
    return segment.replacing(/#?\{+.*?\}+/, with: "?*")
  }

  private func hasBraces(_ segment: String) -> Bool {
    guard let open = segment.firstIndex(of: "{"), !segment[..<open].hasSuffix("$"),
      let close = segment[open...].firstIndex(of: "}")
    else { return false }
    return isName(segment[open..<close].drop { $0 == "{" })
  }

  /// Whether a segment is a parameter: `:id`, `{id}`, `{{id}}`, `[id]`, `[...path]`,
  /// `[[...path]]`, `<id>`, `<int:id>`.
  private func isParameter(_ segment: String) -> Bool {
    switch (segment.first, segment.last) {
    case (":", _): segment.dropFirst().first.map { $0.isLetter || $0 == "_" } ?? false
    case ("{", "}"), ("[", "]"), ("<", ">"):
      isName(segment.dropFirst().dropLast()) || isParameter(String(segment.dropFirst().dropLast()))
    default: false
    }
  }

  private func isName(_ name: Substring) -> Bool {
    !name.isEmpty && name.allSatisfy { $0.isLetter || $0.isNumber || "_-.:*?".contains($0) }
  }
}

// The text of a regular expression, as far as a pattern can say the same.
extension LintContext {
  /// The greatest number of patterns that one with alternatives stands for.
  private static let expansionLimit = 32

  /// The first alternatives in a pattern, `{a,b}` or `(a|b)`, with their brackets.
  private static func alternatives(in text: [UInt8]) -> Range<Int>? {
    for (opening, closing, mark) in [("{", "}", ","), ("(", ")", "|")] {
      var start = 0
      while let open = text[start...].firstIndex(where: opening.utf8.contains),
        let close = text[(open + 1)...].firstIndex(where: closing.utf8.contains)
      {
        start = open + 1
        let content = text[start..<close]
        let before = open > 0 ? text[open - 1] : UInt8(ascii: "/")
        // A variable is no alternative, and digits in braces are a quantifier.
        guard before != UInt8(ascii: "$"), content.contains(where: mark.utf8.contains),
          before == UInt8(ascii: "/")
            || !content.allSatisfy({ $0.isDigit || $0 == 0x2C || $0 == 0x20 })
        else { continue }
        return open..<(close + 1)
      }
    }
    return nil
  }

  /// Returns the patterns that a pattern with alternatives stands for, or `nil` if that isn't clear.
  private static func expanded(_ text: String) -> [String]? {
    var (texts, done): ([String], [String]) = ([text], [])
    // Around them, there may be more of a regular expression.
    let isPlain = isPlain(Array(text.utf8))
    while let text = texts.popLast() {
      let bytes = Array(text.utf8)
      guard let group = alternatives(in: bytes) else {
        done.append(isPlain ? text : pattern(of: text) ?? "")
        continue
      }
      let content = bytes[(group.lowerBound + 1)..<(group.upperBound - 1)]
      let after = bytes[group.upperBound...]
      let isExpression = bytes[group.lowerBound] == UInt8(ascii: "(")
      guard !content.contains(where: "{}()".utf8.contains),
        !(isExpression && after.first.map { "?*+{".utf8.contains($0) } ?? false)
      else { return nil }
      let choices = content.dropFirst(content.starts(with: "?:".utf8) ? 2 : 0)
        .split(separator: UInt8(ascii: isExpression ? "|" : ","), omittingEmptySubsequences: false)
      texts += choices.reversed().map { choice in
        let choice = choice.drop { $0 == 0x20 }
        return String(decoding: bytes[..<group.lowerBound] + choice + after, as: UTF8.self)
      }
      guard texts.count + done.count <= expansionLimit else { return nil }
    }
    return done.contains("") ? nil : done
  }

  private static func sign(in text: [UInt8]) -> Range<Int>? {
    for token in [".*", ".+", "(?:", "(?=", "(?!", "(?<", "(?P", "\\d", "\\w", "\\/", "[^"] {
      let start = text.indices.first { start in
        // Any text, unless a name ends before it, as in `/files/x.*`.
        text[start...].starts(with: token.utf8)
          && (token != ".*" || start == 0 || "/()".utf8.contains(text[start - 1]))
      }
      if let start { return start..<(start + token.utf8.count) }
    }
    if let range = characterClass(in: text) ?? quantifier(in: text) { return range }
    if text.count > 1, text.first == UInt8(ascii: "^") { return 0..<1 }
    return text.count > 1 && text.last == UInt8(ascii: "$") ? (text.count - 1)..<text.count : nil
  }

  /// Returns the first character class with a range, and its quantifier, as in `[0-9a-f]{32}`.
  ///
  /// The name of a router's parameter, `[post-id]`, is not such a class.
  private static func characterClass(in text: [UInt8]) -> Range<Int>? {
    var start = 0
    while let open = text[start...].firstIndex(of: UInt8(ascii: "[")) {
      start = open + 1
      guard let close = text[open...].firstIndex(of: UInt8(ascii: "]")) else { return nil }
      var content = text[start..<close]
      while content.count >= 3, isRange(Array(content.prefix(3))) { content = content.dropFirst(3) }
      guard content.startIndex > start, !content.contains(where: \.isLetterOrDigit) else {
        continue
      }
      return open..<endOfQuantifier(at: close + 1, in: text)
    }
    return nil
  }

  /// Returns the first quantifier in braces after a character: the `{2,3}` of `/x{2,3}`.
  private static func quantifier(in text: [UInt8]) -> Range<Int>? {
    text.indices.dropFirst().lazy.filter {
      text[$0] == UInt8(ascii: "{")
        && (text[$0 - 1].isLetterOrDigit || text[$0 - 1] == UInt8(ascii: ")"))
    }.map { $0..<endOfQuantifier(at: $0, in: text) }.first { $0.count > 2 }
  }

  /// Returns a Boolean value indicating whether a text has nothing that only expressions have.
  private static func isPlain(_ text: [UInt8]) -> Bool {
    !text.contains(where: "^\\+[]".utf8.contains) && text.last != UInt8(ascii: "$")
      && !text.indices.contains { index in
        ["/.*", ").*"].contains { text[index...].starts(with: $0.utf8) }
      }
  }

  private static func isRange(_ text: [UInt8]) -> Bool {
    text[1] == UInt8(ascii: "-") && text[0] < text[2]
      && [0x30...0x39, 0x41...0x5A, 0x61...0x7A].contains { (kind: ClosedRange<UInt8>) in
        kind.contains(text[0]) && kind.contains(text[2])
      }
  }

  /// The end of `+`, `*`, `?` or `{2,5}` at an offset, or that offset.
  private static func endOfQuantifier(at start: Int, in text: [UInt8]) -> Int {
    guard start < text.count else { return start }
    if "+*?".utf8.contains(text[start]) { return start + 1 }
    guard text[start] == UInt8(ascii: "{"),
      let close = text[start...].firstIndex(of: UInt8(ascii: "}")),
      text[(start + 1)..<close].allSatisfy({ $0.isDigit || $0 == 0x2C })
    else { return start }
    return close + 1
  }

  /// Returns the pattern that matches at least what a regular expression does, or `nil` if it has
  /// alternatives or something else that no pattern can say.
  private static func pattern(of expression: String) -> String? {
    let text = Array(expression.utf8)
    guard !text.contains(UInt8(ascii: "|")) else { return nil }
    var (pattern, index): ([UInt8], Int) = ([], text.first == UInt8(ascii: "^") ? 1 : 0)
    while index < text.count {
      // Systems ignore a slash at the end.
      if ["/?", "/?$"].contains(where: { text[index...].elementsEqual($0.utf8) }) { break }
      // Whether it is any one of some characters.
      var isOne = false
      let next = index + 1 < text.count ? text[index + 1] : 0
      switch text[index] {
      case UInt8(ascii: "$"):
        // The end, or a variable.
        if index + 1 < text.count {
          guard next == UInt8(ascii: "("),
            let close = text[index...].firstIndex(of: UInt8(ascii: ")"))
          else { return nil }
          pattern += text[index...close]
          index = close
        }
        index += 1
        continue
      case UInt8(ascii: "("):
        // A group changes nothing without alternatives and quantifiers.
        index += text[(index + 1)...].starts(with: "?:".utf8) ? 3 : 1
        if text[index...].first == UInt8(ascii: "?") { return nil }
        continue
      case UInt8(ascii: ")"):
        index += 1
        guard endOfQuantifier(at: index, in: text) == index else { return nil }
        continue
      case UInt8(ascii: "*"):
        pattern.append(text[index])
        index += 1
        continue
      case UInt8(ascii: "\\"):
        isOne = next.isLetterOrDigit
        guard index + 1 < text.count, !isOne || "dwsDWS".utf8.contains(next) else { return nil }
        if !isOne { pattern.append(next) }
        index += 2
      case UInt8(ascii: "["):
        guard let close = text[index...].firstIndex(of: UInt8(ascii: "]")) else { return nil }
        (isOne, index) = (true, close + 1)
      case let byte:
        index += 1
        isOne = byte == UInt8(ascii: ".") && endOfQuantifier(at: index, in: text) > index
        if !isOne { pattern.append(byte) }
      }
      let end = endOfQuantifier(at: index, in: text)
      let quantifier = Array(text[index..<end])
      let counts = quantifier.dropFirst().dropLast().split(
        separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      let least = counts.first.flatMap { Int(String(decoding: $0, as: UTF8.self)) }
      guard isOne else {
        // A wildcard of a pattern stays one.
        if quantifier.isEmpty || quantifier == [UInt8(ascii: "*")] { continue }
        // As often as it says.
        guard counts.count == 1, let least, (1...64).contains(least), let last = pattern.last,
          last.isLetterOrDigit
        else { return nil }
        pattern += repeatElement(last, count: least - 1)
        index = end
        continue
      }
      index = end
      if index < text.count, text[index] == UInt8(ascii: "?"), !quantifier.isEmpty { index += 1 }
      switch quantifier.first {
      case nil: pattern.append(UInt8(ascii: "?"))
      case UInt8(ascii: "+"): pattern += "?*".utf8
      case UInt8(ascii: "*"), UInt8(ascii: "?"): pattern.append(UInt8(ascii: "*"))
      default:
        guard let least, least <= 64 else { return nil }
        pattern += repeatElement(UInt8(ascii: "?"), count: least)
        if counts.count > 1 { pattern.append(UInt8(ascii: "*")) }
      }
    }
    let result = String(decoding: pattern, as: UTF8.self)
    return result.isEmpty || result == expression ? nil : result
  }
}

extension UInt8 {
  /// Whether it can be the first character of a router's parameter.
  fileprivate var beginsParameter: Bool {
    switch self {
    case UInt8(ascii: ":"), UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "<"): true
    default: false
    }
  }
}
