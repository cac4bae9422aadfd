/// The hosts that the URLs of a route have.
struct RouteHost {
  /// The texts of the host with something between each two of them.
  private let matcher: RouteSegmentMatcher

  /// The domain that `*.example.com` stands for all hosts below.
  private let domain: [UInt8]?

  /// Whether the place of the host is that of a path of any length.
  let takesPath: Bool

  /// Reads the host of a URL, in which parameters can stand.
  init(_ text: [UInt8], reader: RouteWordReader) {
    var host = text.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    // A user or a port says nothing about which host it is.
    if let at = host.lastIndex(of: UInt8(ascii: "@")) { host.removeFirst(at + 1) }
    if let colon = host.lastIndex(of: UInt8(ascii: ":")), colon > 0,
      host[(colon + 1)...].allSatisfy(\.isDecimalDigit)
    {
      host.removeLast(host.count - colon)
    }
    domain = host.starts(with: "*.".utf8) ? Array(host.dropFirst()) : nil
    guard !host.isEmpty, case .element(let element) = reader.read(host[...], isLast: false) else {
      matcher = .literal(host)
      takesPath = false
      return
    }
    takesPath = element.repetition.allowsMany
    matcher = element.matcher
  }

  /// Finds out whether a site can have such URLs.
  ///
  /// - Parameter site: A host, one such as `*.example.com`, or `nil` if it isn't known.
  /// - Returns: Whether it can.
  func covers(_ site: String?) -> Bool {
    guard let site = site.map({ Array($0.lowercased().utf8) }) else { return true }
    guard site.starts(with: "*.".utf8) else { return covers(host: site) }
    let below = Array(site.dropFirst())
    if let domain { return domain.hasSuffix(below) || below.hasSuffix(domain) }
    switch matcher {
    case .literal(let text): return text.hasSuffix(below)
    // Some host below can be like that.
    default: return true
    }
  }

  private func covers(host: [UInt8]) -> Bool {
    if let domain { return host.count > domain.count && host.hasSuffix(domain) }
    return matcher.matches(host.span)
  }
}

extension [UInt8] {
  fileprivate func hasSuffix(_ other: [UInt8]) -> Bool { suffix(other.count).elementsEqual(other) }
}
