internal import Foundations
internal import TrafficDigest

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
  /// The values by their numbers.
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
