/// Patterns as one nondeterministic finite automaton (NFA) that reads the bytes of a text.
///
/// A position is a place in a pattern. Reading a byte moves a position to the next one, so one
/// shift moves 64 of them (the Shift-And algorithm). A star keeps its position, whatever is read.
/// Variables are links from the position before them to the first positions of their values, and
/// from the last ones to the position after them. Links also connect patterns that begin alike to
/// their different rests. All links lead forward.
///
/// The automaton doesn't count levels. A ``Pattern`` on its own does, where the text decides whether
/// there are too many (Matching.md, 3c.6).
final class PatternProgram: Sendable {
  /// The class of each byte, so that no pattern distinguishes two bytes of a class.
  let classes: [UInt8]

  let classCount: Int

  /// The bytes of each class.
  private let bytesOfClasses: [ByteSet]

  /// The number of words of a set of positions.
  let wordCount: Int

  /// The first positions, and the bytes that every text must have to match a pattern from there.
  private let starts: [(position: Int32, needed: ByteSet)]

  /// For each class of bytes, the positions that read it and move on.
  private let readers: [UInt64]

  /// The positions that stay, whatever is read: those with a star.
  private let stars: [UInt64]

  /// The positions that stay when a trailing byte of a scalar is read.
  ///
  /// These have a star, or follow a `?`, which has read the first byte.
  private let trailStays: [UInt64]

  /// The positions with links.
  private let linked: [UInt64]

  /// The positions whose links are followed when they are reached.
  ///
  /// Positions with a star are excluded: after a star, the rest is tried only if input is left
  /// (Matching.md, 3c.6).
  private let forks: [UInt64]
  private let hasLinkedStars: Bool

  /// The positions that links lead to, by word, and where those of each position begin.
  private let links: [(word: Int32, bits: UInt64)]
  private let linkStarts: [Int32]

  /// The stars of patterns, but not of values.
  ///
  /// When one is reached, the positions before it in the pattern no longer matter, because the star
  /// can read any text that they could.
  private let leads: [UInt64]

  /// The positions where a text that ends there matches.
  private let finals: [UInt64]

  /// The last stars, after which any text matches.
  private let settled: [UInt64]

  /// The positions that read any scalar.
  private let wildcards: [UInt64]

  /// The branch of each position.
  private let branchOfPosition: [Int32]

  /// The first position of each branch, and the positions of its patterns in ``patterns``.
  private let branches: [PatternProgramBuilder.Branch]
  private let patterns: [Int32]

  var patternCount: Int { patterns.count }

  /// The numbers of the patterns that are too large.
  let omittedPatterns: Set<Int32>

  /// Lays out the patterns of a builder, except for those whose variables and spellings need too many
  /// positions.
  init(_ builder: PatternProgramBuilder, positionsLeft: inout Int) {
    var builder = builder
    builder.layOut(positionsLeft: &positionsLeft)
    omittedPatterns = builder.omittedPatterns
    let positions = builder.positions
    let count = (positions.count + 63) / 64
    wordCount = count
    starts = builder.starts
    let classes = Self.classes(singles: builder.singles, sets: builder.sets)
    (self.classes, classCount) = (classes.ofBytes, classes.count)
    var bytesOfClasses = [ByteSet](repeating: ByteSet(), count: classes.count)
    for byte in UInt8.min...UInt8.max {
      bytesOfClasses[Int(classes.ofBytes[Int(byte)])].insert(byte)
    }
    self.bytesOfClasses = bytesOfClasses
    var readers = [UInt64](repeating: 0, count: count * classes.count)
    for index in positions.indices where positions[index].label >= 0 {
      for byteClass in classes.ofLabels[Int(positions[index].label)] {
        readers[byteClass * count + index >> 6] |= 1 << UInt64(index & 63)
      }
    }
    self.readers = readers
    func words(_ included: [Int32]) -> [UInt64] {
      var words = [UInt64](bitCount: positions.count)
      for position in included { words.insertBit(Int(position)) }
      return words
    }
    let (stars, finals) = (words(builder.stars), words(builder.finals))
    (self.stars, self.finals, leads) = (stars, finals, words(builder.leads))
    trailStays = words(builder.stars + builder.afterAny)
    settled = zip(stars, finals).map { $0 & $1 }
    wildcards = words(
      positions.indices.filter { positions[$0].label == PatternProgramBuilder.any }.map(Int32.init))
    branchOfPosition = positions.map(\.branch)
    (branches, patterns) = (builder.branches, builder.patterns)

    var linked = [UInt64](bitCount: positions.count)
    var (links, linkStarts): ([(word: Int32, bits: UInt64)], [Int32]) = ([], [])
    var rest = builder.links.sorted { ($0.source, $0.target) < ($1.source, $1.target) }[...]
    for position in positions.indices {
      let start = links.count
      linkStarts.append(Int32(start))
      while let link = rest.first, link.source == position {
        rest.removeFirst()
        linked.insertBit(position)
        let word = link.target >> 6
        if links.count == start || links[links.count - 1].word != word { links.append((word, 0)) }
        links[links.count - 1].bits |= 1 << UInt64(link.target & 63)
      }
    }
    self.links = links
    self.linkStarts = linkStarts + [Int32(links.count)]
    self.linked = linked
    forks = zip(linked, stars).map { $0 & ~$1 }
    hasLinkedStars = zip(linked, stars).contains { $0 & $1 != 0 }
  }

