internal import AccessLogs
internal import Foundations

/// Host names in logs and referrers.
package enum HostName {
  /// The name of all hosts that are IP addresses; no log has it, because hosts are in lower case.
  ///
  /// Associated domains have names, so an address is never a site. An address in the place of the
  /// host can be a client's, which must not be stored.
  package static let anyAddress = "(IP ADDRESSES)"

  /// The greatest number of bytes in a host's name.
  static let longestName = 253

  /// Appends a logged host in lower case, without the default ports of http and https, and without
  /// a user before it.
  ///
  /// Any other port stays, because it distinguishes hosts.
  static func append(normalizing host: Span<UInt8>, to output: inout [UInt8]) {
    let start = output.count
    let user = host.lastIndex(of: UInt8(ascii: "@"), from: 0, to: host.count)
    for index in (user.map { $0 + 1 } ?? 0)..<host.count {
      output.append(host[index].asciiLowercased)
    }
    for port in [":80", ":443"] where output[start...].hasSuffix(port) {
      let rest = output[start...].dropLast(port.utf8.count)
      // The end of an IPv6 address is not a port.
      if rest.last != UInt8(ascii: "]"), rest.contains(UInt8(ascii: ":")) { return }
      output.removeLast(port.utf8.count)
      return
    }
  }

  /// Returns a Boolean value indicating whether a host is an IP address in any spelling, or
  /// contains one.
  ///
  /// An address counts next to bytes that no name has, as in the lists of `X-Forwarded-For`.
  static func isAddress(_ host: Span<UInt8>) -> Bool {
    if let plain = withPlainDigits(host) { return isPlainAddress(plain.span) }
    return isPlainAddress(host)
  }

  private static func isPlainAddress(_ host: Span<UInt8>) -> Bool {
    var start = 0
    while start < host.count {
      var end = start
      while end < host.count, isInNames(host[end]) { end += 1 }
      let part = host.extracting(start..<end)
      if isVersion6(part) || beginsWithVersion4(part)
        || endsInNumber(part.extracting(withoutPort(part)))
      {
        return true
      }
      start = end + 1
    }
    return false
  }

  /// A host without escapes and with ASCII full stops and digits, or `nil` if there is nothing to
  /// replace.
  ///
  /// Browsers treat some other characters as full stops and digits ([UTS
  /// #46](https://www.unicode.org/reports/tr46/)).
  private static func withPlainDigits(_ host: Span<UInt8>) -> [UInt8]? {
    guard host.indices.contains(where: { host[$0] >= 0x80 || host[$0] == UInt8(ascii: "%") })
    else { return nil }
    var decoded: [UInt8] = []
    if let bytes = host.percentDecoded() { decoded = bytes } else { host.append(to: &decoded) }
    return String(decoding: decoded, as: UTF8.self).unicodeScalars.flatMap(plainBytes)
  }

  /// The bytes of a scalar, or the ASCII full stop or digit that it represents.
  private static func plainBytes(of scalar: Unicode.Scalar) -> [UInt8] {
    if ["\u{3002}", "\u{FF0E}", "\u{FF61}"].contains(scalar) { return [UInt8(ascii: ".")] }
    let properties = scalar.properties
    if !scalar.isASCII, properties.numericType == .decimal || properties.numericType == .digit,
      let value = properties.numericValue.flatMap({ UInt8(exactly: $0) }), value < 10
    {
      return [UInt8(ascii: "0") + value]
    }
    return Array(String(scalar).utf8)
  }

  /// Whether it begins with an IPv4 address without a further label; a name with a further label
  /// belongs to someone else.
  private static func beginsWithVersion4(_ text: Span<UInt8>) -> Bool {
    var (index, numbers) = (0, 0)
    while numbers < 4 {
      let start = index
      while index < text.count, index - start < 3, text[index].isDigit { index += 1 }
      guard index > start else { return false }
      numbers += 1
      guard numbers < 4 else { break }
      guard index < text.count, text[index] == UInt8(ascii: ".") else { return false }
      index += 1
    }
    guard index < text.count else { return true }
    let next = text[index]
    return next != UInt8(ascii: ".") && next != UInt8(ascii: "-") && !next.isDigit
      && !next.isLetter
  }

  /// Whether a byte occurs in names, or in addresses in addition to digits and letters.
  private static func isInNames(_ byte: UInt8) -> Bool {
    byte.isDigit || byte.isLetter || byte >= 0x80 || ".-_:%".utf8.contains(byte)
  }

  /// Whether the last label is a number, decimal or hexadecimal, which no domain has.
  ///
  /// A host with such a label is an IPv4 address, with any number of parts in any base ([URL
  /// Standard, 3.5](https://url.spec.whatwg.org/#ends-in-a-number-checker)).
  private static func endsInNumber(_ text: Span<UInt8>) -> Bool {
    var end = text.count
    while end > 0, text[end - 1] == UInt8(ascii: ".") || text[end - 1] == UInt8(ascii: "-") {
      end -= 1
    }
    let start = text.lastIndex(of: UInt8(ascii: "."), from: 0, to: end).map { $0 + 1 } ?? 0
    var label = text.extracting(start..<end)
    while label.count > 0, label[0] == UInt8(ascii: "-") {
      label = label.extracting(1..<label.count)
    }
    guard label.count > 0 else { return false }
    if label.count > 1, label[0] == UInt8(ascii: "0"), label[1] | 0x20 == UInt8(ascii: "x") {
      return (2..<label.count).allSatisfy { label[$0].isHexadecimalDigit }
    }
    return label.indices.allSatisfy { label[$0].isDigit }
  }

  /// Whether it has more than one colon, as IPv6 addresses do, even with the name of an interface
  /// or anything else after them.
  ///
  /// A name has no colon, and its port has one in front.
  private static func isVersion6(_ text: Span<UInt8>) -> Bool {
    guard let first = text.firstIndex(of: UInt8(ascii: ":")) else { return false }
    return text.firstIndex(of: UInt8(ascii: ":"), from: first + 1) != nil
  }

  /// Returns a host without its port.
  package static func withoutPort(_ host: String) -> String {
    let bytes = Array(host.utf8)
    return String(decoding: bytes[withoutPort(bytes.span)], as: UTF8.self)
  }

  /// Returns the part of a host's text before its port.
  static func withoutPort(_ host: Span<UInt8>) -> Range<Int> {
    guard let colon = host.lastIndex(of: UInt8(ascii: ":"), from: 0, to: host.count),
      host.firstIndex(of: UInt8(ascii: "]"), from: colon) == nil
    else { return 0..<host.count }
    return 0..<colon
  }
}

