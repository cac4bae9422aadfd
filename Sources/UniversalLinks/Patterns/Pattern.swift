/// A compiled pattern of one component of a URL that is matched on its own.
///
/// A ``PatternAutomaton`` matches many at once. For matching regardless of case, the caller folds
/// the text once for all patterns, and compiling folds the pattern.
struct Pattern: Sendable {
  /// The ways of matching, from the cheapest to the most general.
  enum Strategy: Sendable {
    /// No text matches.
    case never

    /// The pattern `*`: every text matches.
    case anything

    /// The text is equal to the literal.
    case literal

    /// The text begins with the literal: `literal*`.
    case prefix

    /// The text ends with the literal: `*literal`.
    case suffix

    /// Other wildcards, and variables.
    case general
  }

  /// The way of matching.
  let strategy: Strategy

  /// A Boolean value indicating whether no text matches because the pattern has more stars and
  /// variables than ``levelLimit``.
  let isTooComplex: Bool

  // The data of the strategies are properties, not associated values of cases: a property is used
  // in place, without counting references.
  private let literal: [UInt8]
  private let general: GeneralPattern

  /// The greatest number of stars and variables that may be open at a time
  /// (Matching.md, 3c.6).
  static let levelLimit = 64

  /// Compiles a pattern.
  ///
  /// - Parameters:
  ///   - pattern: The pattern in UTF-8; that of a path is already normalized.
  ///   - variables: The variables to look up, or `nil` where there are none.
  ///   - folds: Whether the texts to be matched are case-folded.
  init(_ pattern: [UInt8], variables: Variables?, folds: Bool) {
    do throws(UnmatchablePattern) {
      self.init(try PatternToken.tokens(of: pattern, variables: variables, folds: folds))
    } catch {
      self.init(.never)
    }
  }

  private init(
    _ strategy: Strategy, literal: [UInt8] = [], general: GeneralPattern = .empty,
    isTooComplex: Bool = false
  ) {
    self.strategy = strategy
    self.isTooComplex = isTooComplex
    self.literal = literal
    self.general = general
  }

  /// The pattern of a component that isn't constrained.
  static let anything = Pattern(.anything)

  /// A pattern that no text matches.
  static let never = Pattern(.never)

  /// Compiles a pattern from its elements.
  init(_ tokens: [PatternToken]) {
    switch (tokens.first, tokens.dropFirst().first, tokens.count) {
    case (nil, _, _): self.init(.literal)
    case (.anyRun, _, 1): self.init(.anything)
    case (.literal(let bytes), _, 1): self.init(.literal, literal: bytes)
    case (.literal(let bytes), .anyRun, 2): self.init(.prefix, literal: bytes)
    case (.anyRun, .literal(let bytes), 2): self.init(.suffix, literal: bytes)
    default:
      if PatternToken.leastLevels(of: tokens) > Self.levelLimit {
        self.init(.never, general: GeneralPattern(tokens), isTooComplex: true)
      } else {
        self.init(.general, general: GeneralPattern(tokens))
      }
    }
  }

  /// The relative cost of matching: 0 if it is decided by the ends of a text, and 1 for most others.
  var cost: Int {
    switch strategy {
    case .anything, .literal, .prefix, .suffix: 0
    case .never, .general: 1 + general.alternativeCount / 16
    }
  }

  /// Returns a Boolean value indicating whether this pattern matches all of
  /// `text`, which must be valid UTF-8.
  func matches(_ text: Span<UInt8>, scratch: inout PatternScratch) -> Bool {
    switch strategy {
    case .never: false
    case .anything: true
    case .literal: text.count == literal.count && text.holds(literal, at: 0)
    case .prefix: text.holds(literal, at: 0)
    case .suffix: text.holds(literal, at: text.count - literal.count)
    case .general: general.matches(text, scratch: &scratch)
    }
  }

  /// Returns a Boolean value indicating whether only the limit of open stars and variables keeps a
  /// text from matching.
  func exceedsLevels(_ text: Span<UInt8>, scratch: inout PatternScratch) -> Bool {
    guard isTooComplex || strategy == .general, !matches(text, scratch: &scratch) else {
      return false
    }
    return general.matches(text, countsLevels: false, scratch: &scratch)
  }
}

extension Span<UInt8> {
  /// Returns a Boolean value indicating whether the text has `bytes` at `start`; there are no bytes
  /// outside the text.
  func holds(_ bytes: borrowing [UInt8], at start: Int) -> Bool {
    guard start >= 0, start + bytes.count <= count else { return false }
    var index = 0
    while index < bytes.count {
      if self[start + index] != bytes[index] { return false }
      index += 1
    }
    return true
  }

  /// The number of bytes of the scalar at `index`, in valid UTF-8.
  func scalarLength(at index: Int) -> Int {
    UTF8Text.length(ofScalarWithLead: self[index])
  }
}
