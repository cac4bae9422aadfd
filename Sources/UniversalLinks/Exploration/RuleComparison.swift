/// What a change of an association file does to URLs, told from the patterns alone:
/// URLs whose verdicts change, or the proof that there are none.
///
///     let comparison = RuleComparison(
///       old: deployed, new: candidate, host: "example.com", system: .current)
///     for change in comparison.changes { print(change.url, change.new.verdict) }
///
/// Every example has been confirmed by ``LinkMatcher``. A comparison takes a
/// bounded time; where that isn't enough for files made to hurt, ``gap`` says so,
/// and what has been found is still true.
public struct RuleComparison: Sendable {
  /// What a file says of a URL, and what decided.
  public struct Outcome: Hashable, Sendable {
    /// The verdict.
    public var verdict: Verdict

    /// The app with that verdict that the system prefers, with the rule that
    /// decided, or `nil` if the file doesn't name the URL.
    public var decision: Decision?

    /// The rule that decided as the file spells it, or `nil` if none did.
    public var source: String?
  }

  /// A change of the site's verdict.
  public struct Change: Hashable, Sendable {
    /// A URL whose verdict changes, as short and plain as possible.
    public var url: String

    /// What the old file says of it.
    public var old: Outcome

    /// What the new file says of it.
    public var new: Outcome
  }

  /// A change of the verdict for one app.
  public struct AppChange: Hashable, Sendable {
    /// The app.
    public var app: ApplicationIdentifier

    /// The change; a file that doesn't know the app doesn't claim the URL for it.
    public var change: Change
  }

  /// The changes of the site's verdict: one for each pair of rules, of which the
  /// first decided in the old file and the second does in the new one, in the order
  /// of the old rules and then of the new ones.
  public private(set) var changes: [Change] = []

  /// The changes for each app, also where another app keeps the site's verdict: one
  /// for each app and pair of rules, in the order of the old file's apps, those
  /// that only the new one has behind them.
  public private(set) var appChanges: [AppChange] = []

  /// A Boolean value indicating whether every URL that no change stands for is
  /// proved to keep its verdict, for the site and for each app.
  public var isExhaustive: Bool { gap == nil }

  /// Why there may be changes that have not been found, or `nil` if all have been.
  public private(set) var gap: ExplorationGap?

  /// Compares two association files as a generation of systems reads them.
  ///
  /// - Parameters:
  ///   - old: The file that the change starts from.
  ///   - new: The file that it leads to.
  ///   - host: The host whose URLs are asked about.
  ///   - system: The generation of systems.
  public init(
    old: AssociationFile, new: AssociationFile, host: String, system: OperatingSystem
  ) {
    self.init(old: old, new: new, host: host, system: system, limits: ExplorationLimits())
  }

  init(
    old: AssociationFile, new: AssociationFile, host: String, system: OperatingSystem,
    limits: ExplorationLimits
  ) {
    let base = "https://" + host
    guard LinkURL(base + "/", host: host).ineligibility == nil else {
      gap = .ineligibleHost
      return
    }
    var search = ChangeSearch(
      old: LinkMatcher(old, system: system), new: LinkMatcher(new, system: system), base: base)
    search.tryExamples(oldFile: old, newFile: new)
    var exploration = RuleExploration(
      RuleTable([(search.old.matcher, old), (search.new.matcher, new)]), limits: limits)
    exploration.forEachSituation { search.add($0) }
    (changes, appChanges) = search.changes()
    gap = search.isConfirmed || exploration.gap != nil ? exploration.gap : .unconfirmed
  }
}
