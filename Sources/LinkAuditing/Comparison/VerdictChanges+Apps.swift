public import UniversalLinks

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
    struct Side: Hashable {
      var verdict: Verdict
      var rule: RuleID?

      init(_ outcome: Outcome) {
        (verdict, rule) = (outcome.verdict, outcome.decision?.rule)
      }
    }

    var url: String
    var old: Side
    var new: Side

    init(_ change: Change) {
      (url, old, new) = (change.url, Side(change.old), Side(change.new))
    }
  }
}
