internal import Foundations
internal import TrafficDigest

/// The days on which Apple's fetchers requested the file of a site and none received it.
struct UndeliveredDays: Sendable {
  /// By site, the numbers of the days.
  private var days: [Set<Int>]

  init(_ digest: TrafficDigest, _ directory: SiteDirectory, siteCount: Int) {
    days = Array(repeating: [], count: siteCount)
    for daily in digest.dailyFetches {
      guard let day = daily.day else { continue }
      var delivered: [Int: Bool] = [:]
      for fetch in daily.counts where fetch.fetcher.isApple {
        guard let site = directory.number(of: fetch.host) else { continue }
        delivered[site] = delivered[site] ?? false || fetch.isGood
      }
      for (site, isDelivered) in delivered where !isDelivered { days[site].insert(day.number) }
    }
  }

  /// Returns a Boolean value indicating whether a site has any such day.
  func hasAny(site: Int) -> Bool { !days[site].isEmpty }

  /// Returns a Boolean value indicating whether a day is one of those of a site.
  func contains(day: Int, site: Int) -> Bool { days[site].contains(day) }
}
