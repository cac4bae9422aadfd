internal import Foundations

/// The positions of an http URL's parts in its text (RFC 3986, 3).
struct URLParts {
  private var isSecure: Bool
  private var host: Range<Int>
  private var port: Range<Int>?
  private(set) var path: Range<Int>
  private(set) var query: Range<Int>
  private(set) var fragment: Range<Int>

  /// Finds the parts, or returns `nil` if the text has no scheme `http` or
  /// `https` with an authority.
  init?(_ text: Span<UInt8>) {
    // `http://` and `https://` in any letter case. Compare bytes only, because millions of URLs are
    // read.
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")), colon == 4 || colon == 5,
      text[0].asciiLowercased == UInt8(ascii: "h"), text[1].asciiLowercased == UInt8(ascii: "t"),
      text[2].asciiLowercased == UInt8(ascii: "t"), text[3].asciiLowercased == UInt8(ascii: "p"),
      colon == 4 || text[4].asciiLowercased == UInt8(ascii: "s"),
      text.begins(with: "//", at: colon + 1)
    else { return nil }
    isSecure = colon == 5
    let start = colon + 3
    var authorityEnd = start
    while authorityEnd < text.count, !text[authorityEnd].endsAuthority { authorityEnd += 1 }
    let hostStart =
      text.lastIndex(of: UInt8(ascii: "@"), from: start, to: authorityEnd).map { $0 + 1 } ?? start
    if let portColon = text.lastIndex(of: UInt8(ascii: ":"), from: hostStart, to: authorityEnd),
      text.firstIndex(of: UInt8(ascii: "]"), from: portColon, to: authorityEnd) == nil
    {
      host = hostStart..<portColon
      port = (portColon + 1)..<authorityEnd
    } else {
      host = hostStart..<authorityEnd
    }
    let fragmentMark = text.firstIndex(of: UInt8(ascii: "#"), from: authorityEnd) ?? text.count
    let queryMark =
      text.firstIndex(of: UInt8(ascii: "?"), from: authorityEnd, to: fragmentMark) ?? fragmentMark
    path = authorityEnd..<queryMark
    query = min(queryMark + 1, fragmentMark)..<fragmentMark
    fragment = min(fragmentMark + 1, text.count)..<text.count
  }

  /// Returns the reason why a URL with these parts can't open an app, or `nil` if the rules decide
  /// (Matching.md, 5).
  func ineligibility(in text: Span<UInt8>, _ expected: HostScope?) -> LinkURL.Ineligibility? {
    guard text.firstIndex(of: UInt8(ascii: "."), from: host.lowerBound, to: host.upperBound) != nil
    else { return .hostWithoutDomain }
    if let expected, !isHost(in: expected, text) { return .otherHost }
    guard let port, !port.isEmpty else { return nil }
    var bytes: [UInt8] = []
    text.extracting(port).append(to: &bytes)
    let digits = String(decoding: bytes, as: UTF8.self)
    guard digits.utf8.allSatisfy(\.isDigit),
      Int(digits) == (isSecure ? 443 : 80)
    else { return .foreignPort }
    return nil
  }

  /// Returns a Boolean value indicating whether the host is in a scope.
  private func isHost(in scope: HostScope, _ text: Span<UInt8>) -> Bool {
    if isSpelled(in: scope, text) { return true }
    guard host.contains(where: { text[$0] >= 0x80 }) else { return false }
    // Clients ask for the name in Punycode.
    var bytes: [UInt8] = []
    text.extracting(host).append(to: &bytes)
    let name = InternationalName.ascii(String(decoding: bytes, as: UTF8.self))
    return name.map { scope.contains($0.utf8) } ?? false
  }

  /// Returns a Boolean value indicating whether the host is in a scope as it is spelled, except for
  /// letter case.
  private func isSpelled(in scope: HostScope, _ text: Span<UInt8>) -> Bool {
    let name = scope.name.utf8
    var index = host.upperBound - name.count
    guard
      scope.isWildcard
        ? index > host.lowerBound + 1 && text[index - 1] == UInt8(ascii: ".")
        : index == host.lowerBound
    else { return false }
    for byte in name {
      if text[index].asciiLowercased != byte { return false }
      index += 1
    }
    // Browsers treat a backslash as a slash, so the host ends there.
    return !scope.isWildcard
      || text.firstIndex(of: UInt8(ascii: "\\"), from: host.lowerBound, to: host.upperBound) == nil
  }
}

extension UInt8 {
  /// A Boolean value indicating whether the authority of a URL ends before this byte.
  fileprivate var endsAuthority: Bool {
    self == UInt8(ascii: "/") || self == UInt8(ascii: "?") || self == UInt8(ascii: "#")
  }
}
