internal import UniversalLinks

/// A site with its rules compiled for both generations of systems.
///
/// A class, because workers look into it for each target and must not copy it.
final class CompiledSite: Sendable {
  let site: Site
  let matchers: BySystem<LinkMatcher>

  /// The lists of rules in the order in which the systems prefer their apps.
  let currentLists: [Int]
  let legacyLists: [Int]

  /// Whether URLs on the host can open an app at all.
  let isEligible: Bool

  /// The routes, or `nil` if they aren't known.
  let routes: RouteMatcher?

  var hasRoutes: Bool { routes != nil }

  convenience init(_ site: Site) { self.init(site, routes: Self.routes(of: site)) }

  /// Compiles a site, or takes from another one what both have: many hosts can have one file.
  convenience init(_ site: Site, like other: CompiledSite?) {
    guard let other, other.site.file == site.file else {
      self.init(site)
      return
    }
    let hasSameRoutes = site.routes.map { other.site.routes?.isIdentical(to: $0) ?? false }
    self.init(
      site, routes: hasSameRoutes == true ? other.routes : Self.routes(of: site),
      matchers: other.matchers)
  }

  /// Compiles a site whose routes have been.
  convenience init(_ site: Site, routes: RouteMatcher?) {
    self.init(site, routes: routes, matchers: BySystem { LinkMatcher(site.file, system: $0) })
  }

  private init(_ site: Site, routes: RouteMatcher?, matchers: BySystem<LinkMatcher>) {
    self.site = site
    self.routes = routes
    self.matchers = matchers
    isEligible = site.isEligible
    currentLists = Self.lists(matchers.current)
    legacyLists = Self.lists(matchers.legacy)
  }

  /// The number of rules that the file has for both generations of systems.
  var ruleCount: Int { matchers.current.ruleCount + matchers.legacy.ruleCount }

  /// Returns the routes of a site, or `nil` if they aren't known; an empty list means unknown
  /// routes.
  static func routes(of site: Site) -> RouteMatcher? {
    site.routes.flatMap { $0.routes.isEmpty ? nil : $0.makeMatcher() }
  }

  private static func lists(_ matcher: LinkMatcher) -> [Int] {
    var known: Set<Int> = []
    return matcher.apps.map(\.ruleList).filter { known.insert($0).inserted }
  }

  /// Returns the list of the first app whose rules have decided, or `nil` if none has.
  ///
  /// Apps are in the order in which the system prefers them.
  func firstList(
    with verdict: Verdict, _ system: OperatingSystem, _ evaluation: borrowing Evaluation
  ) -> Int? {
    if verdict == .unclaimed { return nil }
    // Called for each target: a choice between both arrays would count references.
    func isFirst(_ list: Int) -> Bool { evaluation.verdict(ofRuleList: list) == verdict }
    switch system {
    case .current: return currentLists.first(where: isFirst)
    case .legacy: return legacyLists.first(where: isFirst)
    }
  }

  /// The number of the rule of that list that has decided, or `nil` if none has.
  func decidingRule(
    _ verdict: Verdict, _ system: OperatingSystem, _ evaluation: borrowing Evaluation
  ) -> Int? {
    guard let list = firstList(with: verdict, system, evaluation) else { return nil }
    return evaluation.decidingRule(ofRuleList: list)
  }
}
