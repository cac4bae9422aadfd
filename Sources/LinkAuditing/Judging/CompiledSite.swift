internal import UniversalLinks

/// A site with its rules compiled for both generations of systems.
///
/// A class, because workers look into it for each target and must not copy it.
final class CompiledSite: Sendable {
  let site: Site
  let matchers: BySystem<LinkMatcher>

  /// Whether URLs on the host can open an app at all.
  let isEligible: Bool

  /// The routes, or `nil` if they aren't known; an empty list means unknown routes.
  let routes: RouteMatcher?

  var hasRoutes: Bool { routes != nil }

  /// Compiles a site, or takes from another one what both have: many hosts can have one file.
  init(_ site: Site, like other: CompiledSite? = nil) {
    self.site = site
    isEligible = site.isEligible
    if let other, other.site.file == site.file {
      matchers = other.matchers
    } else {
      matchers = BySystem { LinkMatcher(site.file, system: $0) }
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
