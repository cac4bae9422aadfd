internal import Foundations

extension DiagnosticKind {
  static let routerKinds = [routerParameter, regularExpression, alternatives]

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

  static let alternatives = DiagnosticKind(
    "alternatives", .error, "Alternatives in one pattern",
    meaning: "Patterns have no alternatives: braces, commas and bars match only themselves.",
    remedy: "Write a rule for each, or a variable of 'substitutionVariables' with these values.",
    example: .components(#"{"/": "/{buy,help}/*"}"#),
    fixed: .components(#"{"/": "/buy/*"}, {"/": "/help/*"}"#))
}

/// Checks for patterns in the syntax of routers or regular expressions.
extension LintContext {
  /// Checks a pattern of a rule, which a fix can write several times.
  ///
  /// - Returns: Whether it is in another syntax.
  mutating func checkRouterSyntax(
    _ pattern: PatternText, of element: Range<Int>?
  ) -> Bool {
    if let group = AlternativeText.first(in: pattern.bytes) {
      let texts = AlternativeText.expanded(pattern.text)
      // The pattern begins after 'NOT ' if the string does.
      let exclusion = pattern.start > 0 ? "NOT " : ""
      let fix = element.flatMap { element in
        texts.map {
          LintFix(
            .suggestion, "Write \($0.count) rules",
            [copies(of: element, with: $0.map { exclusion + $0 }, at: pattern.literal)])
        }
      }
      report(
        pattern.bytes[group.lowerBound] == UInt8(ascii: "(") ? .regularExpression : .alternatives,
        at: source(group, of: pattern),
        "'\(pattern.text(group))' is meant as several texts, but matches only itself here.",
        remedy: texts.map {
          "Write a rule for each: \($0.map { "'\($0)'" }.listed). Or write a variable with these "
            + "values."
        }, fix: fix)
      markUnmatchable(pattern.literal)
      return true
    }
    if let (range, what) = regularExpression(in: pattern) {
      let translation = RegularExpressionText.pattern(of: pattern.text)
      report(
        .regularExpression, at: source(range, of: pattern),
        "'\(pattern.text)' looks like a regular expression, but '\(what)' matches only itself here.",
        remedy: translation.map { "Write '\($0)'." },
        fix: translation.map {
          .replace(
            wholeSource(of: pattern),
            with: LintFix.escaped($0),
            .suggestion, "Write '\($0)'")
        })
      markUnmatchable(pattern.literal)
      return true
    }
    var start = 0
    for segment in pattern.bytes.split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    {
      let range = start..<(start + segment.count)
      start += segment.count + 1
      let segment = pattern.text(range)
      guard isParameter(segment) || hasBraces(segment), !namesVariable(segment) else {
        continue
      }
      let translation = withoutParameters(pattern.text)
      report(
        .routerParameter, at: source(range, of: pattern),
        "'\(pattern.text(range))' looks like a router parameter, but matches only itself here.",
        remedy: "Write '\(translation)': '*' is any text, '?*' any text that is not empty.",
        fix: .replace(
          wholeSource(of: pattern),
          with: LintFix.escaped(translation), .suggestion,
          "Write '\(translation)'"))
      markUnmatchable(pattern.literal)
      return true
    }
    return false
  }

  /// Returns a Boolean value indicating whether the word in the brackets of a segment is the name of a
  /// variable, which is another mistake.
  private func namesVariable(_ segment: String) -> Bool {
    let names = segment.split { "{}[]<>$".contains($0) }.map(String.init)
    return !segment.hasPrefix(":") && names.contains(where: self.variables.contains)
      && !names.contains { $0.contains("...") }
  }

  /// Returns the path of a router with wildcards in place of its parameters.
  private func withoutParameters(_ path: String) -> String {
    path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
      let segment = String(segment)
      let isRest = segment.contains("...") || segment.contains("*")
      // A colon begins a parameter; what follows its name stays, such as '.html'.
      if segment.hasPrefix(":"), isParameter(segment) {
        let rest = segment.dropFirst().drop { $0.isLetter || $0.isNumber || $0 == "_" }
        return (isRest ? "*" : "?*") + (rest.hasPrefix(".") || rest.hasPrefix("-") ? rest : "")
      }
      if isParameter(segment) { return isRest ? "*" : "?*" }
      guard hasBraces(segment) else { return segment }
      var (text, rest) = ("", segment[...])
      while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
        text += rest[..<open] + "?*"
        rest = rest[rest.index(after: close)...]
      }
      return text + rest
    }.joined(separator: "/")
  }

  /// Returns a Boolean value indicating whether a segment contains a word in braces.
  private func hasBraces(_ segment: String) -> Bool {
    guard let open = segment.firstIndex(of: "{"),
      open == segment.startIndex
        || segment[segment.index(before: open)] != "$",
      let close = segment[open...].firstIndex(of: "}")
    else { return false }
    let name = segment[segment.index(after: open)..<close]
    return !name.isEmpty && name.allSatisfy { $0.isLetter || $0.isNumber || "_-.:*?".contains($0) }
  }

  /// Returns a Boolean value indicating whether a segment is a parameter: `:id`, `{id}`,
  /// `[id]`, `[...path]`, `<id>`, `<int:id>`.
  private func isParameter(_ segment: String) -> Bool {
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
  private func regularExpression(in pattern: PatternText) -> (Range<Int>, String)? {
    let text = pattern.bytes
    for token in [".*", ".+", "(?:", "(?=", "(?!", "(?<", "(?P", "\\d", "\\w", "\\/", "[^"] {
      let bytes = Array(token.utf8)
      guard text.count >= bytes.count,
        let start = (0...(text.count - bytes.count)).first(where: { start in
          text[start..<(start + bytes.count)].elementsEqual(bytes)
            && (bytes[0] != UInt8(ascii: ".") || isRegularDot(at: start, in: text))
        })
      else { continue }
      return (start..<(start + bytes.count), token)
    }
    if let range = RegularExpressionText.characterClass(in: text)
      ?? RegularExpressionText.quantifier(in: text)
    {
      return (range, pattern.text(range))
    }
    if text.first == UInt8(ascii: "^"), text.count > 1 { return (0..<1, "^") }
    if text.last == UInt8(ascii: "$"), text.count > 1 {
      return ((text.count - 1)..<text.count, "$")
    }
    return nil
  }

  /// Returns a Boolean value indicating whether `.*` means any text: no name ends before it, unlike
  /// in `/files/x.*`.
  private func isRegularDot(at index: Int, in text: [UInt8]) -> Bool {
    index == 0
      || [UInt8(ascii: "/"), UInt8(ascii: "("), UInt8(ascii: ")")].contains(text[index - 1])
      || text[index + 1] == UInt8(ascii: "+")
  }
}

/// A pattern with alternatives, `{a,b}` or `(a|b)`.
enum AlternativeText {
  /// The greatest number of patterns that one stands for.
  private static let limit = 32

  /// Returns the first alternatives in a pattern, with their brackets, or `nil` if there are none.
  static func first(in text: [UInt8]) -> Range<Int>? {
    for (opening, closing, mark) in [("{", "}", ","), ("(", ")", "|")] {
      var start = 0
      while let open = text[start...].firstIndex(where: { opening.utf8.first == $0 }) {
        start = open + 1
        guard let close = text[start...].firstIndex(where: { closing.utf8.first == $0 }) else {
          break
        }
        let content = text[start..<close]
        let isVariable = open > 0 && text[open - 1] == UInt8(ascii: "$")
        // Digits in braces are a quantifier.
        guard !isVariable, content.contains(where: { mark.utf8.first == $0 }),
          !content.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2C || $0 == 0x20 })
            || open == 0 || text[open - 1] == UInt8(ascii: "/")
        else { continue }
        return open..<(close + 1)
      }
    }
    return nil
  }

