/// A compiled pattern of one component of a URL.
///
/// Compiling picks the cheapest way of matching that the pattern allows.
/// Matching never allocates, apart from scratch space that grows once.
/// Text that is compared regardless of case is folded by the caller, once for
/// all patterns, and the pattern when it is compiled.
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

    /// Wildcards only.
    case glob(Glob)

    /// Variables, too.
    case general(GeneralPattern)
  }

  /// The way of matching.
  let strategy: Strategy

  /// The bytes that ``strategy`` compares, if it compares just one literal.
  private let literal: [UInt8]

  /// The greatest number of stars and variables that may be open at a time
  /// (MATCHING.md, 3c.6).
  static let levelLimit = 64

  /// Compiles a pattern.
  ///
  /// - Parameters:
  ///   - pattern: The pattern in UTF-8; a path's is normalised already.
  ///   - variables: The variables to look up, or `nil` where there are none.
  ///   - folds: Whether the texts to be matched are case-folded.
  init(_ pattern: [UInt8], variables: Variables?, folds: Bool) {
    do throws(UnmatchablePattern) {
      self.init(try PatternToken.tokens(of: pattern, variables: variables, folds: folds))
    } catch {
      self.init(strategy: .never)
    }
  }

  private init(strategy: Strategy, literal: [UInt8] = []) {
    self.strategy = strategy
    self.literal = literal
  }

  private init(_ tokens: [PatternToken]) {
    switch (tokens.first, tokens.dropFirst().first, tokens.count) {
    case (nil, _, _): self.init(strategy: .literal)
    case (.anyRun, _, 1): self.init(strategy: .anything)
    case (.literal(let bytes), _, 1): self.init(strategy: .literal, literal: bytes)
    case (.literal(let bytes), .anyRun, 2): self.init(strategy: .prefix, literal: bytes)
    case (.anyRun, .literal(let bytes), 2): self.init(strategy: .suffix, literal: bytes)
    default:
      if PatternToken.leastLevels(of: tokens) > Self.levelLimit {
        self.init(strategy: .never)
      } else if let glob = Glob(tokens) {
        self.init(strategy: .glob(glob))
      } else {
        self.init(strategy: .general(GeneralPattern(tokens)))
      }
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
    case .glob(let glob): glob.matches(text)
    case .general(let pattern): pattern.matches(text, scratch: &scratch)
    }
  }
}

extension Span<UInt8> {
  /// Returns a Boolean value indicating whether `bytes` stand at `start`; no
  /// byte stands before the start or beyond the end.
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
