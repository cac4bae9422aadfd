internal import Foundations
internal import TrafficDigest
internal import UniversalLinks

/// A site with its rules compiled, version by version of its file.
struct RuleSet: Sendable {
  let history: SiteHistory

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
        matchers = BySystem { LinkMatcher(site.file.asRead(by: $0)) }
        withoutFragments = site.file.withoutFragments.map { LinkMatcher($0) }
      }
      if let table = site.routes, !table.routes.isEmpty {
        let isKnown = other?.site.routes?.isIdentical(to: table) ?? false
        routes = isKnown ? other?.routes : table.makeMatcher()
      } else {
        routes = nil
      }
    }

    var ruleCount: Int { matchers.current.rules.count + matchers.legacy.rules.count }
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

struct BySystem<Value> {
  var current: Value
  var legacy: Value

  /// Makes the value of each generation, that of current systems first.
  init(_ make: (OperatingSystem) -> Value) { (current, legacy) = (make(.current), make(.legacy)) }

  subscript(system: OperatingSystem) -> Value {
    get { system == .current ? current : legacy }
    _modify {
      if system == .current { yield &current } else { yield &legacy }
    }
  }
}

extension BySystem: Equatable where Value: Equatable {}
extension BySystem: Hashable where Value: Hashable {}
extension BySystem: Sendable where Value: Sendable {}

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
  private let count: Int

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
  func dailyFetches(of digest: TrafficDigest) -> [[TrafficDigest.Daily<TrafficDigest.Fetch>]] {
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