  private func branch(of position: Int) -> PatternProgramBuilder.Branch {
    branches[Int(branchOfPosition[position])]
  }

  // MARK: - Reading

  /// Replaces a set by the positions at the start of texts.
  ///
  /// If the bytes of the text are known, patterns that need others are left out.
  func begin(_ set: inout PositionSet, bytes: ByteSet? = nil) {
    set.removeAll()
    for (position, needed) in starts {
      if let bytes, !needed.isSubset(of: bytes) { continue }
      let word = Int(position >> 6)
      set.replace(word, by: set.words[word] | 1 << UInt64(position & 63))
    }
    followLinks(of: forks, in: &set)
  }

  /// Moves a set over a byte of a text, which must be valid UTF-8.
  ///
  /// - Complexity: O(*n*) in the words of the set that are not zero, and in the links of its
  ///   positions.
  func read(_ byte: UInt8, _ set: inout PositionSet) {
    // Inside a scalar, no rest begins.
    if hasLinkedStars, byte & 0xC0 != 0x80 { followLinks(of: linked, in: &set) }
    move(byte, &set)
    if !links.isEmpty { followLinks(of: forks, in: &set) }
  }

  private func move(_ byte: UInt8, _ set: inout PositionSet) {
    let row = Int(classes[Int(byte)]) * wordCount
    let (readers, marks) = (readers, leads)
    let stays = byte & 0xC0 == 0x80 ? trailStays : stars
    var reached: [PositionSet.Part] = []
    set.move(
      readers: readers.span.extracting(row..<(row + wordCount)), stays: stays.span,
      marks: marks.span, reached: &reached)
    for part in reached { leaveBehind(part.bits, of: part.word, in: &set) }
  }

  /// Drops positions before stars that have been reached if they lead nowhere else.
  private func leaveBehind(_ reached: UInt64, of word: Int, in set: inout PositionSet) {
    var rest = reached
    while rest != 0 {
      let bit = 63 - rest.leadingZeroBitCount
      rest &= ~(1 &<< UInt64(bit))
      let position = word << 6 + bit
      set.remove(from: Int(branch(of: position).start), to: position)
    }
  }

  /// Adds the positions that links lead to.
  private func followLinks(of sources: [UInt64], in set: inout PositionSet) {
    var index = set.firstWord(from: 0)
    while index < wordCount {
      var pending = set.words[index] & sources[index]
      while pending != 0 {
        let bit = pending.trailingZeroBitCount
        pending &= pending - 1
        let position = index << 6 + bit
        for link in Int(linkStarts[position])..<Int(linkStarts[position + 1]) {
          let place = Int(links[link].word)
          let added = links[link].bits & ~set.words[place]
          guard added != 0 else { continue }
          set.replace(place, by: set.words[place] | added)
          if place == index { pending |= added & sources[index] }
          let reached = added & leads[place]
          if reached != 0 {
            leaveBehind(reached, of: place, in: &set)
            pending &= set.words[index]
          }
        }
      }
      index = set.firstWord(from: index + 1)
    }
  }

  /// Drops positions that stars have made redundant since these were reached.
  ///
  /// Links can lead to the beginning of a branch again whose star has been reached.
  func removeRedundant(from set: inout PositionSet) {
    var index = set.firstWord(from: 0)
    while index < wordCount {
      let reached = set.words[index] & leads[index]
      if reached != 0 { leaveBehind(reached, of: index, in: &set) }
      index = set.firstWord(from: index + 1)
    }
  }

