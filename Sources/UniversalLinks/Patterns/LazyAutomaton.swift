/// The deterministic automaton (DFA) of a ``PatternProgram``, whose states are built when a text
/// first needs them.
///
/// A state is a set of positions. Texts fill in its row of transitions as they take them, so most
/// bytes cost one look-up for any number of patterns. ``AutomatonCache`` limits the memory.
struct LazyAutomaton: Sendable {
  private let automaton: PatternProgram

  /// The automaton's classes of bytes, kept here so that a look-up counts no references.
  private let classes: [UInt8]
  private let classCount: Int

  /// The rows of the states.
  ///
  /// For each class of bytes, a row has the place of the next row, ``unknown``, or ``settled(_:)``.
  /// The number of the state is at its end.
  private var rows: [Int32] = []

  /// The sets of positions of the states, packed, and the numbers of the states by the hashes of
  /// their sets, or by the next free numbers.
  private var sets: [[UInt32]] = []
  private var numbers: [UInt64: Int32] = [:]

  /// The patterns that match texts that end in each state, one state after another, and where those
  /// of each state end, after a 0.
  private var matches: [Int32] = []
  private var matchEnds: [Int32] = [0]

  /// The place of the row of the state at the start of texts, or -1 if there is none.
  private var firstRow = -1

  /// The set of positions that a text has led to.
  private var current: PositionSet

  /// The number of bytes to read without states, because states were reused too rarely.
  private var bytesWithoutStates = 0

  /// About the number of bytes of memory that the states use, and that each uses beside its row, its
  /// set and its matches.
  private(set) var size = 0
  private static let stateSize = 36

  private static let unknown: Int32 = -1

  /// The transition to a state that no further byte changes: a text needn't be read to its end.
  private static func settled(_ row: Int) -> Int32 { -2 - Int32(row) }

  init(_ automaton: PatternProgram) {
    self.automaton = automaton
    (classes, classCount) = (automaton.classes, automaton.classCount)
    current = PositionSet(wordCount: automaton.wordCount)
  }

  mutating func removeStates(bytesRead: Int) {
    // A state that is discarded a few bytes later costs more than it saves.
    if bytesRead < 16 * sets.count { bytesWithoutStates = 1 << 22 }
    (rows, sets, numbers, matches, matchEnds) = ([], [], [:], [], [0])
    (firstRow, size) = (-1, 0)
  }

  // MARK: - Reading

  /// The position in a text, and the place of the row of the state there, or -1 if it isn't known.
  typealias Progress = (position: Int, row: Int)

  /// Reads a text up to the first unknown state.
  @inline(__always)
  mutating func readKnown(_ text: Span<UInt8>, into found: inout [Int32]) -> Progress? {
    var progress: Progress = (0, -1)
    guard firstRow >= 0, bytesWithoutStates <= 0 else { return progress }
    progress.row = firstRow
    guard follow(text, &progress) else { return progress }
    append(matchesOf: progress.row, to: &found)
    return nil
  }

  /// Reads the rest of a text, which must be valid UTF-8, and builds the states on its way.
  ///
  /// - Returns: Whether the whole text has been read. If not, the states have reached the limit of
  ///   their size: discard them, and call this function again.
  mutating func read(
    _ text: Span<UInt8>, _ progress: inout Progress, limit: Int, into found: inout [Int32]
  ) -> Bool {
    if progress.row < 0, progress.position == 0 {
      automaton.begin(&current, bytes: bytesWithoutStates > 0 ? ByteSet(text) : nil)
    }
    guard bytesWithoutStates <= 0 else {
      readWithoutStates(text, from: progress.position)
      automaton.appendMatches(of: current, to: &found)
      return true
    }
    if progress.row < 0 {
      progress.row = row()
      if progress.position == 0 { firstRow = progress.row }
    }
    while !follow(text, &progress) {
      let (byte, row) = (text[progress.position], progress.row)
      load(row)
      automaton.read(byte, &current)
      progress.position += 1
      progress.row = -1
      guard size < limit else { return false }
      progress.row = self.row(after: row, byte)
    }
    append(matchesOf: progress.row, to: &found)
    return true
  }

  /// Returns the place of the row for the set of positions, to which a byte has led.
  private mutating func row(after row: Int, _ byte: UInt8) -> Int {
    let next = self.row()
    rows[row + Int(classes[Int(byte)])] =
      automaton.isSettled(current) ? Self.settled(next) : Int32(next)
    return next
  }

