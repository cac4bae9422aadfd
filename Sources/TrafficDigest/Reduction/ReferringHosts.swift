internal import AccessLogs
internal import Foundations

extension TrafficDigest {
  /// A host that referrers name, on lines without a host of their own.
  public struct ReferringHost: Codable, Hashable, Sendable {
    /// The host given for the lines.
    public var host: String

    /// The host of the referrers.
    public var referrer: String

    /// The number of requests.
    public var requests: Int

    public static func == (one: ReferringHost, other: ReferringHost) -> Bool {
      one.host.hasSameBytes(as: other.host) && one.referrer.hasSameBytes(as: other.referrer)
        && one.requests == other.requests
    }
  }

  /// A host given for lines whose referrers name another one, mostly or with nearly its name.
  public struct DoubtfulHost: Hashable, Sendable {
    /// The given host.
    public var host: String

    /// The host that most referrers name.
    public var likelyHost: String

    /// The numbers of requests whose referrers name the likely host, the given host, and any host.
    public var likelyRequests: Int
    public var ownRequests: Int
    public var requests: Int

    /// A Boolean value indicating whether most referrers name the likely host.
    public var isContradicted: Bool { likelyRequests > requests / 2 }
  }

  /// The hosts given for lines without one that are probably wrong, in ascending order: most
  /// referrers name another host, or the most frequent one has nearly the same name.
  ///
  /// Pages, images and scripts of a site are mostly requested by its own pages. Fewer than ten
  /// referrers show nothing.
  public var doubtfulHosts: [DoubtfulHost] { DoubtfulHost.all(in: [self]) }

  /// The hosts that referrers name, on lines without a host of their own.
  public var referringHosts: [ReferringHost] { summary.referringHosts }

  /// For each host, the other hosts of its owner that referrers name, in descending order of their
  /// requests.
  ///
  /// Only lines without a host of their own show them.
  package var ownReferringHosts: [String: [String]] {
    let classifier = ReferrerClassifier()
    let own = referringHosts.filter {
      !$0.referrer.hasSameBytes(as: $0.host)
        && classifier.kind(of: $0.referrer, for: $0.host) == .ownHost
    }.sorted { $0.requests == $1.requests ? $0.referrer < $1.referrer : $0.requests > $1.requests }
    return Dictionary(grouping: own, by: \.host).mapValues { $0.map(\.referrer) }
  }
}

extension TrafficDigest.ReferringHost: SummedCount {
  /// The maximum number of pairs of hosts.
  ///
  /// The first ones in order are kept, so that the place and order of counting don't matter.
  static let limit = 10_000

  /// Adds up equal pairs, and keeps the first ones in order.
  static func firstSums(_ counts: [Self]) -> [Self] { Array(sums(counts).prefix(limit)) }

  var key: Self { Self(host: host, referrer: referrer, requests: 0) }

  mutating func add(_ other: Self) { requests += other.requests }

  static func precedes(_ one: Self, _ other: Self) -> Bool {
    one.referrer.hasSameBytes(as: other.referrer)
      ? one.host.precedesByBytes(other.host)
      : one.referrer.precedesByLength(other.referrer)
  }
}

extension TrafficDigest.DoubtfulHost {
  /// The hosts given for lines of some digests that are probably wrong; see
  /// ``TrafficDigest/doubtfulHosts``.
  public static func all(in digests: [TrafficDigest]) -> [Self] {
    let counts = TrafficDigest.ReferringHost.firstSums(digests.flatMap(\.referringHosts))
    return Dictionary(grouping: counts, by: { Array($0.host.utf8) }).compactMap { bytes, counts in
      let host = String(decoding: bytes, as: UTF8.self)
      let requests = counts.reduce(0) { $0 + $1.requests }
      let others = counts.filter { !$0.referrer.hasSameBytes(as: host) }
      let ownRequests = requests - others.reduce(0) { $0 + $1.requests }
      guard let likely = others.max(by: { $0.requests < $1.requests }), requests >= 10 else {
        return nil
      }
      // A name that no referrer has, and that is nearly the most frequent one, is misspelt.
      let isMisspelt = ownRequests == 0 && [likely.referrer].nearest(to: host) != nil
      let doubt = Self(
        host: host, likelyHost: likely.referrer, likelyRequests: likely.requests,
        ownRequests: ownRequests, requests: requests)
      return doubt.isContradicted || isMisspelt ? doubt : nil
    }.sorted { $0.host.precedesByBytes($1.host) }
  }
}
