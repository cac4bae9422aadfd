internal import AccessLogs

/// Host names as logs and referrers have them.
package enum HostName {
  /// What stands for all hosts that are IP addresses; no log names one so, as hosts are in lower
  /// case.
  ///
  /// Associated domains have names, so that no address is a site; but what stands where a format
  /// has its host can be a client's address, which nothing keeps.
  package static let anyAddress = "(IP ADDRESSES)"

  /// Appends a logged host in lower case, without the default ports of http and
  /// https.
  ///
  /// Any other port stays, so that it tells the host apart.
  static func append(normalizing host: Span<UInt8>, to output: inout [UInt8]) {
    let start = output.count
    for index in host.indices { output.append(host[index].asciiLowercased) }
    for port in [":80", ":443"] where output[start...].hasSuffix(port) {
      output.removeLast(port.utf8.count)
      return
    }
  }

  /// Returns a Boolean value indicating whether a host is an IP address, or a list that begins
  /// with one, as `X-Forwarded-For` has them.
  static func isAddress(_ host: Span<UInt8>) -> Bool {
    var end = host.firstIndex(of: UInt8(ascii: ",")) ?? host.count
    if host.count > 0, host[0] == UInt8(ascii: "[") {
      end = host.firstIndex(of: UInt8(ascii: "]")) ?? end
      return isVersion6(host.extracting(1..<max(1, end)))
    }
    let first = host.extracting(0..<end)
    return isVersion6(first) || isVersion4(first.extracting(withoutPort(first)))
  }

  /// Whether it is four numbers up to 255.
  private static func isVersion4(_ text: Span<UInt8>) -> Bool {
    var (parts, number, digits) = (1, 0, 0)
    for index in text.indices {
      switch text[index] {
      case UInt8(ascii: ".") where digits > 0 && parts < 4:
        (parts, number, digits) = (parts + 1, 0, 0)
      case UInt8(ascii: "0")...UInt8(ascii: "9") where digits < 3:
        number = number * 10 + Int(text[index] & 0x0F)
        digits += 1
        guard number <= 255 else { return false }
      default: return false
      }
    }
    return parts == 4 && digits > 0
  }

  /// Whether it is made as addresses of version 6 are: groups of hexadecimal digits, or of
  /// decimal ones at the end, with at least two colons, and perhaps the name of an interface.
  private static func isVersion6(_ text: Span<UInt8>) -> Bool {
    var colons = 0
    for index in text.indices {
      switch text[index] {
      case UInt8(ascii: ":"): colons += 1
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): break
      case UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: "."): break
      case UInt8(ascii: "%") where colons > 1: return true
      default: return false
      }
    }
    return colons > 1
  }

  /// Returns a host without its port.
  package static func withoutPort(_ host: String) -> String {
    let bytes = Array(host.utf8)
    return String(decoding: bytes[withoutPort(bytes.span)], as: UTF8.self)
  }

  /// Returns the part of a host's text in front of its port.
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
