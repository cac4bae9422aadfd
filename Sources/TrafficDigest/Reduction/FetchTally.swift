internal import AccessLogs

/// The requests of Apple's fetchers for association files.
///
/// They are few, and their times matter, so they are kept beside the counts.
struct FetchTally: Sendable {
  /// What fetches are counted by.
  struct Key: Hashable, Sendable {
    /// The day as ``PackedDimensions/dayNumber`` has it, 0 for none.
    var day: Int
    var host: String
    var path: String
    var fetcher: Fetcher
    var status: UInt16
  }

  /// A number of fetches, and the time of the last.
  struct Value: Hashable, Sendable {
    var requests: Int
    var last: LogTime?

    /// Makes a time the last one if it comes behind it.
    mutating func setLast(_ time: LogTime?) {
      guard let time else { return }
      last = max(last ?? time, time)
    }
  }

  private(set) var values: [Key: Value] = [:]

  /// The paths at which systems look for an association file
  /// (MATCHING.md, 6.3).
  private static let paths = [TrafficDigest.Fetch.wellKnownPath, "/apple-app-site-association"]

  private let pathBytes = paths.map { Array($0.utf8) }

  /// Fetches by numbers that stand for their keys.
  private struct Recent: Sendable {
    /// The day as ``PackedDimensions`` holds it.
    var day: UInt64
    var host: UInt32
    var path: Int
    var fetcher: Fetcher
    var status: UInt16
    var value: Value
  }

  /// Fetches that are still to be added: there are few different ones.
  private var recent: [Recent] = []
  private static let recentLimit = 64

  /// Counts a request for a target if that is the path of an association file.
  ///
  /// - Parameters:
  ///   - target: The target.
  ///   - fetcher: Who asked.
  ///   - status: The status of the response.
  ///   - time: The time of the request.
  ///   - day: Its day as ``PackedDimensions`` holds it.
  ///   - host: The number of the host.
  ///   - hosts: The hosts by number.
  mutating func add(
    _ target: Span<UInt8>, by fetcher: Fetcher, _ status: UInt16, at time: LogTime?,
    day: UInt64, host: UInt32, _ hosts: borrowing ByteTable
  ) {
    guard let path = pathNumber(of: target) else { return }
    for index in recent.indices
    where recent[index].status == status && recent[index].fetcher == fetcher
      && recent[index].path == path && recent[index].host == host && recent[index].day == day
    {
      recent[index].value.requests += 1
      recent[index].value.setLast(time)
      return
    }
    if recent.count == Self.recentLimit { addRecent(hosts) }
    recent.append(
      Recent(
        day: day, host: host, path: path, fetcher: fetcher, status: status,
        value: Value(requests: 1, last: time)))
  }

  /// Adds what is known by numbers only.
  ///
  /// - Parameter hosts: The hosts by number.
  mutating func addRecent(_ hosts: borrowing ByteTable) {
    for fetch in recent {
      let key = Key(
        day: PackedDimensions(bits: fetch.day).dayNumber, host: hosts.string(Int(fetch.host)),
        path: Self.paths[fetch.path], fetcher: fetch.fetcher,
        status: fetch.status)
      add(key, fetch.value)
    }
    recent.removeAll()
  }

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

  private mutating func add(_ key: Key, _ value: Value) {
    guard var known = values[key] else {
      values[key] = value
      return
    }
    known.requests += value.requests
    known.setLast(value.last)
    values[key] = known
  }

  mutating func merge(_ other: FetchTally) {
    for (key, value) in other.values { add(key, value) }
  }
}
