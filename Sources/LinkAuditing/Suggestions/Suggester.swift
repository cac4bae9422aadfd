public import TrafficDigest
public import UniversalLinks

/// Looks for rules that would claim what an app implements and no rule claims.
///
///     let suggester = try Suggester(site: site, content: bytes)
///     let suggestion = try suggester.suggest(digest)
///
/// All targets are judged three times: under the file as it is, which says what is wanted;
/// with each rule that could be put in, alone, which says what to choose; and under the file
/// with the rules that were chosen, which shows their effect.
public struct Suggester: Sendable {
  let site: CompiledSite
  let text: AssociationText
  let apps: [ApplicationIdentifier]
  let entry: AssociationFile.EntryID
  let list: RuleID.List?
  let form: ComponentDraft.Form
  let options: SuggestionOptions
  let judging: AuditOptions

  /// A Boolean value indicating whether the file is in a signed message; rules are put into
  /// the file, and what comes of it is unsigned.
  public let isSigned: Bool

  /// Creates a suggester; compiling the rules happens here.
  ///
  /// - Parameters:
  ///   - site: The host with its file and its routes, of which all apps count.
  ///   - content: The bytes of the file, or of a signed message that holds it.
  ///   - app: The app whose rules are looked for, or `nil` for the only ones of the file.
  ///   - options: What to look for.
  ///   - judging: How to judge.
  /// - Throws: ``SuggestionError`` if there is nothing to look for rules with.
  public init(
    site: Site, content: [UInt8], app: ApplicationIdentifier? = nil,
    options: SuggestionOptions = SuggestionOptions(), judging: AuditOptions = AuditOptions()
  ) throws(SuggestionError) {
    guard let routes = site.routes, !routes.routes.isEmpty else { throw .noRoutes }
    guard site.isEligible else { throw .ineligibleHost(site.host) }
    let entry = try Self.entry(of: app, in: site.file)
    self.site = CompiledSite(site)
    (self.entry, apps) = (entry.id, [entry].distinctApps)
    list = entry.components != nil ? .components : entry.paths != nil ? .paths : nil
    let signed = SignedMessage.content(of: content)
    isSigned = signed != nil
    do {
      text = try AssociationText(signed ?? content)
    } catch {
      throw .unreadable("\(error)")
    }
    form = ComponentDraft.Form(
      list: list ?? .components, defaults: text.defaultNames(for: entry.id),
      isSpaced: text.hasSpacedObjects(list ?? .components, of: entry.id),
      isExcluding: list == .paths && text.excludesByDefault(in: entry.id))
    (self.options, self.judging) = (options, judging)
  }

  /// The entry that decides for an app, or the only one that decides for any.
  private static func entry(
    of app: ApplicationIdentifier?, in file: AssociationFile
  ) throws(SuggestionError) -> AssociationFile.Entry {
    let apps = file.entries.distinctApps
    if let app {
      guard let entry = file.entries.first(where: { $0.namedApps.contains(app) }) else {
        throw .unknownApp(app.text, known: apps.map(\.text))
      }
      return entry
    }
    var known: Set<ApplicationIdentifier> = []
    let deciding = file.entries.filter { entry in
      !entry.namedApps.filter { known.insert($0).inserted }.isEmpty
    }
    guard let entry = deciding.first else { throw .noApp }
    if deciding.count > 1 { throw .severalEntries(apps.map(\.text)) }
    return entry
  }

  /// Looks for rules in the traffic of a digest.
  ///
  /// - Throws: ``JudgingError`` if a file can't be read, or requests were lost or counted twice.
  public func suggest(_ digest: TrafficDigest) throws(JudgingError) -> Suggestion {
    let reader = reader
    let candidates = try candidates(digest)
    let alone = try survey(
      digest, RuleSurvey(site, entry: entry, probes: candidates.probes()))
    var choice = RuleChoice(self, candidates, alone, reader)
    while true {
      let insertions = candidates.insertions(of: choice.chosen)
      let content = content(with: insertions)
      var changed = site.site
      if let file = try? AssociationFile(decoding: content) {
        changed.file = file
      } else if !insertions.isEmpty {
        // The old file would be measured in place of the new one. Rules that make no file are not
        // suggested.
        choice.remove(Set(insertions.flatMap(\.drafts)), candidates)
        continue
      }
      let candidate = CompiledSite(changed, routes: site.routes)
      let after = try survey(digest, RuleSurvey(site, entry: entry, candidate: candidate))
      let suggestion = SuggestionAssembly(
        suggester: self, reader: reader, candidate: candidate, choice: choice,
        insertions: insertions, content: content, claims: candidates.claims
      ).suggestion(after)
      // A rule that wins nothing beside the others is not suggested.
      let idle = zip(insertions.flatMap(\.drafts), suggestion.rules).filter { _, rule in
        !rule.excludes && rule.won == Traffic()
      }
      if idle.isEmpty { return suggestion }
      choice.remove(Set(idle.map(\.0)), candidates)
    }
  }

