public import Foundations
public import TrafficDigest
public import UniversalLinks

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
  var lastFetch: TrafficDigest.Fetch? {
    func order(_ fetch: TrafficDigest.Fetch) -> (Int, Int, Int) {
      let time = fetch.last
      return (
        time?.secondsSince1970 ?? .min, time?.offsetInMinutes ?? 0, fetch.isGood ? 0 : 1
      )
    }
    return wellKnownFetches.max { order($0) < order($1) }
  }

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

/// A server's answer to requests for a site's association file, from the first check with this
/// answer to the last one in a row.
public struct ServedFile: Sendable {
  public var source: DeliverySource
  public var first: LogTime

  /// The time of the last such answer; after it, the answer differed or there was no check.
  public var last: LogTime
  public var checks: Int
  public var status: Int?

  /// The code of the most severe problem of the answer, or `nil` if there was none.
  ///
  /// The code is that of `linkaudit fetch`.
  public var problem: String?

  /// The size of the decompressed content in bytes, or `nil` if it is incomplete.
  public var size: Int?

  /// The content, or `nil` if it isn't a file that systems read.
  public var content: Content?

  /// The fields of the last head that describe the content and its caches, by their names in lower
  /// case, in the order of the names.
  public var fields: [(key: String, value: String)]

  /// The end of the validity of the server's certificate at the last check, or `nil` if it isn't
  /// known.
  public var certificateEnd: LogTime?

  /// An association file that was served.
  public struct Content: Sendable {
    public var identity: String
    public var file: AssociationFile

    /// The first day on which these bytes were in force in the store, or `nil` if they never were.
    public var inForceSince: Day?

    /// A Boolean value indicating whether these bytes are in force in the store now.
    public var isInForce: Bool

    public init(identity: String, file: AssociationFile, inForceSince: Day?, isInForce: Bool) {
      (self.identity, self.file) = (identity, file)
      (self.inForceSince, self.isInForce) = (inForceSince, isInForce)
    }
  }

  /// Creates an answer that was given from one check to another.
  public init(
    source: DeliverySource, first: LogTime, last: LogTime, checks: Int, status: Int?,
    problem: String?, size: Int?, content: Content?, fields: [(key: String, value: String)],
    certificateEnd: LogTime?
  ) {
    (self.source, self.first, self.last, self.checks) = (source, first, last, checks)
    (self.status, self.problem, self.size, self.content) = (status, problem, size, content)
    (self.fields, self.certificateEnd) = (fields, certificateEnd)
  }

  /// The answer in words, as the end of "it answered with".
  public var answer: String {
    switch (status, problem) {
    case (200?, nil):
      content?.isInForce == true
        ? "the file that is in force here"
        : "another file than the one in force here (\(content?.identity.prefix(8) ?? ""))"
    case (200?, let problem?): "status 200 and '\(problem)'"
    case (let status?, _): "status \(status)"
    case (nil, let problem): "nothing\(problem.map { " ('\($0)')" } ?? "")"
    }
  }
}

extension [ServedFile] {
  /// Returns the answer at the last check of a server, or `nil` if it was never checked.
  public func current(of source: DeliverySource) -> ServedFile? { last { $0.source == source } }

  /// Returns the time since when a server has served the bytes of the last check, or `nil`.
  ///
  /// It is `nil` if the last check received no file. Checks without a file in between, such as
  /// those during an outage, don't count.
  func contentSince(_ source: DeliverySource) -> LogTime? {
    guard let identity = current(of: source)?.content?.identity else { return nil }
    return reversed().filter { $0.source == source && $0.content != nil }
      .prefix { $0.content?.identity == identity }.last?.first
  }
}

/// A server that delivers an association file.
public enum DeliverySource: String, CaseIterable, Hashable, Sendable {
  /// The site itself, which Apple's CDN asks, and devices in developer mode.
  case origin

  /// Apple's CDN, which all other devices ask.
  case cdn

  /// The host of Apple's CDN.
  package static let cdnHost = "app-site-association.cdn-apple.com"

  public var name: String { self == .origin ? "the site" : "Apple's CDN" }
}
