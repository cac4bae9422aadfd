internal import Foundations
internal import TrafficDigest

/// The sites of hosts.
///
/// A site whose host is `*.example.com` has all hosts below `example.com` that no other site has.
/// If several such names match, the longest one counts.
struct SiteDirectory: Sendable {
  /// By the bytes of the host: hosts that only look alike are different.
  private let numbers: [[UInt8]: Int]

  /// The length of the longest name below which a site has all hosts, with the full stop
  /// before it, or 0 if there is none.
  ///
  /// This bounds the search, because a host in a log can have any length.
  private let longest: Int

  /// The number of sites.
  private let count: Int

  /// Creates a directory of the hosts of sites in their order.
  init(_ hosts: [String]) {
    count = hosts.count
    numbers = Dictionary(
      hosts.enumerated().map { (Array($0.element.utf8), $0.offset) },
      uniquingKeysWith: { first, _ in first })
    longest =
      hosts.map { HostScope($0) }.filter(\.isWildcard).map { $0.name.utf8.count + 1 }.max() ?? 0
  }

  /// Returns the number of the site of a host, or `nil` if there is none; the host is in lower case
  /// and without a port.
  func number(of host: String) -> Int? {
    let bytes = Array(host.utf8)
    if let number = numbers[bytes] { return number }
    guard longest > 0 else { return nil }
    var label = 0
    for stop in bytes.indices where bytes[stop] == UInt8(ascii: ".") {
      // Without a label before the stop, it isn't a host.
      guard stop > label else { return nil }
      if bytes.count - stop <= longest,
        let number = numbers[[UInt8(ascii: "*")] + bytes[stop...]]
      {
        return number
      }
      label = stop + 1
    }
    return nil
  }

  /// Returns the fetches of association files by site and day, without days that have none.
  func dailyFetches(
    of digest: TrafficDigest
  ) -> [[TrafficDigest.Daily<TrafficDigest.Fetch>]] {
    var fetches = Array(
      repeating: [TrafficDigest.Daily<TrafficDigest.Fetch>](), count: count)
    for day in digest.dailyFetches {
      for (site, counts) in Dictionary(grouping: day.counts, by: { number(of: $0.host) }) {
        guard let site else { continue }
        var own = day
        own.counts = counts
        fetches[site].append(own)
      }
    }
    return fetches
  }
}
