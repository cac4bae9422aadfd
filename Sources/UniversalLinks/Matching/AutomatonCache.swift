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

  /// The number of the URL, and that of the last one whose items were read, by form.
  private var url = 0
  private var itemURLs = [Int](repeating: 0, count: TextForm.allCases.count)

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
      size = 0
    }
    first = automata.count
    tables[ObjectIdentifier(table)] = (table, first)
    automata += table.automata.map { LazyAutomaton($0) }
    findings += table.automata.map { _ in Finding() }
  }

  /// Begins reading the query items of the URL.
  ///
  /// - Returns: Whether they haven't been read.
  mutating func beginItems(_ form: TextForm) -> Bool {
    let index = form.rawValue
    guard itemURLs[index] != url else { return false }
    itemURLs[index] = url
    return true
  }

  /// Finds the patterns of an automaton that match a text.
  ///
  /// - Parameters:
  ///   - text: The text, valid UTF-8.
  ///   - automaton: The position of the automaton in the table.
  /// - Returns: The position of the patterns' numbers in ``found``, where they are ascending.
  @discardableResult
  mutating func read(_ text: Span<UInt8>, automaton: Int) -> Range<Int> {
    let (index, start) = (first + automaton, found.count)
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

  /// Finds the patterns of an automaton that match a text, and keeps of those found in the same URL
  /// the ones that match this text, too.
  mutating func readFurther(_ text: Span<UInt8>, automaton: Int) {
    guard hasRead(automaton) else {
      read(text, automaton: automaton)
      return
    }
    let others = findings[first + automaton].range
    let new = read(text, automaton: automaton)
    var (kept, next) = (others.lowerBound, new.lowerBound)
    // Both are ascending.
    for position in others {
      while next < new.upperBound, found[next] < found[position] { next += 1 }
      guard next < new.upperBound, found[next] == found[position] else { continue }
      found[kept] = found[position]
      kept += 1
    }
    // A URL can have very many items.
    found.removeSubrange(new)
    findings[first + automaton] = Finding(
      url: url, start: Int32(others.lowerBound), end: Int32(kept))
  }

  /// Returns the first pattern of an automaton that matches a text, if any.
  mutating func firstFound(in text: Span<UInt8>, automaton: Int) -> Int32? {
    let range = read(text, automaton: automaton)
    defer { found.removeSubrange(range) }
    return range.isEmpty ? nil : found[range.lowerBound]
  }

  /// Returns a Boolean value indicating whether an automaton has read a text of the URL.
  func hasRead(_ automaton: Int) -> Bool { findings[first + automaton].url == url }

  /// Returns a Boolean value indicating whether an automaton has found a pattern.
  func hasFound(_ pattern: Int32, automaton: Int) -> Bool {
    found.contains(pattern, in: findings[first + automaton].range)
  }
}

extension [Int32] {
  /// Returns a Boolean value indicating whether there is a number in a range, which is ascending.
  fileprivate func contains(_ number: Int32, in range: Range<Int>) -> Bool {
    let index = range.partitioningIndex { self[$0] >= number }
    return index < range.upperBound && self[index] == number
  }
}
