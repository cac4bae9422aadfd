internal import Foundations

extension Span<UInt8> {
  /// Returns the common format of a line, or `nil` if only other lines show whether a host begins
  /// it.
  ///
  /// Without a record, the line has something else in the place of the request.
  func commonFormat(of record: LogRecord?) -> LogFormat? {
    let hasReferrer = record.map { self.hasReferrer(after: $0) } ?? true
    switch isNameInFront {
    case true?: return hasReferrer ? .vcombined : .vcommon
    case false?: return nil
    case nil: break
    }
    guard hasReferrer else { return .common }
    if hasHostAfterClient { return .lighttpd }
    return endsAsTraefik ? .traefik : .combined
  }

  /// Returns whether a line of a common format has a referrer, even an empty one.
  func hasReferrer(after record: LogRecord) -> Bool {
    guard record.referrer == nil, record.agent == nil else { return true }
    let quote = UInt8(ascii: "\"")
    let requestEnd = firstIndex(of: quote, from: record.target.upperBound) ?? count
    return firstIndex(of: quote, from: requestEnd + 1) != nil
  }

  /// Whether a line ends as Traefik's do: with a number, a router, an address, and milliseconds.
  fileprivate var endsAsTraefik: Bool {
    guard count > 8, begins(with: "ms", at: count - 2) else { return false }
    var index = count - 3
    while index > 0, self[index].isDigit { index -= 1 }
    return index < count - 3 && begins(with: "\" ", at: index - 1)
  }

  /// Whether a status is between the time and the request: `] 200 "GET`.
  var hasStatusBeforeRequest: Bool {
    firstIndex(of: UInt8(ascii: "\"")).map { $0 > 6 && hasShape("] 000 \"a", at: $0 - 6) } ?? false
  }

  /// Whether the word before the client's address is a name, and not an address or a dash, which can
  /// also come from a proxy; `nil` if there is no such word.
  ///
  /// Without a full stop, it can be a user, a session, a request's number or a host.
  fileprivate var isNameInFront: Bool? {
    let quote = requestQuote ?? count
    let bracket = firstIndex(of: UInt8(ascii: "["), from: bracketedWordEnd, to: quote) ?? quote
    func isList(_ word: Range<Int>) -> Bool {
      self[word.lowerBound] == UInt8(ascii: "\"") || self[word.upperBound - 1] == UInt8(ascii: ",")
    }
    guard let first = word(from: 0, to: bracket),
      let second = word(from: first.upperBound, to: bracket), !isList(first)
    else {
      // `203.0.113.9, 192.0.2.1 - -`: the addresses that a proxy forwarded.
      return nil
    }
    // `www.example.com:192.0.2.1 - - [`
    if let host = hostBeforeClient(first) { return !isAbsent(host) && !extracting(host).isAddress }
    guard isAbsent(first) || extracting(first).canBeHost else { return nil }
    let isAddress = extracting(first).isAddress
    let isName = !isAbsent(first) && !isAddress
    if isList(second) || extracting(second).isAddress { return isName }
    // Client names that were looked up: `www.example.com client.isp.net - -`.
    guard let third = word(from: second.upperBound, to: bracket),
      word(from: third.upperBound, to: bracket) != nil
    else { return nil }
    return !isAddress && !isAbsent(second) && isAbsent(third) ? isName : nil
  }

  /// Whether the client's address, a host and a user precede the time, as lighttpd writes them.
  fileprivate var hasHostAfterClient: Bool {
    let quote = requestQuote ?? count
    let bracket = firstIndex(of: UInt8(ascii: "["), from: 0, to: quote) ?? quote
    guard let client = word(from: 0, to: bracket), extracting(client).isAddress,
      let host = word(from: client.upperBound, to: bracket),
      let user = word(from: host.upperBound, to: bracket),
      word(from: user.upperBound, to: bracket) == nil
    else { return false }
    let name = extracting(host)
    return name.firstIndex(of: UInt8(ascii: ".")) != nil && !name.isAddress && !name.isNumber
      && name.indices.allSatisfy { name[$0].isInHostName || name[$0] == UInt8(ascii: ":") }
  }

