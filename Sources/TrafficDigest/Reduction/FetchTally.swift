internal import AccessLogs
internal import Foundations

/// The requests for association files.
///
/// They are few, and their times matter, so they are separate from the counts.
struct FetchTally: Sendable {
  /// Fetches without their figures.
  struct Key: Hashable, Sendable {
    /// The day as in ``Dimensions/dayNumber``, 0 for none.
    var day: Int
    var fetch: TrafficDigest.Fetch
  }

  private(set) var values: [Key: RequestFigures] = [:]

  /// The paths where systems look for an association file (Matching.md, 6.3).
  private static let paths = [TrafficDigest.Fetch.wellKnownPath, TrafficDigest.Fetch.rootPath]

  private let pathBytes = paths.map { Array($0.utf8) }

  /// Fetches that are not added yet, with packed days and with numbers in place of hosts and paths;
  /// there are few different ones.
  private var recent:
    [(
      day: UInt64, host: UInt32, path: Int, fetcher: Fetcher, status: UInt16,
      figures: RequestFigures
    )] = []
  private static let recentLimit = 64

  /// The position in them of the fetch that was counted last.
  private var latest = 0

  /// The length of the shorter path, and the text of both after the first byte, as
  /// ``Span/word(_:)`` reads it: `.well-kn` and `apple-ap`.
  private static let shortestLength = 27
  private static let wellKnownWord: UInt64 = 0x6E6B_2D6C_6C65_772E
  private static let rootWord: UInt64 = 0x7061_2D65_6C70_7061

  /// Returns a Boolean value indicating whether a target can be the path of an association file;
  /// almost no target can.
  @inline(__always)
  static func mayCount(_ target: Span<UInt8>) -> Bool {
    guard target.count >= shortestLength else { return false }
    let word = target.word(1)
    return word == wellKnownWord || word == rootWord
  }

  /// Counts requests on a packed day if their target is the path of an association file, and
  /// returns whether it is.
  @inline(never)
  mutating func add(
    _ target: Span<UInt8>, by fetcher: Fetcher, _ status: UInt16, _ figures: RequestFigures,
    day: UInt64, host: UInt32, _ hosts: borrowing ByteTable
  ) -> Bool {
    guard let path = pathNumber(of: target) else { return false }
    for index in recent.indices
    where recent[index].status == status && recent[index].fetcher == fetcher
      && recent[index].path == path && recent[index].host == host && recent[index].day == day
    {
      recent[index].figures += figures
      latest = index
      return true
    }
    if recent.count == Self.recentLimit { addRecent(hosts) }
    latest = recent.count
    recent.append((day, host, path, fetcher, status, figures))
    return true
  }

  /// Adds the size of the response, if the log has it, to the fetch that was counted last.
  mutating func addSize(_ size: Int?) {
    guard let size, recent.indices.contains(latest) else { return }
    recent[latest].figures.sizes.widen(to: size...size)
  }

  mutating func addRecent(_ hosts: borrowing ByteTable) {
    for fetch in recent {
      let key = TrafficDigest.Fetch(
        host: hosts.string(Int(fetch.host)), path: Self.paths[fetch.path], fetcher: fetch.fetcher,
        status: fetch.status, figures: RequestFigures())
      add(Key(day: Dimensions(bits: fetch.day).dayNumber, fetch: key), fetch.figures)
    }
    recent.removeAll()
  }

  /// Returns the position of the path before the query of a target, if it is that of an association
  /// file.
  private func pathNumber(of target: Span<UInt8>) -> Int? {
    pathBytes.firstIndex { path in
      let length = path.count
      return
        (target.count == length
        || target.count > length && target[length] == UInt8(ascii: "?"))
        && target.extracting(0..<length).isEqual(to: path.span)
    }
  }

  mutating func merge(_ other: FetchTally) {
    listHosts(before: other.firstUnlistedHost)
    for (key, value) in other.values { add(key, value) }
    for (key, value) in other.unlisted { unlisted[key, default: RequestFigures()] += value }
  }

  mutating func add(_ key: Key, _ figures: RequestFigures) {
    guard isListed(key.fetch.host) else {
      unlisted[key.unlisted, default: RequestFigures()] += figures
      return
    }
    values[key, default: RequestFigures()] += figures
    if values.count > 2 * Self.limit { limit() }
  }

  // MARK: - Limits

  /// The maximum number of kinds of fetches; those for other hosts are counted together.
  ///
  /// Anybody can request the file under any number of host names. Which hosts are listed depends
  /// only on their names, short ones first. So the order and place of counting don't matter: a host
  /// that a part doesn't list isn't listed in the total.
  static let limit = 50_000

  /// The first unlisted host in the order of listing; `nil` if all are listed.
  private(set) var firstUnlistedHost: String?

  /// The fetches for unlisted hosts, under one host and without their statuses.
  private(set) var unlisted: [Key: RequestFigures] = [:]

  private func isListed(_ host: String) -> Bool {
    if host == TrafficDigest.Fetch.otherHosts { return false }
    guard let firstUnlistedHost else { return true }
    return host.precedesByLength(firstUnlistedHost)
  }

  /// Counts all hosts from a given one on as unlisted.
  mutating func listHosts(before host: String?) {
    guard let host, isListed(host) else { return }
    firstUnlistedHost = host
    let old = values
    values = [:]
    for (key, figures) in old { add(key, figures) }
  }

  /// Counts the hosts that exceed the limit as unlisted.
  mutating func limit() {
    guard values.count > Self.limit else { return }
    let hosts = values.keys.map(\.fetch.host).sorted { $0.precedesByLength($1) }
    listHosts(before: hosts[Self.limit])
  }
}

extension FetchTally.Key {
  /// The key for fetches whose host isn't listed.
  fileprivate var unlisted: Self {
    var key = self
    (key.fetch.host, key.fetch.status) = (TrafficDigest.Fetch.otherHosts, 0)
    return key
  }
}

extension FetchTally {
  /// The fetches, each with the number of its day, 0 for none.
  var counts: [(day: Int, count: TrafficDigest.Fetch)] {
    (Array(values) + Array(unlisted)).map { key, figures in
      var fetch = key.fetch
      fetch.figures = figures
      return (key.day, fetch)
    }
  }
}
