internal import UniversalLinks

/// A site with its rules compiled for both generations of systems.
struct CompiledSite: Sendable {
  let site: Site
  let current: LinkMatcher
  let legacy: LinkMatcher

  init(_ site: Site) {
    self.site = site
    current = LinkMatcher(site.file, system: .current)
    legacy = LinkMatcher(site.file, system: .legacy)
  }

  func matcher(_ system: OperatingSystem) -> LinkMatcher {
    switch system {
    case .current: current
    case .legacy: legacy
    }
  }
}
