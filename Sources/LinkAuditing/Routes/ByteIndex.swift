/// Numbers texts, from 0, each within a scope.
///
/// A lookup takes a part of some bytes without copying it, unlike that of a dictionary.
struct ByteIndex: Sendable {
  private var bytes: [UInt8] = []

  /// By number, the scope of each text and the end of its bytes.
  private var entries: [(scope: Int32, end: Int)] = []

  /// The numbers of texts at the places of their hashes, or at the next free ones; a
  /// power of two, at least twice as many as texts.
  private var slots: [Int32] = Array(repeating: -1, count: 16)

  /// The number of texts.
  var count: Int { entries.count }

  /// Returns the number of a text, which is added if it is new.
  mutating func insert(_ text: [UInt8], scope: Int32 = 0) -> Int32 {
    let slot = slot(of: text.span, scope)
    if slots[slot] >= 0 { return slots[slot] }
    bytes += text
    entries.append((scope, bytes.count))
    slots[slot] = Int32(count - 1)
    if count * 2 > slots.count { rehash() }
    return Int32(count - 1)
  }

  /// Returns the number of a text, or `nil` if it has none.
  func number(of text: Span<UInt8>, scope: Int32 = 0) -> Int32? {
    let number = slots[slot(of: text, scope)]
    return number < 0 ? nil : number
  }

  /// The slot that holds a text, or the free one where it belongs.
  private func slot(of text: Span<UInt8>, _ scope: Int32) -> Int {
    var slot = Self.hash(text, scope) & (slots.count - 1)
    while slots[slot] >= 0, !isEqual(Int(slots[slot]), text, scope) {
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }

  private func range(_ number: Int) -> Range<Int> {
    (number == 0 ? 0 : entries[number - 1].end)..<entries[number].end
  }

  private func isEqual(_ number: Int, _ text: Span<UInt8>, _ scope: Int32) -> Bool {
    let range = range(number)
    guard entries[number].scope == scope, range.count == text.count else { return false }
    for index in text.indices where bytes[range.lowerBound + index] != text[index] { return false }
    return true
  }

  private mutating func rehash() {
    slots = Array(repeating: -1, count: slots.count * 2)
    for number in 0..<count {
      let slot = slot(of: bytes.span.extracting(range(number)), entries[number].scope)
      slots[slot] = Int32(number)
    }
  }

  /// FNV-1a, folded.
  ///
  /// Only texts of the list of routes are ever added, so a log can't make them collide.
  private static func hash(_ text: Span<UInt8>, _ scope: Int32) -> Int {
    var hash = 0xCBF2_9CE4_8422_2325 ^ UInt64(UInt32(bitPattern: scope)) &* 0x9E37_79B9_7F4A_7C15
    for index in text.indices { hash = (hash ^ UInt64(text[index])) &* 0x0000_0100_0000_01B3 }
    return Int(truncatingIfNeeded: hash ^ hash >> 32) & Int.max
  }
}
