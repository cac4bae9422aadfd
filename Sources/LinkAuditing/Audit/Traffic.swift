public import TrafficDigest
public import UniversalLinks

/// A number of requests, and the number of visits among them.
public struct Traffic: BitwiseCopyable, Hashable, Sendable {
  public var requests: Int

  /// The number of requests that look like a person opening a page on an Apple
  /// device.
  public var visits: Int

  public init(requests: Int = 0, visits: Int = 0) {
    self.requests = requests
    self.visits = visits
  }

  public static func += (sum: inout Traffic, traffic: Traffic) {
    sum.requests += traffic.requests
    sum.visits += traffic.visits
  }

  public static func + (first: Traffic, second: Traffic) -> Traffic {
    Traffic(
      requests: first.requests + second.requests, visits: first.visits + second.visits)
  }

  /// The rest of some traffic without a part of it.
  public static func - (whole: Traffic, part: Traffic) -> Traffic {
    Traffic(requests: whole.requests - part.requests, visits: whole.visits - part.visits)
  }

  /// The measure by which traffic is compared.
  public enum Weight: String, CaseIterable, Sendable {
    /// Visits, then requests.
    case visits

    /// Requests, then visits.
    case requests
  }

  /// Returns a Boolean value indicating whether this is heavier than `other`.
  package func isHeavier(than other: Traffic, by weight: Weight = .visits) -> Bool {
    switch weight {
    case .visits: (visits, requests) > (other.visits, other.requests)
    case .requests: (requests, visits) > (other.requests, other.visits)
    }
  }
}

extension Sequence {
  /// The traffic of all elements together; `nil` is none.
  package func sum(_ traffic: (Element) -> Traffic?) -> Traffic {
    reduce(into: Traffic()) { sum, element in sum += traffic(element) ?? Traffic() }
  }

  /// The elements in descending order of their traffic; those with equal traffic in ascending
  /// order of their names.
  package func heaviestFirst(
    by weight: Traffic.Weight, _ traffic: (Element) -> Traffic, name: (Element) -> some Comparable
  ) -> [Element] {
    sorted { first, second in
      let (one, other) = (traffic(first), traffic(second))
      return one == other ? name(first) < name(second) : one.isHeavier(than: other, by: weight)
    }
  }
}

/// A type with few cases, numbered from 0.
public protocol NumberedCase: CaseIterable, Hashable, Sendable {
  var number: Int { get }
}

extension NumberedCase where Self: RawRepresentable, RawValue == UInt8 {
  public var number: Int { Int(rawValue) }
}

extension Platform: NumberedCase {}
extension Referral: NumberedCase {}

extension Verdict: NumberedCase {
  public var number: Int {
    switch self {
    case .claimed: 0
    case .excluded: 1
    case .unclaimed: 2
    case .ineligible: 3
    }
  }

  init(number: Int) { self = Self.allCases[number] }
}

/// Traffic for each case of a kind.
public struct CaseCounts<Key: NumberedCase>: Hashable, Sendable {
  private var counts = Array(repeating: Traffic(), count: Key.allCases.count)
  public init() {}

  public subscript(key: Key) -> Traffic {
    get { counts[key.number] }
    set { counts[key.number] = newValue }
  }

  public static func += (sum: inout CaseCounts, other: CaseCounts) {
    for index in sum.counts.indices { sum.counts[index] += other.counts[index] }
  }

  public var total: Traffic { counts.sum(\.self) }

  /// The cases that have requests, in their order.
  public var occurring: [(key: Key, traffic: Traffic)] {
    Key.allCases.map { (key: $0, traffic: self[$0]) }.filter { $0.traffic.requests > 0 }
  }
}