  /// Follows the transitions that are known.
  ///
  /// - Returns: Whether no further byte matters, because there is none or the state is settled.
  @inline(__always)
  private func follow(_ text: Span<UInt8>, _ progress: inout Progress) -> Bool {
    let rows = rows.span
    let classes = classes.span
    var (row, position) = (progress.row, progress.position)
    defer { (progress.row, progress.position) = (row, position) }
    while position < text.count {
      let next = rows[row &+ Int(classes[Int(text[position])])]
      guard next >= 0 else {
        if next != Self.unknown { row = -2 - Int(next) }
        return next != Self.unknown
      }
      row = Int(next)
      position &+= 1
    }
    return true
  }

  @inline(__always)
  private func append(matchesOf row: Int, to found: inout [Int32]) {
    let state = Int(rows[row + classCount])
    var match = Int(matchEnds[state])
    while match < Int(matchEnds[state + 1]) {
      found.append(matches[match])
      match += 1
    }
  }

  private mutating func readWithoutStates(_ text: Span<UInt8>, from start: Int) {
    var position = start
    while position < text.count, !current.isEmpty {
      automaton.read(text[position], &current)
      position += 1
    }
    bytesWithoutStates -= position - start
  }

  // MARK: - States

  private mutating func load(_ row: Int) { current.unpack(sets[Int(rows[row + classCount])]) }

  /// Returns the place of the row for the set of positions, and creates the row if necessary.
  private mutating func row() -> Int {
    automaton.removeRedundant(from: &current)
    let set = current.packed
    // Hashing whole sets as keys would take most of the time.
    var hash = set.reduce(0 as UInt64) { hash, part in
      (hash ^ hash >> 29 ^ UInt64(part)) &* 0x9E37_79B9_7F4A_7C15
    }
    while let known = numbers[hash] {
      if sets[Int(known)] == set { return Int(known) * (classCount + 1) }
      hash &+= 1
    }
    let number = sets.count
    sets.append(set)
    numbers[hash] = Int32(number)
    let matchCount = matches.count
    automaton.appendMatches(of: current, to: &matches)
    matchEnds.append(Int32(matches.count))
    rows.append(contentsOf: repeatElement(Self.unknown, count: classCount))
    rows.append(Int32(number))
    size += Self.stateSize + 4 * (classCount + 1 + matches.count - matchCount) + 4 * set.count
    return number * (classCount + 1)
  }

  // MARK: - Products

  /// Returns the class of a byte; the automaton doesn't distinguish two bytes of a class.
  func byteClass(_ byte: UInt8) -> UInt8 { classes[Int(byte)] }

  mutating func start() -> Int {
    if firstRow < 0 {
      automaton.begin(&current)
      firstRow = row()
    }
    return firstRow
  }

  /// Returns the place of the row of the state that a byte leads to.
  mutating func next(_ row: Int, _ byte: UInt8, work: inout Int) -> Int {
    work += 1
    let known = rows[row + Int(classes[Int(byte)])]
    if known != Self.unknown { return known >= 0 ? Int(known) : -2 - Int(known) }
    load(row)
    automaton.read(byte, &current)
    let next = self.row(after: row, byte)
    work += (cost(of: row) + cost(of: next)) / 2
    return next
  }

  /// The place of the row of a state without the positions that lead to no needed pattern.
  mutating func restrict(
    _ row: Int, work: inout Int, to isNeeded: (_ pattern: Int32) -> Bool
  ) -> Int {
    work += cost(of: row)
    load(row)
    return automaton.remove(from: &current, unless: isNeeded) ? self.row() : row
  }

  /// The numbers of the patterns that match a text that leads to a state, ascending.
  func matches(_ row: Int) -> ArraySlice<Int32> {
    let state = Int(rows[row + classCount])
    return matches[Int(matchEnds[state])..<Int(matchEnds[state + 1])]
  }

  /// Returns the numbers of the patterns that match whatever follows on a text that leads to a state.
  mutating func settledPatterns(_ row: Int, work: inout Int) -> [Int32] {
    if matches(row).isEmpty { return [] }
    work += cost(of: row)
    load(row)
    return automaton.settledPatterns(of: current)
  }

  /// Returns the bytes for which a state's next state differs from that for most others.
  mutating func awaitedBytes(_ row: Int, work: inout Int) -> ByteSet {
    work += cost(of: row)
    load(row)
    return automaton.awaitedBytes(of: &current)
  }

  /// A measure of the cost of reading a byte in a state.
  private func cost(of row: Int) -> Int {
    1 + sets[Int(rows[row + classCount])].count / 3 + automaton.wordCount / 512
  }
}
