internal import AccessLogs

/// A target and all that is counted of it.
struct TargetRecord {
  /// The requests that agree in their dimensions.
  struct Requests: BitwiseCopyable {
    /// The dimensions; see ``PackedDimensions``.
    var dimensions: UInt64
    var count: UInt64
  }

  /// The visits from pages of the same host that have the same template.
  struct Visits: BitwiseCopyable {
    /// The number of the template; whoever gives the record says where.
    var template: Int

    /// What else they are counted by; see ``PageKey``.
    var group: UInt32
    var count: UInt64
  }

  var host: [UInt8] = []
  var target: [UInt8] = []

  var requests: [Requests] = []
  var visits: [Visits] = []

  /// Brings counts that were added in no order into theirs, and adds up equal ones.
  mutating func coalesce() {
    if requests.count > 1 {
      requests.sort { $0.dimensions < $1.dimensions }
      var last = 0
      for index in 1..<requests.count {
        if requests[index].dimensions == requests[last].dimensions {
          requests[last].count &+= requests[index].count
        } else {
          last += 1
          requests[last] = requests[index]
        }
      }
      requests.removeLast(requests.count - last - 1)
    }
    if visits.count > 1 {
      visits.sort { ($0.template, $0.group) < ($1.template, $1.group) }
      var last = 0
      for index in 1..<visits.count {
        if visits[index].template == visits[last].template,
          visits[index].group == visits[last].group
        {
          visits[last].count &+= visits[index].count
        } else {
          last += 1
          visits[last] = visits[index]
        }
      }
      visits.removeLast(visits.count - last - 1)
    }
  }

  /// Forgets what is counted and keeps the space.
  mutating func removeCounts() {
    if !requests.isEmpty { requests.removeAll(keepingCapacity: true) }
    if !visits.isEmpty { visits.removeAll(keepingCapacity: true) }
  }
}

/// The order of targets in a digest: by the bytes of the host, then by those of the
/// target.
enum TargetOrder {
  /// Returns a Boolean value indicating whether a target comes before another.
  @inline(__always)
  static func precedes(
    _ host: [UInt8], _ target: [UInt8], _ otherHost: [UInt8], _ otherTarget: [UInt8]
  ) -> Bool {
    let order = host.span.compare(otherHost.span)
    return order != 0 ? order < 0 : target.span.compare(otherTarget.span) < 0
  }
}
