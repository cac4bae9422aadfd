/// Which site a host belongs to.
///
/// A site whose host is `*.example.com` has all hosts below `example.com` that no other
/// site has; the longest such name counts.
struct SiteDirectory: Sendable {
  private let numbers: [String: Int]

  /// Creates a directory of the hosts of sites in their order.
  init(_ hosts: [String]) {
    numbers = Dictionary(
      hosts.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
  }

  /// The number of the site of a host in lower case and without a port, or `nil` if
  /// there is none.
  func number(of host: String) -> Int? {
    if let number = numbers[host] { return number }
    var rest = host[...]
    while let stop = rest.firstIndex(of: ".") {
      // Nothing in front of the stop is no host.
      guard stop > rest.startIndex else { return nil }
      if let number = numbers["*" + rest[stop...]] { return number }
      rest = rest[rest.index(after: stop)...]
    }
    return nil
  }
}
