internal import Foundations
internal import TrafficDigest
internal import UniversalLinks

/// Traffic by a key of two words, with samples of targets where they are given: a table with open
/// addressing, for keys that are counted once for each target.
struct CountTable: Sendable {
  /// A key; what its words mean is the user's.
  struct Key: BitwiseCopyable, Hashable, Sendable {
    var first: UInt64
    var second: UInt64

    init(_ first: UInt64, _ second: UInt64) { (self.first, self.second) = (first, second) }

    init(_ first: Int, _ second: Int) { self.init(UInt64(first), UInt64(second)) }

    /// The number of a path group, where it takes the lower half of the first word.
    var path: Int { Int(first & 0xFFFF_FFFF) }

    func withPath(_ number: (Int) -> Int) -> Key {
      Key(first & ~0xFFFF_FFFF | UInt64(number(path)), second)
    }
  }

  /// The traffic of each key, by its number.
  private(set) var counts: [(key: Key, traffic: Traffic)] = []

  /// For each slot, the position of a key plus one, or 0.
  private var slots = [UInt32](repeating: 0, count: 64)
  private var samples = SampleStore()
  private let hash = ByteHash()

  /// Adds traffic to that of a key.
  ///
  /// - Returns: The number of the key; numbers are given in the order of first use.
  @inline(__always)
  @discardableResult
  mutating func add(_ traffic: Traffic, to key: Key) -> Int {
    let mask = slots.count - 1
    var slot = slot(of: key)
    while slots[slot] != 0 {
      let index = Int(slots[slot]) - 1
      if counts[index].key == key {
        counts[index].traffic += traffic
        return index
      }
      slot = (slot + 1) & mask
    }
    insert(key, traffic, slot: slot)
    return counts.count - 1
  }

  @inline(never)
  private mutating func insert(_ key: Key, _ traffic: Traffic, slot: Int) {
    counts.append((key, traffic))
    slots[slot] = UInt32(counts.count)
    if counts.count * 2 > slots.count { rehash() }
  }

  private mutating func rehash() {
    slots = [UInt32](repeating: 0, count: slots.count * 2)
    let mask = slots.count - 1
    for (index, entry) in counts.enumerated() {
      var slot = slot(of: entry.key)
      while slots[slot] != 0 { slot = (slot + 1) & mask }
      slots[slot] = UInt32(index + 1)
    }
  }

  private func slot(of key: Key) -> Int {
    Int(truncatingIfNeeded: hash.hash(key.first, key.second)) & (slots.count - 1)
  }

  @inline(__always)
  mutating func add(_ traffic: Traffic, to key: Key, sample: Span<UInt8>) {
    let number = add(traffic, to: key)
    samples.offer(sample, isVisited: traffic.visits > 0, for: number)
  }

  /// Adds the counts of another, whose keys may have other names here.
  mutating func add(_ other: CountTable, _ rename: (Key) -> Key = { $0 }) {
    for (theirs, entry) in other.counts.enumerated() {
      let number = add(entry.traffic, to: rename(entry.key))
      samples.offer(other.samples, theirs, for: number)
    }
  }

  /// Calls `body` with each key, which begins with a path group, the text of the group, the traffic
  /// and the samples; the same key can occur more than once.
  func forEachCount(
    in groups: PathGroupTree,
    _ body: (Key, _ group: String, Traffic, [SampleStore.Sample]) -> Void
  ) {
    var texts: [Int: String] = [:]
    for (number, count) in counts.enumerated() {
      let key = count.key.withPath(groups.resolve)
      let text = groups.text(key.path, known: &texts)
      body(key, text, count.traffic, samples.samples(number))
    }
  }
}

/// Traffic by paths and by decisions about it.
struct DecisionTally<Decision: Hashable & Sendable>: Sendable {
  private var numbering = Numbering<Decision>()

  /// The traffic by paths, with the number of a decision as second word.
  private(set) var paths = CountTable()
  var decisions: [Decision] { numbering.values }

  mutating func add(_ traffic: Traffic, _ decision: Decision, group: Int, target: Span<UInt8>) {
    let number = numbering.number(of: decision)
    paths.add(traffic, to: CountTable.Key(group, number), sample: target)
  }

  /// Adds other traffic; `groups` are the numbers here of its path groups.
  mutating func merge(_ other: DecisionTally, _ groups: [Int]) {
    let decisions = other.decisions.map { numbering.number(of: $0) }
    paths.add(other.paths) { CountTable.Key(groups[$0.path], decisions[Int($0.second)]) }
  }

  var sums: [Traffic] {
    var sums = Array(repeating: Traffic(), count: decisions.count)
    for (key, traffic) in paths.counts { sums[Int(key.second)] += traffic }
    return sums
  }
}

/// Numbers texts, from 0, each within a scope.
///
/// A look-up takes a part of some bytes without copying it, unlike that of a dictionary.
struct ByteIndex: Sendable {
  private var bytes: [UInt8] = []

  /// By number, the scope of each text and the end of its bytes.
  private var entries: [(scope: UInt32, end: Int)] = []

  /// The hash table of numbers of texts, each at the place of its hash or the next free place.
  ///
  /// Its size is a power of two, at least twice the number of texts.
  private var slots: [Int32] = Array(repeating: -1, count: 16)
  private let hash = ByteHash()
  var count: Int { entries.count }

  /// Returns the number of a text, which is added if it is new.
  mutating func insert(_ text: Span<UInt8>, scope: Int = 0) -> Int {
    let slot = slot(of: text, UInt32(scope))
    if slots[slot] >= 0 { return Int(slots[slot]) }
    text.append(to: &bytes)
    entries.append((UInt32(scope), bytes.count))
    slots[slot] = Int32(count - 1)
    if count * 2 > slots.count { rehash() }
    return count - 1
  }

  func number(of text: Span<UInt8>, scope: Int = 0) -> Int? {
    let number = slots[slot(of: text, UInt32(scope))]
    return number < 0 ? nil : Int(number)
  }

  func text(_ number: Int) -> ArraySlice<UInt8> {
    bytes[(number == 0 ? 0 : entries[number - 1].end)..<entries[number].end]
  }

  /// The slot that holds a text, or the free one where it belongs.
  private func slot(of text: Span<UInt8>, _ scope: UInt32) -> Int {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash.hash(text, scope: scope) >> 32) & mask
    while slots[slot] >= 0, !isEqual(Int(slots[slot]), text, scope) { slot = (slot + 1) & mask }
    return slot
  }

  private func isEqual(_ number: Int, _ text: Span<UInt8>, _ scope: UInt32) -> Bool {
    let start = number == 0 ? 0 : entries[number - 1].end
    guard entries[number].scope == scope, entries[number].end - start == text.count else {
      return false
    }
    for index in text.indices where bytes[start + index] != text[index] { return false }
    return true
  }

  private mutating func rehash() {
    slots = Array(repeating: -1, count: slots.count * 2)
    for number in 0..<count {
      let slot = slot(of: text(number).span, entries[number].scope)
      slots[slot] = Int32(number)
    }
  }
}

/// Values with numbers, in the order in which they came.
struct Numbering<Value: Hashable & Sendable>: Sendable {
  private(set) var values: [Value] = []
  private var numbers: [Value: Int] = [:]

  /// The number of a value; the next one if it has none yet.
  mutating func number(of value: Value) -> Int {
    if let number = numbers[value] { return number }
    let number = values.count
    values.append(value)
    numbers[value] = number
    return number
  }
}
