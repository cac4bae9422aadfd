/// A number of requests by day, for requests that mostly come in the order of their days.
struct DayCounts: Sendable {
  /// The day of the last request as ``PackedDimensions`` holds it, and the requests that
  /// came one after the other with it.
  private var day: UInt64 = 0
  private var requests = 0

  /// The requests before those.
  private var others: [UInt64: Int] = [:]

  /// Counts requests.
  @inline(__always)
  mutating func add(_ packedDay: UInt64, requests count: Int) {
    if packedDay != day { turn(to: packedDay) }
    requests += count
  }

  @inline(never)
  private mutating func turn(to packedDay: UInt64) {
    if requests > 0 { others[day, default: 0] += requests }
    (day, requests) = (packedDay, 0)
  }

  mutating func removeAll() {
    (day, requests) = (0, 0)
    if !others.isEmpty { others.removeAll(keepingCapacity: true) }
  }

  /// The requests by day as ``PackedDimensions`` holds it.
  var byDay: [UInt64: Int] {
    var counts = others
    if requests > 0 { counts[day, default: 0] += requests }
    return counts
  }
}
