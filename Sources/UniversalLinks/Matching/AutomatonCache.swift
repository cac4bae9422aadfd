internal import Foundations

/// The lazily built automata of the matchers that evaluate a URL, and their matches.
///
/// Each thread has its own, in an ``Evaluation``. The states of all automata share one limit. When
/// they reach it, all states are discarded.
struct AutomatonCache: Sendable {
  /// The patterns that an automaton has found in a URL.
  private struct Finding: BitwiseCopyable {
    /// The number of the URL, among those that were evaluated.
    var url = 0

    /// The position of the patterns in ``found``.
    var start: Int32 = 0
    var end: Int32 = 0

    var range: Range<Int> { Int(start)..<Int(end) }
  }

  /// The tables in use, which are retained so that no others get the same identities.
  private var tables: [ObjectIdentifier: (table: PatternTable, first: Int)] = [:]
  private var automata: [LazyAutomaton] = []
  private var findings: [Finding] = []

  /// The numbers of the patterns that were found in the URL and in some before it, automaton by
  /// automaton.
  private(set) var found: [Int32] = []
  private static let foundLimit = 4096

  /// The table in use, and the position of its first automaton.
  private var table: PatternTable?
  private var first = 0

  /// The number of the URL.
  private var url = 0

  /// The numbers of the URL's query items that match each pattern, automaton by automaton, and the
  /// patterns that any matches.
  private var itemCounts: [[Int32]] = []
  private var itemPatterns: [[Int32]] = []

  /// An item that is being read.
  private var item: [UInt8] = []

  /// The number of bytes that all states use, and the greatest that they may use.
  private var size = 0
  private let limit: Int

  /// The number of bytes that were read since states were discarded.
  private var bytesRead = 0

  /// The greatest number of automata.
  private static let automatonLimit = 10_000

  init(limit: Int = 4 << 20) { self.limit = limit }

  /// Begins the evaluation of a URL by the rules of a table.
  mutating func begin(_ table: PatternTable) {
    url += 1
    // Emptying costs more than what many URLs find.
    if found.count > Self.foundLimit { found.removeAll(keepingCapacity: true) }
    if table !== self.table { use(table) }
  }

  private mutating func use(_ table: PatternTable) {
    self.table = table
    if let known = tables[ObjectIdentifier(table)] {
      first = known.first
      return
    }
    if automata.count > Self.automatonLimit {
      tables = [:]
      automata = []
      findings = []
      (itemCounts, itemPatterns) = ([], [])
      size = 0
    }
    first = automata.count
    tables[ObjectIdentifier(table)] = (table, first)
    automata += table.programs.map { LazyAutomaton($0) }
    findings += table.programs.map { _ in Finding() }
    itemCounts += table.programs.map { _ in [] }
    itemPatterns += table.programs.map { _ in [] }
  }

  /// Finds the patterns of an automaton that match a text.
  @discardableResult
  mutating func read(_ text: Span<UInt8>, program: Int) -> Range<Int> {
    let (index, start) = (first + program, found.count)
    bytesRead += text.count
    if let progress = automata[index].readKnown(text, into: &found) {
      read(text, from: progress, index)
    }
    findings[index] = Finding(url: url, start: Int32(start), end: Int32(found.count))
    return start..<found.count
  }

  private mutating func read(
    _ text: Span<UInt8>, from progress: LazyAutomaton.Progress, _ index: Int
  ) {
    var progress = progress
    while true {
      let old = automata[index].size
      let isRead = automata[index].read(
        text, &progress, limit: limit - size + old, into: &found)
      size += automata[index].size - old
      if isRead { return }
      for index in automata.indices { automata[index].removeStates(bytesRead: bytesRead) }
      (size, bytesRead) = (0, 0)
    }
  }

  /// Begins reading the query items of the URL.
  mutating func beginItems(program: Int) {
    let index = first + program
    findings[index] = Finding(url: url)
    if itemCounts[index].isEmpty, let count = table?.patternCounts[program] {
      itemCounts[index] = Array(repeating: 0, count: count)
    }
    for pattern in itemPatterns[index] { itemCounts[index][Int(pattern)] = 0 }
    itemPatterns[index].removeAll(keepingCapacity: true)
  }

  /// Finds the patterns of a program that match a query item.
  mutating func read(_ name: Span<UInt8>, _ value: Span<UInt8>, program: Int) {
    var item: [UInt8] = []
    swap(&item, &self.item)
    item.removeAll(keepingCapacity: true)
    name.append(to: &item)
    item.append(PatternTable.separator)
    value.append(to: &item)
    let index = first + program
    let range = read(item.span, program: program)
    for position in range {
      let pattern = found[position]
      if itemCounts[index][Int(pattern)] == 0 { itemPatterns[index].append(pattern) }
      itemCounts[index][Int(pattern)] += 1
    }
    found.removeSubrange(range)
    swap(&item, &self.item)
  }

  /// Returns a Boolean value indicating whether every item with a condition's name matches, or `nil`
  /// if there is none.
  func matchesItems(_ condition: PatternTable.Condition) -> Bool? {
    let counts = itemCounts[first + Int(condition.program)]
    let count = counts[Int(condition.name)]
    return count == 0 ? nil : counts[Int(condition.pattern)] == count
  }

  /// Returns a Boolean value indicating whether an automaton has read a text of the URL.
  func hasRead(_ program: Int) -> Bool { findings[first + program].url == url }

  /// Returns a Boolean value indicating whether an automaton has found a pattern.
  func hasFound(_ pattern: Int32, program: Int) -> Bool {
    found.contains(pattern, in: findings[first + program].range)
  }
}

extension Array where Element: FixedWidthInteger {
  /// Returns a Boolean value indicating whether there is a number in a range, which is ascending.
  @inline(__always)
  func contains(_ number: Element, in range: Range<Int>) -> Bool {
    let index = range.partitioningIndex { self[$0] >= number }
    return index < range.upperBound && self[index] == number
  }
}
