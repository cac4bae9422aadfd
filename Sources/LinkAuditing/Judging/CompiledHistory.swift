internal import Foundations
internal import TrafficDigest

/// The versions of a site, compiled.
struct CompiledHistory: Sendable {
  let history: SiteHistory

  /// The versions in ascending order of their days.
  let versions: [CompiledSite]

  /// For each version, the number of its first day.
  ///
  /// The first version has a number below all days, because it also judges earlier days and
  /// requests without a day.
  private let firstDays: [Int]

  /// Compiles a history; each version takes what it has in common with the one before, and the
  /// first one with another site.
  init(_ history: SiteHistory, like other: CompiledSite? = nil) {
    self.history = history
    var last = other
    versions = history.versions.map { version in
      let site = CompiledSite(version.site, like: last)
      last = site
      return site
    }
    firstDays = [-1] + history.versions.dropFirst().map(\.order)
  }

  /// Compiles histories, so that hosts with the same file share its rules.
  static func compiling(_ histories: [SiteHistory]) -> [CompiledHistory] {
    var known: [String: CompiledSite] = [:]
    return histories.map { history in
      guard history.versions.count == 1, let path = history.versions[0].site.filePath else {
        return CompiledHistory(history)
      }
      let compiled = CompiledHistory(history, like: known[path])
      known[path] = compiled.versions[0]
      return compiled
    }
  }

  var host: String { history.host }

  /// The position of the version that was in force on a day, by the day's number.
  func version(onDay number: Int) -> Int {
    // The first one begins before any day.
    (1..<firstDays.count).partitioningIndex { firstDays[$0] > number } - 1
  }
}

/// The sites of a judge, with the versions of all of them in one list.
struct JudgedSites {
  let histories: [CompiledHistory]

  /// The versions of all sites, one site after another.
  let versions: [CompiledSite]

  /// By site, the position of its first version among those.
  let firstVersions: [Int]

  /// Whether a site has more than one version; if none has, the number of a site is that of
  /// its version.
  let hasHistory: Bool

  init(_ histories: [CompiledHistory]) {
    self.histories = histories
    versions = histories.flatMap(\.versions)
    var firstVersions: [Int] = []
    var count = 0
    for site in histories {
      firstVersions.append(count)
      count += site.versions.count
    }
    self.firstVersions = firstVersions
    hasHistory = count > histories.count
  }
}

/// Those versions of a site under which traffic was judged, and how reports name them.
struct JudgedVersions: Sendable {
  /// A version that judged traffic.
  struct Version: Sendable {
    /// Its position in the history.
    var position: Int
    var site: CompiledSite

    /// Its name in reports, or `nil` if no other version judged traffic.
    var name: SiteVersion?
  }

  /// All versions of the site.
  private let history: CompiledHistory

  /// The versions that judged traffic, in ascending order of their days, or else the newest
  /// version.
  let versions: [Version]

  /// - Parameters:
  ///   - history: The versions of the site.
  ///   - days: The days on which the site had requests; `nil` for requests without a time.
  init(_ history: CompiledHistory, days: [Day?]) {
    self.history = history
    var positions = Set(days.map { history.version(onDay: $0?.number ?? 0) }).sorted()
    if positions.isEmpty { positions = [history.versions.count - 1] }
    let all = history.history.versions
    versions = positions.enumerated().map { number, position in
      let next = position + 1 < all.count ? all[position + 1].first : nil
      let name = SiteVersion(
        number: number, first: all[position].first, last: next?.dayBefore,
        filePath: all[position].site.filePath)
      return Version(
        position: position, site: history.versions[position],
        name: positions.count > 1 ? name : nil)
    }
  }

  /// The site with the newest of these versions.
  var newest: CompiledSite { versions[versions.count - 1].site }

  /// The names of the versions; none if there is only one.
  var names: [SiteVersion] { versions.compactMap(\.name) }

  /// The names of their rules, by the position of the version in the history.
  var ruleNames: RuleNames {
    var names: [SiteVersion?] = Array(repeating: nil, count: history.versions.count)
    for version in versions { names[version.position] = version.name }
    return RuleNames(sites: history.versions, versions: names)
  }
}

extension Day {
  /// The day before this one.
  fileprivate var dayBefore: Day { Day(daysSince1970: daysSince1970 - 1) }
}
