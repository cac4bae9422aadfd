package import LinkAuditing
package import TrafficDigest
internal import UniversalLinks

/// A report about two association files.
package struct DiffReport {
  let old: Site
  let new: Site

  /// The changes that the patterns alone show.
  let patterns: PatternComparison

  /// The changes in the traffic of logs, and the logs; `nil` without logs.
  package let traffic: (comparison: Comparison, digest: TrafficDigest)?

  /// The number of rows in tables that are ordered by weight, or `nil` for all.
  package var top: Int?

  package init(
    old: Site, new: Site, patterns: PatternComparison,
    traffic: (comparison: Comparison, digest: TrafficDigest)?, top: Int? = nil
  ) {
    self.old = old
    self.new = new
    self.patterns = patterns
    self.traffic = traffic
    self.top = top
  }

  var host: String { old.host }

  /// The changes, in one sentence.
  var summary: String { traffic?.comparison.summary ?? patterns.summary }

  /// The findings about the traffic, or, without any, about the patterns.
  var findings: [Finding] {
    guard let traffic else { return patterns.findings }
    return traffic.comparison.findings
  }

  /// The changes that the patterns tell and no request of the logs shows.
  var unseenChanges: [PatternChange] {
    let changes = Self.changes(patterns)
    guard let traffic else { return changes }
    let seen = Set(
      traffic.comparison.changes.map {
        SeenChange(transition: $0.transition, old: $0.oldRule, new: $0.newRule)
      })
    return changes.filter { change in
      guard change.app == nil else { return false }
      let (old, new) = (change.change.old, change.change.new)
      return !seen.contains(
        SeenChange(
          transition: Transition(from: old.verdict, to: new.verdict), old: old.rule,
          new: new.rule))
    }
  }

  private struct SeenChange: Hashable {
    var transition: Transition
    var old: ReportedRule?
    var new: ReportedRule?
  }

  /// A change that is derived from patterns.
  struct PatternChange {
    var system: OperatingSystem

    /// The app, or `nil` for a change of the site's verdict.
    var app: ApplicationIdentifier?

    /// The apps whose verdict changes like this: for a change of the site, those that are not in
    /// a change of their own.
    var apps: [ApplicationIdentifier]
    var change: VerdictChanges.Change
  }

  /// The changes that are derived from patterns: those of the site, then those of single
  /// apps that the site's don't show.
  static func changes(_ comparison: PatternComparison) -> [PatternChange] {
    let systems: [(OperatingSystem, VerdictChanges)] = [
      (.current, comparison.current), (.legacy, comparison.legacy),
    ]
    return systems.flatMap { system, rules in
      rules.changesWithApps.map {
        PatternChange(system: system, app: nil, apps: $0.apps, change: $0.change)
      }
    }
      + systems.flatMap { system, rules in
        rules.separateAppChanges.map {
          PatternChange(system: system, app: $0.app, apps: [$0.app], change: $0.change)
        }
      }
  }
}

extension Transition {
  /// The change in words, such as `excluded → claimed`.
  var words: String {
    from == to ? "opens another app" : "\(from.rawValue) → \(to.rawValue)"
  }
}

extension VerdictChanges.Outcome {
  /// The rule that decided, or `nil` if none did.
  var rule: ReportedRule? {
    decision.flatMap { decision in
      decision.rule.map { ReportedRule($0, definition, of: decision.app) }
    }
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
