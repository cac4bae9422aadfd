internal import Foundations
internal import TrafficDigest

/// The fetches of a site's file, as findings about its delivery see them.
struct DeliveryFacts {
  /// The fetches of Apple's network and of devices, at any path.
  let apple: [TrafficDigest.Fetch]

  /// Those at the path where systems look first.
  let wellKnown: [TrafficDigest.Fetch]

  private let fetchers: [FetcherDelivery]
  private let site: AuditedSite

  init(_ site: AuditedSite) {
    apple = site.audit.fetches.filter(\.fetcher.isApple)
    wellKnown = apple.filter { $0.path == TrafficDigest.Fetch.wellKnownPath }
    fetchers = site.audit.fetchers
    self.site = site
  }

  /// The requests of Apple's network, or `nil` if it didn't ask.
  var network: FetcherDelivery? { fetchers.first { $0.fetcher == .cdn } }

  /// The last good fetch by Apple, at any path, in words, as the end of a sentence.
  var lastGoodText: String {
    Self.lastGoodText(of: apple) ?? "no fetch by Apple in these logs succeeded"
  }

  /// The last good fetch by Apple where systems look first, in words, as the end of a
  /// sentence.
  var lastGoodTextThere: String {
    if let text = Self.lastGoodText(of: wellKnown) { return text }
    return Self.lastGoodText(of: apple) == nil
      ? "no fetch by Apple in these logs succeeded"
      : "no fetch there succeeded: the server has the file only at '\(TrafficDigest.Fetch.rootPath)'"
  }

  private static func lastGoodText(of fetches: [TrafficDigest.Fetch]) -> String? {
    fetches.filter(\.isGood).compactMap { fetch in
      fetch.last.map { (time: $0, fetcher: fetch.fetcher) }
    }.max { $0.time < $1.time }.map { last in
      "the last good fetch was on \(last.time), by \(last.fetcher.rawValue)"
    }
  }

  /// The last fetch by Apple where systems look first; of several at the same moment, a
  /// failure.
  var last: TrafficDigest.Fetch? { wellKnown.max(by: Self.isEarlier) }

  /// The seconds of the days for which Apple's network keeps its copy, and one more.
  static let patience = 2 * 86_400

  /// A Boolean value indicating whether the logs are longer than Apple's network waits.
  var spansPatience: Bool {
    guard let times = site.times else { return false }
    return times.upperBound.secondsSince1970 - times.lowerBound.secondsSince1970 > Self.patience
  }

  /// The number of days of the logs after a time's day, and the time of the last request,
  /// if that is more than ``patience`` later.
  func silence(since time: LogTime) -> (days: Int, end: LogTime)? {
    guard let end = site.times?.upperBound,
      end.secondsSince1970 - time.secondsSince1970 > Self.patience
    else { return nil }
    let days = site.days.count { $0 > time.day }
    return days >= 2 ? (days, end) : nil
  }

  private static func isEarlier(
    _ first: TrafficDigest.Fetch, _ second: TrafficDigest.Fetch
  ) -> Bool {
    switch (first.last, second.last) {
    case (let one?, let other?) where one != other: one < other
    case (nil, .some): true
    case (.some, nil): false
    default: first.isGood && !second.isGood
    }
  }
}