  /// Drops positions that lead to no pattern that is needed.
  ///
  /// - Returns: Whether there were any.
  func remove(from set: inout PositionSet, unless isNeeded: (_ pattern: Int32) -> Bool) -> Bool {
    var (isChanged, branch, keeps) = (false, Int32(-1), true)
    var index = set.firstWord(from: 0)
    while index < wordCount {
      var rest = set.words[index]
      while rest != 0 {
        let bit = rest.trailingZeroBitCount
        rest &= rest - 1
        let own = branchOfPosition[index << 6 + bit]
        if own != branch {
          branch = own
          keeps = branches[Int(own)].patterns.contains { isNeeded(patterns[$0]) }
        }
        if !keeps {
          set.replace(index, by: set.words[index] & ~(1 << UInt64(bit)))
          isChanged = true
        }
      }
      index = set.firstWord(from: index + 1)
    }
    return isChanged
  }

  // MARK: - Results

  /// Returns the bytes that positions of a set read, except for those that read any scalar.
  ///
  /// It adds to the set the positions that its stars lead to.
  func awaitedBytes(of set: inout PositionSet) -> ByteSet {
    if hasLinkedStars { followLinks(of: linked, in: &set) }
    var isAwaited = [Bool](repeating: false, count: classCount)
    set.forEachWord { index, bits in
      let readers = bits & ~wildcards[index]
      guard readers != 0 else { return }
      for byteClass in 0..<classCount
      where self.readers[byteClass * wordCount + index] & readers != 0 {
        isAwaited[byteClass] = true
      }
    }
    var bytes = ByteSet()
    for byteClass in 0..<classCount where isAwaited[byteClass] {
      bytes.formUnion(bytesOfClasses[byteClass])
    }
    return bytes
  }

  /// Appends the numbers of the patterns that match a text that ends here, ascending.
  func appendMatches(of set: borrowing PositionSet, to patterns: inout [Int32]) {
    let start = patterns.count
    forEachPattern(of: set, at: finals) { pattern in
      // The ends of a pattern lie one after another.
      if patterns.count == start || patterns[patterns.count - 1] != pattern {
        patterns.append(pattern)
      }
    }
    if patterns.count - start > 1 { patterns[start...].sort() }
  }

  /// Returns the patterns that match whatever follows, because their last star has been reached.
  func settledPatterns(of set: borrowing PositionSet) -> [Int32] {
    var patterns: [Int32] = []
    forEachPattern(of: set, at: settled) { patterns.append($0) }
    return patterns
  }

  /// Calls `body` with the pattern of each position of a set that is among some final positions.
  @inline(__always)
  private func forEachPattern(
    of set: borrowing PositionSet, at positions: [UInt64], _ body: (_ pattern: Int32) -> Void
  ) {
    set.forEachWord { index, bits in
      var rest = bits & positions[index]
      while rest != 0 {
        // Only branches of one pattern have ends.
        let position = index << 6 + rest.trailingZeroBitCount
        body(patterns[branch(of: position).patterns.lowerBound])
        rest &= rest - 1
      }
    }
  }

  /// Returns a Boolean value indicating whether no further text changes which patterns match.
  func isSettled(_ set: borrowing PositionSet) -> Bool {
    var index = set.firstWord(from: 0)
    while index < wordCount {
      if set.words[index] & ~settled[index] != 0 { return false }
      index = set.firstWord(from: index + 1)
    }
    return true
  }
}

/// A set of positions of a ``PatternProgram``.
///
/// It has a bit for each position, and a summary bit for each word that is not zero. So the cost of
/// a step is proportional to the number of such words.
struct PositionSet: Sendable {
  private(set) var words: [UInt64]

  /// A bit for each word that is not zero.
  private(set) var used: [UInt64]

  init(wordCount: Int) {
    words = Array(repeating: 0, count: wordCount)
    used = Array(repeating: 0, count: (wordCount + 63) / 64)
  }

  var isEmpty: Bool {
    for index in used.indices where used[index] != 0 { return false }
    return true
  }

  @inline(__always)
  mutating func replace(_ index: Int, by bits: UInt64) {
    words[index] = bits
    if bits == 0 {
      used[index >> 6] &= ~(1 &<< UInt64(index & 63))
    } else {
      used[index >> 6] |= 1 &<< UInt64(index & 63)
    }
  }

