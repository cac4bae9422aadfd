internal import Foundations
internal import TrafficDigest

/// The days on which Apple's fetchers requested the file of a site and none received it.
struct UndeliveredDays: Sendable {
  /// By site, the numbers of the days.
  private var days: [Set<Int>]

  /// - Parameter fetches: The fetches by site and day.
  init(_ fetches: [[TrafficDigest.Daily<TrafficDigest.Fetch>]]) {
    days = fetches.map { fetches in
      Set(
        fetches.compactMap { daily in
          let apple = daily.counts.filter(\.fetcher.isApple)
          return apple.isEmpty || apple.contains(where: \.isGood) ? nil : daily.day?.number
        })
    }
  }

  /// Returns a Boolean value indicating whether a site has any such day.
  func hasAny(site: Int) -> Bool { !days[site].isEmpty }

  /// Returns a Boolean value indicating whether a day is one of those of a site.
  func contains(day: Int, site: Int) -> Bool { days[site].contains(day) }
}
