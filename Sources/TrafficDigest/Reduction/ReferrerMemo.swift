internal import AccessLogs

/// Where referrers point to as seen from a host, found out once for each pair.
struct ReferrerMemo: ~Copyable {
  /// More distinct referrers than this are forgotten and found out again.
  private static let limit = 1 << 16
  private static let byteLimit = 1 << 24

  private var referrers = ByteTable(capacity: 1024)

  /// For each referrer, 0 if it is on another host, else the number of its
  /// path's template plus one.
  private var answers = Slab<UInt32>(capacity: 1024)

  /// The templates of the paths of same-host referrers.
  private(set) var templates = ByteTable(capacity: 256)

  private var field: [UInt8] = []
  private var template: [UInt8] = []

  /// Finds out where a referrer points to.
  ///
  /// - Parameters:
  ///   - referrer: The referrer as logged.
  ///   - hostID: The number of the request's host.
  ///   - host: The request's host, normalised.
  /// - Returns: The number of the template of the referring page plus one, or 0
  ///   if that page is on another host than the request.
  @inline(__always)
  mutating func sameHostTemplate(
    of referrer: Span<UInt8>, hostID: UInt32, host: [UInt8]
  ) -> UInt32 {
    let (id, isNew) = referrers.insert(referrer, scope: hostID)
    return isNew ? add(referrer, host: host) : answers[id]
  }

  @inline(never)
  private mutating func add(_ referrer: Span<UInt8>, host: [UInt8]) -> UInt32 {
    let answer = findOut(referrer, host: host)
    answers.append(answer)
    if referrers.count >= Self.limit || referrers.textByteCount > Self.byteLimit {
      referrers.removeAll()
      answers.removeAll()
    }
    return answer
  }

  private mutating func findOut(_ referrer: Span<UInt8>, host: [UInt8]) -> UInt32 {
    field.removeAll(keepingCapacity: true)
    LogEscapes.append(undoing: referrer, to: &field)
    guard let path = Self.sameHostPath(in: field, host: host) else { return 0 }
    template.removeAll(keepingCapacity: true)
    Self.fold(field, path, into: &template)
    return UInt32(templates.insert(template).id + 1)
  }

  /// Returns the position of the path in a referrer on the given host, or `nil`
  /// for any other referrer.
  private static func sameHostPath(in referrer: [UInt8], host: [UInt8]) -> Range<Int>? {
    let text = referrer.span
    guard let url = AbsoluteURL(text) else { return nil }
    let authority = text.extracting(url.authority)
    let name = authority.extracting(HostName.withoutPort(authority))
    let own = host.span.extracting(HostName.withoutPort(host.span))
    guard name.count == own.count, name.count > 0 else { return nil }
    for index in name.indices where name[index].asciiLowercased != own[index] { return nil }
    return url.path
  }

  private static func fold(_ text: [UInt8], _ path: Range<Int>, into template: inout [UInt8]) {
    if path.isEmpty {
      template.append(UInt8(ascii: "/"))
    } else {
      PathTemplate.append(folding: text.span.extracting(path), to: &template)
    }
  }
}
