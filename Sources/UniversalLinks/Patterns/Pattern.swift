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

  /// A Boolean value indicating whether no text matches because the pattern has more stars and
  /// variables than ``levelLimit``.
  let isTooComplex: Bool

  /// A Boolean value indicating whether the text decides if the limit of levels is exceeded.
  package let hasUndecidedLevels: Bool

  /// The greatest number of stars and variables that may be open at a time
  /// (Matching.md, 3c.6).
  static let levelLimit = 64

  /// Compiles a pattern from its elements, which are `nil` if it can't be read.
  init(_ tokens: [PatternToken]?, ignoresCase: Bool) {
    (self.tokens, self.ignoresCase) = (tokens ?? [], ignoresCase)
    isTooComplex = self.tokens.leastLevels > Self.levelLimit
    isImpossible = tokens == nil || isTooComplex
    hasUndecidedLevels = !isTooComplex && self.tokens.greatestLevels > Self.levelLimit
  }

  /// A Boolean value indicating whether the pattern is `*`, so that every text matches.
  package var isAnything: Bool {
    if tokens.count == 1, case .anyRun = tokens[0] { true } else { false }
  }

  /// A Boolean value indicating whether the empty text matches.
  package var matchesEmptyText: Bool { matches("") }

  /// Returns a Boolean value indicating whether this pattern matches a text.
  func matches(_ text: String) -> Bool {
    var scratch = PatternScratch()
    return matches(Array(text.utf8).span, scratch: &scratch)
  }

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
        if values.trie == nil { count += values.values.count }
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
  func matches(_ text: Span<UInt8>, scratch: inout PatternScratch) -> Bool {
    !isImpossible && matches(text, countsLevels: true, scratch: &scratch)
  }

  /// Returns a Boolean value indicating whether the number of stars and variables keeps a text from
  /// matching: there are too many for any text, or for this one.
  func exceedsLevels(_ text: Span<UInt8>, scratch: inout PatternScratch) -> Bool {
    isTooComplex
      || !isImpossible && !matches(text, countsLevels: true, scratch: &scratch)
        && matches(text, countsLevels: false, scratch: &scratch)
  }

  private func matches(
    _ text: Span<UInt8>, countsLevels: Bool, scratch: inout PatternScratch
  ) -> Bool {
    guard ignoresCase else {
      return matchesFolded(text, countsLevels: countsLevels, scratch: &scratch)
    }
    var folded: [UInt8] = []
    swap(&folded, &scratch.folded)
    defer { swap(&folded, &scratch.folded) }
    SimpleCaseFolding.fold(text, into: &folded)
    return matchesFolded(folded.span, countsLevels: countsLevels, scratch: &scratch)
  }

  /// Matches a text that has been folded if letter case is ignored.
  private func matchesFolded(
    _ text: Span<UInt8>, countsLevels: Bool, scratch: inout PatternScratch
  ) -> Bool {
    // Most texts that don't match fail at the ends.
    if case .literal(let bytes) = tokens.first, !text.holds(bytes, at: 0) { return false }
    if case .literal(let bytes) = tokens.last, !text.holds(bytes, at: text.count - bytes.count) {
      return false
    }
    scratch.places.reset(length: text.count, startsAtZero: true)
    scratch.places.countsLevels = countsLevels
    Self.take(tokens, isLast: true, in: text, places: &scratch.places, spare: &scratch.spare)
    return scratch.places.hasMatched || scratch.places.levels[text.count] <= Self.levelLimit
  }

  /// Takes tokens from every place, until no place is left or a last star has matched.
  private static func take(
    _ tokens: [PatternToken], isLast: Bool, in text: Span<UInt8>, places: inout Places,
    spare: inout [Places]
  ) {
    for (index, token) in tokens.enumerated() {
      guard !places.isEmpty, !places.hasMatched else { return }
      let isLast = isLast && index == tokens.count - 1
      switch token {
      case .literal(let bytes): places.pass(bytes, in: text)
      case .anyScalar: places.passScalar(in: text)
      case .anyRun where isLast: places.hasMatched = true
      case .anyRun: places.passRun(in: text)
      case .variable(let values):
        if let trie = values.trie {
          places.pass(trie, in: text)
        } else {
          take(oneOf: values.values, isLast: isLast, in: text, places: &places, spare: &spare)
        }
      }
    }
  }

  /// Takes one of some values from every place.
  private static func take(
    oneOf values: [[PatternToken]], isLast: Bool, in text: Span<UInt8>, places: inout Places,
    spare: inout [Places]
  ) {
    places.openLevel()
    // Values hold no variables, so there is just one set of places to keep
    // aside, and one to work in.
    while spare.count < 2 { spare.append(Places()) }
    swap(&places, &spare[0])
    places.countsLevels = spare[0].countsLevels
    places.reset(length: text.count, startsAtZero: false)
    for value in values {
      spare[1].copy(spare[0])
      var (work, none): (Places, [Places]) = (Places(), [])
      swap(&work, &spare[1])
      take(value, isLast: isLast, in: text, places: &work, spare: &none)
      places.add(work)
      swap(&work, &spare[1])
    }
  }
}

