internal import Foundations

/// The figures of fetches that have the same key.
struct FetchFigures: Hashable, Sendable {
  /// The number of requests.
  var requests = 0

  /// The time of the first of them.
  ///
  /// `nil` if none had a time, or if it isn't known, because digests of earlier versions have only
  /// the last one.
  var first: LogTime?

  /// The time of the last of them, or `nil` if none had a time.
  var last: LogTime?

  /// The smallest and the largest response to a GET request, in bytes as logged, or `nil` if no log
  /// has sizes.
  var sizes: ClosedRange<Int>?

  /// A Boolean value indicating whether the first time is known, if there is one.
  private var knowsFirst: Bool { first != nil || last == nil }

  static func += (sum: inout FetchFigures, other: FetchFigures) {
    let knowsFirst = sum.knowsFirst && other.knowsFirst
    sum.requests += other.requests
    if !knowsFirst {
      sum.first = nil
    } else if let time = other.first {
      sum.first = min(sum.first ?? time, time)
    }
    if let time = other.last { sum.last = max(sum.last ?? time, time) }
    if let size = other.sizes { sum.add(sizes: size) }
  }

  static func + (one: FetchFigures, other: FetchFigures) -> FetchFigures {
    var sum = one
    sum += other
    return sum
  }

  /// Adds the sizes of responses.
  mutating func add(sizes other: ClosedRange<Int>) {
    guard let known = sizes else {
      sizes = other
      return
    }
    sizes =
      min(known.lowerBound, other.lowerBound)...max(known.upperBound, other.upperBound)
  }
}
