internal import AccessLogs
internal import Foundations

/// The host that requests asked for.
struct RequestHost {
  /// The host, normalised.
  private(set) var bytes: [UInt8] = []

  /// The number of the host.
  private(set) var id: UInt32 = 0

  /// The length of the host without its port.
  private(set) var nameLength = 0

  /// The first eight bytes of its name, or 0 if it is shorter.
  private var start: UInt64 = 0

  /// Takes a host that isn't logged, and numbers it.
  mutating func set(named name: String, in hosts: inout ByteTable) {
    set(Array(name.utf8).span)
    id = UInt32(hosts.insert(bytes).id)
  }

  /// Reads a host as logged, and numbers it: all addresses as one.
  mutating func set(_ field: Span<UInt8>, in hosts: inout ByteTable) {
    set(field)
    let isAddress = HostName.isAddress(bytes.span)
    id = UInt32(hosts.insert(isAddress ? Self.anyAddress : bytes).id)
  }

  private static let anyAddress = Array(HostName.anyAddress.utf8)

  private mutating func set(_ field: Span<UInt8>) {
    bytes.removeAll(keepingCapacity: true)
    HostName.append(normalizing: field, to: &bytes)
    nameLength = HostName.withoutPort(bytes.span).count
    start = nameLength >= 8 ? bytes.span.word(0) : 0
  }

  /// The same for a copy of a host, which can be another property's.
  mutating func set(_ field: [UInt8], in hosts: inout ByteTable) {
    set(field.span, in: &hosts)
  }

  /// Finds the path in a referrer that is on this host; there is none in any other
  /// referrer.
  ///
  /// Hosts are compared exactly, without ports (Matching.md, 7.1).
  ///
  /// - Parameter referrer: The referrer as logged.
  /// - Returns: Where the path begins, which may be empty.
  @inline(__always)
  func pathStart(in referrer: Span<UInt8>) -> Int? {
    // `https://host/…`, as the referrers of most same-host visits are.
    guard start != 0, referrer.count >= 16, referrer.word(0) == Self.https else {
      return pathStart(inAny: referrer)
    }
    let end = 8 + nameLength
    let first = referrer.word(8)
    if first == start, referrer.count > end, referrer.byte(end) == UInt8(ascii: "/"),
      hasName(referrer)
    {
      return end
    }
    // Another host, unless a user's name is in front. Setting a bit makes two
    // words equal that differ in letter case only, and never two equal ones differ.
    let caseBits: UInt64 = 0x2020_2020_2020_2020
    if first | caseBits != start | caseBits,
      referrer.firstIndex(of: UInt8(ascii: "@")) == nil
    {
      return nil
    }
    return pathStart(inAny: referrer)
  }

  /// Returns a Boolean value indicating whether the name, whose first eight bytes
  /// do, follows `https://`.
  @inline(__always)
  private func hasName(_ referrer: Span<UInt8>) -> Bool {
    let name = bytes.span
    var index = 8
    while index + 8 <= nameLength {
      if referrer.word(8 + index) != name.word(index) { return false }
      index += 8
    }
    return referrer.word(nameLength) == name.word(nameLength - 8)
  }

  /// `https://`.
  private static let https: UInt64 = 0x2F2F_3A73_7074_7468

  @inline(never)
  private func pathStart(inAny referrer: Span<UInt8>) -> Int? {
    guard let url = AbsoluteURL(referrer), url.host.count == nameLength, nameLength > 0 else {
      return nil
    }
    for index in 0..<url.host.count
    where referrer[url.host.lowerBound + index].asciiLowercased != bytes[index] {
      return nil
    }
    return url.rest.lowerBound
  }
}