extension [PatternToken] {
  /// The minimum number of levels that matching opens.
  ///
  /// There is one for each variable, and one for each star except a last one (Matching.md, 3c.6).
  fileprivate var leastLevels: Int {
    starLevels(isLast: true) + count { if case .variable = $0 { true } else { false } }
  }

  /// The maximum number of levels that matching opens, with those of stars in values.
  fileprivate var greatestLevels: Int {
    enumerated().reduce(leastLevels) { sum, element in
      guard case .variable(let values) = element.element, values.trie == nil else { return sum }
      let isLast = element.offset == count - 1
      return sum + (values.values.map { $0.starLevels(isLast: isLast) }.max() ?? 0)
    }
  }

  /// The number of stars, except for one at the end of a pattern.
  private func starLevels(isLast: Bool) -> Int {
    enumerated().count { index, token in
      if case .anyRun = token { !isLast || index < count - 1 } else { false }
    }
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
}

extension UInt8 {
  /// The number of bytes of the scalar that begins with this one, in valid UTF-8.
  var scalarLength: Int {
    if self < 0x80 { 1 } else if self < 0xE0 { 2 } else if self < 0xF0 { 3 } else { 4 }
  }
}

// MARK: - Places

/// Memory for matching, which is reused from one URL to the next so that matching doesn't allocate.
struct PatternScratch: Sendable {
  fileprivate var folded: [UInt8] = []
  fileprivate var places = Places()
  fileprivate var spare: [Places] = []
}

/// The places in a text that a pattern can have reached.
private struct Places: Sendable {
  /// The least number of levels open at each place, from 0 to the length of the text.
  ///
  /// It is more than the limit if the place can't be reached.
  private(set) var levels: [UInt8] = []

  /// The places that can be reached lie between these bounds.
  private var first = 0
  private var last = -1

  /// Whether places with too many levels can't be reached.
  var countsLevels = true

  /// A Boolean value indicating whether a last star has matched the whole rest.
  var hasMatched = false

  private static let unreachable = UInt8.max

  /// A Boolean value indicating whether there is no place.
  var isEmpty: Bool { first > last }

  mutating func reset(length: Int, startsAtZero: Bool) {
    levels.removeAll(keepingCapacity: true)
    levels.append(contentsOf: repeatElement(Self.unreachable, count: length + 1))
    if startsAtZero { levels[0] = 0 }
    (first, last) = startsAtZero ? (0, 0) : (length + 1, -1)
    hasMatched = false
  }

  /// Becomes equal to `other`.
  mutating func copy(_ other: Places) {
    levels.removeAll(keepingCapacity: true)
    levels.append(contentsOf: other.levels)
    (first, last, hasMatched) = (other.first, other.last, other.hasMatched)
    countsLevels = other.countsLevels
  }

