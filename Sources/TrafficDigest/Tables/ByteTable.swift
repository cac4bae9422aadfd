internal import Foundations

/// Distinct byte strings, numbered from 0 in the order of insertion.
///
/// A scope is part of each key, so that one table can hold the targets of many hosts. The table
/// uses open addressing with linear probing. A slot holds the place of a record and the tag of its
/// string. The tag is 32 bits of the hash, so that bytes are compared only if they are very likely
/// equal. A record is contiguous, so a look-up touches two places in memory. The tag alone selects
/// the slot, so growing the table touches no record.
package struct ByteTable: ~Copyable {
  /// The tag in the upper half; in the lower, the place of the record in words plus one; 0 for an
  /// empty slot.
  private var slots: Buffer<UInt64>

  /// The consecutive records, in words of eight bytes: the length of a string in the lower half and
  /// its scope in the upper; its number; and its bytes.
  private var records: Buffer<UInt64>
  private static let headerLength = 2

  /// The place of each record, by number.
  private var places: Buffer<UInt32>

  private var mask: Int

  let hash = ByteHash()

  package init(capacity: Int = 64) {
    let slotCount = max(16, (capacity * 2).nextPowerOfTwo)
    slots = Buffer(repeating: 0, count: slotCount)
    mask = slotCount - 1
    places = Buffer(capacity: capacity)
    records = Buffer(capacity: capacity * 6)
  }

  /// The number of distinct strings.
  package var count: Int { places.count }

  /// The number of bytes of strings with their headers.
  var contentByteCount: Int { records.count * 8 }

  /// The number of bytes that the table takes.
  package var byteCount: Int { records.count * 8 + slots.count * 8 + places.count * 4 }

  /// A Boolean value indicating whether a cache has to discard all its strings.
  ///
  /// An attacker can send any number of them.
  var isFullCache: Bool { count >= 1 << 16 || byteCount > 1 << 24 }

  /// Returns the number of a string, which is added if it is new.
  ///
  /// - Complexity: O(*n*) in the length of the string, on average.
  @inline(__always)
  package mutating func insert(_ key: Span<UInt8>, scope: UInt32 = 0) -> (id: Int, isNew: Bool) {
    insert(key, scope: scope, hash: hash.hash(key, scope: scope))
  }

  /// Returns the number of a string, if it is in the table, and its slot, or the one for it.
  @inline(__always)
  private func find(_ key: Span<UInt8>, scope: UInt32, hash: UInt64) -> (id: Int?, slot: Int) {
    let tag = hash >> 32
    let lengthAndScope = Self.lengthAndScope(key, scope)
    var slot = Int(truncatingIfNeeded: tag) & mask
    while true {
      let content = slots[slot]
      if content == 0 { return (nil, slot) }
      if content >> 32 == tag {
        let place = Int(content & 0xFFFF_FFFF) - 1
        if holds(key, lengthAndScope, atRecord: place) { return (Int(records[place + 1]), slot) }
      }
      slot = (slot + 1) & mask
    }
  }

  @inline(__always)
  private func holds(_ key: Span<UInt8>, _ lengthAndScope: UInt64, atRecord place: Int) -> Bool {
    records[place] == lengthAndScope && records.holds(key, atWord: place + Self.headerLength)
  }

  /// The length of a string and its scope, as in its record.
  @inline(__always)
  private static func lengthAndScope(_ key: Span<UInt8>, _ scope: UInt32) -> UInt64 {
    UInt64(UInt32(truncatingIfNeeded: key.count)) | UInt64(scope) << 32
  }

  /// Returns the number of a string whose hash is known, which is added if it is new.
  ///
  /// - Parameters:
  ///   - key: The string.
  ///   - scope: The scope of the string.
  ///   - hash: The hash of both.
  ///   - record: The result of ``prefetchRecord(_:length:)`` for the string, or 0.
  /// - Returns: The number, and whether the string is new.
  @inline(__always)
  mutating func insert(
    _ key: Span<UInt8>, scope: UInt32, hash: UInt64, record: Int = 0
  ) -> (id: Int, isNew: Bool) {
    if record > 0, holds(key, Self.lengthAndScope(key, scope), atRecord: record - 1) {
      return (Int(records[record]), false)
    }
    let (found, slot) = find(key, scope: scope, hash: hash)
    if let found { return (found, false) }
    return (add(key, Self.lengthAndScope(key, scope), hash: hash, slot: slot), true)
  }

  /// Returns the number of the string in the first bytes of a buffer, and adds it if it is new.
  package mutating func insert(prefix count: Int, of buffer: [UInt8], scope: UInt32 = 0) -> Int {
    insert(buffer.span.extracting(0..<count), scope: scope).id
  }

  /// Returns a Boolean value indicating whether a string is in the table.
  func contains(_ key: [UInt8], scope: UInt32 = 0) -> Bool {
    find(key.span, scope: scope, hash: hash.hash(key.span, scope: scope)).id != nil
  }

  /// Returns the number of a string, which is added if it is new.
  package mutating func insert(_ key: [UInt8], scope: UInt32 = 0) -> (id: Int, isNew: Bool) {
    insert(key.span, scope: scope)
  }

  @inline(never)
  private mutating func add(
    _ key: Span<UInt8>, _ lengthAndScope: UInt64, hash: UInt64, slot: Int
  ) -> Int {
    let number = places.count
    let place = records.count
    places.append(UInt32(truncatingIfNeeded: place))
    records.append(lengthAndScope)
    records.append(UInt64(number))
    records.append(bytes: key)
    slots[slot] = hash & 0xFFFF_FFFF_0000_0000 | UInt64(place + 1)
    if places.count * 4 > slots.count * 3 { rehash() }
    return number
  }

  private mutating func rehash() {
    let newMask = slots.count * 2 - 1
    var newSlots = Buffer<UInt64>(repeating: 0, count: newMask + 1)
    for old in 0..<slots.count where slots[old] != 0 {
      var slot = Int(slots[old] >> 32) & newMask
      while newSlots[slot] != 0 { slot = (slot + 1) & newMask }
      newSlots[slot] = slots[old]
    }
    slots = newSlots
    mask = newMask
  }

  /// The scope of a string.
  package func scope(_ id: Int) -> UInt32 {
    UInt32(records[Int(places[id])] >> 32)
  }

  /// Calls `body` with a string.
  @inline(__always)
  package func withBytes<Result>(_ id: Int, _ body: (Span<UInt8>) -> Result) -> Result {
    records.withBytes(
      atWord: Int(places[id]) + Self.headerLength, length: length(id), body)
  }

  /// Prefetches the place of a string.
  @inline(__always)
  func prefetchPlace(_ id: Int) { places.prefetch(id) }

  @inline(__always)
  func prefetchBytes(_ id: Int) { records.prefetch(Int(places[id])) }

  @inline(__always)
  func length(_ id: Int) -> Int {
    Int(records[Int(places[id])] & 0xFFFF_FFFF)
  }

  /// Returns a Boolean value indicating whether a string comes before another one, by their bytes.
  func precedes(_ one: Int, _ other: Int) -> Bool {
    withBytes(one) { first in withBytes(other) { first.compare($0) < 0 } }
  }

  /// Returns a Boolean value indicating whether a string consists of the given bytes.
  @inline(__always)
  func holds(_ key: Span<UInt8>, at id: Int) -> Bool {
    length(id) == key.count
      && records.holds(key, atWord: Int(places[id]) + Self.headerLength)
  }

  /// Returns a Boolean value indicating whether some bytes begin with a string that has the given
  /// scope.
  @inline(__always)
  func isPrefix(_ id: Int, of bytes: Span<UInt8>, scope: UInt32) -> Bool {
    let place = Int(places[id])
    let lengthAndScope = records[place]
    let length = Int(lengthAndScope & 0xFFFF_FFFF)
    return lengthAndScope >> 32 == UInt64(scope) && length <= bytes.count
      && records.holds(bytes.extracting(first: length), atWord: place + Self.headerLength)
  }

  /// Removes all strings and keeps the memory.
  package mutating func removeAll() {
    places.removeAll()
    records.removeAll()
    for slot in 0..<slots.count { slots[slot] = 0 }
  }
}

