internal import TrafficDigest

/// The requests to hosts that aren't sites, by host as bytes: hosts that look alike stay separate.
///
/// A log can name any number of hosts, and only the heaviest are reported. Hosts of targets in
/// memory are counted by their numbers there. Targets on disk come in the order of their hosts, so
/// a host is complete when the next one comes.
struct OtherHostCounts: Sendable {
  /// The requests by number of the host, for the slice in memory that is counted.
  private var inMemory: [Int] = []

  /// The numbers of the hosts with such requests; a slice has few of all hosts.
  private var counted: [Int] = []

  /// The requests of hosts of which others can count more.
  private var open: [[UInt8]: Int] = [:]
  private var done = HeaviestHosts()

  /// The host of the target on disk that was counted last, and whether it is the first of its
  /// slice.
  ///
  /// The first host of a slice can have more targets in another slice.
  private var current: HeaviestHosts.Row?
  private var isFirst = true

  /// Whether the slice that is counted is in memory.
  private var isInMemory = false

  /// The number of the host that was counted last, and the generation of names of that number.
  private var lastHost = -1
  private var lastGeneration = -1

  /// Begins the counting of a slice.
  mutating func beginSlice(isInMemory: Bool) {
    (self.isInMemory, lastHost, lastGeneration) = (isInMemory, -1, -1)
  }

  mutating func add(
    _ requests: Span<TrafficDigest.Count>, toHost number: Int, of names: TargetNames,
    _ digest: TrafficDigest
  ) {
    var sum = 0
    for index in requests.indices { sum += requests[index].requests }
    guard !isInMemory else {
      if inMemory.count <= number {
        inMemory += Array(repeating: 0, count: number + 1 - inMemory.count)
      }
      if inMemory[number] == 0 { counted.append(number) }
      inMemory[number] += sum
      return
    }
    let isSame = lastHost == number && lastGeneration == names.generation
    (lastHost, lastGeneration) = (number, names.generation)
    if current == nil || !isSame {
      let host = names.hostBytes(number)
      if current?.host != host {
        finishHost(digest)
        current = HeaviestHosts.Row(host: host, requests: 0)
      }
    }
    current?.requests += sum
  }

  /// Ends the counting of a slice, whose hosts have these names.
  mutating func finishSlice(_ names: TargetNames) {
    for number in counted {
      open[names.hostBytes(number), default: 0] += inMemory[number]
      inMemory[number] = 0
    }
    counted.removeAll(keepingCapacity: true)
    if let current { open[current.host, default: 0] += current.requests }
    (current, isFirst) = (nil, true)
  }

  private mutating func finishHost(_ digest: TrafficDigest) {
    guard let row = current else { return }
    if isFirst || digest.holdsInMemory(host: row.host) {
      open[row.host, default: 0] += row.requests
    } else {
      done.add(row)
    }
    isFirst = false
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
