internal import UniversalLinks

/// A pattern as a regular expression, for programs that match texts themselves.
struct PatternExpression {
  private enum Element: Hashable {
    /// One of some scalars.
    case one([Unicode.Scalar])
    case any
    case anyRun
  }

  private let pattern: Pattern
  private let dialect: WarehouseDialect
  private let form: TextForm

  /// Any scalar of the texts that are matched.
  private let any: String

  /// The known expressions of rests, because alternatives continue with the same ones.
  ///
  /// The key is twice the position of the first token, and one more if the rest must have text.
  private var known: [Int: String?] = [:]

  /// Returns a regular expression, without anchors, that matches the same texts as a pattern, or `nil`
  /// if it matches none that a URL can have.
  ///
  /// It does not count the levels of Apple's complexity guard (Matching.md, 3c.6).
  /// ``Pattern/hasUndecidedLevels`` says where these could change the result.
  static func text(
    of pattern: Pattern, _ dialect: WarehouseDialect, for part: RuleDefinition.Part,
    _ form: TextForm
  ) throws(RuleQuery.TooLong) -> String? {
    guard !pattern.isImpossible else { return nil }
    // No `&` can be in an item of a percent-encoded query.
    let isItem = part == .queryItem && form == .encoded
    var expression = Self(
      pattern: pattern, dialect: dialect, form: form, any: isItem ? "[^&]" : ".")
    return try expression.text(from: 0)
  }

  /// Returns an expression for the rest of the pattern, or `nil` if no text matches.
  private mutating func text(
    from start: Int, needsText: Bool = false
  ) throws(RuleQuery.TooLong) -> String? {
    let key = 2 * start + (needsText ? 1 : 0)
    if let text = known[key] { return text }
    let text = try makeText(from: start, needsText: needsText)
    guard (text?.utf8.count ?? 0) <= RuleQuery.expressionSizeLimit else {
      throw RuleQuery.TooLong()
    }
    known[key] = .some(text)
    return text
  }

  private mutating func makeText(
    from start: Int, needsText: Bool
  ) throws(RuleQuery.TooLong) -> String? {
    let tokens = pattern.tokens
    guard start < tokens.count else { return needsText ? nil : "" }
    switch tokens[start] {
    case .literal, .anyScalar:
      let end = endOfSegment(from: start)
      guard let elements = elements(of: tokens[start..<end]), let rest = try text(from: end) else {
        return nil
      }
      return text(elements) + rest
    case .anyRun where start == tokens.count - 1: return any + (needsText ? "+" : "*")
    case .anyRun:
      // If another star follows a text of fixed length, its first place is as good as any other. A
      // backtracking engine must not try the others, or its time grows exponentially with the
      // number of stars.
      let end = endOfSegment(from: start + 1)
      if dialect.backtracks, end > start + 1, end < tokens.count, case .anyRun = tokens[end] {
        guard let segment = elements(of: tokens[(start + 1)..<end]), let rest = try text(from: end)
        else { return nil }
        return "(?>\(any)*?\(text(segment)))" + rest
      }
      return try text(from: start + 1, needsText: true).map { any + "*" + $0 }
    case .variable(let variable): return try text(variable, before: start + 1, needsText: needsText)
    }
  }

  /// Returns the end of the tokens from one on that are neither stars nor variables.
  private func endOfSegment(from start: Int) -> Int {
    pattern.tokens[start...].firstIndex {
      switch $0 {
      case .literal, .anyScalar: false
      case .anyRun, .variable: true
      }
    } ?? pattern.tokens.count
  }

  private mutating func text(
    _ variable: VariableValues, before next: Int, needsText: Bool
  ) throws(RuleQuery.TooLong) -> String? {
    let isLast = next == pattern.tokens.count
    // The values after which any text may follow, and those that need some.
    var (free, followed): ([ArraySlice<Element>], [ArraySlice<Element>]) = ([], [])
    for value in variable.values {
      guard let elements = elements(of: value[...]) else { continue }
      if elements.isEmpty {
        if needsText { followed.append([]) } else { free.append([]) }
      } else if elements.last == .anyRun, !isLast {
        followed.append(elements[...])
      } else {
        free.append(needsText && elements == [.anyRun] ? [.any, .anyRun] : elements[...])
      }
    }
    var branches: [(values: [ArraySlice<Element>], rest: String)] = []
    if !free.isEmpty, let rest = try text(from: next) { branches.append((free, rest)) }
    if !followed.isEmpty, let rest = try text(from: next, needsText: true) {
      if branches.first?.rest == rest {
        branches[0].values += followed
      } else {
        branches.append((followed, rest))
      }
    }
    let texts = branches.map { alternation($0.values) + $0.rest }
    return texts.isEmpty ? nil : Self.text(ofOneOf: texts)
  }