// Look-ups of many strings first prefetch the data of the first step for all of them, then that of
// the second. So the processor waits for memory once for all of them.

extension ByteTable {
  /// Prefetches the slot for a look-up of a hash.
  @inline(__always)
  func prefetchSlot(_ hash: UInt64) {
    slots.prefetch(Int(truncatingIfNeeded: hash >> 32) & mask)
  }

  /// Prefetches the start and the end of the record for a look-up of a string of `length` bytes.
  ///
  /// - Returns: The place of the record plus one, or 0 if there is none with this tag.
  @inline(__always)
  func prefetchRecord(_ hash: UInt64, length: Int) -> UInt32 {
    let tag = hash >> 32
    var slot = Int(truncatingIfNeeded: tag) & mask
    while slots[slot] != 0 {
      let content = slots[slot]
      if content >> 32 == tag {
        let place = Int(content & 0xFFFF_FFFF)
        records.prefetch(place &- 1)
        records.prefetch(place &+ (length &+ 7) >> 3)
        return UInt32(truncatingIfNeeded: place)
      }
      slot = (slot + 1) & mask
    }
    return 0
  }
}

/// A string during the sorting of a table.
struct StringSortKey: BitwiseCopyable {
  /// The eight bytes at the current place, the first one in the highest bits.
  var word: UInt64

