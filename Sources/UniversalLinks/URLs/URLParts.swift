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
  init?(_ text: [UInt8]) {
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    switch text[..<colon].map(\.asciiLowercased) {
    case Array("http".utf8): isSecure = false
    case Array("https".utf8): isSecure = true
    default: return nil
    }
    guard text[(colon + 1)...].starts(with: "//".utf8) else { return nil }
    let start = colon + 3
    func end(of range: Range<Int>, _ isEnd: (UInt8) -> Bool) -> Int {
      text[range].firstIndex(where: isEnd) ?? range.upperBound
    }
    let authorityEnd = end(of: start..<text.count) {
      $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#")
    }
    let hostStart =
      text[start..<authorityEnd].lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? start
    if let portColon = text[hostStart..<authorityEnd].lastIndex(of: UInt8(ascii: ":")),
      !text[portColon..<authorityEnd].contains(UInt8(ascii: "]"))
    {
      host = hostStart..<portColon
      port = (portColon + 1)..<authorityEnd
    } else {
      host = hostStart..<authorityEnd
    }
    let fragmentMark = end(of: authorityEnd..<text.count) { $0 == UInt8(ascii: "#") }
    let queryMark = end(of: authorityEnd..<fragmentMark) { $0 == UInt8(ascii: "?") }
    path = authorityEnd..<queryMark
    query = min(queryMark + 1, fragmentMark)..<fragmentMark
    fragment = min(fragmentMark + 1, text.count)..<text.count
  }

  /// Why a URL with these parts can't open an app, or `nil` if the rules decide
  /// (Matching.md, 5).
  func ineligibility(in text: [UInt8], host expected: String?) -> LinkURL.Ineligibility? {
    guard text[host].contains(UInt8(ascii: ".")) else { return .hostWithoutDomain }
    if let expected, !isHost(expected, in: text) { return .otherHost }
    guard let port, !port.isEmpty else { return nil }
    let digits = String(decoding: text[port], as: UTF8.self)
    guard digits.utf8.allSatisfy(\.isDigit),
      Int(digits) == (isSecure ? 443 : 80)
    else { return .foreignPort }
    return nil
  }

  /// Returns a Boolean value indicating whether the host is one, or is below a domain that stands
  /// after `*.`.
  private func isHost(_ expected: String, in text: [UInt8]) -> Bool {
    let scope = HostScope(expected)
    // Browsers take a backslash for a slash, so that the host ends there.
    return scope.contains(text[host].map(\.asciiLowercased))
      && !(scope.isWildcard && text[host].contains(UInt8(ascii: "\\")))
  }
}
