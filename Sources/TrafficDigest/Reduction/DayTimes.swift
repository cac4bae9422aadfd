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
    ranges[day] = ranges[day]?.union(times) ?? times
  }

  /// Adds the times of other requests.
  mutating func add(_ other: DayTimes) {
    for times in other.ranges.values { add(times) }
  }
}

extension ClosedRange {
  /// Returns the smallest range with the bounds of both.
  func union(_ other: ClosedRange) -> ClosedRange {
    Swift.min(lowerBound, other.lowerBound)...Swift.max(upperBound, other.upperBound)
  }
}