  var number: UInt32

  /// The number of these bytes; eight if the string continues.
  var length: UInt32
}

extension ByteTable {
  /// Returns the numbers of all strings, sorted by the ranks of their scopes, then by their bytes.
  func sortedNumbers(ranks: [Int]) -> Buffer<UInt32> {
    var keys = Buffer<StringSortKey>(capacity: count)
    for number in 0..<count {
      keys.append(
        StringSortKey(word: UInt64(ranks[Int(scope(number))]), number: UInt32(number), length: 8))
    }
    // Strings are compared word by word. Most have long common beginnings, so each step divides a
    // range into the keys before one of them, those equal to it, and those after it. Only equal
    // keys go on to the next word.
    var waiting = [(range: 0..<keys.count, place: -1)]
    // The key is chosen at random, so that nobody can write a log that takes long to sort.
    var random = UInt64.random(in: .min ... .max)
    while let (range, place) = waiting.popLast() {
      if range.count < 2 { continue }
      random = random &* 0x5851_F42D_4C95_7F2D &+ 0x1405_7B7E_F767_814F
      let chosen = range.lowerBound + Int(random.multipliedFullWidth(by: UInt64(range.count)).high)
      let (lower, upper) = keys.partition(range, by: keys[chosen])
      waiting.append((range.lowerBound..<lower, place))
      waiting.append((upper..<range.upperBound, place))
      guard upper - lower > 1, keys[lower].length == 8 else { continue }
      for index in lower..<upper {
        if index + 16 < upper { prefetchPlace(Int(keys[index + 16].number)) }
        if index + 8 < upper { prefetchBytes(Int(keys[index + 8].number)) }
        keys[index] = key(Int(keys[index].number), at: place + 1)
      }
      waiting.append((lower..<upper, place + 1))
    }
    var numbers = Buffer<UInt32>(capacity: keys.count)
    for index in 0..<keys.count { numbers.append(keys[index].number) }
    return numbers
  }

  private func key(_ number: Int, at place: Int) -> StringSortKey {
    let rest = length(number) - place * 8
    // The last word is padded with 0. Without this case, a string without a rest would read the
    // next record.
    let word =
      rest > 0
      ? UInt64(bigEndian: records[Int(places[number]) + Self.headerLength + place]) : 0
    return StringSortKey(word: word, number: UInt32(number), length: UInt32(max(0, min(8, rest))))
  }
}

extension Buffer<StringSortKey> {
  /// Moves the keys of a range that precede `pivot`, which is one of them, to its beginning, and
  /// those that follow it to its end.
  ///
  /// - Returns: The positions of the first key that equals `pivot`, and of the first one after it.
  fileprivate mutating func partition(
    _ range: Range<Int>, by pivot: StringSortKey
  ) -> (lower: Int, upper: Int) {
    var (lower, index, upper) = (range.lowerBound, range.lowerBound, range.upperBound)
    while index < upper {
      let key = self[index]
      if (key.word, key.length) < (pivot.word, pivot.length) {
        self[index] = self[lower]
        self[lower] = key
        lower += 1
        index += 1
      } else if (pivot.word, pivot.length) < (key.word, key.length) {
        upper -= 1
        self[index] = self[upper]
        self[upper] = key
      } else {
        index += 1
      }
    }
    return (lower, upper)
  }
}

extension Int {
  /// The smallest power of two that is at least this number.
  fileprivate var nextPowerOfTwo: Int {
    self <= 1 ? 1 : 1 << (Int.bitWidth - (self - 1).leadingZeroBitCount)
  }
}