  /// Returns the patterns that a pattern with alternatives stands for, or `nil` if that isn't clear.
  static func expanded(_ text: String) -> [String]? {
    var (texts, done): ([String], [String]) = ([text], [])
    // Around them, there may be more of a regular expression.
    let isPlain = RegularExpressionText.isPlain(Array(text.utf8))
    while let text = texts.popLast() {
      let bytes = Array(text.utf8)
      guard let group = first(in: bytes) else {
        done.append(isPlain ? text : RegularExpressionText.pattern(of: text) ?? "")
        continue
      }
      let content = bytes[(group.lowerBound + 1)..<(group.upperBound - 1)]
      let after = bytes[group.upperBound...]
      let isExpression = bytes[group.lowerBound] == UInt8(ascii: "(")
      guard !content.contains(where: { "{}()".utf8.contains($0) }),
        !(isExpression && after.first.map { "?*+{".utf8.contains($0) } ?? false)
      else { return nil }
      let mark = UInt8(ascii: isExpression ? "|" : ",")
      let isUncaptured = content.starts(with: "?:".utf8)
      let choices = content.dropFirst(isUncaptured ? 2 : 0)
        .split(separator: mark, omittingEmptySubsequences: false)
      texts += choices.reversed().map { choice in
        let choice = choice.drop { $0 == 0x20 }
        return String(decoding: bytes[..<group.lowerBound] + choice + after, as: UTF8.self)
      }
      guard texts.count + done.count <= limit else { return nil }
    }
    return done.contains("") ? nil : done
  }
}

/// The text of a regular expression, as far as a pattern can say the same.
enum RegularExpressionText {
  /// Returns the first class of characters with a range, such as `[0-9a-f]{32}`, with its
  /// quantifier.
  ///
  /// The name of a router's parameter, `[post-id]`, is none.
  static func characterClass(in text: [UInt8]) -> Range<Int>? {
    var start = 0
    while let open = text[start...].firstIndex(of: UInt8(ascii: "[")) {
      start = open + 1
      guard let close = text[open...].firstIndex(of: UInt8(ascii: "]")) else { return nil }
      var content = text[(open + 1)..<close]
      var ranges = 0
      while content.count >= 3, isRange(Array(content.prefix(3))) {
        content = content.dropFirst(3)
        ranges += 1
      }
      guard ranges > 0, content.allSatisfy({ !$0.isLetterOrDigit }) else { continue }
      return open..<endOfQuantifier(at: close + 1, in: text)
    }
    return nil
  }

