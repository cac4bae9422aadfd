/// A hash of the values of a row, which lets a store detect changes by others.
///
/// Stores contain sums of these hashes, so the function never changes. A change of up to eight
/// consecutive bytes of a value always changes the hash. It doesn't protect against deliberate
/// collisions.
struct RowHash {
  // The fractions of the square roots of two primes: numbers that nobody chose.
  private static let start: UInt64 = 0x6A09_E667_F3BC_C908
  private static let factor: UInt64 = 0xBB67_AE85_84CA_A73B

  private var state = Self.start

  /// Creates the hash of some values.
  init(_ values: some Sequence<DatabaseValue>) {
    for value in values { add(value) }
  }

  /// The hash.
  var value: UInt64 {
    var value = state
    // Sums of hashes have to differ in all bits, too.
    value = (value ^ value >> 32) &* Self.factor
    return value ^ value >> 29
  }

  private mutating func add(_ value: DatabaseValue) {
    switch value {
    case .null: mix(0)
    case .integer(let value):
      mix(1)
      mix(UInt64(bitPattern: value))
    case .real(let value):
      mix(2)
      mix(value.bitPattern)
    case .text(let value): add(value.utf8, kind: 3)
    case .blob(let bytes): add(bytes, kind: 4)
    }
  }

  private mutating func add(_ bytes: some Collection<UInt8>, kind: UInt64) {
    mix(UInt64(bytes.count) << 3 | kind)
    var (word, shift): (UInt64, UInt64) = (0, 0)
    for byte in bytes {
      word |= UInt64(byte) << shift
      shift += 8
      if shift == 64 {
        mix(word)
        (word, shift) = (0, 0)
      }
    }
    if shift > 0 { mix(word) }
  }

  /// Adds a word; a given word never maps two states to one.
  private mutating func mix(_ word: UInt64) {
    state = (state ^ word) &* Self.factor
    state ^= state >> 32
  }
}
