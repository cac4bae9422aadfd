internal import AccessLogs
internal import Foundations

/// A host and a target, ordered by the bytes of the host, then by those of the target.
///
/// Targets of a digest are in this order, and keys divide them into parts for workers.
package struct TargetKey: Hashable, Sendable {
  var host: [UInt8] = []
  var target: [UInt8] = []

  @inline(__always)
  static func < (first: TargetKey, second: TargetKey) -> Bool {
    let order = first.host.span.compare(second.host.span)
    return order != 0 ? order < 0 : first.target.span.compare(second.target.span) < 0
  }
}

/// A target and everything that is counted of it.
struct TargetRecord {
  /// The requests that agree in their dimensions.
  struct Requests: BitwiseCopyable {
    /// The dimensions; see ``Dimensions``.
    var dimensions: UInt64
    var count: UInt64
  }

  /// The visits from pages of the same host that agree in their template and in
  /// their dimensions.
  struct Visits: BitwiseCopyable {
    /// The number of the template; the source of the record defines the numbering.
    var template: Int

    /// The dimensions; see ``Dimensions``.
    var dimensions: UInt64
    var count: UInt64
  }

  var key = TargetKey()

  var requests: [Requests] = []
  var visits: [Visits] = []

  /// Sorts counts that were added in no order, and adds up equal ones.
  mutating func coalesce() {
    Self.coalesce(&requests, add: { $0.count &+= $1.count }) { $0.dimensions < $1.dimensions }
    Self.coalesce(&visits, add: { $0.count &+= $1.count }) {
      ($0.template, $0.dimensions) < ($1.template, $1.dimensions)
    }
  }

  /// Sorts counts, and adds up those with equal keys.
  private static func coalesce<Count>(
    _ counts: inout [Count], add: (inout Count, Count) -> Void, by precedes: (Count, Count) -> Bool
  ) {
    guard counts.count > 1 else { return }
    counts.sort(by: precedes)
    var last = 0
    for index in 1..<counts.count {
      if precedes(counts[last], counts[index]) {
        last += 1
        counts[last] = counts[index]
      } else {
        add(&counts[last], counts[index])
      }
    }
    counts.removeLast(counts.count - last - 1)
  }

  /// Clears the counts and keeps the memory.
  mutating func removeCounts() {
    if !requests.isEmpty { requests.removeAll(keepingCapacity: true) }
    if !visits.isEmpty { visits.removeAll(keepingCapacity: true) }
  }
}
