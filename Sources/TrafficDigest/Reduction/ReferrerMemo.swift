internal import AccessLogs
internal import Foundations

/// A cache of referrers that classifies each distinct host once, and counts the requests that name
/// it, on lines without a host of their own.
///
/// Most referrers of a site name the site itself, so they show whether the host given for such
/// lines is right.
struct ReferrerMemo: ~Copyable {
  /// The kind of the site of a referrer if it is on another host than the requested one, or the
  /// position of the path if it is on that host.
  typealias Answer = (kind: ReferrerKind, pathStart: Int?)

  private let classifier: ReferrerClassifier

  /// The beginnings of referrers up to the path, as logged; the scope is the number of the
  /// requested host.
  private var beginnings = ByteTable(capacity: 256)
  private var answers = Buffer<Answer>()

  /// The host given for the lines.
  private(set) var givenHost: String?

  /// The requests with each beginning that are not counted by host yet, and those with a usual
  /// referrer on the given host itself.
  private var requests = Buffer<Int>()
  private var ownRequests = 0

  /// The requests by pair of hosts, whose own numbers are 0.
  private var hosts: [TrafficDigest.ReferringHost: Int] = [:]

  /// The beginnings last seen, by some of their bytes, each with its number plus one.
  private var recent = Buffer<UInt32>(repeating: 0, count: recentCount)
  private static let recentCount = 1024

  init(_ classifier: ReferrerClassifier) { self.classifier = classifier }

  /// Classifies a referrer as logged, and counts requests for ``givenHost`` by the referrer's host.
  @inline(__always)
  mutating func answer(
    _ referrer: Span<UInt8>, for host: borrowing RequestHost, counting count: Int
  ) -> Answer {
    if let pathStart = host.usualPathStart(in: referrer) {
      ownRequests += count
      return (.ownHost, pathStart)
    }
    guard referrer.count >= 16, !host.sharesNumber else {
      return lookUp(referrer, host, counting: count, place: nil)
    }
    let place = Self.place(referrer, host.id)
    let known = Int(recent[place]) - 1
    if known >= 0, beginnings.isPrefix(known, of: referrer, scope: host.id) {
      requests[known] += count
      return answers[known]
    }
    return lookUp(referrer, host, counting: count, place: place)
  }

  @inline(__always)
  private static func place(_ referrer: Span<UInt8>, _ host: UInt32) -> Int {
    let bytes =
      (referrer.word(8) ^ UInt64(host)) &* 0x9E37_79B9_7F4A_7C15
      ^ referrer.word(min(16, referrer.count - 8)) &* 0xC2B2_AE3D_27D4_EB4F
    return Int(truncatingIfNeeded: bytes >> 40) & (recentCount - 1)
  }

  @inline(never)
  private mutating func lookUp(
    _ referrer: Span<UInt8>, _ host: borrowing RequestHost, counting count: Int, place: Int?
  ) -> Answer {
    guard let url = AbsoluteURL(referrer) else { return (.other, nil) }
    // What is remembered under its number would be another host's.
    guard !host.sharesNumber else {
      return (classify(referrer.extracting(url.host), host), host.pathStart(in: referrer))
    }
    if beginnings.isFullCache { removeAll() }
    // With the slash, so that it isn't the beginning of another host.
    let hasPath =
      url.rest.lowerBound < referrer.count && referrer[url.rest.lowerBound] == UInt8(ascii: "/")
    let beginning = referrer.extracting(first: url.rest.lowerBound + (hasPath ? 1 : 0))
    let (id, isNew) = beginnings.insert(beginning, scope: host.id)
    if isNew {
      answers.append(
        (classify(referrer.extracting(url.host), host), host.pathStart(in: beginning)))
      requests.append(0)
    }
    if let place, hasPath { recent[place] = UInt32(id + 1) }
    requests[id] += count
    return answers[id]
  }

  private func classify(_ name: Span<UInt8>, _ host: borrowing RequestHost) -> ReferrerKind {
    var bytes: [UInt8] = []
    for index in name.indices { bytes.append(name[index].asciiLowercased) }
    // A dot at the end means the same host.
    if bytes.last == UInt8(ascii: ".") { bytes.removeLast() }
    return classifier.kind(
      of: String(decoding: bytes, as: UTF8.self),
      for: String(decoding: host.bytes.prefix(host.nameLength), as: UTF8.self))
  }

  /// Changes the host given for the lines.
  mutating func begin(givenHost: String?) {
    countByHost()
    self.givenHost = givenHost
  }

  private mutating func countByHost() {
    add(ownRequests, from: givenHost)
    ownRequests = 0
    for id in 0..<requests.count where requests[id] > 0 {
      let beginning = beginnings.array(id)
      if answers[id].pathStart != nil {
        add(requests[id], from: givenHost)
      } else if let url = AbsoluteURL(beginning.span) {
        add(requests[id], from: String(decoding: beginning[url.host], as: UTF8.self))
      }
      requests[id] = 0
    }
    guard hosts.count > TrafficDigest.ReferringHost.limit else { return }
    let pairs = hosts.keys.sorted(by: TrafficDigest.ReferringHost.precedes)
    for pair in pairs[TrafficDigest.ReferringHost.limit...] { hosts[pair] = nil }
  }

  /// Counts requests by the host given for the lines and the host of the referrer as logged.
  private mutating func add(_ requests: Int, from referrer: String?) {
    guard requests > 0, let host = givenHost?.lowercased(), !host.isEmpty,
      let referrer = referrer?.lowercased(), referrer.utf8.count <= HostName.longestName
    else { return }
    guard
      referrer == host
        || referrer.utf8.allSatisfy(\.isInHostName)
          && !HostName.isAddress(Array(referrer.utf8).span)
    else { return }
    hosts[TrafficDigest.ReferringHost(host: host, referrer: referrer, requests: 0), default: 0] +=
      requests
  }

  /// The hosts that referrers named, each pair once, except requests since the last change of the
  /// given host.
  var hostCounts: [TrafficDigest.ReferringHost] {
    hosts.map { pair, requests in
      TrafficDigest.ReferringHost(host: pair.host, referrer: pair.referrer, requests: requests)
    }
  }

  /// Discards all referrers and counts their requests by host; needed when hosts get other numbers.
  @inline(never)
  mutating func removeAll() {
    countByHost()
    beginnings.removeAll()
    answers.removeAll()
    requests.removeAll()
    for place in 0..<recent.count { recent[place] = 0 }
  }
}