  /// Removes the positions from `start` up to, but not including, `end`.
  mutating func remove(from start: Int, to end: Int) {
    var index = start >> 6
    while start < end, index << 6 < end {
      if words[index] != 0 {
        let (low, high) = (max(start - index << 6, 0), min(end - index << 6, 64))
        let mask = (UInt64.max &>> UInt64(64 - (high - low))) &<< UInt64(low)
        replace(index, by: words[index] & ~mask)
      }
      index += 1
    }
  }

  mutating func removeAll() {
    var index = firstWord(from: 0)
    while index < words.count {
      replace(index, by: 0)
      index = firstWord(from: index + 1)
    }
  }

  /// Returns the first word from `start` on that is not zero, or the number of words.
  @inline(__always)
  func firstWord(from start: Int) -> Int {
    var block = start >> 6
    guard block < used.count else { return words.count }
    var rest = used[block] & (UInt64.max &<< UInt64(start & 63))
    while rest == 0 {
      block += 1
      guard block < used.count else { return words.count }
      rest = used[block]
    }
    return block << 6 + rest.trailingZeroBitCount
  }

  /// Calls `body` with each word that is not zero and its index, ascending.
  @inline(__always)
  func forEachWord(_ body: (_ index: Int, _ bits: UInt64) -> Void) {
    var index = firstWord(from: 0)
    while index < words.count {
      body(index, words[index])
      index = firstWord(from: index + 1)
    }
  }

  /// The words that are not zero: the index of each, then its lower and its upper half.
  var packed: [UInt32] {
    var packed: [UInt32] = []
    packed.reserveCapacity(3 * used.reduce(0) { $0 + $1.nonzeroBitCount })
    forEachWord { index, bits in
      packed.append(UInt32(index))
      packed.append(UInt32(truncatingIfNeeded: bits))
      packed.append(UInt32(bits >> 32))
    }
    return packed
  }

  /// Replaces the set by a packed one.
  mutating func unpack(_ packed: [UInt32]) {
    removeAll()
    for index in stride(from: 0, to: packed.count, by: 3) {
      replace(Int(packed[index]), by: UInt64(packed[index + 1]) | UInt64(packed[index + 2]) << 32)
    }
  }

  /// Some positions of one word.
  typealias Part = (word: Int, bits: UInt64)

  /// Moves each of some positions to the next one, and removes all others but those that stay.
  mutating func move(
    readers: Span<UInt64>, stays: Span<UInt64>, marks: Span<UInt64>, reached: inout [Part]
  ) {
    // Each is written in place, on its own.
    var (ownWords, ownUsed): ([UInt64], [UInt64]) = ([], [])
    swap(&ownWords, &self.words)
    swap(&ownUsed, &self.used)
    defer {
      swap(&ownWords, &self.words)
      swap(&ownUsed, &self.used)
    }
    var words = ownWords.mutableSpan
    var used = ownUsed.mutableSpan
    // The last position of a word moves to the first one of the next word, which is visited, too.
    var carry: UInt64 = 0
    for block in used.indices {
      var rest = used[block] | (carry != 0 ? 1 : 0)
      var isUsed: UInt64 = 0
      while rest != 0 {
        let bit = UInt64(rest.trailingZeroBitCount)
        rest &= rest &- 1
        let index = block &<< 6 &+ Int(bit)
        let old = words[index]
        let moving = old & readers[index]
        let new = moving &<< 1 | carry | old & stays[index]
        carry = moving &>> 63
        if carry != 0 { rest |= (1 &<< bit) &<< 1 }
        words[index] = new
        if new != 0 { isUsed |= 1 &<< bit }
        let marked = new & ~old & marks[index]
        if marked != 0 { reached.append((index, marked)) }
      }
      used[block] = isUsed
    }
  }
}

/// Bit sets.
extension [UInt64] {
  /// Creates an empty set of numbers below `count`.
  init(bitCount count: Int) { self.init(repeating: 0, count: (count + 63) / 64) }

  /// Returns a Boolean value indicating whether the set has a number.
  @inline(__always)
  func hasBit(_ number: Int) -> Bool { self[number >> 6] >> UInt64(number & 63) & 1 == 1 }

  @inline(__always)
  mutating func insertBit(_ number: Int) { self[number >> 6] |= 1 &<< UInt64(number & 63) }

  /// The numbers in the set, ascending.
  var bits: [Int] {
    var bits: [Int] = []
    bits.reserveCapacity(reduce(0) { $0 + $1.nonzeroBitCount })
    for (index, word) in enumerated() {
      var rest = word
      while rest != 0 {
        bits.append(index << 6 + rest.trailingZeroBitCount)
        rest &= rest - 1
      }
    }
    return bits
  }
}
