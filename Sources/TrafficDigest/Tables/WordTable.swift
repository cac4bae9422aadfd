/// Distinct words, numbered from 0 in the order in which they came.
struct WordTable: ~Copyable {
  private var words = Slab<UInt64>(capacity: 64)

  /// For each slot, the number of a word plus one, or 0.
  private var slots = Slab<UInt32>(repeating: 0, count: 256)

  /// The number of distinct words.
  var count: Int { words.count }

  /// The word with a number.
  subscript(number: Int) -> UInt64 { words[number] }

  /// Returns the number of a word, which is added if it is new.
  @inline(__always)
  mutating func insert(_ word: UInt64) -> UInt32 {
    let mask = slots.count - 1
    var slot = slot(of: word)
    while slots[slot] != 0 {
      if words[Int(slots[slot]) - 1] == word { return slots[slot] - 1 }
      slot = (slot + 1) & mask
    }
    return add(word, slot: slot)
  }

  @inline(never)
  private mutating func add(_ word: UInt64, slot: Int) -> UInt32 {
    words.append(word)
    slots[slot] = UInt32(words.count)
    if words.count * 2 > slots.count { rehash() }
    return UInt32(words.count - 1)
  }

  private mutating func rehash() {
    slots = Slab(repeating: 0, count: slots.count * 2)
    let mask = slots.count - 1
    for number in 0..<words.count {
      var slot = slot(of: words[number])
      while slots[slot] != 0 { slot = (slot + 1) & mask }
      slots[slot] = UInt32(number + 1)
    }
  }

  private let hash = ByteHash()

  @inline(__always)
  private func slot(of word: UInt64) -> Int {
    Int(truncatingIfNeeded: hash.hash(word, 0)) & (slots.count - 1)
  }

  /// Forgets all words and keeps the memory.
  mutating func removeAll() {
    words.removeAll()
    for slot in 0..<slots.count { slots[slot] = 0 }
  }

  /// The number of bytes that words take, with all that is kept of them.
  var byteCount: Int { words.count * 8 + slots.count * 4 }

  /// Reads what a look-up will read first; see ``ByteTable/touchSlot(_:)``.
  @inline(__always)
  func touchSlot(_ word: UInt64) -> UInt64 { UInt64(slots[slot(of: word)]) }

  /// Reads what a look-up will read next.
  @inline(__always)
  func touchWord(_ word: UInt64) -> UInt64 {
    let number = slots[slot(of: word)]
    return number == 0 ? 0 : words[Int(number) - 1]
  }
}
