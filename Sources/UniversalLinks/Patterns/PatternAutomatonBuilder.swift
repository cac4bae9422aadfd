/// Lays out patterns as the positions of a ``PatternAutomaton``.
struct PatternAutomatonBuilder {
  /// The properties of a position.
  struct Traits: OptionSet {
    let rawValue: UInt8

    /// A star stands here.
    static let star = Traits(rawValue: 1)

    /// The star is one of the pattern, not of a value.
    static let lead = Traits(rawValue: 2)

    /// The position comes after a `?`.
    static let afterAny = Traits(rawValue: 4)

    /// A text that ends here matches.
    static let final = Traits(rawValue: 8)
  }

  struct Position {
    /// The label of the bytes that lead to the next position, or -1 if none do.
    var label: Int32
    var traits: Traits
  }

  private(set) var positions: [Position] = []

  /// The first position of each pattern, and the bytes that each text that matches has.
  private(set) var starts: [(position: Int32, needed: ByteSet)] = []
  private(set) var links: [(source: Int32, target: Int32)] = []

  /// The first position of the pattern of each lead, and the number of that of each final position.
  private(set) var leadOrigins: [Int32] = []
  private(set) var finalPatterns: [Int32] = []

  /// The labels: the sets, and the single bytes that are labels.
  private(set) var labels = ByteLabels()
  private(set) var singles = ByteSet()

  /// The traits of the next position, so far.
  private var traits: Traits = []

  /// The number and the first position of the pattern that is added.
  private var (pattern, origin): (Int32, Int32) = (0, 0)

  /// Adds a pattern.
  ///
  /// - Parameters:
  ///   - tokens: The pattern, no text of which opens too many levels.
  ///   - number: Its number.
  mutating func add(_ tokens: [PatternToken], number: Int) {
    (pattern, origin) = (Int32(number), next)
    var needed = ByteSet()
    for case .literal(let bytes) in tokens {
      for byte in bytes { needed.insert(byte) }
    }
    starts.append((next, needed))
    append(tokens, isLastOfAll: true, isValue: false)
    addEnd()
  }

  private var next: Int32 { Int32(positions.count) }

  /// Adds the next position.
  @discardableResult
  private mutating func add(label: Int32) -> Int32 {
    if traits.contains(.lead) { leadOrigins.append(origin) }
    if traits.contains(.final) { finalPatterns.append(pattern) }
    if let byte = UInt8(exactly: label) { singles.insert(byte) }
    positions.append(Position(label: label, traits: traits))
    traits = []
    return next - 1
  }

  /// Adds the position where a pattern ends.
  private mutating func addEnd() {
    traits.insert(.final)
    add(label: -1)
  }

  private mutating func append(_ tokens: [PatternToken], isLastOfAll: Bool, isValue: Bool) {
    for (index, token) in tokens.enumerated() {
      let isLast = isLastOfAll && index == tokens.count - 1
      switch token {
      case .literal(let bytes): for byte in bytes { add(label: Int32(byte)) }
      case .anyScalar:
        add(label: ByteLabels.anyLead)
        traits.insert(.afterAny)
      case .anyRun:
        traits.formUnion(isValue ? .star : [.star, .lead])
        if isLast { traits.insert(.final) }
      case .variable(.values(let set)): append(set)
      case .variable(.alternatives(let values)): append(values.values, isLast: isLast)
      }
    }
  }

  /// Adds values with wildcards, one after another.
  private mutating func append(_ values: [[PatternToken]], isLast: Bool) {
    let fork = add(label: -1)
    var ends: [Int32] = []
    for value in values {
      guard !value.isEmpty else {
        ends.append(fork)
        continue
      }
      links.append((fork, next))
      append(value, isLastOfAll: isLast, isValue: true)
      // Nothing is left to match after a star that is the last of all.
      if traits.contains(.final) { addEnd() } else { ends.append(add(label: -1)) }
    }
    for end in ends { links.append((end, next)) }
  }

  /// Adds values without wildcards, as a trie.
  private mutating func append(_ set: ValueSet) {
    // Values of one byte need no links.
    if let bytes = set.lastBytes(after: 0) {
      add(label: labels.label(for: bytes))
      return
    }
    var ends: [Int32] = []
    // A list of work rather than recursion: a value can be as long as a file.
    var waiting: [(source: Int32, byte: UInt8, node: Int)] = []
    var node = 0
    while true {
      let edges = set.nodes[node].edges
      if let bytes = set.lastBytes(after: node) {
        add(label: labels.label(for: bytes))
        ends.append(add(label: -1))
      } else if !set.nodes[node].isEnd, edges.count == 1 {
        add(label: Int32(set.edgeBytes[edges.lowerBound]))
        node = set.edgeTargets[edges.lowerBound]
        continue
      } else {
        let fork = add(label: -1)
        if set.nodes[node].isEnd { ends.append(fork) }
        for edge in edges.reversed() {
          waiting.append((fork, set.edgeBytes[edge], set.edgeTargets[edge]))
        }
      }
      guard let (source, byte, target) = waiting.popLast() else { break }
      links.append((source, next))
      add(label: Int32(byte))
      node = target
    }
    for end in ends { links.append((end, next)) }
  }

