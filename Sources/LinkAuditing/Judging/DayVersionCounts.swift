internal import TrafficDigest

/// The counts of a target whose site has several versions, version by version.
struct DayVersionCounts {
  /// The version of each count of requests.
  private var versions: [Int] = []
  private var last = -1

  /// The requests and the same-host visits under the version that was returned last.
  private(set) var requests: [TrafficDigest.Count] = []
  private(set) var visits: [TrafficDigest.Count] = []

  /// Begins with the counts of a target.
  mutating func begin(
    _ all: Span<TrafficDigest.Count>, version: (TrafficDigest.Count) -> Int
  ) {
    last = -1
    versions.removeAll(keepingCapacity: true)
    for index in all.indices { versions.append(version(all[index])) }
  }

  /// Selects the counts of the next version with requests while it was in force.
  ///
  /// - Returns: The version, or `nil` if there is none.
  mutating func next(
    _ allRequests: Span<TrafficDigest.Count>, _ allVisits: Span<TrafficDigest.Count>,
    visitVersion: (TrafficDigest.Count) -> Int
  ) -> Int? {
    var next = Int.max
    for (index, version) in versions.enumerated() where version > last {
      if version < next {
        next = version
        requests.removeAll(keepingCapacity: true)
      }
      if version == next { requests.append(allRequests[index]) }
    }
    guard next < Int.max else { return nil }
    visits.removeAll(keepingCapacity: true)
    for index in allVisits.indices where visitVersion(allVisits[index]) == next {
      visits.append(allVisits[index])
    }
    last = next
    return next
  }
}
