internal import Foundations

/// The kinds of values that a part of a line can be, judged by its text.
struct ValueLooks: OptionSet, Hashable, Sendable {
  var rawValue: UInt32

  /// Empty, or a dash.
  static let absent = ValueLooks(rawValue: 1 << 0)
  static let status = ValueLooks(rawValue: 1 << 1)

  /// Digits, with a decimal point or without one.
  static let number = ValueLooks(rawValue: 1 << 2)

  /// A method and a target, with a protocol or without one.
  static let request = ValueLooks(rawValue: 1 << 3)
  static let method = ValueLooks(rawValue: 1 << 4)
  static let path = ValueLooks(rawValue: 1 << 5)
  static let url = ValueLooks(rawValue: 1 << 6)
  static let browser = ValueLooks(rawValue: 1 << 7)

  /// A product with its version, as user agents have them.
  static let product = ValueLooks(rawValue: 1 << 8)
  static let host = ValueLooks(rawValue: 1 << 9)

  /// An IP address, or a list that begins with one.
  static let address = ValueLooks(rawValue: 1 << 10)

  /// A day with a time of day.
  static let time = ValueLooks(rawValue: 1 << 11)

  /// A time as `10/Oct/2000:13:55:36 -0700`.
  static let commonTime = ValueLooks(rawValue: 1 << 12)
  static let day = ValueLooks(rawValue: 1 << 13)
  static let timeOfDay = ValueLooks(rawValue: 1 << 14)

  /// Seconds since 1970, or fractions of seconds.
  static let epoch = ValueLooks(rawValue: 1 << 15)

  /// A query with its question mark or without it.
  static let query = ValueLooks(rawValue: 1 << 16)
  static let pathWithQuery = ValueLooks(rawValue: 1 << 17)
}

extension ValueLooks {
  init(_ value: Span<UInt8>) {
    rawValue = 0
    guard !value.isAbsent(value.indices) else {
      rawValue = Self.absent.rawValue
      return
    }
    if value[0].isDigit { insertNumbers(value) }
    if value.beginsAsRequest { insert(.request) }
    if value.isKnownMethod { insert(.method) }
    if value[0] == UInt8(ascii: "/") {
      insert(.path)
      if value.firstIndex(of: UInt8(ascii: "?")) != nil { insert(.pathWithQuery) }
    }
    if value.beginsAsURL { insert(.url) }
    if value.contains("Mozilla/") { insert(.browser) }
    if isDisjoint(with: [.time, .url, .path, .request]), value.holdsProduct { insert(.product) }
    if value.isHostName { insert(.host) }
    if value.beginsWithAddress { insert(.address) }
    if isDisjoint(with: [.time, .url, .path, .request]), value.isQuery { insert(.query) }
  }

  /// Returns whether a status is registered (https://www.iana.org/assignments/http-status-codes),
  /// or servers and their proxies use it.
  static func isKnown(status: Int) -> Bool {
    switch status {
    case 0, 100...103, 200...208, 226, 300...308, 400...418, 421...431, 440, 444, 449...451,
      460...464, 494...499, 500...511, 520...530, 561, 598, 599, 999:
      true
    default: false
    }
  }

  private mutating func insertNumbers(_ value: Span<UInt8>) {
    if value.isNumber {
      insert(.number)
      if value.isKnownStatus { insert(.status) }
      if value.isEpoch { insert(.epoch) }
    } else if value.isCommonTime(from: 0) {
      insert(.time)
      if value.count == 26, value[11] == UInt8(ascii: ":"), value[20] == UInt8(ascii: " ") {
        insert(.commonTime)
      }
    } else if let dayEnd = value.dayEnd {
      if value.count <= dayEnd {
        insert(.day)
      } else if value.holdsTimeOfDay(from: dayEnd, to: value.count),
        value.firstIndex(of: UInt8(ascii: "=")) == nil
      {
        insert(.time)
      }
    } else if value.count <= 15, value.secondOfDay != nil {
      insert(.timeOfDay)
    }
  }
}

