/// The times of the first and the last request of each day.
struct DayTimes: Sendable {
  /// The day of the last time, as ``PackedDimensions`` holds it, with its first and last
  /// time.
  private var day: UInt64 = 0
  private var current: ClosedRange<LogTime>?

  /// The times of days in front of that.
  private var earlier: [Day: ClosedRange<LogTime>] = [:]

  /// Adds the time of a request.
  ///
  /// - Parameters:
  ///   - time: The time.
  ///   - day: Its day as ``PackedDimensions`` holds it.
  mutating func add(_ time: LogTime, day: UInt64) {
    if day != self.day {
      earlier = ranges
      (self.day, current) = (day, nil)
    }
    let known = current ?? time...time
    current = min(known.lowerBound, time)...max(known.upperBound, time)
  }

  /// The times by day.
  var ranges: [Day: ClosedRange<LogTime>] {
    guard let current else { return earlier }
    return Self.union(earlier, [current.lowerBound.day: current])
  }

  /// The times of days in both.
  static func union(
    _ one: [Day: ClosedRange<LogTime>], _ other: [Day: ClosedRange<LogTime>]
  ) -> [Day: ClosedRange<LogTime>] {
    one.merging(other) { first, second in
      min(first.lowerBound, second.lowerBound)...max(first.upperBound, second.upperBound)
    }
  }
}
