internal import UniversalLinks

/// What is asked of each target when rules are looked for: the file as it is, each rule
/// that could be put in, alone, and the file with some of them.
///
/// A class, because workers look into it for each target and must not copy it.
final class RuleSurvey: Sendable {
  /// The site with the file as it is.
  let site: CompiledSite

  /// The site with rules put into the file, or `nil`.
  let candidate: CompiledSite?

  /// The entry that rules are put into.
  let place: AssociationFile.Place

  /// Rules, each the only one of an entry of its own, or `nil` for none.
  private let probes: AssociationFile?
  private let currentProbes: LinkMatcher?
  private let legacyProbes: LinkMatcher?

  private let lists: (current: Int?, legacy: Int?)
  private let candidateLists: (current: Int?, legacy: Int?)

  init(
    _ site: CompiledSite, place: AssociationFile.Place, probes: AssociationFile? = nil,
    candidate: CompiledSite? = nil
  ) {
    (self.site, self.candidate, self.place) = (site, candidate, place)
    self.probes = probes
    currentProbes = probes.map { LinkMatcher($0, system: .current) }
    legacyProbes = probes.map { LinkMatcher($0, system: .legacy) }
    lists = (site.current.list(at: place), site.legacy.list(at: place))
    candidateLists = (
      candidate?.current.list(at: place), candidate?.legacy.list(at: place)
    )
  }

  /// The same for another worker.
  func copied() -> RuleSurvey {
    RuleSurvey(
      CompiledSite(site.site), place: place, probes: probes,
      candidate: candidate.map { CompiledSite($0.site) })
  }

  /// The rules that could be put in, as a system reads them.
  func probes(_ system: OperatingSystem) -> LinkMatcher? {
    system == .current ? currentProbes : legacyProbes
  }

  /// The list of the entry, or `nil` if a system doesn't read it.
  func list(_ system: OperatingSystem) -> Int? {
    system == .current ? lists.current : lists.legacy
  }

  /// The list of the entry with rules put in.
  func candidateList(_ system: OperatingSystem) -> Int? {
    system == .current ? candidateLists.current : candidateLists.legacy
  }
}

extension LinkMatcher {
  /// The position of the rules of an entry.
  func list(at place: AssociationFile.Place) -> Int? {
    ruleLists.firstIndex { $0.filePlace == place }
  }
}
