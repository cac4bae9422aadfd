/// A number of requests by day, optimized for requests in the order of their days.
struct DayCounts: Sendable {
  /// The packed day of the last request, and the number of consecutive requests on it.
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

  /// The requests by packed day; see ``Dimensions``.
  var byDay: [UInt64: Int] {
    var counts = others
    if requests > 0 { counts[day, default: 0] += requests }
    return counts
  }
}
