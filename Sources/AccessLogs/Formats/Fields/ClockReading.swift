/// A time from parts of a line.
struct ClockReading: Hashable, Sendable {
  var year = 1970
  var month = 1
  var day = 1
  var hour = 0
  var minute = 0
  var second = 0

  /// The offset from UTC in minutes.
  var offset = 0

  /// The number of seconds since 1970-01-01 00:00:00 UTC, if the line has that.
  var epoch: Int?

  /// Whether the hour is after noon, on a twelve-hour clock.
  var isAfternoon: Bool?

  /// Appends the time in the notation of RFC 3339, or as a number of seconds.
  func append(to output: inout [UInt8]) {
    if let epoch {
      output.append(contentsOf: String(epoch).utf8)
      return
    }
    var hour = hour
    if let isAfternoon { hour = hour % 12 + (isAfternoon ? 12 : 0) }
    Self.append(year, digits: 4, to: &output)
    for (mark, value) in [
      (UInt8(ascii: "-"), month), (UInt8(ascii: "-"), day), (UInt8(ascii: "T"), hour),
      (UInt8(ascii: ":"), minute), (UInt8(ascii: ":"), second),
      (UInt8(ascii: offset < 0 ? "-" : "+"), abs(offset) / 60),
      (UInt8(ascii: ":"), abs(offset) % 60),
    ] {
      output.append(mark)
      Self.append(value, digits: 2, to: &output)
    }
  }

  private static func append(_ value: Int, digits: Int, to output: inout [UInt8]) {
    var divisor = 1
    for _ in 1..<digits { divisor *= 10 }
    while divisor > 0 {
      output.append(0x30 + UInt8(truncatingIfNeeded: value / divisor % 10))
      divisor /= 10
    }
  }
}
