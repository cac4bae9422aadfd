/// Distinct byte strings, numbered from 0 in the order in which they came.
///
/// A scope is part of each key, so that one table can hold the targets of many
/// hosts. Open addressing with linear probing; a slot holds 32 bits of the hash,
/// so that bytes are compared only where they are very likely equal.
package struct ByteTable: ~Copyable {
  // Not private: the compiler (6.3) cannot release a slab of a type that is private
  // to another file.
  struct Entry: BitwiseCopyable {
    var start: UInt64
    var length: UInt32
    var scope: UInt32
    var hash: UInt64
  }

  /// In the upper half the tag, in the lower the number of the entry plus one; 0
  /// for an empty slot.
  private var slots: Slab<UInt64>
  private var entries: Slab<Entry>
  private var bytes: Slab<UInt8>
  private var mask: Int

  package init(capacity: Int = 64) {
    let slotCount = max(16, (capacity * 2).nextPowerOfTwo)
    slots = Slab(repeating: 0, count: slotCount)
    mask = slotCount - 1
    entries = Slab(capacity: capacity)
    bytes = Slab(capacity: capacity * 24)
  }

  /// The number of distinct strings.
  package var count: Int { entries.count }

  /// The number of bytes of all strings.
  var textByteCount: Int { bytes.count }

  /// Returns the number of a string, which is added if it is new.
  ///
  /// - Complexity: O(*n*) in the length of the string, on average.
  @inline(__always)
  mutating func insert(_ key: Span<UInt8>, scope: UInt32 = 0) -> (id: Int, isNew: Bool) {
    let hash = ByteHash.hash(key, scope: scope)
    let tag = hash >> 32
    var slot = Int(truncatingIfNeeded: hash) & mask
    while true {
      let content = slots[slot]
      if content == 0 { break }
      if content >> 32 == tag {
        let id = Int(content & 0xFFFF_FFFF) - 1
        let entry = entries[id]
        if entry.length == UInt32(truncatingIfNeeded: key.count), entry.scope == scope,
          bytes.holds(key, at: Int(entry.start))
        {
          return (id, false)
        }
      }
      slot = (slot + 1) & mask
    }
    return (add(key, scope: scope, hash: hash, slot: slot), true)
  }

  /// Returns the number of a string, which is added if it is new.
  package mutating func insert(_ key: [UInt8], scope: UInt32 = 0) -> (id: Int, isNew: Bool) {
    insert(key.span, scope: scope)
  }

  @inline(never)
  private mutating func add(_ key: Span<UInt8>, scope: UInt32, hash: UInt64, slot: Int) -> Int {
    let id = entries.count
    entries.append(
      Entry(
        start: UInt64(bytes.count), length: UInt32(truncatingIfNeeded: key.count), scope: scope,
        hash: hash))
    bytes.append(key)
    slots[slot] = hash & 0xFFFF_FFFF_0000_0000 | UInt64(id + 1)
    if entries.count * 2 > slots.count { rehash() }
    return id
  }

  private mutating func rehash() {
    let slotCount = slots.count * 2
    slots = Slab(repeating: 0, count: slotCount)
    mask = slotCount - 1
    for id in 0..<entries.count {
      let hash = entries[id].hash
      var slot = Int(truncatingIfNeeded: hash) & mask
      while slots[slot] != 0 { slot = (slot + 1) & mask }
      slots[slot] = hash & 0xFFFF_FFFF_0000_0000 | UInt64(id + 1)
    }
  }

  /// The scope of a string.
  package func scope(_ id: Int) -> UInt32 { entries[id].scope }

  /// Calls `body` with a string.
  @inline(__always)
  func withBytes<Result>(_ id: Int, _ body: (Span<UInt8>) -> Result) -> Result {
    let entry = entries[id]
    return bytes.withBytes(Int(entry.start)..<(Int(entry.start) + Int(entry.length)), body)
  }

  /// Forgets all strings and keeps the memory.
  mutating func removeAll() {
    entries.removeAll()
    bytes.removeAll()
    for slot in 0..<slots.count { slots[slot] = 0 }
  }
}

extension Int {
  /// The least power of two that is not less than this number.
  fileprivate var nextPowerOfTwo: Int {
    self <= 1 ? 1 : 1 << (Int.bitWidth - (self - 1).leadingZeroBitCount)
  }
}