extension Span<UInt8> {
  /// Returns whether these bytes are a value of one of some kinds.
  func isAny(of kinds: ValueLooks) -> Bool { !ValueLooks(self).isDisjoint(with: kinds) }

  /// Whether these bytes are a status of three digits; see ``ValueLooks/isKnown(status:)``.
  fileprivate var isKnownStatus: Bool {
    guard count == 3, let status = decimal(0..<3) else { return false }
    return ValueLooks.isKnown(status: status)
  }

  /// Whether these bytes are digits, with one decimal point or none.
  var isNumber: Bool {
    var stops = 0
    for index in indices {
      if self[index] == UInt8(ascii: ".") {
        stops += 1
      } else if !self[index].isDigit {
        return false
      }
    }
    return count > 0 && stops <= 1
  }

  /// Whether a number can be a time since 2001 in seconds, milliseconds or microseconds since 1970.
  fileprivate var isEpoch: Bool {
    guard self[0] == UInt8(ascii: "1") || self[0] == UInt8(ascii: "2") else { return false }
    let digits = firstIndex(of: UInt8(ascii: ".")) ?? count
    return digits == 10 || digits == count && (digits == 13 || digits == 16)
  }

  fileprivate var isKnownMethod: Bool {
    isOne(of: [
      "GET", "PUT", "HEAD", "POST", "COPY", "LOCK", "MOVE", "PATCH", "TRACE", "MKCOL", "PURGE",
      "DELETE", "REPORT", "SEARCH", "UNLOCK", "OPTIONS", "CONNECT", "PROPFIND", "PROPPATCH",
    ])
  }

  /// Whether a method in capital letters and a target begin these bytes.
  fileprivate var beginsAsRequest: Bool {
    guard let blank = firstIndex(of: UInt8(ascii: " "), from: 0, to: Swift.min(count, 24)),
      blank >= 3, blank + 1 < count,
      (0..<blank).allSatisfy({ (0x41...0x5A).contains(self[$0]) || "-_".utf8.contains(self[$0]) })
    else { return false }
    let next = self[blank + 1]
    return next == UInt8(ascii: "/") || next == UInt8(ascii: "*")
      || extracting((blank + 1)..<count).beginsAsURL || begins(with: "CONNECT ")
      || protocolStart(blank, count) != nil
  }

  /// Whether a scheme and `://` begin these bytes.
  var beginsAsURL: Bool {
    guard let colon = firstIndex(of: UInt8(ascii: ":"), from: 0, to: Swift.min(count, 24)),
      colon > 1, begins(with: "://", at: colon)
    else { return false }
    return (0..<colon).allSatisfy { self[$0].isInHostName || self[$0] == UInt8(ascii: "+") }
  }

  /// Whether these bytes contain a name, a slash and a version, as in `curl/8.5.0`.
  ///
  /// A protocol or the result of a cache looks similar, but doesn't count.
  fileprivate var holdsProduct: Bool {
    if begins(with: "HTTP/") || begins(with: "TLS") { return false }
    var search = 1
    while let slash = firstIndex(of: UInt8(ascii: "/"), from: search) {
      search = slash + 1
      guard search < count, self[search].isDigit || self[search] == UInt8(ascii: "v"),
        self[slash - 1].isLetter || self[slash - 1].isDigit || self[slash - 1] == UInt8(ascii: "-")
      else { continue }
      if count == slash + 4, extracting(search..<count).isKnownStatus { return false }
      return (0..<slash).contains { self[$0].isLetter }
    }
    return false
  }

  /// Whether these bytes read as a query: a name, an equals sign, and no blank.
  fileprivate var isQuery: Bool {
    let isMarked = self[0] == UInt8(ascii: "?")
    guard isMarked || self[0].isLetter || self[0].isDigit || self[0] == UInt8(ascii: "_"),
      firstIndex(of: UInt8(ascii: "=")) != nil
    else { return false }
    return !hasBlank(indices) && firstIndex(of: UInt8(ascii: ";")) == nil
  }

