/// Numbers texts, from 0, so that comparing them is comparing numbers.
///
/// Looking up a part of some bytes takes no space, as it would as the key of a dictionary.
struct ByteIndex: Sendable {
  private var bytes: [UInt8] = []
  private var ends: [Int] = [0]

  /// The numbers of texts at the places that their hashes say, or at the next free ones; a
  /// power of two, at least twice as many as texts.
  private var slots: [Int32] = Array(repeating: -1, count: 16)

  /// How many texts there are.
  var count: Int { ends.count - 1 }

  /// The number of a text, which is added if it is new.
  mutating func insert(_ text: [UInt8]) -> Int32 {
    if let number = number(of: text.span) { return number }
    bytes += text
    ends.append(bytes.count)
    if count * 2 > slots.count { rehash() } else { place(count - 1) }
    return Int32(count - 1)
  }

  /// The number of a text, or `nil` if there is no such text.
  func number(of text: Span<UInt8>) -> Int32? {
    var slot = Self.hash(text) & (slots.count - 1)
    while slots[slot] >= 0 {
      if isEqual(Int(slots[slot]), text) { return slots[slot] }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  private func isEqual(_ number: Int, _ text: Span<UInt8>) -> Bool {
    let start = ends[number]
    guard ends[number + 1] - start == text.count else { return false }
    for index in text.indices where bytes[start + index] != text[index] { return false }
    return true
  }

  private mutating func rehash() {
    slots = Array(repeating: -1, count: slots.count * 2)
    for number in 0..<count { place(number) }
  }

  private mutating func place(_ number: Int) {
    var slot =
      Self.hash(bytes.span.extracting(ends[number]..<ends[number + 1])) & (slots.count - 1)
    while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = Int32(number)
  }

  /// FNV-1a, folded.
  ///
  /// Only texts of the list of routes are ever added, so that a log can't
  /// make them collide.
  private static func hash(_ text: Span<UInt8>) -> Int {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for index in text.indices { hash = (hash ^ UInt64(text[index])) &* 0x0000_0100_0000_01B3 }
    return Int(truncatingIfNeeded: hash ^ hash >> 32) & Int.max
  }
}
