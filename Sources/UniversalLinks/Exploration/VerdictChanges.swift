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

  /// An app and a change of its verdict; a file that doesn't know the app claims no URL for it.
  public typealias AppChange = (app: ApplicationIdentifier, change: Change)

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
  ///   - new: The file that replaces it, as the same systems read it.
  ///   - host: The host of the URLs.
  /// - Returns: An example of each change, or the proof that there is none.
  public func changes(to new: AssociationFile, host: String) -> VerdictChanges {
    changes(to: new, host: host, limits: ExplorationLimits())
  }

  func changes(
    to new: AssociationFile, host: String, limits: ExplorationLimits
  ) -> VerdictChanges {
    var changes = VerdictChanges()
    let base = "https://" + host
    guard LinkURL(base + "/", host: host).ineligibility == nil else {
      changes.gap = .ineligibleHost
      return changes
    }
    // The same rules need no proof.
    if withPlainRules == new.withPlainRules { return changes }
    let oldVariables = Variables(self)
    let newVariables = Variables(new, sharing: oldVariables)
    let old = LinkMatcher(self, oldVariables)
    let pairs = RulingPairs(old: old, new: LinkMatcher(new, newVariables))
    // Each is computed once.
    var known: [[Int]: [RulingPairs.Pair]] = [:]
    var search = ExampleSearch<RulingPairs.Pair>(
      [(old, oldVariables), (pairs.new, newVariables)], base: base, confirmsAll: true
    ) { deciders, rule in
      let found = known[deciders] ?? pairs.differing(deciders)
      known[deciders] = found
      return found.map { ($0, rule.map(pairs.rules(of: $0).contains) ?? false) }
    }
    changes.gap = search.explore(limits).gap
    let sorted = search.urls.sorted { first, second in
      let (one, other) = (first.key, second.key)
      return (one.app, one.old, one.new) < (other.app, other.old, other.new)
    }
    for (pair, url) in sorted {
      let change = VerdictChanges.Change(
        url: url, old: old.outcome(pair.old), new: pairs.new.outcome(pair.new))
      if pair.app < 0 {
        changes.site.append(change)
      } else {
        changes.apps.append((pairs.apps[pair.app].app, change))
      }
    }
    return changes
  }
}

/// The rulings of two files that differ.
private struct RulingPairs {
  struct Pair: Hashable {
    /// The app's number, or -1 for the site.
    var app: Int
    var old: Int
    var new: Int
  }

  let old: LinkMatcher
  let new: LinkMatcher

  /// All apps of both files, with their positions in each.
  let apps: [(app: ApplicationIdentifier, old: Int?, new: Int?)]

  init(old: LinkMatcher, new: LinkMatcher) {
    (self.old, self.new) = (old, new)
    // A matcher has each app once.
    var left = Dictionary(
      uniqueKeysWithValues: new.apps.enumerated().map { ($0.element.identifier, $0.offset) })
    apps =
      old.apps.enumerated().map { ($1.identifier, $0, left.removeValue(forKey: $1.identifier)) }
      + new.apps.enumerated().filter { left[$1.identifier] != nil }.map { ($1.identifier, nil, $0) }
  }

  /// Returns the rulings that differ where these rules decide, those of both files by list.
  func differing(_ deciders: [Int]) -> [Pair] {
    let oldRulings = old.rulings(deciders.prefix(old.ruleLists.count), first: 0)
    let newRulings = new.rulings(deciders.dropFirst(old.ruleLists.count), first: old.rules.count)
    let none = LinkMatcher.noRuling
    var pairs = [Pair(app: -1, old: old.siteRuling(oldRulings), new: new.siteRuling(newRulings))]
    pairs += apps.enumerated().map { index, app in
      Pair(
        app: index, old: app.old.map { oldRulings[$0] } ?? none,
        new: app.new.map { newRulings[$0] } ?? none)
    }
    return pairs.filter { pair in
      let (one, other) = (old.ruling(pair.old), new.ruling(pair.new))
      // Both files may claim a URL, but a different app is the first to claim it.
      return one?.verdict != other?.verdict
        || one?.verdict == .claimed && one?.app.identifier != other?.app.identifier
    }
  }

  /// The rules of a pair, as both files together number them.
  func rules(of pair: Pair) -> [Int] {
    [old.ruling(pair.old)?.rule, new.ruling(pair.new).map { old.rules.count + $0.rule }]
      .compactMap(\.self)
  }
}

/// The ruling of a rule for an app is a number, in the order of the rules and then of the apps.
extension LinkMatcher {
  /// The number if no rule decides.
  fileprivate static let noRuling = Int.max

  /// Returns the rulings for all apps, given the rules that decide by list, or -1.
  ///
  /// The number of the file's first rule is `first`.
  fileprivate func rulings(_ deciders: ArraySlice<Int>, first: Int) -> [Int] {
    apps.enumerated().map { index, app in
      let rule = deciders[deciders.startIndex + app.ruleList]
      return rule < 0 ? Self.noRuling : (rule - first) * apps.count + index
    }
  }

  /// Returns the ruling for the site, of those for all apps.
  ///
  /// It is the ruling for the claiming app that the system prefers, else for an app that excludes
  /// the URL.
  fileprivate func siteRuling(_ rulings: [Int]) -> Int {
    rulings.first { ruling($0)?.verdict == .claimed }
      ?? rulings.first { ruling($0)?.verdict == .excluded } ?? Self.noRuling
  }

  /// Returns the ruling with a number, or `nil` if no rule decides.
  fileprivate func ruling(_ number: Int) -> (app: App, rule: Int, verdict: Verdict)? {
    guard number != Self.noRuling else { return nil }
    let (rule, app) = number.quotientAndRemainder(dividingBy: apps.count)
    return (apps[app], rule, rules[rule].definition.excludes ? .excluded : .claimed)
  }

  fileprivate func outcome(_ number: Int) -> VerdictChanges.Outcome {
    guard let (app, rule, verdict) = ruling(number) else {
      return VerdictChanges.Outcome(verdict: .unclaimed)
    }
    return VerdictChanges.Outcome(
      verdict: verdict,
      decision: Decision(
        app: app.identifier, verdict: verdict, rule: ruleLists[app.ruleList].id(ofRule: rule)),
      definition: definition(ofRule: rule))
  }
}
