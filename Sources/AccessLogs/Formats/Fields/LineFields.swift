/// The positions of the fields of a line.
struct LineFields {
  /// A field in a line.
  struct Field {
    /// The start, or -1 if the line doesn't have the field.
    var start: Int32 = -1
    var end: Int32 = 0
    var encoding = FieldEncoding.plain

    /// The quality of the place, 0 best, where several can hold the field.
    var rank: UInt8 = .max

    static let absent = Field()

    var isPresent: Bool { start >= 0 }
    var range: Range<Int> { Int(start)..<Int(end) }
  }

  private var fields = InlineArray<16, Field>(repeating: .absent)

  /// The parts of a time in the line's own pattern.
  var clock: ClockReading?

  /// The position up to which the line was read, if it couldn't be read completely.
  var failure = 0

  /// The number of bytes of the line before the origin of the positions.
  var start = 0

  /// Forgets all fields.
  mutating func removeAll() {
    (failure, start) = (0, 0)
    for index in fields.indices { fields[index].start = -1 }
    clock = nil
  }

  subscript(field: LogField) -> Field { fields[Int(field.rawValue)] }

  /// Records the position of a field, unless a better one is known.
  mutating func set(
    _ field: LogField, _ start: Int, _ end: Int, _ encoding: FieldEncoding, rank: UInt8 = 0
  ) {
    let index = Int(field.rawValue)
    guard !fields[index].isPresent || fields[index].rank > rank else { return }
    fields[index] = Field(
      start: Int32(truncatingIfNeeded: start), end: Int32(truncatingIfNeeded: end),
      encoding: encoding, rank: rank)
  }

  /// Forgets a field.
  mutating func remove(_ field: LogField) { fields[Int(field.rawValue)].start = -1 }
}
