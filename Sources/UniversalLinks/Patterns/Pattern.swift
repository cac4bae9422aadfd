internal import Foundations

/// A compiled pattern of one component of a URL that is matched on its own.
///
/// A ``PatternProgram`` matches many at once.
///
/// Matching goes through the pattern once and keeps the set of all places in the text that each
/// token can reach. So it tries every split without backtracking. For each place it keeps the least
/// number of stars and variables on the way there, which the complexity guard counts (Matching.md,
/// 3c.6).
package struct Pattern: Hashable, Sendable {
  /// The elements from left to right; none if the pattern can't be read.
  package let tokens: [PatternToken]

  /// A Boolean value indicating whether letter case is ignored, so that literals are folded.
  package let ignoresCase: Bool

  /// A Boolean value indicating whether no text matches.
  package let isImpossible: Bool

  /// Whether no text matches because there are more stars and variables than ``LinkMatcher/levelLimit``.
  let isTooComplex: Bool

  /// A Boolean value indicating whether the text decides if the limit of levels is exceeded.
  package let hasUndecidedLevels: Bool

  /// Compiles a pattern from its elements, which are `nil` if it can't be read.
  init(_ tokens: [PatternToken]?, ignoresCase: Bool) {
    (self.tokens, self.ignoresCase) = (tokens ?? [], ignoresCase)
    let levels = self.tokens.levels()
    isTooComplex = levels.least > LinkMatcher.levelLimit
    isImpossible = tokens == nil || isTooComplex
    hasUndecidedLevels = !isTooComplex && levels.greatest > LinkMatcher.levelLimit
  }

  /// A Boolean value indicating whether the pattern is `*`, so that every text matches.
  package var isAnything: Bool {
    if tokens.count == 1, case .anyRun = tokens[0] { true } else { false }
  }

  /// A Boolean value indicating whether the empty text matches.
  package var matchesEmptyText: Bool { matches("") }

  func matches(_ text: String) -> Bool { matches(Array(text.utf8).span) }

  /// The relative cost of matching: 0 if it is decided by the ends of a text, and 1 for most others.
  var cost: Int {
    var (isByEnds, count) = (!isImpossible && tokens.count <= 2, 0)
    for token in tokens {
      switch token {
      case .literal, .anyRun: break
      case .anyScalar: isByEnds = false
      case .variable(let values):
        isByEnds = false
        // Each value with wildcards is tried from every place.
        if values.texts == nil { count += values.values.count }
      }
    }
    return isByEnds ? 0 : 1 + count / 16
  }
}

// MARK: - Matching

extension Pattern {
  /// Returns a Boolean value indicating whether this pattern matches all of
  /// `text`, which must be valid UTF-8.
  ///
  /// - Complexity: O(*n* × *m*), where *n* is the length of the text and *m* that
  ///   of the pattern with its values.
  func matches(_ text: Span<UInt8>) -> Bool { levels(toMatch: text) <= LinkMatcher.levelLimit }

  /// Returns a Boolean value indicating whether the number of stars and variables keeps a text from
  /// matching: there are too many for any text, or for this one.
  func exceedsLevels(_ text: Span<UInt8>) -> Bool {
    isTooComplex || levels(toMatch: text) == LinkMatcher.levelLimit + 1
  }

  /// Returns the least number of levels that matching opens, where any number beyond the limit counts
  /// as one more than it, or ``unreachable`` if the text doesn't match.
  private func levels(toMatch text: Span<UInt8>) -> UInt8 {
    if isImpossible { return Self.unreachable }
    guard ignoresCase else { return levels(toMatchFolded: text) }
    return levels(toMatchFolded: SimpleCaseFolding.folded(text).span)
  }

  private func levels(toMatchFolded text: Span<UInt8>) -> UInt8 {
    // Most texts that don't match fail at the ends.
    if case .literal(let bytes) = tokens.first, !text.holds(bytes.span, 0, bytes.count, at: 0) {
      return Self.unreachable
    }
    if case .literal(let bytes) = tokens.last,
      bytes.count > text.count
        || !text.holds(bytes.span, 0, bytes.count, at: text.count - bytes.count)
    {
      return Self.unreachable
    }
    let start = [0] + Array(repeating: Self.unreachable, count: text.count)
    return Self.levels(after: tokens, from: start, isLast: true, in: text)[text.count]
  }

  /// The level at a place that a pattern can't have reached.
  private static let unreachable = UInt8.max

  /// The number of levels after one more has opened, at most one beyond the limit.
  private static func opened(_ level: UInt8) -> UInt8 {
    level == unreachable ? level : min(level, UInt8(LinkMatcher.levelLimit)) + 1
  }

