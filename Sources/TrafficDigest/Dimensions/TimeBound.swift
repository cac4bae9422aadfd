public import Foundations

/// An end of the span of time whose requests are counted.
public enum TimeBound: Hashable, Sendable {
  /// A point in time, in seconds since 1970-01-01 00:00:00 UTC.
  case moment(Int)

  /// A time on the log's own clock, in seconds since its 1970-01-01 00:00:00.
  case clock(Int)

  /// The beginning of a day on the log's own clock, or its end if `atEnd` is true.
  ///
  /// The day is so many days before the one that contains the moment `now`.
  case day(before: Int, now: Int, atEnd: Bool)

  /// Reads a bound as people write it.
  ///
  ///     2026-11-19              2026-11-19T13:00        yesterday    7d    2w
  ///     2026-11-19T13:00:00Z    2026-11-19 13:00+01:00  today        12h   now
  ///
  /// Days, and times without an offset, are on the log's own clock. A number of days or weeks means
  /// the beginning of a day, a number of hours a point in time. Other texts give `nil`.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - now: The reference time of relative bounds, in seconds since 1970.
  ///   - isEnd: Whether this is the end of the span; if so, a day or a minute is included
  ///     completely.
  public init?(_ text: String, now: Int, isEnd: Bool) {
    switch text.lowercased() {
    case "now": self = .moment(now)
    case "today": self = .day(before: 0, now: now, atEnd: isEnd)
    case "yesterday": self = .day(before: 1, now: now, atEnd: isEnd)
    default:
      let relative = Self.relative(text.lowercased(), now: now, isEnd: isEnd)
      guard let bound = relative ?? Self.absolute(text, isEnd: isEnd) else { return nil }
      self = bound
    }
  }

  private static func relative(_ text: String, now: Int, isEnd: Bool) -> TimeBound? {
    guard let unit = text.last, let count = Int(text.dropLast()), (0...1_000_000).contains(count),
      text.first != "+"
    else { return nil }
    switch unit {
    case "h": return .moment(now - count * 3_600)
    case "d": return .day(before: count, now: now, atEnd: isEnd)
    case "w": return .day(before: count * 7, now: now, atEnd: isEnd)
    default: return nil
    }
  }

  private static func absolute(_ text: String, isEnd: Bool) -> TimeBound? {
    let internet =
      /(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2}(?:[.,]\d+)?)?)? ?(Z|z|[+-]\d{2}:?\d{2})?/
    let common = /\d{2}\/\w{3}\/\d{4}:\d{2}:\d{2}:\d{2}( [+-]\d{4})?/
    var (isDay, isMinute, hasOffset) = (false, false, false)
    var bytes = Array(text.utf8)
    if let match = text.wholeMatch(of: internet)?.output {
      isDay = match.2 == nil
      isMinute = !isDay && match.3 == nil
      hasOffset = match.4 != nil
      // A day has only the offset of the log.
      if isDay, hasOffset { return nil }
      if let clock = match.2, isMinute {
        bytes = Array("\(match.1)T\(clock):00\(match.4 ?? "")".utf8)
      }
    } else if let match = text.wholeMatch(of: common)?.output {
      hasOffset = match.1 != nil
    } else {
      return nil
    }
    guard let time = LogTime(reading: bytes) else { return nil }
    let rest = isEnd ? (isDay ? 86_399 : isMinute ? 59 : 0) : 0
    return hasOffset
      ? .moment(time.secondsSince1970 + rest) : .clock(time.secondsSince1970 + rest)
  }

  /// The time of this bound on the clock of a log.
  func moment(offsetInMinutes: Int) -> Int {
    let offset = offsetInMinutes * 60
    switch self {
    case .moment(let moment): return moment
    case .clock(let shown): return shown - offset
    case .day(let before, let now, let atEnd):
      let day = (now + offset).flooredDivision(by: 86_400) - before
      return day * 86_400 - offset + (atEnd ? 86_399 : 0)
    }
  }
}

/// The span of time whose requests are counted.
public struct TimeSpan: Hashable, Sendable {
  /// The first time, or `nil` if there is none.
  public var since: TimeBound?

  /// The last time, or `nil` if there is none.
  public var until: TimeBound?

  /// Creates a span of time.
  public init(since: TimeBound? = nil, until: TimeBound? = nil) {
    self.since = since
    self.until = until
  }

  /// A Boolean value indicating whether every time is in the span.
  public var isUnlimited: Bool { since == nil && until == nil }

  /// A Boolean value indicating whether no time is in the span, whatever the clock of the
  /// log.
  public var isEmpty: Bool {
    guard let since, let until else { return false }
    return [-18 * 60, 0, 18 * 60].allSatisfy {
      since.moment(offsetInMinutes: $0) > until.moment(offsetInMinutes: $0)
    }
  }

  /// Returns a Boolean value indicating whether a time is in the span; a request without
  /// a time is only in an unlimited one.
  public func contains(_ time: LogTime?) -> Bool {
    guard !isUnlimited else { return true }
    guard let time else { return false }
    let offset = time.offsetInMinutes
    if let since, time.secondsSince1970 < since.moment(offsetInMinutes: offset) { return false }
    if let until, time.secondsSince1970 > until.moment(offsetInMinutes: offset) { return false }
    return true
  }
}
