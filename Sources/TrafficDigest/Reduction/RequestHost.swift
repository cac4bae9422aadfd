internal import AccessLogs
internal import Foundations

/// The host of the last request, and what it is read from.
struct RequestHosts: ~Copyable {
  /// The host of lines that name none.
  private var given = RequestHost()

  /// The host of the last request.
  private(set) var last = RequestHost()

  /// The last target that isn't just a path.
  var target = RequestTarget()

  /// Begins to number hosts in a table, and sets the host of lines that name none.
  mutating func begin(givenHost name: String?, in hosts: inout ByteTable) {
    given = RequestHost(given: name ?? "", in: &hosts)
    last = given
  }

  /// Determines the host of a request; ``target`` has to be up to date unless its target is a plain
  /// path.
  @inline(__always)
  mutating func read(_ record: LogRecord, in text: Span<UInt8>, _ hosts: inout ByteTable) {
    // A target in absolute form has its own host.
    if text[record.target.lowerBound] != UInt8(ascii: "/"), target.isAbsolute {
      let name = target.host
      last.set(name.span, in: &hosts)
    } else if let range = record.host {
      last.set(text.extracting(range), in: &hosts)
    } else if !last.isGiven {
      last = given
    }
  }
}

/// The host of requests.
struct RequestHost {
  /// The host, normalized.
  private(set) var bytes: [UInt8] = []

  private(set) var id: UInt32 = 0

  /// A Boolean value indicating whether other hosts have the same number, as all addresses do.
  private(set) var sharesNumber = false

  /// The length of the host without its port.
  private(set) var nameLength = 0

  /// A Boolean value indicating whether it is the host given for lines that name none.
  private(set) var isGiven = false

  /// The host as logged, or empty.
  private var field: [UInt8] = []

  init() {}

  /// Creates the host given for lines that name none, and numbers it.
  init(given name: String, in hosts: inout ByteTable) {
    isGiven = true
    set(Array(name.utf8).span)
    id = UInt32(hosts.insert(bytes).id)
  }

  /// Reads a host as logged, and numbers it; all addresses have one number.
  ///
  /// Consecutive requests mostly have the same one. If it is the last one, nothing changes, so a
  /// new value is needed for another table.
  @inline(__always)
  mutating func set(_ field: Span<UInt8>, in hosts: inout ByteTable) {
    if self.field.isEmpty || !field.isEqual(to: self.field.span) { read(field, in: &hosts) }
  }

  private mutating func read(_ field: Span<UInt8>, in hosts: inout ByteTable) {
    self.field.removeAll(keepingCapacity: true)
    field.append(to: &self.field)
    set(field)
    isGiven = false
    sharesNumber = HostName.isAddress(bytes.span)
    id = UInt32(hosts.insert(sharesNumber ? Self.anyAddress : bytes).id)
  }

  private static let anyAddress = Array(HostName.anyAddress.utf8)

  private mutating func set(_ field: Span<UInt8>) {
    bytes.removeAll(keepingCapacity: true)
    HostName.append(normalizing: field, to: &bytes)
    nameLength = HostName.withoutPort(bytes.span).count
  }

  /// Returns the start of the path in a referrer that is on this host and has the usual notation,
  /// `https://host/…`, or `nil` if ``pathStart(in:)`` has to decide.
  @inline(__always)
  func usualPathStart(in referrer: Span<UInt8>) -> Int? {
    let end = 8 + nameLength
    guard nameLength >= 8, referrer.count > end, referrer.word(0) == Self.https,
      referrer.byte(end) == UInt8(ascii: "/"), referrer.holds(bytes.span, 0, nameLength, at: 8)
    else { return nil }
    return end
  }

  /// `https://`.
  private static let https: UInt64 = 0x2F2F_3A73_7074_7468

  /// Returns the start of the path, which may be empty, in a referrer on this host, or `nil`.
  ///
  /// Hosts are compared exactly, without ports (Matching.md, 7.1).
  func pathStart(in referrer: Span<UInt8>) -> Int? {
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

/// A request target that isn't just a path: one with the log's escapes, or in absolute form.
struct RequestTarget {
  /// The target: path and query if it has them, else the text itself.
  private(set) var text: [UInt8] = []

  /// A Boolean value indicating whether it is in absolute form.
  private(set) var isAbsolute = false

  /// The normalized host in the last target in absolute form, or empty; and its scheme and
  /// authority, without escapes.
  ///
  /// Consecutive requests mostly have the same ones.
  private(set) var host: [UInt8] = []
  private var knownStart: [UInt8] = []

  /// Reads a target as logged.
  mutating func set(_ field: Span<UInt8>) {
    text.removeAll(keepingCapacity: true)
    let length = knownStart.count
    if length > 0, field.count > length, field.byte(length) == UInt8(ascii: "/"),
      field.extracting(0..<length).isEqual(to: knownStart.span),
      field.firstIndex(of: UInt8(ascii: "\\")) == nil
    {
      isAbsolute = true
      field.extracting(length..<field.count).append(to: &text)
      return
    }
    setAny(field)
  }

  /// Reads a target as ``set(_:)`` does, whatever the last one was.
  mutating func setAny(_ field: Span<UInt8>) {
    text.removeAll(keepingCapacity: true)
    isAbsolute = false
    LogEscapes.append(undoing: field, to: &text)
    guard text.first != UInt8(ascii: "/"), let url = AbsoluteURL(text.span) else { return }
    isAbsolute = true
    host.removeAll(keepingCapacity: true)
    let authority = Array(text[url.authority])
    HostName.append(normalizing: authority.span, to: &host)
    knownStart = Array(text[..<url.rest.lowerBound])
    // The path of `http://host?query` is empty, which is the same as `/`.
    let rest = Array(text[url.rest])
    text.removeAll(keepingCapacity: true)
    if rest.first != UInt8(ascii: "/") { text.append(UInt8(ascii: "/")) }
    text.append(contentsOf: rest)
  }
}
