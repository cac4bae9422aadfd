/// Checks for patterns in the syntax of routers or regular expressions.
enum RouterSyntaxCheck {
  static let rules = [routerParameter, regularExpression]

  static let routerParameter = DiagnosticKind(
    "router-parameter", .error, "Router parameter",
    meaning: "Patterns have no parameters. The pattern matches only the parameter's own text, and "
      + "so no real path.",
    remedy: "Write '*' for any text, or '?*' for any text that is not empty.",
    example: .components(#"{"/": "/buy/:id"}"#), fixed: .components(#"{"/": "/buy/?*"}"#))

  static let regularExpression = DiagnosticKind(
    "regular-expression", .error, "Regular expression",
    meaning: "Patterns have only '*', '?' and variables. All other characters match themselves.",
    remedy: "Write '*' for any text and '?' for any one character.",
    example: .components(#"{"/": "/buy/.*"}"#), fixed: .components(#"{"/": "/buy/*"}"#))

  /// Checks the pattern of a path.
  ///
  /// - Returns: Whether it is in another syntax.
  static func check(_ pattern: PatternText, in context: inout LintContext) -> Bool {
    if let (range, what) = regularExpression(in: pattern) {
      context.report(
        regularExpression, at: pattern.place(range, in: context),
        "'\(pattern.text)' looks like a regular expression, but '\(what)' matches only itself here."
      )
      context.markUnmatchable(pattern.literal)
      return true
    }
    var start = 0
    for segment in pattern.bytes.split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    {
      let range = start..<(start + segment.count)
      start += segment.count + 1
      let segment = pattern.text(range)
      guard isParameter(segment) || hasBraces(segment) else { continue }
      context.report(
        routerParameter, at: pattern.place(range, in: context),
        "'\(pattern.text(range))' looks like a router parameter, but matches only itself here.")
      context.markUnmatchable(pattern.literal)
      return true
    }
    return false
  }

  /// Returns a Boolean value indicating whether a segment contains a word in braces.
  private static func hasBraces(_ segment: String) -> Bool {
    guard let open = segment.firstIndex(of: "{"),
      open == segment.startIndex
        || segment[segment.index(before: open)] != "$",
      let close = segment[open...].firstIndex(of: "}")
    else { return false }
    let name = segment[segment.index(after: open)..<close]
    return !name.isEmpty && name.allSatisfy { $0.isLetter || $0.isNumber || "_-.:*?,".contains($0) }
  }

  /// Returns a Boolean value indicating whether a segment is a parameter: `:id`, `{id}`,
  /// `[id]`, `[...path]`, `<id>`, `<int:id>`.
  private static func isParameter(_ segment: String) -> Bool {
    let name: Substring
    switch (segment.first, segment.last) {
    case (":", _):
      name = segment.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      return name.first.map { $0.isLetter || $0 == "_" } ?? false
    case ("{", "}"), ("[", "]"), ("<", ">"): name = segment.dropFirst().dropLast()
    default: return false
    }
    return !name.isEmpty && name.allSatisfy { $0.isLetter || $0.isNumber || "_-.:*?".contains($0) }
  }

  /// Returns the first text that only a regular expression has.
  private static func regularExpression(in pattern: PatternText) -> (Range<Int>, String)? {
    let text = pattern.bytes
    for token in [".*", ".+", "(?", "\\d", "\\w", "\\/", "[0-9]", "[a-z]", "[A-Z]", "[^/]", "[^"] {
      let bytes = Array(token.utf8)
      guard text.count >= bytes.count,
        let start = (0...(text.count - bytes.count)).first(where: { start in
          text[start..<(start + bytes.count)].elementsEqual(bytes)
            && (bytes[0] != UInt8(ascii: ".") || isRegularDot(at: start, in: text))
        })
      else { continue }
      return (start..<(start + bytes.count), token)
    }
    if text.first == UInt8(ascii: "^"), text.count > 1 { return (0..<1, "^") }
    if text.last == UInt8(ascii: "$"), text.count > 1 {
      return ((text.count - 1)..<text.count, "$")
    }
    if let open = text.firstIndex(of: UInt8(ascii: "(")),
      open == 0 || text[open - 1] != UInt8(ascii: "$"),
      let close = text[open...].firstIndex(of: UInt8(ascii: ")")),
      text[open..<close].contains(UInt8(ascii: "|"))
    {
      return (open..<(close + 1), pattern.text(open..<(close + 1)))
    }
    return nil
  }

  /// Returns a Boolean value indicating whether `.*` means any text: no name ends before it, unlike
  /// in `/files/x.*`.
  private static func isRegularDot(at index: Int, in text: [UInt8]) -> Bool {
    index == 0
      || [UInt8(ascii: "/"), UInt8(ascii: "("), UInt8(ascii: ")")].contains(text[index - 1])
      || text[index + 1] == UInt8(ascii: "+")
  }
}
