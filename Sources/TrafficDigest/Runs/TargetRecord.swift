internal import AccessLogs
internal import Foundations

/// A host and a target, ordered by the bytes of the host, then by those of the target.
///
/// Targets of a digest are in this order, and keys divide them into parts for workers.
package struct TargetKey: Hashable, Sendable {
  var host: [UInt8] = []
  var target: [UInt8] = []

  // The approximate number of bytes of a target in a block, besides its name. It depends on nothing
  // but the counts of the target, so that workers can divide targets into blocks before these are
  // encoded.
  static let leastWeight = 4
  static let requestWeight = 3
  static let visitWeight = 4

  /// The weight of this target with some counts; a block ends when that of its targets reaches a
  /// limit.
  func weight(
    _ requests: Span<TargetRecord.Requests>, _ visits: Span<TargetRecord.Visits>,
    names: borrowing ByteTable
  ) -> Int {
    // Targets mostly share their host, and often their templates.
    var weight = Self.leastWeight + host.count / 8 + target.count
    weight += requests.count * Self.requestWeight
    for index in visits.indices {
      weight += Self.visitWeight + names.length(visits[index].template) / 8
    }
    return weight
  }

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

    /// The number of the day; see ``Dimensions/dayNumber``.
    var dayNumber: Int { Dimensions(bits: dimensions).dayNumber }
  }

  /// The visits from pages of the same host that agree in their template and in
  /// their dimensions.
  struct Visits: BitwiseCopyable {
    /// The number of the template; the source of the record defines the numbering.
    var template: Int

    /// The dimensions; see ``Dimensions``.
    var dimensions: UInt64
    var count: UInt64

    /// The number of the day; see ``Dimensions/dayNumber``.
    var dayNumber: Int { Dimensions(bits: dimensions).dayNumber }
  }

  var key = TargetKey()

  /// The requests, ascending by dimensions.
  var requests: [Requests] = []

  /// The visits, ascending by the bytes of the template and by dimensions.
  var visits: [Visits] = []

  /// The number of all requests.
  var requestCount: Int { requests.reduce(0) { $0 + Int(truncatingIfNeeded: $1.count) } }

  /// Sorts counts that were added in no order, and adds up equal ones.
  mutating func coalesce(names: borrowing ByteTable) {
    requests.coalesce(add: { $0.count &+= $1.count }, by: { $0.dimensions < $1.dimensions })
    visits.coalesce(
      add: { $0.count &+= $1.count },
      by: { one, other in
        one.template == other.template
          ? one.dimensions < other.dimensions : names.precedes(one.template, other.template)
      })
  }

  /// Clears the counts and keeps the memory.
  mutating func removeCounts() {
    if !requests.isEmpty { requests.removeAll(keepingCapacity: true) }
    if !visits.isEmpty { visits.removeAll(keepingCapacity: true) }
  }
}

extension Array where Element: BitwiseCopyable {
  /// Sorts counts, and adds up those with equal keys.
  fileprivate mutating func coalesce(
    add: (inout Element, Element) -> Void, by precedes: (Element, Element) -> Bool
  ) {
    guard count > 1 else { return }
    sortCounts(by: precedes)
    var last = 0
    for index in 1..<count {
      if precedes(self[last], self[index]) {
        last += 1
        if last < index { self[last] = self[index] }
      } else {
        add(&self[last], self[index])
      }
    }
    if last + 1 < count { removeLast(count - last - 1) }
  }

  /// Sorts the counts of a target.
  ///
  /// Most targets have few, and sorting these in place allocates nothing.
  private mutating func sortCounts(by precedes: (Element, Element) -> Bool) {
    guard count <= 16 else { return sort(by: precedes) }
    for index in 1..<count {
      let element = self[index]
      var place = index
      while place > 0, precedes(element, self[place - 1]) {
        self[place] = self[place - 1]
        place -= 1
      }
      if place < index { self[place] = element }
    }
  }
}