  /// The end of a day such as `2000-10-10`, `2000/10/10`, `10/31/2000`, `31.10.2000` or
  /// `31-Oct-2000` at the beginning, or `nil` if something else is there.
  fileprivate var dayEnd: Int? {
    let first = digitCount(from: 0)
    guard (1...4).contains(first), first < count else { return nil }
    let separator = self[first]
    let isNamed = monthNumber(at: first + 1) != nil
    guard "/.-".utf8.contains(separator) || isNamed && separator == UInt8(ascii: " ") else {
      return nil
    }
    let second = isNamed ? 3 : digitCount(from: first + 1)
    let secondEnd = first + 1 + second
    guard isNamed || (1...2).contains(second), secondEnd < count, self[secondEnd] == separator
    else { return nil }
    let third = digitCount(from: secondEnd + 1)
    let isDay =
      first == 4
      ? (1...2).contains(third)
      : first <= 2 && (third == 4 || third == 2 && separator == UInt8(ascii: "/"))
    return isDay ? secondEnd + 1 + third : nil
  }

  private func digitCount(from start: Int) -> Int {
    var end = start
    while end < count, self[end].isDigit { end += 1 }
    return end - start
  }

  /// A Boolean value indicating whether these bytes are an IP address, with or without a port, or a
  /// list that begins with one.
  package var beginsWithAddress: Bool {
    let end = firstIndex(of: UInt8(ascii: ",")) ?? count
    var address = extracting(0..<end)
    if end > 2, self[0] == UInt8(ascii: "["),
      let close = address.firstIndex(of: UInt8(ascii: "]"))
    {
      return address.extracting(1..<close).isAddress
    }
    if address.isAddress { return true }
    guard let colon = address.firstIndex(of: UInt8(ascii: ":")),
      address.decimal((colon + 1)..<end) != nil
    else { return false }
    address = address.extracting(0..<colon)
    return address.isAddress
  }

  var isAddress: Bool {
    var (stops, colons) = (0, 0)
    for index in indices {
      switch self[index] {
      case UInt8(ascii: "."): stops += 1
      case UInt8(ascii: ":"): colons += 1
      case UInt8(ascii: "0")...UInt8(ascii: "9"): break
      case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"):
        if stops > 0, colons == 0 { return false }
      default: return false
      }
    }
    return stops == 3 && colons == 0 || colons >= 2
  }

  /// Whether these bytes are a host's name, with or without a port, and not an address or a token.
  ///
  /// A name has labels as in DNS (RFC 1035, 2.3.4). The last one has only letters, as all top-level
  /// domains do.
  var isHostName: Bool {
    var (stops, length, letters, isPort) = (0, 0, 0, false)
    func isTopLevel(_ end: Int) -> Bool {
      let isEncoded = length > 4 && extracting((end - length)..<end).begins(with: "xn--")
      return stops > 0 && (isEncoded || letters == length && (2...24).contains(length))
    }
    guard count <= 259 else { return false }
    for index in indices {
      switch self[index] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): length += 1
      case _ where isPort: return false
      case UInt8(ascii: "."):
        guard (1...63).contains(length) else { return false }
        (stops, length, letters) = (stops + 1, 0, 0)
      case UInt8(ascii: ":"):
        guard isTopLevel(index) else { return false }
        isPort = true
      case UInt8(ascii: "-"), UInt8(ascii: "_"): length += 1
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
        (length, letters) = (length + 1, letters + 1)
      default: return false
      }
    }
    return isPort || isTopLevel(count)
  }

  /// Returns whether a host's name is a local one, such as a machine's or a container's, and not a
  /// site's.
  var isInternalHost: Bool {
    var end = firstIndex(of: UInt8(ascii: ":")) ?? count
    while end > 0, self[end - 1] == UInt8(ascii: ".") { end -= 1 }
    guard let stop = lastIndex(of: UInt8(ascii: "."), from: 0, to: end) else { return true }
    return extracting((stop + 1)..<end).isOne(of: [
      "local", "internal", "lan", "localdomain", "svc", "cluster", "consul", "docker", "intern",
    ])
  }
}
