/// Distinct words, numbered from 0 in the order of insertion.
struct WordTable: ~Copyable {
  private var words = Buffer<UInt64>(capacity: 64)

  /// The number of a word plus one for each slot, or 0.
  private var slots = Buffer<UInt32>(repeating: 0, count: 256)

  var count: Int { words.count }

  subscript(number: Int) -> UInt64 { words[number] }

  /// Returns the number of a word, which is added if it is new.
  @inline(__always)
  mutating func insert(_ word: UInt64) -> UInt32 { insert(word, hash: hash(of: word)) }

  /// Returns the number of a word whose hash is known, which is added if it is new.
  @inline(__always)
  mutating func insert(_ word: UInt64, hash: UInt32) -> UInt32 {
    let mask = slots.count - 1
    var slot = Int(hash) & mask
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
    slots = Buffer(repeating: 0, count: slots.count * 2)
    let mask = slots.count - 1
    for number in 0..<words.count {
      var slot = Int(hash(of: words[number])) & mask
      while slots[slot] != 0 { slot = (slot + 1) & mask }
      slots[slot] = UInt32(number + 1)
    }
  }

  private let hash = ByteHash()

  @inline(__always)
  func hash(of word: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash.hash(word, 0)) }

  /// Removes all words and keeps the memory.
  mutating func removeAll() {
    words.removeAll()
    for slot in 0..<slots.count { slots[slot] = 0 }
  }

  var byteCount: Int { words.count * 8 + slots.count * 4 }

  /// Prefetches the slot for a look-up of a hash; see ``ByteTable/prefetchSlot(_:)``.
  @inline(__always)
  func prefetchSlot(_ hash: UInt32) { slots.prefetch(Int(hash) & (slots.count - 1)) }

  @inline(__always)
  func prefetchWord(_ hash: UInt32) {
    words.prefetch(Int(slots[Int(hash) & (slots.count - 1)]) &- 1)
  }
}
