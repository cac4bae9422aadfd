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

  /// A bit for each field that was found; others in ``fields`` are those of earlier lines.
  private var found: UInt32 = 0

  /// The parts of a time in the line's own pattern.
  var clock: ClockReading?

  /// The position up to which the line was read, if it couldn't be read completely.
  var failure = 0

  /// The number of bytes of the line before the origin of the positions.
  var start = 0

  /// Whether fields may hold backslashes.
  var mayHoldEscapes = true

  /// Forgets all fields.
  mutating func removeAll() {
    (failure, start, found) = (0, 0, 0)
    mayHoldEscapes = true
    clock = nil
  }

  subscript(field: LogField) -> Field {
    @inline(__always) get { holds(field) ? fields[Int(field.rawValue)] : .absent }
  }

  /// Returns a Boolean value indicating whether a field was found.
  @inline(__always)
  func holds(_ field: LogField) -> Bool { found >> UInt32(field.rawValue) & 1 == 1 }

  /// Records the position of a field, unless a better one is known.
  mutating func set(
    _ field: LogField, _ start: Int, _ end: Int, _ encoding: FieldEncoding, rank: UInt8 = 0
  ) {
    let index = Int(field.rawValue)
    guard !holds(field) || fields[index].rank > rank else { return }
    found |= 1 << UInt32(field.rawValue)
    fields[index] = Field(
      start: Int32(truncatingIfNeeded: start), end: Int32(truncatingIfNeeded: end),
      encoding: encoding, rank: rank)
  }

  /// Records the position of a field that is an object of JSON, unless the object is empty or a
  /// better one is known.
  @inline(never)
  mutating func set(_ field: LogField, membersOf object: Range<Int>, _ rank: UInt8) {
    // The shortest member is `"":1`.
    guard object.count > 5 else { return }
    set(field, object.lowerBound, object.upperBound, .members, rank: rank)
  }

  /// Forgets a field.
  mutating func remove(_ field: LogField) { found &= ~(1 << UInt32(field.rawValue)) }
}