  /// Returns a bound on the number of positions that the variables of a pattern need.
  static func cost(ofVariablesIn tokens: [PatternToken]) -> Int {
    tokens.reduce(0) { sum, token in
      switch token {
      case .literal, .anyScalar, .anyRun: sum
      case .variable(.values(let set)): sum + 2 * set.nodes.count
      case .variable(.alternatives(let values)): sum + values.length
      }
    }
  }
}

extension ValueSet {
  /// The last bytes of the values that go on after a node, if each of them has one byte there, else
  /// `nil`.
  fileprivate func lastBytes(after node: Int) -> ByteSet? {
    guard !nodes[node].isEnd, !nodes[node].edges.isEmpty else { return nil }
    var bytes = ByteSet()
    for edge in nodes[node].edges {
      let target = nodes[edgeTargets[edge]]
      guard target.isEnd, target.edges.isEmpty else { return nil }
      bytes.insert(edgeBytes[edge])
    }
    return bytes
  }
}

// MARK: - Bytes

/// A set of bytes.
struct ByteSet: Hashable, Sendable {
  private var bits = SIMD4<UInt64>()

  init() {}

  /// The bytes of a text.
  init(_ text: Span<UInt8>) {
    var isThere = [Bool](repeating: false, count: 256)
    for index in text.indices { isThere[Int(text[index])] = true }
    for byte in 0...255 where isThere[byte] { insert(UInt8(byte)) }
  }

  mutating func insert(_ byte: UInt8) { bits[Int(byte >> 6)] |= 1 << UInt64(byte & 63) }

  func isSubset(of other: ByteSet) -> Bool { bits & ~other.bits == SIMD4<UInt64>() }

  func contains(_ byte: UInt8) -> Bool { bits[Int(byte >> 6)] >> UInt64(byte & 63) & 1 == 1 }
}

/// The sets of bytes that lead from one position to the next, by number: each single byte, the
/// first bytes of all scalars, and others.
struct ByteLabels {
  /// The bytes with which scalars begin.
  static let anyLead: Int32 = 256

  private(set) var sets: [ByteSet] = []
  private var known: [ByteSet: Int32] = [:]

  /// Returns the number of a set.
  mutating func label(for set: ByteSet) -> Int32 {
    if let label = known[set] { return label }
    sets.append(set)
    let label = Self.anyLead + Int32(sets.count)
    known[set] = label
    return label
  }
}

/// The coarsest classes of bytes that some labels don't cut.
struct ByteClasses {
  /// The class of each byte.
  private(set) var classes: [UInt8]
  private(set) var count = 2

  /// The classes of each label.
  private var membersOfLabels: [[Int]] = []

  /// - Parameters:
  ///   - labels: The labels.
  ///   - singles: The bytes that are labels.
  init(_ labels: ByteLabels, singles: ByteSet) {
    let bytes: ClosedRange<UInt8> = 0...255
    // A `?` distinguishes the first byte of a scalar from the others.
    classes = bytes.map { $0 & 0xC0 == 0x80 ? 1 : 0 }
    // UTF-8 has 243 different bytes, so there are always enough numbers.
    for byte in bytes where singles.contains(byte) && count < 256 {
      classes[Int(byte)] = UInt8(count)
      count += 1
    }
    for set in labels.sets { cut(by: set) }
    func members(_ isIncluded: (UInt8) -> Bool) -> [Int] {
      Set(bytes.filter(isIncluded).map { Int(classes[Int($0)]) }).sorted()
    }
    membersOfLabels = bytes.map { [Int(classes[Int($0)])] }
    membersOfLabels.append(members { $0 & 0xC0 != 0x80 })
    membersOfLabels += labels.sets.map { set in members { set.contains($0) } }
  }

  private mutating func cut(by set: ByteSet) {
    // Each class that the set cuts gives its members in the set to a new one.
    var isCut = [Bool](repeating: false, count: count)
    for byte in 0...255 where !set.contains(UInt8(byte)) { isCut[Int(classes[byte])] = true }
    var new: [UInt8: UInt8] = [:]
    for byte in 0...255 where set.contains(UInt8(byte)) && isCut[Int(classes[byte])] {
      let old = classes[byte]
      if new[old] == nil {
        new[old] = UInt8(count)
        count += 1
      }
      classes[byte] = new[old] ?? old
    }
  }

  /// Returns the classes of the bytes of a label.
  func members(ofLabel label: Int32) -> [Int] { membersOfLabels[Int(label)] }
}
