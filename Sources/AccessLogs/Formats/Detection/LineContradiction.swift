internal import Foundations

extension Span<UInt8> {
  /// Returns a Boolean value indicating whether a line contradicts how it was read: a field holds
  /// the value of another one.
  ///
  /// - Parameters:
  ///   - record: The fields.
  ///   - text: The bytes that contain them.
  /// - Returns: Whether it does.
  func contradicts(_ record: LogRecord, in text: Span<UInt8>) -> Bool {
    if !ValueLooks.isKnown(status: Int(record.status)) { return true }
    if text.extracting(record.target).contains("\" \"") { return true }
    let agent = record.agent.map { ValueLooks(text.extracting($0)) } ?? .absent
    if let range = record.agent, text.extracting(range).isIdentifier { return true }
    if !agent.contains(.browser), contains("Mozilla/") { return true }
    if !agent.contains(.browser), !agent.isDisjoint(with: [.url, .address, .host, .number, .time]) {
      return true
    }
    guard let range = record.referrer else { return false }
    let referrer = text.extracting(range)
    let looks = ValueLooks(referrer)
    return !looks.contains(.url)
      && (referrer.isIdentifier
        || !looks.isDisjoint(with: [.browser, .product, .address, .host, .number, .time, .path]))
  }

  /// A Boolean value indicating whether these bytes are hexadecimal digits, as identifiers of
  /// requests are.
  private var isIdentifier: Bool {
    count >= 8
      && indices.allSatisfy { self[$0].isHexadecimalDigit || self[$0] == UInt8(ascii: "-") }
  }

  /// Returns a Boolean value indicating whether a line holds something that was not read: a host, a
  /// URL or a quoted user agent.
  func holdsUnreadField(beside read: [Range<Int>]) -> Bool {
    guard let tokens = LineTokens(betweenBlanks: self) else { return false }
    return zip(tokens.values, tokens.marks).contains { value, mark in
      guard !read.contains(where: { $0.overlaps(value) || $0 == value }) else { return false }
      let field = extracting(value)
      return field.beginsAsURL || field.isHostName && !field.isInternalHost
        || mark == UInt8(ascii: "\"") && ValueLooks(field).contains(.product)
    }
  }
}
