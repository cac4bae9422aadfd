/// The URLs whose verdicts change from one association file to another.
///
///     let changes = deployed.changes(to: candidate, host: "example.com")
///     for change in changes.site { print(change.url, change.new.verdict) }
///
/// The changes are derived from the patterns alone, and ``LinkMatcher`` has confirmed every
/// example. A comparison takes bounded time. If hostile files need more, ``gap`` says so, and the
/// changes found are still correct.
public struct VerdictChanges: Sendable {
  /// The verdict of one of the files on a URL, and the rule that decided.
  public struct Outcome: Hashable, Sendable {
    /// The verdict.
    public var verdict: Verdict

    /// The app with that verdict that the system prefers, with the rule that
    /// decided, or `nil` if the file doesn't name the URL.
    public var decision: Decision?

    /// The rule that decided as decoded, or `nil` if none did or its entry has no rules.
    public var definition: RuleDefinition?

    /// Creates an outcome, by default one that no rule decided.
    public init(verdict: Verdict, decision: Decision? = nil, definition: RuleDefinition? = nil) {
      (self.verdict, self.decision, self.definition) = (verdict, decision, definition)
    }
  }

  /// A change of the site's verdict, or of the app that opens if both files claim.
  public struct Change: Hashable, Sendable {
    /// A URL whose verdict changes, as short and plain as possible.
    public var url: String

    /// The outcome under the old file.
    public var old: Outcome

    /// The outcome under the new file.
    public var new: Outcome
  }

  /// A change of the verdict for one app.
  public struct AppChange: Hashable, Sendable {
    /// The app.
    public var app: ApplicationIdentifier

    /// The change; a file that doesn't know the app doesn't claim the URL for it.
    public var change: Change
  }

  /// The changes of the site's verdict, one for each pair of an old and a new rule that decides.
  ///
  /// They are in the order of the old rules, then of the new ones.
  public internal(set) var site: [Change] = []

  /// The changes for each app, even where another app keeps the site's verdict.
  ///
  /// There is one for each app and pair of rules. They are in the order of the old file's apps,
  /// followed by apps that only the new file has.
  public internal(set) var apps: [AppChange] = []

  /// A Boolean value indicating whether no change was found.
  public var isEmpty: Bool { site.isEmpty && apps.isEmpty }

  /// A Boolean value indicating whether all other URLs are proved to keep their verdicts, for the
  /// site and for each app.
  public var isExhaustive: Bool { gap == nil }

  /// The reason why some changes may be missing, or `nil` if all have been found.
  public internal(set) var gap: ExplorationGap?
}

extension AssociationFile {
  /// Finds the URLs whose verdicts change if another file replaces this one.
  ///
  /// - Parameters:
  ///   - new: The file that replaces it.
  ///   - host: The host of the URLs.
  ///   - system: The generation of systems that reads both.
  /// - Returns: An example of each change, or the proof that there is none.
  public func changes(
    to new: AssociationFile, host: String, system: OperatingSystem = .current
  ) -> VerdictChanges {
    changes(to: new, host: host, system: system, limits: ExplorationLimits())
  }

  func changes(
    to new: AssociationFile, host: String, system: OperatingSystem, limits: ExplorationLimits
  ) -> VerdictChanges {
    var changes = VerdictChanges()
    let base = "https://" + host
    guard LinkURL(base + "/", host: host).ineligibility == nil else {
      changes.gap = .ineligibleHost
      return changes
    }
    var search = ChangeSearch(
      old: LinkMatcher(self, system: system), new: LinkMatcher(new, system: system), base: base)
    search.tryExamples(oldFile: self, newFile: new)
    var exploration = RuleExploration(
      RuleTable([(search.old.matcher, self), (search.new.matcher, new)]), limits: limits)
    exploration.forEachSituation { search.add($0) }
    (changes.site, changes.apps) = search.changes()
    changes.gap =
      search.isConfirmed || exploration.gap != nil ? exploration.gap : .unconfirmed
    return changes
  }
}