  /// Whether these bytes look like a host.
  private var canBeHost: Bool {
    // Old versions of uvicorn begin lines with `INFO:`.
    guard count > 0, hasBytesOfHost, !isNumber, secondOfDay == nil else { return false }
    return begins(with: "localhost") || count == 1 && self[0] == UInt8(ascii: "_")
      || firstIndex(of: UInt8(ascii: ".")) != nil || firstIndex(of: UInt8(ascii: ":")) != nil
  }

  /// Whether these bytes have only bytes of hosts, with a port or without one, such as those of
  /// names that nobody has registered.
  var hasBytesOfHost: Bool {
    if isAddress { return true }
    // A client can send the name of a user in front of it.
    if let user = lastIndex(of: UInt8(ascii: "@"), from: 0, to: count) {
      return extracting((user + 1)..<count).hasBytesOfHost
    }
    guard count > 0 else { return false }
    // The port; a colon after a label is none.
    let colon = lastIndex(of: UInt8(ascii: ":"), from: 0, to: count)
    let isPort = colon.map { $0 + 1 < count && decimal(($0 + 1)..<count) != nil } ?? false
    var name = 0..<(isPort ? colon ?? count : count)
    let isInBrackets =
      name.count > 2 && self[0] == UInt8(ascii: "[")
      && self[name.upperBound - 1] == UInt8(ascii: "]")
    if isInBrackets { name = 1..<(name.upperBound - 1) }
    return name.allSatisfy {
      self[$0].isInHostName || self[$0] >= 0x80 || self[$0] == UInt8(ascii: "*")
        || isInBrackets && self[$0] == UInt8(ascii: ":")
    }
  }

  /// Returns whether a line contradicts how it was read: a field holds the value of another one.
  func contradicts(_ record: LogRecord, in text: Span<UInt8>) -> Bool {
    if !ValueLooks.isKnown(status: Int(record.status)) { return true }
    if text.extracting(record.target).contains("\" \"") { return true }
    let agent = record.agent.map { ValueLooks(text.extracting($0)) } ?? .absent
    if let range = record.agent, text.extracting(range).isIdentifier { return true }
    let others: ValueLooks = [.url, .address, .host, .number, .time]
    if !agent.contains(.browser), contains("Mozilla/") || !agent.isDisjoint(with: others) {
      return true
    }
    if record.agent == nil, holdsProduct { return true }
    guard let range = record.referrer, case let referrer = text.extracting(range),
      !referrer.beginsAsURL
    else { return false }
    return referrer.isIdentifier
      || referrer.isAny(of: [.browser, .product, .address, .host, .number, .time, .path])
  }

  /// Whether a value is a product, as the user agents of programs are.
  private var holdsProduct: Bool {
    guard let tokens = LineTokens(betweenBlanks: self) else { return false }
    return zip(tokens.values, tokens.marks).contains { value, mark in
      let value = extracting(value)
      return mark != UInt8(ascii: "[") && !value.contains("HTTP/")
        && ValueLooks(value).contains(.product)
    }
  }

  /// Whether these bytes are hexadecimal digits, as identifiers of requests are.
  private var isIdentifier: Bool {
    count >= 8
      && indices.allSatisfy { self[$0].isHexadecimalDigit || self[$0] == UInt8(ascii: "-") }
  }

  /// Returns whether a line holds something that was not read: a host, a URL or a quoted user
  /// agent.
  func holdsUnreadField(beside read: [Range<Int>]) -> Bool {
    guard let tokens = LineTokens(betweenBlanks: self) else { return false }
    return zip(tokens.values, tokens.marks).contains { value, mark in
      guard !read.contains(where: { $0.overlaps(value) || $0 == value }) else { return false }
      let field = extracting(value)
      return field.beginsAsURL || field.holdsSiteName
        || mark == UInt8(ascii: "\"") && ValueLooks(field).contains(.product)
    }
  }
}
