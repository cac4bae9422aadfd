internal import Foundations
internal import TrafficDigest

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
