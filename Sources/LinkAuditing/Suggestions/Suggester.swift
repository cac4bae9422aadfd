public import TrafficDigest
public import UniversalLinks

/// Looks for rules that would claim paths that an app implements and no rule claims.
///
///     let suggester = try Suggester(site: site, content: bytes)
///     let suggestion = try suggester.suggest(digest)
///
/// All targets are judged twice. The first time, under the existing file, shows which paths no rule
/// claims. The second time, with each possible rule alone, shows which rules to choose and their
/// effect.
public struct Suggester: Sendable {
  let site: RuleSet.Version
  let text: AssociationText
  let apps: [ApplicationIdentifier]
  let entry: AssociationFile.EntryID
  let list: RuleID.List?
  let options: SuggestionOptions
  let judging: AuditOptions
  let survey: RuleSurvey

  /// A Boolean value indicating whether the file is in a signed message.
  ///
  /// Rules are inserted into its content, and the result is unsigned.
  public let isSigned: Bool

  /// Creates a suggester for an app, or for the only one with rules; compiling the rules happens here.
  ///
  /// `content` has the bytes of the file, or of a signed message that holds it.
  public init(
    site: Site, content: [UInt8], app: ApplicationIdentifier? = nil,
    options: SuggestionOptions = SuggestionOptions(), judging: AuditOptions = AuditOptions()
  ) throws(SuggestionError) {
    guard let routes = site.routes, !routes.routes.isEmpty else { throw .noRoutes }
    guard site.isEligible else { throw .ineligibleHost(site.host) }
    let entry = try Self.entry(of: app, in: site.file)
    self.site = RuleSet.Version(site)
    (self.entry, apps) = (entry.id, [entry].distinctApps)
    list = entry.components != nil ? .components : entry.paths != nil ? .paths : nil
    let signed = SignedMessage.content(of: content)
    isSigned = signed != nil
    do {
      text = try AssociationText(
        signed ?? content, entry: entry.id, list: list ?? .components)
    } catch {
      throw .unreadable("\(error)")
    }
    (self.options, self.judging) = (options, judging)
    survey = RuleSurvey(self.site, entry: entry.id, includesExcluded: options.includesExcluded)
  }

  /// Returns the entry that decides for an app, or the only one that decides for any app.
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
  public func suggest(_ digest: TrafficDigest) throws(JudgingError) -> Suggestion {
    var candidates = try candidates(digest)
    let tally = try judge(digest, survey.copied(probes: candidates.probes))
    candidates.removeHarmful(tally.decisions.decisions, survey)
    let choice = RuleChoice(self, candidates, tally)
    return SuggestionAssembly(self, candidates, choice, tally).suggestion
  }

  func candidates(_ digest: TrafficDigest) throws(JudgingError) -> RuleCandidates {
    RuleCandidates(self, try judge(digest, survey))
  }

  func content(
    with insertions: [RuleCandidates.Insertion], of candidates: RuleCandidates
  ) -> [UInt8] {
    text.inserting(
      insertions.map { insertion in
        (insertion.position, insertion.drafts.map { candidates.drafts[$0].json(in: text) })
      })
  }

  private func judge(
    _ digest: TrafficDigest, _ survey: RuleSurvey
  ) throws(JudgingError) -> RuleSurvey.Tally {
    let fanOut = judging.grouping.fanOut(judging.fanOut)
    return try JudgedTraffic.judge(
      digest, sites: [RuleSet(SiteHistory(site.site), like: site)], options: judging
    ) { _, isCopy in
      RuleSurvey.Tally(isCopy ? survey.copied() : survey, fanOut: fanOut)
    }.tally
  }

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
  /// The minimum share of a site's visits that a rule must win, in hundredths of a percent.
  public var leastShare: SeverityLevels.BasisPoints = 10

  /// The greatest share of a rule's claimed traffic that the app may not implement, in hundredths
  /// of a percent.
  public var tolerance: SeverityLevels.BasisPoints = 0

  /// The greatest number of rules, or `nil` for no limit.
  public var top: Int?

  /// Whether to look for rules before those that exclude paths that the app implements.
  public var includesExcluded = false
  public init() {}
}

/// The reason why no rules can be suggested.
public enum SuggestionError: Error, Hashable, Sendable {
  case noRoutes
  case noApp
  case unreadable(String)
  case severalEntries([String])
  case unknownApp(String, known: [String])
  case ineligibleHost(String)
}

extension SuggestionError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noRoutes:
      "the file of routes has no route, so linkaudit doesn't know what the app implements; write one "
        + "route on each line"
    case .noApp:
      "the association file names no app, so it has no list to which rules can be added"
    case .unreadable(let problem):
      "rules can't be added to the association file, because it is not JSON: \(problem)"
    case .severalEntries(let apps):
      "the association file has rules for several apps; choose one with '--app ID': "
        + apps.joined(separator: ", ")
    case .unknownApp(let app, let known):
      "the association file doesn't name the app '\(app)'; it names "
        + (known.isEmpty ? "no app" : known.joined(separator: ", "))
    case .ineligibleHost(let host):
      "no app can be associated with the host '\(host)'; pass a host with a full stop"
    }
  }
}
