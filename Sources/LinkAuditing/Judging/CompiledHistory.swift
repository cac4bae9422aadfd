internal import TrafficDigest

/// The versions of a site, compiled.
struct CompiledHistory: Sendable {
  let history: SiteHistory

  /// The versions in ascending order of their days.
  let versions: [CompiledSite]

  /// For each version, the number of its first day, and less than any for the first one,
  /// which judges all earlier days and requests without a day.
  private let firstDays: [Int]

  init(_ history: SiteHistory) {
    self.history = history
    // Versions differ in the file only.
    let routes = CompiledSite.routes(of: history.versions[0].site)
    versions = history.versions.map { CompiledSite($0.site, routes: routes) }
    firstDays = [-1] + history.versions.dropFirst().map(\.order)
  }

  /// The site with a single file.
  init(_ site: CompiledSite) {
    history = SiteHistory(site.site)
    versions = [site]
    firstDays = [-1]
  }

  var host: String { history.host }

  /// The position of the version that was in force on a day, by the day's number.
  func version(onDay number: Int) -> Int {
    var (lower, upper) = (0, firstDays.count)
    while upper - lower > 1 {
      let middle = (lower + upper) / 2
      if firstDays[middle] <= number { lower = middle } else { upper = middle }
    }
    return lower
  }
}
