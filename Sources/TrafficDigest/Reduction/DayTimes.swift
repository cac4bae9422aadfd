internal import Foundations

/// The times of the first and the last request of each day.
struct DayTimes: Hashable, Sendable {
  /// The times by day, each within its day.
  private(set) var ranges: [Day: ClosedRange<LogTime>] = [:]

  /// The times of the first and the last request, or `nil` if there is none.
  var whole: ClosedRange<LogTime>? {
    guard let first = ranges.values.map(\.lowerBound).min(),
      let last = ranges.values.map(\.upperBound).max()
    else { return nil }
    return first...last
  }

  /// Adds the times of the first and the last of some requests of one day.
  mutating func add(_ times: ClosedRange<LogTime>) {
    let day = times.lowerBound.day
    let known = ranges[day] ?? times
    ranges[day] =
      min(known.lowerBound, times.lowerBound)...max(known.upperBound, times.upperBound)
  }

  /// Adds the times of other requests.
  mutating func add(_ other: DayTimes) {
    for times in other.ranges.values { add(times) }
  }
}