  private static func text(ofOneOf branches: [String]) -> String {
    branches.count == 1 ? branches[0] : "(?:" + branches.joined(separator: "|") + ")"
  }

  /// Returns the elements of tokens without variables, or `nil` if no text has them.
  private func elements(of tokens: ArraySlice<PatternToken>) -> [Element]? {
    var elements: [Element] = []
    for token in tokens {
      switch token {
      case .anyScalar: elements.append(.any)
      case .anyRun: elements.append(.anyRun)
      case .variable: return nil
      case .literal(let bytes):
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
          let others = pattern.ignoresCase ? SimpleCaseFolding.sources[scalar] ?? [] : []
          let scalars = ([scalar] + others).filter {
            $0.value > 0 && (form == .decoded || $0.isASCII && (any == "." || $0 != "&"))
          }
          guard !scalars.isEmpty else { return nil }
          elements.append(.one(scalars))
        }
      }
    }
    return elements
  }

  private func text(_ elements: some Sequence<Element>) -> String {
    elements.map { element in
      switch element {
      case .any: any
      case .anyRun: any + "*"
      case .one(let scalars): Self.text(ofAnyOf: scalars, dialect)
      }
    }.joined()
  }

  /// Returns an expression for one of some values; values with the same beginning share it.
  private func alternation(_ values: [ArraySlice<Element>]) -> String {
    guard let first = values.first else { return "" }
    let common = values.dropFirst().reduce(first) { common, value in
      common.prefix(zip(common, value).prefix { $0 == $1 }.count)
    }
    let rests = values.map { $0.dropFirst(common.count) }
    if rests.allSatisfy(\.isEmpty) { return text(common) }
    var (heads, groups): ([Element], [Element: [ArraySlice<Element>]]) = ([], [:])
    for rest in rests {
      guard let head = rest.first else { continue }
      if groups[head] == nil { heads.append(head) }
      groups[head, default: []].append(rest)
    }
    var (scalars, branches): ([Unicode.Scalar], [String]) = ([], [])
    for head in heads {
      let group = groups[head] ?? []
      if case .one(let own) = head, group.allSatisfy({ $0.count == 1 }) {
        scalars += own
      } else {
        branches.append(alternation(group))
      }
    }
    if !scalars.isEmpty {
      branches.insert(Self.text(ofAnyOf: Array(Set(scalars)), dialect), at: 0)
    }
    if rests.contains(where: \.isEmpty) { branches.append("") }
    return text(common) + Self.text(ofOneOf: branches)
  }
}

// MARK: - Scalars

extension PatternExpression {
  /// Returns an expression for a literal text, without anchors.
  static func text(ofLiteral literal: String, _ dialect: WarehouseDialect) -> String {
    literal.unicodeScalars.map { escaped($0, dialect) }.joined()
  }

  /// Returns an expression for one of some scalars.
  static func text(ofAnyOf scalars: [Unicode.Scalar], _ dialect: WarehouseDialect) -> String {
    scalars.count == 1 ? escaped(scalars[0], dialect) : "[" + ranges(of: scalars, dialect) + "]"
  }

  /// Returns the content of a class of some scalars.
  static func ranges(of scalars: [Unicode.Scalar], _ dialect: WarehouseDialect) -> String {
    var ranges: [ClosedRange<UInt32>] = []
    for value in scalars.map(\.value).sorted() {
      if let last = ranges.last, value <= last.upperBound + 1 {
        ranges[ranges.count - 1] = last.lowerBound...value
      } else {
        ranges.append(value...value)
      }
    }
    return ranges.map { range in
      let first = Unicode.Scalar(range.lowerBound).map { escaped($0, dialect) } ?? ""
      let last = Unicode.Scalar(range.upperBound).map { escaped($0, dialect) } ?? ""
      return switch range.count {
      case 1: first
      case 2: first + last
      default: first + "-" + last
      }
    }.joined()
  }

  /// The scalar in ASCII if the dialect can express it, also inside a class, without SQL quotation
  /// marks.
  private static func escaped(_ scalar: Unicode.Scalar, _ dialect: WarehouseDialect) -> String {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "/", "_", "%", "=", "~", "@", ":", ",", ";", "!", "<",
      ">":
      return String(scalar)
    case "!"..."~" where !["'", "\"", "`"].contains(scalar): return "\\\(scalar)"
    default: break
    }
    let digits = String(scalar.value, radix: 16, uppercase: true)
    func padded(to count: Int) -> String {
      String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
    if scalar.isASCII { return "\\x" + padded(to: 2) }
    if !dialect.backtracks { return "\\x{\(digits)}" }
    // Java and Oniguruma share no notation for larger ones.
    return scalar.value < 0x10000 ? "\\u" + padded(to: 4) : String(scalar)
  }
}