  private var reader: StandingReader {
    StandingReader(
      RuleSurvey(site, entry: entry), includesExcluded: options.includesExcluded)
  }

  /// The rules that could be put in.
  func candidates(_ digest: TrafficDigest) throws(JudgingError) -> RuleCandidates {
    RuleCandidates(self, try survey(digest, RuleSurvey(site, entry: entry)), reader)
  }

  /// The file with rules put in.
  func content(with insertions: [RuleCandidates.Insertion]) -> [UInt8] {
    text.inserting(
      insertions.map { ($0.position, $0.drafts.map { $0.json(form) }) }, into: form.list, of: entry)
  }

  private func survey(
    _ digest: TrafficDigest, _ survey: RuleSurvey
  ) throws(JudgingError) -> SurveyTally {
    let judged = try JudgedTraffic.judge(
      digest, sites: [CompiledHistory(site)], survey: survey, options: judging)
    let tally = judged.survey ?? SurveyTally(fanOut: judging.fanOut)
    try judged.checkBalance(
      judged: tally.total.requests, otherHosts: judged.otherHosts.heaviest(digest), of: digest)
    return tally
  }

  /// The weight of traffic.
  func weight(_ traffic: Traffic) -> Int {
    judging.weight == .visits ? traffic.visits : traffic.requests
  }

  /// The least weight that a rule must win.
  func least(of total: Traffic) -> Int {
    max(1, (min(weight(total), 1 << 49) * options.leastShare + 9_999) / 10_000)
  }
}

/// Options of looking for rules.
public struct SuggestionOptions: Sendable {
  /// The least share of a site's visits that a rule must win to be worth its line, in
  /// hundredths of a percent.
  public var leastShare: SeverityLevels.BasisPoints = 10

  /// The greatest share of what a rule claims that the app may not implement, in
  /// hundredths of a percent.
  public var tolerance: SeverityLevels.BasisPoints = 0

  /// The greatest number of rules, or `nil` for as many as are worth it.
  public var top: Int?

  /// Whether to look for rules in front of those that exclude paths that the app implements.
  public var includesExcluded = false

  /// Creates options.
  public init() {}
}

/// Why no rules can be looked for.
public enum SuggestionError: Error, Hashable, Sendable {
  /// It isn't known what the app implements.
  case noRoutes

  /// The file names no app.
  case noApp

  /// The bytes can't be read as those of a file; why not.
  case unreadable(String)

  /// The file has rules of several apps, of which one must be chosen.
  case severalEntries([String])

  /// The file doesn't name the app; it names these.
  case unknownApp(String, known: [String])

  /// No URL of the host can open an app.
  case ineligibleHost(String)
}

extension SuggestionError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noRoutes:
      "the routes name no route, so it isn't known what the app implements; write one route a line"
    case .noApp:
      "the association file names no app, so there is no list that rules could be put into"
    case .unreadable(let problem):
      "rules can't be put into the association file, whose text isn't JSON: \(problem)"
    case .severalEntries(let apps):
      "the association file has rules for several apps; say with '--app ID' whose rules to look for: "
        + apps.joined(separator: ", ")
    case .unknownApp(let app, let known):
      "the association file doesn't name the app '\(app)'; it names "
        + (known.isEmpty ? "none" : known.joined(separator: ", "))
    case .ineligibleHost(let host):
      "no app can be associated with the host '\(host)'; name one with a full stop"
    }
  }
}
