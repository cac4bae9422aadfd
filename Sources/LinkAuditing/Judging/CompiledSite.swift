internal import UniversalLinks

/// A site with its rules compiled for both generations of systems.
///
/// A class, because workers look into it for each target and must not copy it.
final class CompiledSite: Sendable {
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
  init(_ site: Site, like other: CompiledSite? = nil) {
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
