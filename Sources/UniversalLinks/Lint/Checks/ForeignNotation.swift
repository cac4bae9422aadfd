internal import Foundations

extension DiagnosticKind {
  static let routerParameter = DiagnosticKind(
    "router-parameter", .error, "Router parameter",
    meaning: "Patterns have no parameters. The pattern matches only the parameter's own text, and "
      + "so no real path.",
    remedy: "Write '*' for any text, or '?*' for any text that is not empty.",
    example: pattern("/buy/:id", "/buy/?*"))

  static let regularExpression = DiagnosticKind(
    "regular-expression", .error, "Regular expression",
    meaning: "Patterns have only '*', '?' and variables. All other characters match themselves.",
    remedy: "Write '*' for any text and '?' for any one character.",
    example: pattern("/buy/.*", "/buy/*"))

  static let alternatives = DiagnosticKind(
    "alternatives", .error, "Alternatives in one pattern",
    meaning: "Patterns have no alternatives: braces, commas and bars match only themselves.",
    remedy: "Write a rule for each, or a variable of 'substitutionVariables' with these values.",
    example: components(#"{"/": "/{buy,help}/*"}"#, #"{"/": "/buy/*"}, {"/": "/help/*"}"#))
}

extension LintContext {
  /// Checks a pattern for another notation, and returns whether it has one.
  mutating func checkNotation(_ pattern: PatternText) -> Bool {
    guard let (kind, place) = notation.mistake(in: pattern, isVariable) else { return false }
    markUnmatchable(pattern.literal)
    guard !countsOnly(kind) else { return true }
    let part = pattern.text[place]
    let texts = notation.meaning(of: pattern.text, isVariable)
    let problem =
      kind == .routerParameter
      ? "'\(part)' looks like a router parameter"
      : notation.isChoice(part)
        ? "'\(part)' is meant as several texts"
        : "'\(pattern.text)' looks like a regular expression, but '\(part)'"
    report(
      kind, in: pattern, at: pattern.range(of: place),
      problem + (problem.hasSuffix("'\(part)'") ? "" : ", but") + " matches only itself here.",
      fix: texts.flatMap { rewriting(pattern, as: $0) })
    return true
  }
}

/// The notations of routers, shells and regular expressions, and the patterns that they mean.
///
/// Expressions are compiled when they are first used, which takes longer than linting a small file.
final class ForeignNotation {
  /// The greatest length of a pattern that is examined: nested brackets take quadratic time.
  private static let lengthLimit = 512

  /// The greatest number of patterns that one with alternatives stands for.
  private static let expansionLimit = 32

  /// The greatest number of characters that a quantifier stands for.
  private static let repetitionLimit = 64

  private typealias Signs = (choice: Range<String.Index>?, sign: Range<String.Index>?)

  /// The signs of texts, and the patterns of segments, that were looked at before.
  ///
  /// A file is linted again for each of its fixes, which leave most patterns as they are.
  private var knownSigns: [[UInt8]: Signs] = [:]
  private var knownSegments: [[UInt8]: String?] = [:]
  private static let knownLimit = 1 << 14

  /// Several texts in brackets: `{a,b}`, `(a|b)`.
  private lazy var choice = /\{[^{},]*,[^{}]*\}|\((?:\?:)?[^()|]*\|[^()]*\)/
    .matchingSemantics(.unicodeScalar)

  /// The text of regular expressions; a file can be called `x.*`.
  private lazy var sign =
    #/
    (?:^ | [\/()=]) (\.\*)
    | (\.\+ | \(\?[:=!<P] | \\[dw\/] | \[\^)
    | (\[(?:\d-\d | [a-z]-[a-z] | [A-Z]-[A-Z])+[^A-Za-z0-9\]]*\](?:[+*?] | \{[\d,]+\})?)
    | [A-Za-z0-9)] (\{[\d,]+\})
    /#.matchingSemantics(.unicodeScalar)

  /// The parts of a regular expression: variables, ends, any of some characters with a quantifier,
  /// escapes, groups, repeated letters, and quantifiers of anything else.
  private lazy var part =
    #/
    \$\([^)]*\) | ^\^ | \/\?\$?$ | \$$
    | (\.(?=[*+?] | \{[\d,]+\}) | \[[^\]]*\] | \\[dwsDWS]) (?:([*+?] | \{[\d,]*\})\??)?
    | \\(\W) | \((?:\?:)?(?!\?) | \)(?![*+?\{]) | ([A-Za-z0-9])\{(\d+)\}
    | ([^*?\/][?+](?!\*))
    /#.matchingSemantics(.unicodeScalar)

  /// The parameters in a segment that begins with one: `:id`, `:id?`, `:id(\d+)`.
  private lazy var named = /:[\p{L}\p{N}_]+(?:[?*+](?![\p{L}\p{N}_])|\(.*\)[?*+]?)?/
    .matchingSemantics(.unicodeScalar)

  /// The parameters anywhere in a segment: `{id}`, `{{id}}`, `#{id}`, `{path*}`, `{id:[0-9]+}`.
  private lazy var braced =
    #/
    \$?\#?\{+ (?:[\p{L}\p{N}_\-.:*?]+ | [\p{L}\p{N}_]+:(?:[^\{\}] | \{[\d,]+\})+) \}+
    /#.matchingSemantics(.unicodeScalar)

  /// The parameters that are segments: `[id]`, `[...path]`, `[[...path]]`, `<id>`, `<int:id>`.
  private lazy var bracketed = /\[+[\p{L}\p{N}_\-.:*?]+\]+|<+[\p{L}\p{N}_\-.:*?]+>+/
    .matchingSemantics(.unicodeScalar)

  /// Variables, and texts that look like one: `${name}`, `$[name]`, `{{name}}`, `<name>`, `$name`.
  private lazy var variable =
    /\$\([^)]*\)?|[$#%@]{0,2}([{(\[<]{1,2})([^{}()\[\]<>]+)([})\]>]{1,2})|\$[$#%@]?([A-Za-z0-9_]+)/
    .matchingSemantics(.unicodeScalar)

  /// The word or the sign for an exclusion with which a text begins, and what can follow a 'NOT '.
  private lazy var exclusion =
    /(?:NOT(?=[:,]?[\s\/*])|EXCLUDE(?=[:,]?\s))[:,]?|[!\-](?=\s?\/)/.ignoresCase()
  private lazy var exclusionMark = /[:,](?=[\s\/*])/

  /// The host or the scheme with which a text begins.
  private(set) lazy var host =
    #/
    (?:[a-z0-9+.\-]+ | \* | \/https?):\/\/
    | \*\.www\. | www\.[^\/]*\. | (?:\/\/ | \*\.)?[a-z0-9\-]+\.[a-z0-9.\-]*\/
    /#.matchingSemantics(.unicodeScalar)

  /// A question mark at the end, with or without a star, that seems to begin a query.
  private(set) lazy var questionMark = /[^?]*[A-Za-z0-9]([A-Za-z0-9]\?|\?\*)/.matchingSemantics(
    .unicodeScalar)

  func isChoice(_ text: Substring) -> Bool { text.wholeMatch(of: choice) != nil }

  /// Finds the first text in another notation, unless it stands for a variable.
  func mistake(
    in pattern: PatternText, _ isVariable: (String) -> Bool
  ) -> (kind: DiagnosticKind, range: Range<String.Index>)? {
    // Most patterns have no byte of another notation.
    guard pattern.bytes.count <= Self.lengthLimit,
      pattern.hasPlain("\\({[<:^$+") || pattern.bytes.span.contains(".*")
    else { return nil }
    let (text, signs) = (pattern.text, signs(in: pattern.text))
    if let range = signs.choice {
      return (text[range].first == "(" ? .regularExpression : .alternatives, range)
    }
    if let range = signs.sign { return (.regularExpression, range) }
    return segments(of: text).first { segment in
      // The name of a variable in brackets is another mistake.
      let names = segment.split { "{}[]<>$".contains($0) }.map(String.init)
      return withoutParameters(segment) != nil
        && (segment.hasPrefix(":") || !names.contains(where: isVariable)
          || names.contains { $0.contains("...") })
    }.map { (.routerParameter, $0.startIndex..<$0.endIndex) }
  }

  /// The first choice in a text, and the first text of a regular expression.
  private func signs(in text: String) -> Signs {
    let key = Array(text.utf8)
    if let known = knownSigns[key] { return known }
    let signs = (firstChoice(in: text), firstSign(in: text))
    if knownSigns.count < Self.knownLimit { knownSigns[key] = signs }
    return signs
  }

  private func firstChoice(in text: String) -> Range<String.Index>? {
    text.matches(of: choice).first { match in
      let before = text[..<match.range.lowerBound].last ?? "/"
      // `$(a)` is a variable, and `{2,3}` after a letter a quantifier.
      return before != "$"
        && (before == "/" || match.output.contains { !$0.isNumber && !"{,} ".contains($0) })
    }?.range
  }

  private func firstSign(in text: String) -> Range<String.Index>? {
    if let match = text.firstMatch(of: sign)?.output {
      let sign = match.1 ?? match.2 ?? match.3 ?? match.4 ?? match.0
      return sign.startIndex..<sign.endIndex
    }
    let ends = text.count > 1 ? [(text.prefix(1), "^"), (text.suffix(1), "$")] : []
    return ends.first { $0.0 == $0.1 }.map { $0.0.startIndex..<$0.0.endIndex }
  }

  /// Returns the patterns that a text means, or `nil` if there are none or that isn't clear.
  func meaning(of text: String, _ isVariable: (String) -> Bool) -> [String]? {
    guard text.utf8.count <= Self.lengthLimit else { return nil }
    var (texts, done): ([String], [String]) = ([text], [])
    var isExpression = signs(in: text).sign != nil
    while let text = texts.popLast() {
      if let range = signs(in: text).choice {
        let (content, after) = (text[range].dropFirst().dropLast(), text[range.upperBound...])
        let isGroup = text[range].first == "("
        isExpression = isExpression || isGroup
        guard !isGroup || !"?*+{".contains(after.first ?? "/") else { return nil }
        let choices = content.trimmingPrefix("?:").split(
          separator: isGroup ? "|" : ",", omittingEmptySubsequences: false)
        texts += choices.reversed().map {
          String(text[..<range.lowerBound] + $0.drop { $0 == " " } + after)
        }
        guard texts.count + done.count <= Self.expansionLimit else { return nil }
      } else {
        var (plain, end) = ("", text.startIndex)
        for segment in segments(of: text) {
          let known: Substring = segment.replacing(variable) { match in
            let name = variableName(match.output, isVariable)?.name ?? ""
            return isVariable(name) ? "$(\(name))" : String(match.output.0)
          }
          plain += text[end..<segment.startIndex]
          plain += withoutParameters(known) ?? String(known)
          end = segment.endIndex
        }
        plain += text[end...]
        guard let pattern = isExpression ? pattern(of: plain) : plain else { return nil }
        done.append(pattern)
      }
    }
    return done == [text] || done.contains("") ? nil : done
  }

  /// The texts between slashes, and between items of a query, their names and values.
  private func segments(of text: String) -> [Substring] {
    let mark = RuleDefinition.mark(in: Array(text.utf8)) ?? text.utf8.count
    let query = text.utf8.index(text.startIndex, offsetBy: mark)
    let segments = text.indices.split { index in
      "/&=".contains(text[index]) || index >= query && text[index] == "?"
    }
    return segments.map { text[$0.startIndex..<$0.endIndex] }
  }

  /// Returns a segment with wildcards in place of its parameters, or `nil` if it has none.
  private func withoutParameters(_ segment: Substring) -> String? {
    let key = Array(segment.utf8)
    if let known = knownSegments[key] { return known }
    let pattern = pattern(ofSegment: segment)
    if knownSegments.count < Self.knownLimit { knownSegments[key] = .some(pattern) }
    return pattern
  }

  private func pattern(ofSegment segment: Substring) -> String? {
    let text = String(segment).withoutSuperfluous
    func wildcard(_ text: Substring) -> String {
      let isRest = text.first == ":" ? text.last == "*" : text.contains("...") || text.contains("*")
      return isRest ? "*" : "?*"
    }
    if let match = text.wholeMatch(of: bracketed) { return wildcard(match.output) }
    let isNamed =
      text.first == ":" && text.dropFirst().first.map { $0.isLetter || $0 == "_" } == true
    let plain = (isNamed ? text.replacing(named) { wildcard($0.output) } : text)
      .replacing(braced) { match in
        let before = match.output.base[..<match.range.lowerBound].last ?? "/"
        // `${a}` is a variable, and `{2}` after a letter a quantifier.
        let isOther =
          match.output.first == "$"
          || (before.isLetter || "])".contains(before)) && !match.output.contains(where: \.isLetter)
        return isOther ? String(match.output) : wildcard(match.output)
      }
    return plain == text ? nil : plain
  }

  /// Returns the pattern that matches at least what a regular expression does, or `nil` if it has
  /// something that no pattern can say.
  private func pattern(of expression: String) -> String? {
    var isClear = !expression.contains("|")
    let pattern = expression.replacing(part) { match -> String in
      let (whole, one, quantifier, escaped, letter, count, other) = match.output
      let counts = quantifier?.dropFirst().dropLast().split(
        separator: ",", omittingEmptySubsequences: false)
      let least = (count ?? counts?.first).flatMap { Int($0) } ?? 0
      isClear = isClear && other == nil && least <= Self.repetitionLimit
      func repeated(_ text: some StringProtocol) -> String {
        String(repeating: String(text), count: min(least, Self.repetitionLimit))
      }
      if let text = escaped ?? letter { return letter == nil ? String(text) : repeated(text) }
      guard one != nil else { return whole.hasPrefix("$(") ? String(whole) : "" }
      return switch quantifier {
      case nil: "?"
      case "+": "?*"
      case "*", "?": "*"
      default: repeated("?") + (counts?.count == 1 ? "" : "*")
      }
    }
    return isClear && !PatternText(pattern, literal: 0..<0).hasPlain("^$|()[]{}\\") ? pattern : nil
  }

  /// The path after 'NOT', '!' or the like, or `nil` if a text begins with none.
  ///
  /// After 'NOT ', a colon belongs to the word.
  func excludedPath(of text: String, isAfterNot: Bool = false) -> String? {
    // Most patterns begin with a slash.
    guard let first = text.utf8.first,
      (isAfterNot ? "NnEe!-:," : "NnEe!-").utf8.contains(first)
    else { return nil }
    let mark = isAfterNot ? text.prefixMatch(of: exclusionMark)?.range : nil
    let range = text.prefixMatch(of: exclusion)?.range ?? mark
    return range.map { String(text[$0.upperBound...]).trimmed }
  }

  /// Finds the first text that looks like a variable, and its name.
  func variable(
    in pattern: PatternText, _ isVariable: (String) -> Bool
  ) -> (range: Range<String.Index>, name: String)? {
    guard pattern.bytes.count <= Self.lengthLimit, pattern.hasPlain("{([<$") else { return nil }
    return pattern.text.matches(of: variable).compactMap {
      variableName($0.output, isVariable)
    }.first
  }

  /// The text and the name of a variable in another notation.
  private func variableName(
    _ match: (Substring, Substring?, Substring?, Substring?, Substring?),
    _ isVariable: (String) -> Bool
  ) -> (range: Range<String.Index>, name: String)? {
    let (whole, open, bracketed, close, word) = match
    guard let name = (bracketed ?? word).map({ String($0) }) else { return nil }
    let brackets: [Character: Character] = ["{": "}", "(": ")", "[": "]", "<": ">"]
    let closing = String((open ?? "").map { brackets[$0] ?? $0 })
    guard (close ?? "").hasPrefix(closing), isVariable(name) || whole.hasPrefix("${") else {
      return nil
    }
    let excess = (close ?? "").dropFirst(closing.count)
    return (whole.startIndex..<(excess.isEmpty ? whole.endIndex : excess.startIndex), name)
  }
}
