/// The requests of Apple's fetchers for association files.
///
/// They are few, and their times matter, so they are kept beside the counts.
struct FetchTally: Sendable {
  /// What fetches are counted by.
  struct Key: Hashable, Sendable {
    var host: String
    var path: String
    var fetcher: Fetcher
    var status: UInt16
  }

  /// A number of fetches, and the time of the last.
  struct Value: Hashable, Sendable {
    var requests: Int
    var last: LogTime?
  }

  private(set) var values: [Key: Value] = [:]

  /// The paths at which systems look for an association file
  /// (MATCHING.md, 6.3).
  static let paths = [TrafficDigest.Fetch.wellKnownPath, "/apple-app-site-association"]

  /// The length of the longest of them.
  static let longestPath = paths.map(\.utf8.count).max() ?? 0

  mutating func add(_ key: Key, _ value: Value) {
    guard let known = values[key] else {
      values[key] = value
      return
    }
    let last = [known.last, value.last].compactMap { $0 }.max()
    values[key] = Value(requests: known.requests + value.requests, last: last)
  }

  mutating func merge(_ other: FetchTally) {
    for (key, value) in other.values { add(key, value) }
  }
}
