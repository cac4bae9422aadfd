/// A compiled pattern with wildcards and variables that is matched on its own.
///
/// Matching goes through the pattern once and keeps the set of all places in the text that each
/// step can reach. So it tries every split without backtracking. For each place it keeps the least
/// number of stars and variables on the way there, which the complexity guard counts (Matching.md,
/// 3c.6).
struct GeneralPattern: Sendable {
  /// One step through a pattern.
  enum Step: Sendable {
    case literal([UInt8])
    case anyScalar
    case anyRun(isLast: Bool)

    /// One of some texts without wildcards.
    case values(ValueSet)

    /// One of some sequences of steps, for values that hold wildcards.
    case alternatives([[Step]])
  }

  private let steps: [Step]

  /// Literals that the text must begin and end with; most other texts fail there at once.
  private let prefix: [UInt8]
  private let suffix: [UInt8]

  /// The pattern of the empty text, which all that need no other share.
  static let empty = GeneralPattern([])

  init(_ tokens: [PatternToken]) {
    steps = Self.steps(for: tokens, isLastOfAll: true)
    if case .literal(let bytes) = tokens.first { prefix = bytes } else { prefix = [] }
    if case .literal(let bytes) = tokens.last { suffix = bytes } else { suffix = [] }
  }

  /// Returns the steps for tokens, which end the pattern if they are the last of all.
  static func steps(for tokens: [PatternToken], isLastOfAll: Bool) -> [Step] {
    tokens.enumerated().map { index, token in
      let isLast = isLastOfAll && index == tokens.count - 1
      switch token {
      case .literal(let bytes): return .literal(bytes)
      case .anyScalar: return .anyScalar
      case .anyRun: return .anyRun(isLast: isLast)
      case .variable(.values(let set)): return .values(set)
      case .variable(.alternatives(let values)):
        return .alternatives(values.steps(isLast: isLast))
      }
    }
  }

  /// The number of sequences that variables represent, each of which is tried from every place.
  var alternativeCount: Int {
    steps.reduce(0) { count, step in
      if case .alternatives(let alternatives) = step { count + alternatives.count } else { count }
    }
  }

  /// Returns a Boolean value indicating whether this pattern matches all of
  /// `text`, which must be valid UTF-8.
  ///
  /// - Complexity: O(*n* × *m*), where *n* is the length of the text and *m* that
  ///   of the pattern with its values.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - countsLevels: Whether too many stars and variables keep the pattern from matching.
  ///   - scratch: Space for matching.
  /// - Returns: Whether all of the text matches.
  func matches(
    _ text: Span<UInt8>, countsLevels: Bool = true, scratch: inout PatternScratch
  ) -> Bool {
    guard text.holds(prefix, at: 0), text.holds(suffix, at: text.count - suffix.count) else {
      return false
    }
    scratch.reset(length: text.count)
    scratch.places.countsLevels = countsLevels
    for step in steps {
      guard Self.take(step, in: text, places: &scratch.places, spare: &scratch.spare) else {
        return false
      }
      if scratch.places.hasMatched { return true }
    }
    return scratch.places.levels[text.count] <= Pattern.levelLimit
  }

  /// Takes one step from every place.
  ///
  /// - Returns: Whether any place is left.
  private static func take(
    _ step: Step, in text: Span<UInt8>, places: inout Places, spare: inout [Places]
  ) -> Bool {
    switch step {
    case .literal(let bytes): places.pass(bytes, in: text)
    case .anyScalar: places.passScalar(in: text)
    case .anyRun(isLast: true): places.hasMatched = !places.isEmpty
    case .anyRun(isLast: false): places.passRun(in: text)
    case .values(let set): places.pass(set, in: text)
    case .alternatives(let alternatives):
      places.openLevel()
      // Values hold no variables, so there is just one set of places to keep
      // aside, and one to work in.
      while spare.count < 2 { spare.append(Places()) }
      swap(&places, &spare[0])
      places.countsLevels = spare[0].countsLevels
      places.reset(length: text.count, startsAtZero: false)
      for alternative in alternatives {
        spare[1].copy(spare[0])
        var (work, none): (Places, [Places]) = (Places(), [])
        swap(&work, &spare[1])
        var isAlive = true
        for step in alternative where isAlive && !work.hasMatched {
          isAlive = take(step, in: text, places: &work, spare: &none)
        }
        if isAlive { places.add(work) }
        swap(&work, &spare[1])
      }
    }
    return !places.isEmpty
  }
}
