internal import Foundations
internal import TrafficDigest
internal import UniversalLinks

/// A site with its rules compiled, version by version of its file.
struct RuleSet: Sendable {
  let history: SiteHistory

  /// The versions in ascending order of their days.
  let versions: [Version]

  /// For each version, the number of its first day.
  ///
  /// The first version has a number below all days, because it also judges earlier days and
  /// requests without a day.
  private let firstDays: [Int]

  /// Compiles a history; each version takes what it has in common with the one before, and the
  /// first one with another site.
  init(_ history: SiteHistory, like other: Version? = nil) {
    self.history = history
    var last = other
    versions = history.versions.map { version in
      let site = Version(version.site, like: last)
      last = site
      return site
    }
    firstDays = [-1] + history.versions.dropFirst().map(\.order)
  }

  /// Compiles histories, so that hosts with the same file share its rules.
  static func compiling(_ histories: [SiteHistory]) -> [RuleSet] {
    var known: [String: Version] = [:]
    return histories.map { history in
      guard history.versions.count == 1, let path = history.versions[0].site.filePath else {
        return RuleSet(history)
      }
      let compiled = RuleSet(history, like: known[path])
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

extension RuleSet {
  /// A site with the rules of one version, for both generations of systems.
  ///
  /// A class, because workers look into it for each target and must not copy it.
  final class Version: Sendable {
    let site: Site
    let matchers: BySystem<LinkMatcher>

    /// The rules of current systems without their conditions on fragments, or `nil` if no rule depends
    /// on one.
    ///
    /// Fragments never reach a server, so this tells which requests a rule would match with some.
    let withoutFragments: LinkMatcher?

    /// Whether URLs on the host can open an app at all.
    let isEligible: Bool

    /// The routes, or `nil` if they aren't known; an empty list means unknown routes.
    let routes: RouteMatcher?

    var hasRoutes: Bool { routes != nil }

    /// Compiles a site, or takes from another one what both have: many hosts can have one file.
    init(_ site: Site, like other: Version? = nil) {
      self.site = site
      isEligible = site.isEligible
      if let other, other.site.file == site.file {
        (matchers, withoutFragments) = (other.matchers, other.withoutFragments)
      } else {
        matchers = BySystem { LinkMatcher(site.file, system: $0) }
        withoutFragments = site.file.withoutFragments.map { LinkMatcher($0) }
      }
      if let table = site.routes, !table.routes.isEmpty {
        let isKnown = other?.site.routes?.isIdentical(to: table) ?? false
        routes = isKnown ? other?.routes : table.makeMatcher()
      } else {
        routes = nil
      }
    }

    /// The number of rules that the file has for both generations of systems.
    var ruleCount: Int { matchers.current.ruleCount + matchers.legacy.ruleCount }
  }
}

extension AssociationFile {
  /// This file with the same rules, without their conditions on fragments, or `nil` if there are
  /// none.
  fileprivate var withoutFragments: AssociationFile? {
    var (other, isOther) = (self, false)
    for entry in other.entries.indices {
      for rule in (other.entries[entry].components ?? []).indices
      where other.entries[entry].components?[rule].dependsOnFragment ?? false {
        other.entries[entry].components?[rule].fragment = nil
        isOther = true
      }
    }
    return isOther ? other : nil
  }
}
