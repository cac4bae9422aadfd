internal import AccessLogs

/// Host names as logs and referrers have them.
package enum HostName {
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
