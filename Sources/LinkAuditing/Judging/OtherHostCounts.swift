internal import TrafficDigest

/// The requests to hosts that aren't sites, by host as bytes: hosts that look alike stay separate.
///
/// A log can name any number of hosts, and only the heaviest are reported. Hosts of targets in
/// memory are counted by their numbers there. Targets on disk come in the order of their hosts, so
/// a host is complete when the next one comes. Only the heaviest of them are kept.
struct OtherHostCounts: Sendable {
  /// The greatest number of hosts that are named; the others are counted together.
  static let namedLimit = 10_000

  /// The requests by part and number of the host.
  private var inMemory: [[Int]]

  /// The requests of hosts of which others can count more.
  private var open: [[UInt8]: Int] = [:]

  /// The heaviest of the complete hosts, up to twice as many as are named, and the number of
  /// others.
  private var done: [Row] = []
  private var rest = HostRemainder()

  /// The host of the target on disk that was counted last, and whether it is the first of its
  /// slice.
  ///
  /// The first host of a slice can have more targets in another slice.
  private var current: Row?
  private var isFirst = true

  /// The part in memory whose targets are counted, or `nil` if they are on disk.
  ///
  /// With it goes the number of the host that was counted last, and the generation of names of that
  /// number.
  private var part: Int?
  private var lastHost = -1
  private var lastGeneration = -1

  private struct Row: Sendable {
    var host: [UInt8]
    var requests: Int

    func precedes(_ other: Row) -> Bool {
      requests == other.requests
        ? host.lexicographicallyPrecedes(other.host) : requests > other.requests
    }
  }

  /// Creates empty counts.
  ///
  /// - Parameter hostCounts: The numbers of hosts of each part in memory.
  init(hostCounts: [Int]) { inMemory = hostCounts.map { _ in [] } }

  /// Begins the counting of a slice.
  ///
  /// - Parameter part: The part in memory that holds its targets, or `nil` if they are on disk.
  mutating func beginSlice(part: Int?) {
    (self.part, lastHost, lastGeneration) = (part, -1, -1)
  }

  /// Counts the requests of a target.
  mutating func add(
    _ requests: Span<TrafficDigest.Count>, toHost number: Int, of names: TargetNames,
    _ digest: TrafficDigest
  ) {
    var sum = 0
    for index in requests.indices { sum += requests[index].requests }
    if let part { return add(sum, toHost: number, ofPart: part) }
    let isSame = lastHost == number && lastGeneration == names.generation
    (lastHost, lastGeneration) = (number, names.generation)
    add(sum, to: names.hostBytes(number), isSame: isSame, digest)
  }

  /// Counts requests of a target in memory.
  private mutating func add(_ requests: Int, toHost number: Int, ofPart part: Int) {
    if inMemory[part].count <= number {
      inMemory[part] += Array(repeating: 0, count: number + 1 - inMemory[part].count)
    }
    inMemory[part][number] += requests
  }

  /// Counts requests of a target on disk.
  private mutating func add(
    _ requests: Int, to host: @autoclosure () -> [UInt8], isSame: Bool, _ digest: TrafficDigest
  ) {
    if isSame, current != nil {
      current?.requests += requests
      return
    }
    let host = host()
    if current?.host == host {
      current?.requests += requests
    } else {
      finishHost(digest)
      current = Row(host: host, requests: requests)
    }
  }

  /// Ends the counting of a slice.
  mutating func finishSlice() {
    if let current { open[current.host, default: 0] += current.requests }
    (current, isFirst) = (nil, true)
  }

  private mutating func finishHost(_ digest: TrafficDigest) {
    guard let row = current else { return }
    if isFirst || digest.holdsInMemory(host: row.host) {
      open[row.host, default: 0] += row.requests
    } else {
      finish(row)
    }
    isFirst = false
  }

  private mutating func finish(_ row: Row) {
    done.append(row)
    if done.count >= 2 * Self.namedLimit { keepHeaviest() }
  }

  private mutating func keepHeaviest() {
    done.sort { $0.precedes($1) }
    for row in done.dropFirst(Self.namedLimit) { rest.add(row.requests) }
    done = Array(done.prefix(Self.namedLimit))
  }

  mutating func merge(_ other: OtherHostCounts) {
    for part in inMemory.indices {
      for (number, requests) in other.inMemory[part].enumerated() where requests > 0 {
        add(requests, toHost: number, ofPart: part)
      }
    }
    open.merge(other.open, uniquingKeysWith: +)
    rest.add(other.rest)
    for row in other.done { finish(row) }
  }

  /// Returns the heaviest hosts in order, and the sums of the others.
  func heaviest(_ digest: TrafficDigest) -> OtherHosts {
    var (open, whole) = (open, self)
    for part in inMemory.indices {
      for (number, requests) in inMemory[part].enumerated() where requests > 0 {
        open[digest.host(number, ofPart: part), default: 0] += requests
      }
    }
    for (host, requests) in open { whole.finish(Row(host: host, requests: requests)) }
    whole.keepHeaviest()
    let named = whole.done.map {
      HostRequests(host: String(decoding: $0.host, as: UTF8.self), requests: $0.requests)
    }
    return OtherHosts(named: named, rest: whole.rest)
  }
}
