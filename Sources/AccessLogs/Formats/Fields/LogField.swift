/// The meaning of a part of a log line.
///
/// Digests hold the numbers of the cases, so a new case is the last one.
public enum LogField: UInt8, CaseIterable, Codable, Hashable, Sendable {
  /// The host that the server was asked for.
  case host

  /// The day, where a format separates day and time of day.
  case date

  /// The time, or the time of day after a ``date``.
  case time

  /// The method, such as `GET`.
  case method

  /// The target, with or without its query.
  case target

  /// The query, where a format separates it from the target.
  case query

  /// The request line: method, target, and protocol.
  case request

  /// The status of the response.
  case status

  /// The result of a proxy and the status after a slash, such as `TCP_MISS/200`.
  case resultAndStatus

  /// The number of bytes of the response, which is read for a few requests only.
  case size

  /// The referrer.
  case referrer

  /// The user agent.
  case agent

  /// The purpose for which the browser wants the response: the header `Sec-Fetch-Dest`, or, if the line has
  /// only that, `Sec-Fetch-Mode` (https://www.w3.org/TR/fetch-metadata/).
  case fetchMetadata

  /// A complete line of another log, wrapped by a log collector.
  case message

  /// The number of requests that a row represents.
  case count

  /// The time of the last request of a row.
  case lastTime

  /// The name by which people name the field.
  public var name: String {
    switch self {
    case .agent: "user-agent"
    case .fetchMetadata: "sec-fetch"
    case .resultAndStatus: "status"
    default: String(describing: self)
    }
  }
}

/// The positions of the fields of a line.
struct LineFields {
  struct Field {
    var start: Int32 = 0
    var end: Int32 = 0
    var encoding = FieldEncoding.plain

    /// The quality of the place, 0 best, where several can hold the field.
    var rank: UInt8 = .max

    var range: Range<Int> { Int(start)..<Int(end) }
  }

  private var fields = InlineArray<16, Field>(repeating: Field())

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

  mutating func removeAll() {
    (failure, start, found) = (0, 0, 0)
    mayHoldEscapes = true
    clock = nil
  }

  /// The position of a field, or an empty one if the line doesn't have it.
  subscript(field: LogField) -> Field {
    @inline(__always) get { holds(field) ? fields[Int(field.rawValue)] : Field() }
  }

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

  mutating func remove(_ field: LogField) { found &= ~(1 << UInt32(field.rawValue)) }
}
