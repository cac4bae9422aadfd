internal import TrafficDigest

/// The requests to hosts that aren't sites, by host as bytes: hosts that look alike stay separate.
///
/// A log can name any number of hosts, and only the heaviest are reported. Targets on disk come in
/// the order of their hosts, so a host between two others is complete, unless targets in memory have
/// it, too.
struct OtherHostCounts: Sendable {
  /// The hosts since names were numbered anew or the slice began, in the order of their first
  /// targets.
  private var counted: [(number: Int, row: HeaviestHosts.Row)] = []

  /// The greatest number of these, so that they take little memory.
  private static let countedLimit = 1 << 10

  /// By number of a host, its position among those, or -1.
  private var places: [Int] = []
  private var generation = -1

  /// The requests of hosts of which others can count more.
  private var open: [[UInt8]: Int] = [:]
  private var done = HeaviestHosts()

  mutating func add(
    _ requests: RequestCounts, toHost number: Int, of names: TargetNames, _ digest: TrafficDigest
  ) {
    if generation != names.generation {
      finish(digest)
      (generation, places) = (names.generation, [])
    }
    if places.count <= number {
      places += Array(repeating: -1, count: number + 1 - places.count)
    }
    if places[number] < 0 {
      if counted.count == Self.countedLimit { finish(digest) }
      places[number] = counted.count
      counted.append((number, HeaviestHosts.Row(host: names.hostBytes(number), requests: 0)))
    }
    var sum = 0
    for index in requests.indices { sum += requests[index].requests }
    counted[places[number]].row.requests += sum
  }

  /// Ends the counting of hosts by their numbers, of which the first and the last one can have more
  /// targets elsewhere.
  mutating func finish(_ digest: TrafficDigest) {
    for (index, (number, row)) in counted.enumerated() {
      places[number] = -1
      if index == 0 || index == counted.count - 1 || digest.holdsInMemory(host: row.host) {
        open[row.host, default: 0] += row.requests
      } else {
        done.add(row)
      }
    }
    counted.removeAll(keepingCapacity: true)
  }

  mutating func merge(_ other: OtherHostCounts) {
    open.merge(other.open, uniquingKeysWith: +)
    done.merge(other.done)
  }

  /// The heaviest hosts in order, and the sums of the others.
  var heaviest: HeaviestHosts {
    var hosts = done
    for (host, requests) in open { hosts.add(HeaviestHosts.Row(host: host, requests: requests)) }
    hosts.keepHeaviest()
    return hosts
  }
}

/// The hosts with the most requests, and the sums of the others.
///
/// Anybody can send any number of host names, so only the heaviest are separate.
package struct HeaviestHosts: Hashable, Sendable {
  /// A host with its requests, and with its distinct targets where they are counted.
  package struct Row: Hashable, Sendable {
    /// The host as bytes; empty for several hosts together.
    package var host: [UInt8]
    package var requests: Int
    package var targets: Int

    package init(host: [UInt8], requests: Int, targets: Int = 0) {
      (self.host, self.requests, self.targets) = (host, requests, targets)
    }

    /// The host; empty if neither the log nor an option names it.
    package var name: String { String(decoding: host, as: UTF8.self) }

    fileprivate func precedes(_ other: Row) -> Bool {
      requests == other.requests
        ? host.lexicographicallyPrecedes(other.host) : requests > other.requests
    }
  }

  /// The greatest number of hosts that are separate.
  package static let limit = 10_000

  /// The heaviest hosts so far, up to twice as many; after ``keepHeaviest()`` in order.
  package private(set) var rows: [Row] = []

  /// The number of the others and their sums.
  package private(set) var otherCount = 0
  package private(set) var others = Row(host: [], requests: 0)

  package init() {}

  /// Adds a host; call it once for each.
  package mutating func add(_ row: Row) {
    rows.append(row)
    if rows.count >= 2 * Self.limit { keepHeaviest() }
  }

  mutating func merge(_ other: HeaviestHosts) {
    addOthers(other.otherCount, other.others)
    for row in other.rows { add(row) }
  }

  /// Sorts the hosts, the heaviest first, and adds up those beyond the limit.
  package mutating func keepHeaviest() {
    rows.sort { $0.precedes($1) }
    for row in rows.dropFirst(Self.limit) { addOthers(1, row) }
    rows.removeLast(max(0, rows.count - Self.limit))
  }

  package var requests: Int { rows.reduce(others.requests) { $0 + $1.requests } }

  /// The number of requests that name no host.
  package var hostless: Int { rows.first { $0.host.isEmpty }?.requests ?? 0 }

  private mutating func addOthers(_ count: Int, _ sum: Row) {
    otherCount += count
    others.requests += sum.requests
    others.targets += sum.targets
  }
}
