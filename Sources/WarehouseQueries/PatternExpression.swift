internal import UniversalLinks

/// Patterns as regular expressions, for programs that match texts themselves.
package enum PatternExpression {
  /// The dialects of regular expressions.
  enum Syntax: Sendable {
    /// RE2, which follows all alternatives at once.
    case linear

    /// Java's, which tries them one after another.
    case backtracking

    var end: String {
      switch self {
      case .linear: "$"
      // Java's '$' is also before a last line feed.
      case .backtracking: #"\z"#
      }
    }
  }

  /// The texts that an expression is matched with.
  enum Alphabet: Sendable {
    /// A percent-encoded component, which is ASCII.
    case encoded

    /// An item of a percent-encoded query, in which no `&` can be.
    case encodedItem

    /// A decoded component: any scalar but NUL.
    case decoded
  }

  /// The expression would be longer than ``sizeLimit``.
  package struct TooLong: Error {}

  /// The greatest size of an expression, in bytes.
  package static let sizeLimit = 1 << 20

  /// Returns an expression for a literal text, without anchors.
  static func text(ofLiteral literal: some StringProtocol, _ syntax: Syntax) -> String {
    literal.unicodeScalars.map { Element.one([$0]).text(any: ".", syntax) }.joined()
  }

  /// Returns an expression for one of some scalars.
  static func text(ofAnyOf scalars: [Unicode.Scalar], _ syntax: Syntax) -> String {
    Element.one(scalars).text(any: ".", syntax)
  }
}

extension Pattern {
  /// Returns a regular expression, without anchors, that matches the same texts, or `nil` if no text
  /// of the alphabet matches.
  ///
  /// It does not count the levels of Apple's complexity guard (Matching.md, 3c.6).
  /// ``hasUndecidedLevels`` says where these could change the result.
  func expression(
    _ syntax: PatternExpression.Syntax, _ alphabet: PatternExpression.Alphabet
  ) throws(PatternExpression.TooLong) -> String? {
    guard !isImpossible else { return nil }
    var writer = PatternExpressionWriter(self, syntax, alphabet)
    return try writer.text(from: 0)
  }
}

private enum Element: Hashable {
  /// One of some scalars.
  case one([Unicode.Scalar])
  case any
  case anyRun

  func text(any: String, _ syntax: PatternExpression.Syntax) -> String {
    switch self {
    case .any: any
    case .anyRun: any + "*"
    case .one(let scalars) where scalars.count == 1: Self.escaped(scalars[0], syntax)
    case .one(let scalars): "[" + Self.ranges(of: scalars, syntax) + "]"
    }
  }

  private static func ranges(
    of scalars: [Unicode.Scalar], _ syntax: PatternExpression.Syntax
  ) -> String {
    var ranges: [ClosedRange<UInt32>] = []
    for value in scalars.map(\.value).sorted() {
      if let last = ranges.last, value <= last.upperBound + 1 {
        ranges[ranges.count - 1] = last.lowerBound...value
      } else {
        ranges.append(value...value)
      }
    }
    return ranges.map { range in
      let first = Unicode.Scalar(range.lowerBound).map { escaped($0, syntax) } ?? ""
      let last = Unicode.Scalar(range.upperBound).map { escaped($0, syntax) } ?? ""
      return switch range.count {
      case 1: first
      case 2: first + last
      default: first + "-" + last
      }
    }.joined()
  }

  /// The scalar in ASCII if the dialect can express it, also inside a class, without SQL quotation
  /// marks.
  private static func escaped(
    _ scalar: Unicode.Scalar, _ syntax: PatternExpression.Syntax
  ) -> String {
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
    return switch syntax {
    case .linear: "\\x{\(digits)}"
    // Java and Oniguruma share no notation for larger ones.
    case .backtracking: scalar.value < 0x10000 ? "\\u" + padded(to: 4) : String(scalar)
    }
  }
}

private struct PatternExpressionWriter {
  private let tokens: [PatternToken]
  private let syntax: PatternExpression.Syntax
  private let alphabet: PatternExpression.Alphabet
  private let ignoresCase: Bool

  /// The known expressions by the first token of the rest, for rests that may match the empty text
  /// and for those that must not, because alternatives continue with the same rests.
  private var known: [[Int: String?]] = [[:], [:]]

  init(
    _ pattern: Pattern, _ syntax: PatternExpression.Syntax, _ alphabet: PatternExpression.Alphabet
  ) {
    (tokens, ignoresCase) = (pattern.tokens, pattern.ignoresCase)
    (self.syntax, self.alphabet) = (syntax, alphabet)
  }

  private var any: String { alphabet == .encodedItem ? "[^&]" : "." }

  /// Returns an expression for the rest of the pattern, or `nil` if no text matches.
  mutating func text(
    from start: Int, needsText: Bool = false
  ) throws(PatternExpression.TooLong) -> String? {
    if let text = known[needsText ? 1 : 0][start] { return text }
    let text = try makeText(from: start, needsText: needsText)
    guard (text?.utf8.count ?? 0) <= PatternExpression.sizeLimit else {
      throw PatternExpression.TooLong()
    }
    known[needsText ? 1 : 0][start] = .some(text)
    return text
  }

  private mutating func makeText(
    from start: Int, needsText: Bool
  ) throws(PatternExpression.TooLong) -> String? {
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
      if syntax == .backtracking, end > start + 1, end < tokens.count, case .anyRun = tokens[end] {
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
    tokens[start...].firstIndex {
      switch $0 {
      case .literal, .anyScalar: false
      case .anyRun, .variable: true
      }
    } ?? tokens.count
  }

  private mutating func text(
    _ variable: VariableValues, before next: Int, needsText: Bool
  ) throws(PatternExpression.TooLong) -> String? {
    let isLast = next == tokens.count
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
    guard let first = texts.first else { return nil }
    return texts.count == 1 ? first : "(?:" + texts.joined(separator: "|") + ")"
  }

  /// Returns the elements of tokens without variables, or `nil` if no text of the alphabet has them.
  private func elements(of tokens: ArraySlice<PatternToken>) -> [Element]? {
    var elements: [Element] = []
    for token in tokens {
      switch token {
      case .anyScalar: elements.append(.any)
      case .anyRun: elements.append(.anyRun)
      case .variable: return nil
      case .literal(let bytes):
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
          let scalars =
            (ignoresCase ? [scalar] + (SimpleCaseFolding.sources[scalar] ?? []) : [scalar]).filter {
              switch alphabet {
              case .encoded: $0.isASCII && $0.value > 0
              case .encodedItem: $0.isASCII && $0.value > 0 && $0 != "&"
              case .decoded: $0.value > 0
              }
            }
          guard !scalars.isEmpty else { return nil }
          elements.append(.one(scalars))
        }
      }
    }
    return elements
  }

  private func text(_ elements: some Sequence<Element>) -> String {
    elements.map { $0.text(any: any, syntax) }.joined()
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
      branches.insert(Element.one(Array(Set(scalars))).text(any: any, syntax), at: 0)
    }
    if rests.contains(where: \.isEmpty) { branches.append("") }
    return text(common)
      + (branches.count == 1 ? branches[0] : "(?:" + branches.joined(separator: "|") + ")")
  }
}
