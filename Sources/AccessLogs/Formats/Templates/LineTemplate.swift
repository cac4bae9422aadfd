/// A format that is given as a pattern: text with fields in it.
struct LineTemplate: Hashable, Sendable {
  /// A piece of the pattern.
  enum Element: Hashable, Sendable {
    /// Text that is in every line.
    case text([UInt8])

    /// A field, or an ignored value; it ends where the next text begins.
    case field(LogField?)

    /// A path, after a host that has no end of its own.
    case pathAfterHost

    /// A time such as `10/Oct/2000:13:55:36 -0700`.
    case commonTime

    /// Part of a time.
    case clock(ClockPart)
  }

  var elements: [Element] = []

  /// How fields are escaped.
  var encoding = FieldEncoding.escaped
}

/// A part of a time, named as in C's `strftime`.
enum ClockPart: Hashable, Sendable {
  case year, shortYear, month, monthName, day, hour, twelveHour, minute, second, zone, zoneName
  case weekdayName, afternoon, epoch, dayOfYear
  case fraction(digits: Int)
}
