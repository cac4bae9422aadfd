internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

/// What reports about two association files show.
struct DiffReport {
  /// What the files were compared by.
  enum Content {
    /// The traffic of logs.
    case traffic(Comparison, TrafficDigest)

    /// Their patterns alone.
    case patterns(PatternComparison)
  }

  let old: Site
  let new: Site
  let content: Content

  /// A Boolean value indicating whether the files were compared by their patterns alone.
  var isOfPatterns: Bool {
    if case .patterns = content { true } else { false }
  }

  var host: String { old.host }

  /// What would change, in one sentence.
  var summary: String {
    switch content {
    case .traffic(let comparison, _): comparison.summary
    case .patterns(let comparison): comparison.summary
    }
  }

  var findings: [Finding] {
    switch content {
    case .traffic(let comparison, _): comparison.findings
    case .patterns(let comparison): comparison.findings
    }
  }

  /// A change that is told from patterns.
  struct PatternChange {
    var system: OperatingSystem

    /// The app, or `nil` for a change of the site's verdict.
    var app: ApplicationIdentifier?
    var change: RuleComparison.Change
  }

  /// The changes that are told from patterns: those of the site, then those of single
  /// apps that the site's don't show.
  static func changes(_ comparison: PatternComparison) -> [PatternChange] {
    let systems: [(OperatingSystem, RuleComparison)] = [
      (.current, comparison.current), (.legacy, comparison.legacy),
    ]
    return systems.flatMap { system, rules in
      rules.changes.map { PatternChange(system: system, app: nil, change: $0) }
    }
      + systems.flatMap { system, rules in
        let urls = Set(rules.changes.map(\.url))
        return rules.appChanges.filter { !urls.contains($0.change.url) }.map {
          PatternChange(system: system, app: $0.app, change: $0.change)
        }
      }
  }

  /// The rule that decided, with its place in the file.
  func rule(
    _ outcome: RuleComparison.Outcome, of site: Site, system: OperatingSystem
  ) -> RuleReference? {
    guard let decision = outcome.decision else { return nil }
    let entry = site.file.entries.first { $0.place == decision.place }
    let kind: RuleListKind = system == .current && entry?.components != nil ? .components : .paths
    let rules = entry?.rules(for: system)
    let definition = decision.rule.flatMap { rule in
      rules.flatMap { $0.indices.contains(rule) ? $0[rule] : nil }
    }
    return RuleReference(
      app: decision.app, place: decision.place, list: kind, rule: decision.rule,
      pattern: definition.map { RulePattern.text(of: $0, list: kind) } ?? "*",
      excludes: definition?.excludes ?? false, position: definition?.position)
  }
}

extension OperatingSystem {
  /// The systems as people call them.
  var label: String {
    switch self {
    case .current: "iOS 13 and later"
    case .legacy: "iOS 12 and earlier"
    }
  }
}