  /// Adds the places of `other`.
  mutating func add(_ other: Places) {
    hasMatched = hasMatched || other.hasMatched
    guard !other.isEmpty else { return }
    for place in other.first...other.last where other.levels[place] < levels[place] {
      levels[place] = other.levels[place]
    }
    (first, last) = (min(first, other.first), max(last, other.last))
  }

  /// Opens a level at every place.
  mutating func openLevel() {
    guard !isEmpty else { return }
    let (oldFirst, oldLast) = (first, last)
    (first, last) = (levels.count, -1)
    for place in oldFirst...oldLast {
      levels[place] = opened(levels[place])
      if levels[place] != Self.unreachable { (first, last) = (min(first, place), place) }
    }
  }

  private func opened(_ level: UInt8) -> UInt8 {
    guard countsLevels else { return level }
    return level < Pattern.levelLimit ? level + 1 : Self.unreachable
  }

  /// Removes each place and calls `body` with it and its level, from the last to the first.
  ///
  /// Steps lead to later places or to the same one. So when going backwards, the new places fit in
  /// the same array.
  private mutating func move(_ body: (inout Places, _ place: Int, _ level: UInt8) -> Void) {
    let (oldFirst, oldLast) = (first, last)
    (first, last) = (levels.count, -1)
    var place = oldLast
    while place >= oldFirst {
      let level = levels[place]
      if level != Self.unreachable {
        levels[place] = Self.unreachable
        body(&self, place, level)
      }
      place -= 1
    }
  }

  private mutating func put(_ place: Int, level: UInt8) {
    guard level < levels[place] else { return }
    levels[place] = level
    (first, last) = (min(first, place), max(last, place))
  }

  /// Passes the bytes of a literal.
  mutating func pass(_ literal: [UInt8], in text: Span<UInt8>) {
    move { places, place, level in
      if text.holds(literal, at: place) { places.put(place + literal.count, level: level) }
    }
  }

  /// Passes one scalar.
  mutating func passScalar(in text: Span<UInt8>) {
    move { places, place, level in
      if place < text.count {
        places.put(place + text[place].scalarLength, level: level)
      }
    }
  }

  /// Passes any number of scalars but not all that are left.
  mutating func passRun(in text: Span<UInt8>) {
    guard !isEmpty else { return }
    var level = Self.unreachable
    var place = first
    while place < text.count {
      level = min(level, levels[place])
      // A place inside a scalar does not count.
      let isInside = text[place] & 0xC0 == 0x80
      levels[place] = isInside ? Self.unreachable : opened(level)
      place += 1
    }
    levels[text.count] = Self.unreachable
    last = text.count - 1
    // Where the first place had too many levels, later ones may have less.
    while first <= last, levels[first] == Self.unreachable { first += 1 }
  }

  /// Passes one of the values of a variable.
  mutating func pass(_ trie: ValueTrie, in text: Span<UInt8>) {
    move { places, place, level in
      let level = places.opened(level)
      trie.forEachEnd(of: text, from: place) { end in places.put(end, level: level) }
    }
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
  /// Reads a pattern.
  ///
  /// - Parameters:
  ///   - pattern: The pattern in UTF-8.
  ///   - variables: The variables to look up, or `nil` where `$(` means itself.
  ///   - folds: Whether literals are folded, because letter case is ignored.
  /// - Returns: The elements from left to right, or `nil` if no text matches because of a variable
  ///   without an end, without a definition, or without a usable value.
  static func tokens(
    of pattern: [UInt8], variables: Variables?, folds: Bool
  ) -> [PatternToken]? {
    var tokens: [PatternToken] = []
    var literal: [UInt8] = []
    func flush() {
      if !literal.isEmpty {
        tokens.append(.literal(folds ? SimpleCaseFolding.folded(literal) : literal))
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
        let follower = Variables.Follower(pattern[(end + 1)...].first)
        guard let values = variables?.values(of: name, folds: folds, before: follower) else {
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