  /// Returns the least number of levels open at each place of a text, from 0 to its length, after
  /// tokens, which may end the pattern.
  private static func levels(
    after tokens: [PatternToken], from start: [UInt8], isLast: Bool, in text: Span<UInt8>
  ) -> [UInt8] {
    var levels = start
    for (index, token) in tokens.enumerated() {
      let isLast = isLast && index == tokens.count - 1
      let old = levels
      levels = Array(repeating: unreachable, count: old.count)
      switch token {
      case .anyRun where !isLast:
        // It passes any number of scalars, but not all that are left.
        var level = unreachable
        for place in 0..<text.count {
          level = min(level, old[place])
          if text[place] & 0xC0 != 0x80 { levels[place] = opened(level) }
        }
      case .variable(let values) where values.texts == nil:
        let start = old.map(opened)
        for value in values.values {
          let ends = self.levels(after: value, from: start, isLast: isLast, in: text)
          levels = zip(levels, ends).map { min($0, $1) }
        }
      default:
        for (place, level) in old.enumerated() where level != unreachable {
          func put(_ place: Int, _ level: UInt8) { levels[place] = min(levels[place], level) }
          switch token {
          case .literal(let bytes):
            if text.holds(bytes.span, 0, bytes.count, at: place) { put(place + bytes.count, level) }
          case .anyScalar:
            if place < text.count { put(place + text[place].scalarLength, level) }
          case .anyRun: put(text.count, level)
          case .variable(let values):
            values.texts?.forEachEnd(in: text, from: place) { put($0, opened(level)) }
          }
        }
      }
    }
    return levels
  }
}

extension [PatternToken] {
  /// The minimum and the maximum number of levels that matching opens.
  ///
  /// There is one for each variable, and one for each star, also of its value, except for a star at
  /// the end of a pattern (Matching.md, 3c.6).
  fileprivate func levels(isLast: Bool = true) -> (least: Int, greatest: Int) {
    var (least, greatest) = (0, 0)
    for (index, token) in enumerated() {
      let isLast = isLast && index == count - 1
      switch token {
      case .literal, .anyScalar: continue
      case .anyRun where isLast: continue
      case .anyRun: break
      case .variable(let values):
        if values.texts == nil {
          greatest += values.values.map { $0.levels(isLast: isLast).greatest }.max() ?? 0
        }
      }
      (least, greatest) = (least + 1, greatest + 1)
    }
    return (least, greatest)
  }
}

extension UInt8 {
  /// The number of bytes of the scalar that begins with this one, in valid UTF-8.
  var scalarLength: Int {
    if self < 0x80 { 1 } else if self < 0xE0 { 2 } else if self < 0xF0 { 3 } else { 4 }
  }
}

/// One element of a pattern, as it is read from left to right.
package enum PatternToken: Hashable, Sendable {
  /// Bytes that match themselves.
  case literal([UInt8])

  /// `?`: exactly one Unicode scalar.
  case anyScalar

  /// `*`: any number of scalars, none included.
  case anyRun

  /// `$(name)`: one of these values, each with the wildcards that it holds.
  case variable(VariableValues)
}

extension PatternToken {
  /// Reads a pattern; without variables to look up, `$(` means itself.
  ///
  /// - Returns: The elements from left to right, or `nil` if no text matches because of a variable
  ///   without an end, without a definition, or without a usable value.
  static func tokens(of pattern: [UInt8], variables: Variables?, folds: Bool) -> [PatternToken]? {
    var tokens: [PatternToken] = []
    var literal: [UInt8] = []
    func flush() {
      if !literal.isEmpty {
        tokens.append(.literal(folds ? SimpleCaseFolding.folded(literal.span) : literal))
      }
      literal.removeAll()
    }

    var index = 0
    while index < pattern.count {
      switch pattern[index] {
      case UInt8(ascii: "*"):
        flush()
        // A run of stars is one star (Matching.md, 3c.6).
        if case .anyRun = tokens.last { break }
        tokens.append(.anyRun)
      case UInt8(ascii: "?"):
        flush()
        tokens.append(.anyScalar)
      case UInt8(ascii: "$")
      where variables != nil && pattern[(index + 1)...].first == UInt8(ascii: "("):
        flush()
        guard let end = pattern[index...].firstIndex(of: UInt8(ascii: ")")) else { return nil }
        let name = String(decoding: pattern[(index + 2)..<end], as: UTF8.self)
        let next = pattern[(end + 1)...].first
        guard let values = variables?.values(of: name, folds: folds, before: next) else {
          return nil
        }
        tokens.append(.variable(values))
        index = end
      case let byte: literal.append(byte)
      }
      index += 1
    }
    flush()
    return tokens
  }
}
