internal import AccessLogs

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
  private static let paths = [TrafficDigest.Fetch.wellKnownPath, "/apple-app-site-association"]

  private let pathBytes = paths.map { Array($0.utf8) }

  /// The key that was last added, with the numbers that stand for it: fetches of one
  /// file mostly follow one another.
  private var last: (host: UInt32, path: Int, fetcher: Fetcher, status: UInt16, key: Key)?

  /// Counts a request for a target if that is the path of an association file.
  ///
  /// - Parameters:
  ///   - target: The target.
  ///   - fetcher: Who asked.
  ///   - status: The status of the response.
  ///   - time: The time of the request.
  ///   - host: The number of the host.
  ///   - hosts: The hosts by number.
  mutating func add(
    _ target: Span<UInt8>, by fetcher: Fetcher, _ status: UInt16, at time: LogTime?,
    host: UInt32, _ hosts: borrowing ByteTable
  ) {
    guard let path = pathNumber(of: target) else { return }
    let value = Value(requests: 1, last: time)
    if let last, last.host == host, last.path == path, last.fetcher == fetcher,
      last.status == status
    {
      add(last.key, value)
      return
    }
    let key = Key(
      host: hosts.string(Int(host)), path: Self.paths[path], fetcher: fetcher, status: status)
    last = (host, path, fetcher, status, key)
    add(key, value)
  }

  /// Forgets which numbers stand for hosts.
  mutating func forgetHosts() { last = nil }

  /// The position of the path that a target has in front of its query, if it is one
  /// of an association file's.
  private func pathNumber(of target: Span<UInt8>) -> Int? {
    for number in pathBytes.indices {
      let path = pathBytes[number]
      let length = path.count
      if target.count == length || target.count > length && target[length] == UInt8(ascii: "?"),
        target.extracting(0..<length).isEqual(to: path.span)
      {
        return number
      }
    }
    return nil
  }

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