extension ArraySlice<UInt8> {
  fileprivate func hasSuffix(_ suffix: String) -> Bool {
    count > suffix.utf8.count && self.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
  }
}

/// The positions of authority and path in a text that begins with `http://` or `https://`.
///
/// Request targets in absolute form and referrers are such texts.
struct AbsoluteURL {
  /// Host and port, without user information.
  private(set) var authority: Range<Int>

  /// The host without its port.
  private(set) var host: Range<Int>

  /// Everything after the authority: path, query and fragment.
  private(set) var rest: Range<Int>

  /// Finds the parts, or returns `nil` if the text has another beginning.
  init?(_ text: Span<UInt8>) {
    guard text.count >= 8, text[0] | 0x20 == 0x68, text[1] | 0x20 == 0x74,
      text[2] | 0x20 == 0x74, text[3] | 0x20 == 0x70
    else { return nil }
    let colon = text[4] | 0x20 == 0x73 ? 5 : 4
    guard text.count > colon + 3, text[colon] == UInt8(ascii: ":"),
      text[colon + 1] == UInt8(ascii: "/"), text[colon + 2] == UInt8(ascii: "/")
    else { return nil }
    var start = colon + 3
    var end = start
    var hostEnd: Int?
    while end < text.count, text[end] != UInt8(ascii: "/"), text[end] != UInt8(ascii: "?"),
      text[end] != UInt8(ascii: "#")
    {
      switch text[end] {
      case UInt8(ascii: "@"): (start, hostEnd) = (end + 1, nil)
      case UInt8(ascii: ":"): hostEnd = end
      // The colons before it are part of an address.
      case UInt8(ascii: "]"): hostEnd = nil
      default: break
      }
      end += 1
    }
    guard start < end else { return nil }
    authority = start..<end
    host = start..<(hostEnd ?? end)
    rest = end..<text.count
  }

  /// The end of the path that begins at `start`, before query and fragment.
  static func pathEnd(in text: Span<UInt8>, from start: Int) -> Int {
    var end = start
    while end < text.count, text[end] != UInt8(ascii: "?"), text[end] != UInt8(ascii: "#") {
      end += 1
    }
    return end
  }
}
