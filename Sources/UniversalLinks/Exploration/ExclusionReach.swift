/// Exclusions that could be removed without any URL newly opening the app.
enum ExclusionReach {
  /// Returns the positions of exclusions without effect: no later rule would claim a URL that they
  /// decide.
  ///
  /// The result is proved from the patterns. It is empty if the proof would take too long.
  ///
  /// - Parameters:
  ///   - rules: The rules of an entry, in order.
  ///   - file: The file that contains them.
  ///   - system: The generation of systems.
  ///   - limits: The limits of the search.
  /// - Returns: The positions, ascending, including those of rules that never decide.
  static func useless(
    in rules: [RuleDefinition], of file: AssociationFile, system: OperatingSystem,
    limits: ExplorationLimits = ExplorationLimits()
  ) -> [Int] {
    let exclusions = rules.indices.filter { rules[$0].excludes }
    let claims = rules.filter { !$0.excludes }
    // Without claims, the entry as a whole is the mistake.
    guard !exclusions.isEmpty, !claims.isEmpty else { return [] }
    var exploration = RuleExploration(
      RuleTable([rules, claims], variables: Variables(file.substitutionVariables, for: system)),
      limits: limits)
    var useful: Set<Int> = []
    // A rule that claims a URL decided by an exclusion comes after the exclusion.
    exploration.forEachSituation { situation in
      if situation.deciders[0] >= 0, situation.deciders[1] >= 0 {
        useful.insert(situation.deciders[0])
      }
    }
    guard exploration.gap == nil else { return [] }
    return exclusions.filter { !useful.contains($0) }
  }
}
