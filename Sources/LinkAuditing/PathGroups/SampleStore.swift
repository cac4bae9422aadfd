internal import AccessLogs
internal import Foundations
internal import UniversalLinks

/// For each of some numbered things, three of the targets that it was counted by.
///
/// Visited targets precede others, and short ones precede long ones; then bytes are compared. So
/// the samples depend only on the set of targets, not on how workers shared them. Short targets
/// also reveal least about the people who requested them.
struct SampleStore: Sendable {
  static let limit = 3

  struct Sample: Hashable, Sendable {
    var target: [UInt8]
    var isVisited: Bool

    private var rank: (Int, Int) { (isVisited ? 0 : 1, target.count) }

    /// The best targets of some samples, each once.
    static func best(_ samples: [Sample]) -> [Sample] {
      var known: Set<[UInt8]> = []
      let sorted = samples.sorted { first, second in
        first.rank == second.rank
          ? first.target.lexicographicallyPrecedes(second.target) : first.rank < second.rank
      }
      return Array(sorted.filter { known.insert($0.target).inserted }.prefix(SampleStore.limit))
    }

    static func encodedBest(_ samples: [Sample]) -> [String] {
      best(samples).map { sample in
        var encoded: [UInt8] = []
        PercentEncoding.append(encodingTarget: sample.target.span, to: &encoded)
        return String(decoding: encoded, as: UTF8.self)
      }
    }
  }

  private struct Place: BitwiseCopyable {
    /// The length, and the highest bit where there were no visits; greater is worse.
    var rank: UInt32
    var start: UInt32
    static let none = Place(rank: .max, start: 0)
    static let unvisited: UInt32 = 1 << 31

    var isTaken: Bool { rank != Place.none.rank }
    var isVisited: Bool { rank & Place.unvisited == 0 }
    var count: Int { Int(rank & ~Place.unvisited) }
    var range: Range<Int> { Int(start)..<Int(start) + count }
  }

  private var places: [Place] = []
  private(set) var bytes: [UInt8] = []

  /// The greatest length of a target; longer ones show no more than shorter ones.
  private static let longest = 2_048

  /// Offers a target for the thing with a number; numbers are new in ascending order.
  @inline(__always)
  mutating func offer(_ target: Span<UInt8>, isVisited: Bool, for number: Int) {
    let first = number * Self.limit
    while places.count < first + Self.limit { places.append(.none) }
    let rank = UInt32(truncatingIfNeeded: target.count) | (isVisited ? 0 : Place.unvisited)
    if rank > places[first + Self.limit - 1].rank || target.count > Self.longest { return }
    insert(target, rank, first: first)
  }

  @inline(never)
  private mutating func insert(_ target: Span<UInt8>, _ rank: UInt32, first: Int) {
    var position = first
    let end = first + Self.limit
    while position < end, !precedes(target, rank, places[position]) {
      // The same target, visited or not: the one in front is no worse.
      if places[position].count == target.count, compare(target, places[position]) == 0 {
        return
      }
      position += 1
    }
    guard position < end else { return }
    // The same target may follow, from where it wasn't visited.
    let twin =
      rank & Place.unvisited == 0
      ? (position..<end).first {
        places[$0].rank == rank | Place.unvisited && compare(target, places[$0]) == 0
      } : nil
    var last = twin ?? end - 1
    let start = twin.map { places[$0].start } ?? store(target, insteadOf: places[last])
    while last > position {
      places[last] = places[last - 1]
      last -= 1
    }
    places[position] = Place(rank: rank, start: start)
  }

  /// Stores a target instead of a worse one, in the bytes of that one if they are enough.
  ///
  /// They aren't if only the new one was visited, which happens three times at most for each thing.
  private mutating func store(_ target: Span<UInt8>, insteadOf other: Place) -> UInt32 {
    guard other.isTaken, target.count <= other.count else {
      target.append(to: &bytes)
      return UInt32(truncatingIfNeeded: bytes.count - target.count)
    }
    for index in target.indices { bytes[Int(other.start) + index] = target[index] }
    return other.start
  }

  private func precedes(_ target: Span<UInt8>, _ rank: UInt32, _ place: Place) -> Bool {
    rank != place.rank ? rank < place.rank : compare(target, place) < 0
  }

  /// Compares a target with one of the same length.
  private func compare(_ target: Span<UInt8>, _ place: Place) -> Int {
    target.compare(bytes.span.extracting(place.range))
  }

  /// The targets for the thing with a number, the best first.
  func samples(_ number: Int) -> [Sample] {
    places(of: number).filter(\.isTaken).map {
      Sample(target: Array(bytes[$0.range]), isVisited: $0.isVisited)
    }
  }

  private func places(of number: Int) -> ArraySlice<Place> {
    places[min(number * Self.limit, places.count)..<min((number + 1) * Self.limit, places.count)]
  }

  /// Offers the targets that another store has for a thing.
  mutating func offer(_ other: SampleStore, _ theirs: Int, for number: Int) {
    for place in other.places(of: theirs) where place.isTaken {
      offer(other.bytes.span.extracting(place.range), isVisited: place.isVisited, for: number)
    }
  }
}

struct SampledTraffic {
  var traffic = Traffic()
  var samples: [SampleStore.Sample] = []

  mutating func add(_ traffic: Traffic, _ samples: [SampleStore.Sample]) {
    self.traffic += traffic
    self.samples += samples
  }

  var texts: [String] { SampleStore.Sample.encodedBest(samples) }
}
