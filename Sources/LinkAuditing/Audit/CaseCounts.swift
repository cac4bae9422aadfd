internal import TrafficDigest
internal import UniversalLinks

/// A type with few cases, numbered from 0.
protocol NumberedCase: CaseIterable, Hashable {
  var number: Int { get }
}

extension Platform: NumberedCase {
  var number: Int { Int(rawValue) }
}

extension Referral: NumberedCase {
  var number: Int { Int(rawValue) }
}

extension Verdict: NumberedCase {
  var number: Int {
    switch self {
    case .claimed: 0
    case .excluded: 1
    case .unclaimed: 2
    case .ineligible: 3
    }
  }
}

extension Verdict {
  /// The verdict with a number.
  init(number: Int) { self = Self.allCases[number] }
}

/// Traffic for each case of a kind.
struct CaseCounts<Key: NumberedCase>: Sendable {
  private var counts = Array(repeating: Traffic(), count: Key.allCases.count)

  subscript(key: Key) -> Traffic {
    get { counts[key.number] }
    set { counts[key.number] = newValue }
  }

  /// Adds the counts of another.
  static func += (sum: inout CaseCounts, other: CaseCounts) {
    for index in sum.counts.indices { sum.counts[index] += other.counts[index] }
  }

  /// The traffic of all cases together.
  var total: Traffic { counts.reduce(Traffic(), +) }

  /// The traffic by case, including cases without traffic.
  var byCase: [Key: Traffic] {
    Dictionary(uniqueKeysWithValues: Key.allCases.map { ($0, self[$0]) })
  }
}
