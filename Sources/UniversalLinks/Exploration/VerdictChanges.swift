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
    let old = RuleJudge(self)
    var search = ChangeSearch(old: old, new: RuleJudge(new, with: old), base: base)
    search.tryExamples()
    var exploration = RuleExploration(search.lists, limits: limits)
    exploration.forEachSituation { search.add($0) }
    (changes.site, changes.apps) = search.changes()
    changes.gap = exploration.gap ?? (search.isConfirmed ? nil : .unconfirmed)
    return changes
  }
}

/// Collects URLs that two matchers judge differently, the plainest one for each pair of rules.
struct ChangeSearch {
  private struct Pair: Hashable {
    /// The app's number, or -1 for the site.
    var app: Int
    var old: RuleJudge.Ruling
    var new: RuleJudge.Ruling
  }

  private var old: RuleJudge
  private var new: RuleJudge
  private let base: String
  private var examples: [Pair: ExampleRank] = [:]

  /// All apps of both files, with their positions in each.
  private let apps: [(app: ApplicationIdentifier, old: Int?, new: Int?)]

  /// The pairs by the rules that decide, so that each is computed once.
  private var pairs: [[Int]: [Pair]] = [:]

  /// Whether the matchers judged all situations as expected.
  private(set) var isConfirmed = true

  private var exampleBudget: JudgingBudget
  private var confirmationBudget: JudgingBudget

  init(old: RuleJudge, new: RuleJudge, base: String) {
    (self.old, self.new, self.base) = (old, new, base)
    exampleBudget = JudgingBudget(old.matcher, new.matcher)
    confirmationBudget = exampleBudget
    // A matcher has each app once.
    let (oldApps, newApps) = (old.matcher.apps, new.matcher.apps)
    var left = Dictionary(
      uniqueKeysWithValues: newApps.enumerated().map { ($0.element.identifier, $0.offset) })
    apps =
      oldApps.enumerated().map { ($1.identifier, $0, left.removeValue(forKey: $1.identifier)) }
      + newApps.enumerated().filter { left[$1.identifier] != nil }.map { ($1.identifier, nil, $0) }
  }

  /// The rules of both files.
  var lists: [ArraySlice<CompiledRule>] {
    old.matcher.compiledLists + new.matcher.compiledLists
  }

  /// Judges the URLs that the rules of both files were probably written for.
  mutating func tryExamples() {
    let oldRules = Set(old.matcher.ruleLists.flatMap { $0.entry.rules ?? [] })
    let newRules = Set(new.matcher.ruleLists.flatMap { $0.entry.rules ?? [] })
    // Rules that only one file has show most of the change.
    for isShared in [false, true] {
      for (isOld, others) in [(true, newRules), (false, oldRules)] {
        let matcher = isOld ? old.matcher : new.matcher
        for list in matcher.ruleLists where list.entry.rules != nil {
          for rule in list.rules
          where others.contains(matcher.rules[rule].definition) == isShared {
            let examples = isOld ? old.examples(of: rule) : new.examples(of: rule)
            for (index, target) in examples.enumerated() {
              guard exampleBudget.spend(onURLOf: target.count) else { return }
              judge(
                base + String(decoding: target, as: UTF8.self), isBest: index == 0, ofRule: rule,
                isOld: isOld)
            }
          }
        }
      }
    }
  }

  private mutating func judge(_ url: String, isBest: Bool, ofRule rule: Int, isOld: Bool) {
    let deciders = old.deciders(for: url, &exampleBudget) + new.deciders(for: url, &exampleBudget)
    for pair in pairs(for: deciders) {
      let ruling = isOld ? pair.old : pair.new
      let isOwn = isBest && ruling.rule == rule
      examples.improve(by: ExampleRank(url, distance: isOwn ? 0 : 1), at: pair)
    }
  }

  mutating func add(_ situation: RuleExploration.Situation) {
    let pairs = pairs(for: situation.deciders)
    // Changes are confirmed at any cost; everything else only increases confidence.
    let isSpare = confirmationBudget.spend(
      onURLOf: situation.path.count + situation.query.count + situation.fragment.count)
    guard isSpare || !pairs.isEmpty else { return }
    let example = ExampleRank(base + situation.target, distance: 1)
    guard isSpare || pairs.contains(where: { examples.isImproved(by: example, at: $0) }) else {
      return
    }
    let url = example.text
    let deciders =
      old.deciders(for: url, &confirmationBudget) + new.deciders(for: url, &confirmationBudget)
    guard deciders == situation.deciders else {
      isConfirmed = false
      return
    }
    for pair in pairs { examples.improve(by: example, at: pair) }
  }

  /// The rulings that differ where these rules decide.
  private mutating func pairs(for deciders: [Int]) -> [Pair] {
    if let known = pairs[deciders] { return known }
    let count = old.matcher.ruleLists.count
    let (oldDeciders, newDeciders) = (deciders[..<count], deciders[count...])
    var found: [Pair] = []
    func add(_ app: Int, _ old: RuleJudge.Ruling, _ new: RuleJudge.Ruling) {
      if old.verdict != new.verdict || opensAnotherApp(old, new) {
        found.append(Pair(app: app, old: old, new: new))
      }
    }
    add(-1, old.siteRuling(deciders: oldDeciders), new.siteRuling(deciders: newDeciders))
    let none = RuleJudge.Ruling(verdict: .unclaimed)
    for (index, app) in apps.enumerated() {
      add(
        index, app.old.map { old.ruling(app: $0, deciders: oldDeciders) } ?? none,
        app.new.map { new.ruling(app: $0, deciders: newDeciders) } ?? none)
    }
    pairs[deciders] = found
    return found
  }

  /// Whether both files claim a URL, but a different app is the first to claim it.
  private func opensAnotherApp(_ one: RuleJudge.Ruling, _ other: RuleJudge.Ruling) -> Bool {
    one.verdict == .claimed && other.verdict == .claimed
      && old.matcher.apps[one.app].identifier != new.matcher.apps[other.app].identifier
  }

  func changes() -> (site: [VerdictChanges.Change], apps: [VerdictChanges.AppChange]) {
    let sorted = examples.sorted { first, second in
      let (one, other) = (first.key, second.key)
      if one.app != other.app { return one.app < other.app }
      return one.old == other.old ? one.new < other.new : one.old < other.old
    }
    var site: [VerdictChanges.Change] = []
    var appChanges: [VerdictChanges.AppChange] = []
    for (pair, example) in sorted {
      let change = VerdictChanges.Change(
        url: example.text, old: old.outcome(pair.old), new: new.outcome(pair.new))
      if pair.app < 0 {
        site.append(change)
      } else {
        appChanges.append(VerdictChanges.AppChange(app: apps[pair.app].app, change: change))
      }
    }
    return (site, appChanges)
  }
}
