internal import UniversalLinks

/// The decisions of the rules of a file, for both generations of systems.
struct RuleTallies: Sendable {
  var current: GenerationTally
  var legacy: GenerationTally

  init(_ site: CompiledSite) {
    current = GenerationTally(site.current)
    legacy = GenerationTally(site.legacy)
  }

  subscript(system: OperatingSystem) -> GenerationTally {
    get { system == .current ? current : legacy }
    _modify {
      if system == .current { yield &current } else { yield &legacy }
    }
  }

  mutating func merge(_ other: RuleTallies) {
    current.merge(other.current)
    legacy.merge(other.legacy)
  }
}