  /// Returns the first quantifier in braces after a character: the `{2,3}` of `/x{2,3}`.
  static func quantifier(in text: [UInt8]) -> Range<Int>? {
    text.indices.dropFirst().lazy.filter {
      text[$0] == UInt8(ascii: "{")
        && (text[$0 - 1].isLetterOrDigit || text[$0 - 1] == UInt8(ascii: ")"))
    }.map { $0..<endOfQuantifier(at: $0, in: text) }.first { $0.count > 2 }
  }

  /// Returns a Boolean value indicating whether a text has nothing that only expressions have.
  static func isPlain(_ text: [UInt8]) -> Bool {
    !text.contains { "^\\+[]".utf8.contains($0) } && text.last != UInt8(ascii: "$")
      && !text.indices.contains { index in
        ["/.*", ").*"].contains { text[index...].starts(with: $0.utf8) }
      }
  }

  private static func isRange(_ text: [UInt8]) -> Bool {
    guard text[1] == UInt8(ascii: "-"), text[0] < text[2] else { return false }
    return [0x30...0x39, 0x41...0x5A, 0x61...0x7A].contains { (kind: ClosedRange<UInt8>) in
      kind.contains(text[0]) && kind.contains(text[2])
    }
  }

  /// The end of `+`, `*`, `?` or `{2,5}` at an offset, or that offset.
  private static func endOfQuantifier(at start: Int, in text: [UInt8]) -> Int {
    guard start < text.count else { return start }
    if "+*?".utf8.contains(text[start]) { return start + 1 }
    guard text[start] == UInt8(ascii: "{"),
      let close = text[start...].firstIndex(of: UInt8(ascii: "}")),
      text[(start + 1)..<close].allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2C })
    else { return start }
    return close + 1
  }

  /// Returns the pattern that matches at least what a regular expression does, or `nil` if it has
  /// alternatives or something else that no pattern can say.
  static func pattern(of expression: String) -> String? {
    let text = Array(expression.utf8)
    guard !text.contains(UInt8(ascii: "|")) else { return nil }
    var (pattern, index): ([UInt8], Int) = ([], 0)
    if text.first == UInt8(ascii: "^") { index = 1 }
    while index < text.count {
      let byte = text[index]
      var isOne = false
      // Systems ignore a slash at the end.
      if byte == UInt8(ascii: "/"),
        ["/?", "/?$"].contains(where: { text[index...].elementsEqual($0.utf8) })
      {
        break
      }
      switch byte {
      case UInt8(ascii: "$"):
        guard index + 1 == text.count else {
          guard text[index + 1] == UInt8(ascii: "("),
            let close = text[index...].firstIndex(of: UInt8(ascii: ")"))
          else { return nil }
          pattern += text[index...close]
          index = close + 1
          continue
        }
        index += 1
        continue
      case UInt8(ascii: "("):
        // A group changes nothing without alternatives and quantifiers.
        index += 1
        if text[index...].starts(with: "?:".utf8) { index += 2 }
        if text[index...].first == UInt8(ascii: "?") { return nil }
        continue
      case UInt8(ascii: ")"):
        index += 1
        guard endOfQuantifier(at: index, in: text) == index else { return nil }
        continue
      case UInt8(ascii: "\\"):
        guard index + 1 < text.count else { return nil }
        isOne = text[index + 1].isLetterOrDigit
        guard !isOne || "dwsDWS".utf8.contains(text[index + 1]) else { return nil }
        if !isOne { pattern.append(text[index + 1]) }
        index += 2
      case UInt8(ascii: "["):
        guard let close = text[index...].firstIndex(of: UInt8(ascii: "]")) else { return nil }
        (isOne, index) = (true, close + 1)
      case UInt8(ascii: "."):
        index += 1
        isOne = endOfQuantifier(at: index, in: text) > index
        if !isOne { pattern.append(byte) }
      case UInt8(ascii: "*"):
        pattern.append(byte)
        index += 1
        continue
      default:
        pattern.append(byte)
        index += 1
      }
      let end = endOfQuantifier(at: index, in: text)
      let quantifier = Array(text[index..<end])
      // A wildcard of a pattern stays one.
      if !isOne {
        if quantifier.first == UInt8(ascii: "*") { continue }
        guard !quantifier.isEmpty else { continue }
        // As often as it says.
        guard let count = Int(String(decoding: quantifier.dropFirst().dropLast(), as: UTF8.self)),
          (1...64).contains(count), let last = pattern.last, last.isLetterOrDigit
        else { return nil }
        pattern += repeatElement(last, count: count - 1)
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
        let counts = quantifier.dropFirst().dropLast().split(
          separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard let least = Int(String(decoding: counts[0], as: UTF8.self)), least <= 64 else {
          return nil
        }
        pattern += repeatElement(UInt8(ascii: "?"), count: least)
        if counts.count > 1 { pattern.append(UInt8(ascii: "*")) }
      }
    }
    let result = String(decoding: pattern, as: UTF8.self)
    return result.isEmpty || result == expression ? nil : result
  }
}
