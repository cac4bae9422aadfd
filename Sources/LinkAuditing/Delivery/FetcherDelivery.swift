public import Foundations
public import TrafficDigest

/// The delivery of the association file to one kind of fetcher.
public struct FetcherDelivery: Hashable, Sendable {
  /// The fetcher that sent the requests.
  public var fetcher: Fetcher

  /// The number of requests, at any path and with any status.
  public var requests: Int

  /// The number of good fetches: the fetcher received the file, or the answer that its copy is
  /// current.
  public var good: Int

  /// The time of the first request, or `nil` if none had a time, or if it isn't known.
  public var first: LogTime?

  /// The time of the last request, or `nil` if none had a time.
  public var last: LogTime?

  /// The time of the last good one, or `nil` if none had a time.
  public var lastGood: LogTime?
  public var goodDays: Int

  /// The greatest number of days from one good fetch to the next, or `nil` if all are on one day.
  ///
  /// It is 1 if there is a good fetch every day. Only days with requests in the logs count, so
  /// missing logs make no gap.
  public var greatestGap: Int?

  /// The greatest size of a response in bytes on the last day with a good fetch, or `nil`.
  ///
  /// It is `nil` if the logs have no sizes.
  public var lastSize: Int?
}

extension FetcherDelivery {
  /// Adds up the fetches of a site by fetcher, Apple's network first.
  ///
  /// `days` are those with requests in the logs, in ascending order.
  static func all(
    _ fetches: [TrafficDigest.Daily<TrafficDigest.Fetch>], days: [Day]
  ) -> [FetcherDelivery] {
    Fetcher.allCases.compactMap { fetcher in
      let own = fetches.map { daily in
        (day: daily.day, fetches: daily.counts.filter { $0.fetcher == fetcher })
      }
      let all = own.flatMap(\.fetches)
      guard !all.isEmpty else { return nil }
      let good = all.filter(\.isGood)
      let goodDays = Set(own.filter { $0.fetches.contains(where: \.isGood) }.compactMap(\.day))
      let places = days.indices.filter { goodDays.contains(days[$0]) }
      let lastDay = own.filter { daily in
        daily.fetches.contains { $0.isGood && $0.sizes != nil }
        // Requests without a time come before all days.
      }.max { ($0.day?.number ?? 0) < ($1.day?.number ?? 0) }
      return FetcherDelivery(
        fetcher: fetcher, requests: all.requestSum, good: good.requestSum,
        first: all.compactMap(\.first).min(),
        last: all.compactMap(\.last).max(), lastGood: good.compactMap(\.last).max(),
        goodDays: goodDays.count,
        greatestGap: zip(places.dropFirst(), places).map { $0 - $1 }.max(),
        lastSize: lastDay?.fetches.filter(\.isGood).compactMap(\.sizes?.upperBound).max())
    }
  }
}

extension AuditedSite {
  /// The fetches of Apple's network and of devices, at any path.
  var appleFetches: [TrafficDigest.Fetch] { audit.fetches.filter(\.fetcher.isApple) }

  /// Those at the path where systems look first.
  var wellKnownFetches: [TrafficDigest.Fetch] {
    appleFetches.filter { $0.path == TrafficDigest.Fetch.wellKnownPath }
  }

  /// The last fetch by Apple where systems look first; of several at the same moment, a failure.
  var lastFetch: TrafficDigest.Fetch? { wellKnownFetches.max { $0.isEarlier(than: $1) } }

  /// The requests of Apple's network, or `nil` if it didn't ask.
  var appleNetwork: FetcherDelivery? { audit.fetchers.first { $0.fetcher == .cdn } }

  /// The last good fetch by Apple, at any path, in words, as the end of a sentence.
  var lastGoodText: String {
    appleFetches.lastGoodText ?? "no fetch by Apple in these logs succeeded"
  }

  /// The last good fetch by Apple where systems look first, in words, as the end of a sentence.
  var lastGoodTextThere: String {
    if let text = wellKnownFetches.lastGoodText { return text }
    return appleFetches.lastGoodText == nil
      ? lastGoodText
      : "no fetch there succeeded: the server has the file only at '\(TrafficDigest.Fetch.rootPath)'"
  }

  /// The seconds of the days for which Apple's network keeps its copy, and one more.
  private static let patience = 2 * 86_400

  /// A Boolean value indicating whether the logs are longer than Apple's network waits.
  var spansPatience: Bool {
    guard let times else { return false }
    return times.upperBound.secondsSince1970 - times.lowerBound.secondsSince1970 > Self.patience
  }

  /// Returns the time of the last request if Apple's network doesn't wait so long after a time, and
  /// the logs have two later days; else `nil`.
  func endOfSilence(since time: LogTime) -> LogTime? {
    guard let end = times?.upperBound,
      end.secondsSince1970 - time.secondsSince1970 > Self.patience,
      days.count(where: { $0 > time.day }) >= 2
    else { return nil }
    return end
  }
}

extension TrafficDigest.Fetch {
  /// Whether the last of these fetches was before the last of others; a good one comes before a
  /// failure at the same moment.
  fileprivate func isEarlier(than other: TrafficDigest.Fetch) -> Bool {
    switch (last, other.last) {
    case (let one?, let other?) where one != other: one < other
    case (nil, .some): true
    case (.some, nil): false
    default: isGood && !other.isGood
    }
  }

  /// Whether the fetcher received the file, or the answer that its copy is current.
  ///
  /// A file without a byte does not count as a file.
  var isGood: Bool { status == 304 || status == 200 && sizes?.upperBound != 0 }

  /// A Boolean value indicating whether the fetcher was sent elsewhere.
  var isRedirected: Bool { (300..<400).contains(status) && !isGood }
}

extension [TrafficDigest.Fetch] {
  /// The last good fetch in words, as the end of a sentence, or `nil` if there is none.
  fileprivate var lastGoodText: String? {
    filter(\.isGood).compactMap { fetch in
      fetch.last.map { (time: $0, fetcher: fetch.fetcher) }
    }.max { $0.time < $1.time }.map { last in
      "the last good fetch was on \(last.time), by \(last.fetcher.rawValue)"
    }
  }

  var requestSum: Int { reduce(0) { $0 + $1.requests } }

  /// The number of each status, ascending: `404 (2 times), 503 (once)`.
  var statusText: String {
    var counts: [UInt16: Int] = [:]
    for fetch in self { counts[fetch.status, default: 0] += fetch.requests }
    return counts.sorted { $0.key < $1.key }.map { status, count in
      // A good status among failures belongs to an empty file.
      "\(status)\(status == 200 ? " without content" : "") (\(count == 1 ? "once" : "\(count.grouped) times"))"
    }.joined(separator: ", ")
  }
}
