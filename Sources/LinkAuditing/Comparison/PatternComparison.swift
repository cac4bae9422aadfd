public import UniversalLinks

/// The changes if a candidate file were deployed, derived from the patterns alone.
public struct PatternComparison: Sendable {
  let old: Site
  let new: Site

  /// The changes for current systems: iOS 13 and later.
  public var current: VerdictChanges

  /// The changes for iOS 12 and earlier.
  public var legacy: VerdictChanges

  /// The findings: first what makes figures doubtful, then the most visits to win.
  public var findings: [Finding]

  /// Compares the files of two sites with the same host.
  public init(old: Site, new: Site, thresholds: FindingThresholds = FindingThresholds()) {
    (self.old, self.new) = (old, new)
    let host = old.exampleHost
    current = old.file.changes(to: new.file, host: host)
    legacy = old.file.asRead(by: .legacy).changes(to: new.file.asRead(by: .legacy), host: host)
    findings = []
    findings = Finding.all(in: self, thresholds: thresholds)
  }

  /// The changes of the verdict, or of the app, for all systems.
  var changes: [VerdictChanges.Change] { [current, legacy].flatMap(\.site) }

  /// A Boolean value indicating whether it is proved that no URL changes.
  public var isProvenEqual: Bool {
    [current, legacy].allSatisfy { $0.isEmpty && $0.isExhaustive }
  }

  /// Whether no URL changes its verdict for the site; `nil` if that isn't known.
  public var hasSameVerdicts: Bool? {
    if isProvenEqual { return true }
    return current.isEmpty && legacy.isEmpty ? nil : false
  }

  public var summary: String {
    if isProvenEqual { return "No URL changes its verdict; the patterns prove it." }
    let comparisons = [current, legacy]
    let all = changes
    let appCount = comparisons.reduce(0) { $0 + $1.apps.count }
    let end =
      comparisons.allSatisfy(\.isExhaustive)
      ? "; nothing else changes." : "; there may be other changes."
    guard !all.isEmpty else {
      return appCount > 0
        ? "No verdict of the site changes, but \(appCount.counted("verdict")) for single apps\(end)"
        : "linkaudit found no change, but there may be some."
    }
    let counts: [(Int, String)] = [
      (all.count { $0.transition.isGain }, "newly claimed"),
      (all.count { $0.transition.isLoss }, "no longer claimed"),
      (all.count { $0.transition == .newlyExcluded }, "newly excluded"),
      (all.count { $0.transition == .noLongerExcluded }, "no longer excluded"),
      (all.count { $0.transition.from == $0.transition.to }, "open another app"),
    ]
    var parts = counts.filter { $0.0 > 0 }.map { "\($0.counted("group")) of URLs \($1)" }
    let separate = comparisons.reduce(0) { $0 + $1.separateAppChanges.count }
    if separate > 0 { parts.append("\(separate.counted("change")) for single apps") }
    return parts.joined(separator: ", ") + end
  }
}

extension VerdictChanges {
  /// The changes for single apps that no change of the site shows.
  ///
  /// A change of the site shows that of an app if both have the same URL, and the same rules decide
  /// with the same verdicts. The app then shares the entry, or decides for the site.
  public var separateAppChanges: [AppChange] {
    let shown = Set(site.map(ShownChange.init))
    return apps.filter { !shown.contains(ShownChange($0.change)) }
  }

  /// The changes of the site, each with the apps whose change it shows, in the order of the files.
  public var changesWithApps: [(change: Change, apps: [ApplicationIdentifier])] {
    let apps = Dictionary(grouping: self.apps) { ShownChange($0.change) }
    return site.map { ($0, (apps[ShownChange($0)] ?? []).map(\.app)) }
  }

  /// A change as reports show it: by rules, not by apps.
  private struct ShownChange: Hashable {
    var url: String
    var verdicts: [Verdict]
    var rules: [RuleID?]

    init(_ change: Change) {
      let outcomes = [change.old, change.new]
      (url, verdicts) = (change.url, outcomes.map(\.verdict))
      rules = outcomes.map { $0.decision?.rule }
    }
  }
}
