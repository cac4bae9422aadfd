public import TrafficDigest

/// A filter that selects the requests of a digest to judge, and the possible visits.
public struct TrafficFilter: Hashable, Sendable {
  /// The platforms whose requests count, or `nil` for all.
  public var platforms: Set<Platform>?

  /// The statuses of requests that count, ascending and without overlaps, or `nil` for all.
  public private(set) var statuses: [ClosedRange<UInt16>]?

  /// A Boolean value indicating whether pages that crawlers open also count as visits.
  public var includesBots = false

  /// Creates a filter that lets every request pass and no crawler visit.
  public init() {}

  /// A Boolean value indicating whether this filter changes anything.
  public var isActive: Bool { self != TrafficFilter() }

  /// A Boolean value indicating whether some requests may not count.
  var isSelective: Bool { platforms != nil || statuses != nil }

  /// Adds a range to the statuses that pass.
  public mutating func add(statuses range: ClosedRange<UInt16>) {
    var joined: [ClosedRange<UInt16>] = []
    let ranges = ((statuses ?? []) + [range]).sorted { $0.lowerBound < $1.lowerBound }
    for range in ranges {
      if let last = joined.last, Int(range.lowerBound) <= Int(last.upperBound) + 1 {
        joined[joined.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        joined.append(range)
      }
    }
    statuses = joined
  }

  /// Returns a Boolean value indicating whether requests with such dimensions count.
  func lets(_ dimensions: Dimensions) -> Bool {
    let status = dimensions.status
    return (platforms?.contains(dimensions.platform) ?? true)
      && (statuses?.contains { $0.contains(status) } ?? true)
  }

  /// Returns a Boolean value indicating whether such requests are visits if they ask
  /// for a page.
  func isVisitLike(_ dimensions: Dimensions) -> Bool {
    includesBots ? dimensions.mayBeVisit : dimensions.isVisitLike
  }

  /// Returns a Boolean value indicating whether such requests would be visits if they ask for a
  /// page and had received one.
  func isAttempt(_ dimensions: Dimensions) -> Bool {
    dimensions.isGet && !dimensions.isSubresource
      && (dimensions.platform.isApple || includesBots && dimensions.platform == .bot)
  }
}
