public import UniversalLinks

/// The changes if a candidate file were deployed, derived from the patterns alone.
public struct PatternComparison: Sendable {
  public var host: String

  /// The host whose URLs are the examples: for all hosts below a name, one of them.
  let exampleHost: String

  /// The changes for current systems: iOS 13 and later.
  public var current: VerdictChanges

  /// The changes for iOS 12 and earlier.
  public var legacy: VerdictChanges

  /// The findings: first what makes figures doubtful, then the most visits to win.
  public var findings: [Finding]

  /// Compares the files of two sites with the same host.
  public init(old: Site, new: Site, thresholds: FindingThresholds = FindingThresholds()) {
    host = old.host
    exampleHost = old.exampleHost
    current = old.file.changes(to: new.file, host: exampleHost, system: .current)
    legacy = old.file.changes(to: new.file, host: exampleHost, system: .legacy)
    findings = []
    findings = Finding.all(
      in: self, old: old, new: new, thresholds: thresholds)
  }

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
    let all = comparisons.flatMap(\.site)
    let appCount = comparisons.reduce(0) { $0 + $1.apps.count }
    let end =
      comparisons.allSatisfy(\.isExhaustive)
      ? "; nothing else changes." : "; there may be other changes."
    guard !all.isEmpty else {
      return appCount > 0
        ? "No verdict of the site changes, but \(appCount.counted("verdict")) for single apps\(end)"
        : "linkaudit found no change, but there may be some."
    }
    var parts: [String] = []
    func count(_ from: Verdict?, _ to: Verdict?) -> Int {
      all.count {
        $0.old.verdict != $0.new.verdict && ($0.old.verdict == from || from == nil)
          && ($0.new.verdict == to || to == nil)
      }
    }
    let another = all.count { $0.old.verdict == $0.new.verdict }
    for (kind, words) in [
      (count(nil, .claimed), "newly claimed"),
      (count(.claimed, nil), "no longer claimed"),
      (count(.unclaimed, .excluded), "newly excluded"),
      (count(.excluded, .unclaimed), "no longer excluded"), (another, "open another app"),
    ] where kind > 0 {
      parts.append("\(kind.counted("group")) of URLs \(words)")
    }
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
