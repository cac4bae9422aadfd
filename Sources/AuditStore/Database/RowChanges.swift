// Unsafe code: SQLite lends the arguments of a function for its call, and they are copied
// immediately. The object of the function lives as long as the connection.

internal import CSQLite

/// The sums of the hashes of the rows that a connection has written and removed since the
/// beginning of a transaction.
@safe final class RowChanges {
  /// The rows of a table, or those with the same value in a column.
  struct Part: Hashable {
    /// The name of the ``StoredTable``.
    var table: String

    /// The value of the column; empty for a complete table.
    var value: String
  }

  /// The sum by part: hashes of written rows minus those of removed rows.
  private(set) var sums: [Part: UInt64] = [:]

  /// The function that triggers call with the name of the table, 1 or -1, the part, and the values
  /// of a row.
  static let functionName = "row_changed"

  /// Discards all changes.
  func removeAll() { sums.removeAll() }

  /// Discards the changes of a part.
  func remove(_ part: Part) { sums[part] = nil }

  private func add(_ values: [DatabaseValue]) {
    guard values.count > 3, case .text(let table) = values[0], case .integer(let sign) = values[1]
    else { return }
    let hash = RowHash(values[3...]).value
    sums[Part(table: table, value: StoredTable.text(values[2])), default: 0] &+=
      sign > 0 ? hash : 0 &- hash
  }

  /// Adds the function to a connection, and returns the result code of SQLite.
  func addFunction(to connection: OpaquePointer) -> Int32 {
    unsafe sqlite3_create_function_v2(
      connection, Self.functionName, -1, SQLITE_UTF8 | SQLITE_INNOCUOUS,
      Unmanaged.passUnretained(self).toOpaque(),
      { context, count, arguments in
        guard let changes = unsafe sqlite3_user_data(context), let arguments = unsafe arguments
        else { return }
        let values = (0..<Int(count)).map { unsafe DatabaseValue(arguments[$0]) }
        unsafe Unmanaged<RowChanges>.fromOpaque(changes).takeUnretainedValue().add(values)
      }, nil, nil, nil)
  }
}

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
