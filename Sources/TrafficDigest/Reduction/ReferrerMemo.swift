internal import AccessLogs
internal import Foundations

/// A cache of referrers on other hosts, which classifies each distinct host once.
struct ReferrerMemo: ~Copyable {
  private let classifier: ReferrerClassifier

  /// More distinct beginnings of referrers than this are forgotten and classified again: a log can be
  /// made to hold any number of them.
  private static let limit = 1 << 16
  private static let byteLimit = 1 << 24

  /// The beginnings of referrers up to the path, as logged; the scope is the number of the host that
  /// was asked for.
  private var beginnings = ByteTable(capacity: 256)
  private var kinds = Slab<ReferrerKind>()

  /// The beginnings last seen, by some of their bytes, each with its number plus one.
  private var recent = Slab<UInt32>(repeating: 0, count: recentCount)
  private static let recentCount = 256

  init(_ classifier: ReferrerClassifier) { self.classifier = classifier }

  /// Returns the kind of site of a referrer on another host.
  ///
  /// - Parameters:
  ///   - referrer: The referrer as logged.
  ///   - host: The host that was asked for.
  /// - Returns: The kind.
  @inline(__always)
  mutating func kind(of referrer: Span<UInt8>, for host: borrowing RequestHost) -> ReferrerKind {
    guard referrer.count >= 24 else { return lookUp(referrer, host, place: nil) }
    let place = Self.place(referrer, host.id)
    let known = Int(recent[place]) - 1
    if known >= 0, beginnings.isPrefix(known, of: referrer, scope: host.id) { return kinds[known] }
    return lookUp(referrer, host, place: place)
  }

  @inline(__always)
  private static func place(_ referrer: Span<UInt8>, _ host: UInt32) -> Int {
    let bytes =
      (referrer.word(8) ^ UInt64(host)) &* 0x9E37_79B9_7F4A_7C15
      ^ referrer.word(16) &* 0xC2B2_AE3D_27D4_EB4F
    return Int(truncatingIfNeeded: bytes >> 40) & (recentCount - 1)
  }

  @inline(never)
  private mutating func lookUp(
    _ referrer: Span<UInt8>, _ host: borrowing RequestHost, place: Int?
  ) -> ReferrerKind {
    guard let url = AbsoluteURL(referrer) else { return .other }
    if beginnings.count >= Self.limit || beginnings.byteCount > Self.byteLimit { removeAll() }
    // With the slash, so that no other host begins with it.
    let hasPath =
      url.rest.lowerBound < referrer.count && referrer[url.rest.lowerBound] == UInt8(ascii: "/")
    let beginning = referrer.extracting(first: url.rest.lowerBound + (hasPath ? 1 : 0))
    let (id, isNew) = beginnings.insert(beginning, scope: host.id)
    if isNew { kinds.append(classify(referrer.extracting(url.host), host)) }
    if let place, hasPath { recent[place] = UInt32(id + 1) }
    return kinds[id]
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

  /// Forgets all referrers, as where hosts get other numbers.
  mutating func removeAll() {
    beginnings.removeAll()
    kinds.removeAll()
    for place in 0..<recent.count { recent[place] = 0 }
  }
}
