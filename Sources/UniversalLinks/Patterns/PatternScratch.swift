/// Memory for matching, which is reused from one URL to the next so that matching doesn't allocate.
struct PatternScratch: Sendable {
  var places = Places()
  var spare: [Places] = []

  /// Resets to the beginning of a text of `length` bytes.
  mutating func reset(length: Int) {
    places.reset(length: length, startsAtZero: true)
  }
}

/// The places in a text that a pattern can have reached.
struct Places: Sendable {
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
        places.put(place + text.scalarLength(at: place), level: level)
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

  /// Passes one of the values of a set.
  mutating func pass(_ set: ValueSet, in text: Span<UInt8>) {
    move { places, place, level in
      let level = places.opened(level)
      set.forEachEnd(of: text, from: place) { end in places.put(end, level: level) }
    }
  }
}
