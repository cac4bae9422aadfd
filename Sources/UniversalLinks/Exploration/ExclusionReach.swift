/// Exclusions that could be taken away without a URL opening the app that did not before.
enum ExclusionReach {
  /// The positions of exclusions after which no rule claims a URL that they decide about.
  ///
  /// That is proved from the patterns; where it would take too long, there are none.
  ///
  /// - Parameters:
  ///   - rules: The rules of an entry, in order.
  ///   - file: The file that they are from.
  ///   - system: The generation of systems.
  ///   - limits: What that may cost.
  /// - Returns: The positions, ascending; those of rules that never decide are among them.
  static func useless(
    in rules: [RuleDefinition], of file: AssociationFile, system: OperatingSystem,
    limits: ExplorationLimits = ExplorationLimits()
  ) -> [Int] {
    let exclusions = rules.indices.filter { rules[$0].excludes }
    let claims = rules.filter { !$0.excludes }
    // Without claims, the entry as a whole is what is wrong.
    guard !exclusions.isEmpty, !claims.isEmpty else { return [] }
    var exploration = RuleExploration(
      RuleTable([rules, claims], variables: Variables(file.substitutionVariables, for: system)),
      limits: limits)
    var useful: Set<Int> = []
    // A rule that claims a URL about which an exclusion decides comes after the exclusion.
    exploration.forEachSituation { situation in
      if situation.deciders[0] >= 0, situation.deciders[1] >= 0 {
        useful.insert(situation.deciders[0])
      }
    }
    guard exploration.gap == nil else { return [] }
    return exclusions.filter { !useful.contains($0) }
  }
}
