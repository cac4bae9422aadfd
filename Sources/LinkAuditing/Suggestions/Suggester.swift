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
    guard let routes = site.routes, !routes.routes.isEmpty else {
      throw SuggestionError(
        "the file of routes has no route, so linkaudit doesn't know what the app implements; write "
          + "one route on each line")
    }
    guard site.isEligible else {
      throw SuggestionError(
        "no app can be associated with the host '\(site.host)'; pass a host with a full stop")
    }
    let entry = try Self.entry(of: app, in: site.file)
    self.site = RuleSet.Version(site)
    (self.entry, apps) = (entry.id, [entry].distinctApps)
    list = entry.components != nil ? .components : entry.paths != nil ? .paths : nil
    isSigned = EncodedText(content).isSigned
    do {
      text = try AssociationText(content, entry: entry.id, list: list ?? .components)
    } catch {
      throw SuggestionError(
        "rules can't be added to the association file, because it is not JSON: \(error)")
    }
    (self.options, self.judging) = (options, judging)
    survey = RuleSurvey(self.site, entry: entry.id, includesExcluded: options.includesExcluded)
  }

  /// Returns the entry that decides for an app, or the only one that decides for any app.
  private static func entry(
    of app: ApplicationIdentifier?, in file: AssociationFile
  ) throws(SuggestionError) -> AssociationFile.Entry {
    let apps = file.entries.distinctApps.map(\.text).joined(separator: ", ")
    if let app {
      guard let entry = file.entries.first(where: { $0.namedApps.contains(app) }) else {
        throw SuggestionError(
          "the association file doesn't name the app '\(app.text)'; it names "
            + (apps.isEmpty ? "no app" : apps))
      }
      return entry
    }
    var known: Set<ApplicationIdentifier> = []
    let deciding = file.entries.filter { entry in
      !entry.namedApps.filter { known.insert($0).inserted }.isEmpty
    }
    guard let entry = deciding.first else {
      throw SuggestionError(
        "the association file names no app, so it has no list to which rules can be added")
    }
    guard deciding.count == 1 else {
      throw SuggestionError(
        "the association file has rules for several apps; choose one with '--app ID': \(apps)")
    }
    return entry
  }

  /// Looks for rules in the traffic of a digest.
  public func suggest(_ digest: TrafficDigest) throws(JudgingError) -> Suggestion {
    var candidates = try candidates(digest)
    let probes = RuleSet.Version(Site(host: site.site.host, file: candidates.probes))
    let judged = try judge(digest, probes: [probes])
    candidates.removeHarmful(judged.tally.decisions.decisions, survey)
    let choice = RuleChoice(self, candidates, judged.tally)
    return SuggestionAssembly(self, candidates, choice, judged).suggestion
  }

  func candidates(_ digest: TrafficDigest) throws(JudgingError) -> RuleCandidates {
    RuleCandidates(self, try judge(digest, probes: []))
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
    _ digest: TrafficDigest, probes: [RuleSet.Version]
  ) throws(JudgingError) -> JudgedTraffic<RuleSurvey.Tally> {
    try JudgedTraffic.judge(
      digest, sites: [RuleSet(SiteHistory(site.site), like: site)], besides: probes,
      options: judging
    ) { sites, probes in
      RuleSurvey.Tally(
        RuleSurvey(
          sites[0].versions[0], entry: entry, includesExcluded: options.includesExcluded,
          probes: probes.first))
    }
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
  public var leastShare: BasisPoints = 10

  /// The greatest share of a rule's claimed traffic that the app may not implement, in hundredths
  /// of a percent.
  public var tolerance: BasisPoints = 0

  /// The greatest number of rules, or `nil` for no limit.
  public var top: Int?

  /// Whether to look for rules before those that exclude paths that the app implements.
  public var includesExcluded = false
  public init() {}
}

/// The reason why no rules can be suggested.
public struct SuggestionError: Error, Hashable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}

/// Rules that would claim paths that an app implements and no rule claims.
///
/// They are counted under the file that contains them.
public struct Suggestion: Sendable {
  public var host: String
  public var apps: [ApplicationIdentifier]

  /// The entry that the rules are inserted into.
  public var entry: AssociationFile.EntryID

  /// The list of the entry, or `nil` if it has none, so that it claims everything.
  public var list: RuleID.List?

  /// The rules in file order.
  public var rules: [SuggestedRule] = []
  public var placements: [Placement] = []

  /// All traffic of the host.
  public var total = Traffic()

  /// The traffic that the app implements and no app claims.
  ///
  /// Excluded traffic is not in it, unless the search included rules before the exclusions.
  public var wanted = Traffic()

  /// The routes that the app would still not open, the heaviest first.
  public var remaining: [RemainingRoute] = []

  /// The other apps that claim routes of this one.
  public var claimedByOthers: [ClaimingApp] = []

  /// Rules that would no longer decide anything.
  public var hiddenRules: [ReportedRule] = []

  /// The least weight that a rule must win.
  public var least = 1

  /// The association file with the rules inserted, otherwise unchanged byte for byte.
  public var content: [UInt8] = []
  public var options = AuditOptions()

  /// The position in the list of the rule that some new rules precede, or the number of rules if they
  /// follow the last; their number, and the rule that they precede.
  public typealias Placement = (position: Int, count: Int, following: ReportedRule?)

  /// An app that opens what another one implements.
  public typealias ClaimingApp = (app: ApplicationIdentifier, routes: Int, traffic: Traffic)
}

extension Suggestion {
  /// The part of the wanted traffic that the rules would claim.
  public var won: Traffic { rules.sum(\.won) }

  /// The part of `won` that came from pages of the same host, where links never open the app.
  public var wonFromSameHost: Traffic { rules.sum(\.sameHost) }

  /// The traffic without a route that they would also claim.
  public var besides: Traffic { rules.sum { $0.excludes ? nil : $0.others.total } }

  /// The traffic that this app would open in place of others.
  public var taken: Traffic { rules.sum(\.taken) }
}

/// A rule that is inserted into a file.
public struct SuggestedRule: Sendable {
  /// The rule as JSON, on one line.
  public var json: String

  /// Whether it excludes, for the sake of the rule after it.
  public var excludes: Bool
  public var position: Int

  /// The part of `won` that came from pages of the same host.
  public var sameHost = Traffic()

  /// The routes of the traffic that it would claim, the heaviest first.
  public var routes: [PathGroupTraffic] = []

  /// The traffic that it would claim and the app implements.
  public var won: Traffic { routes.total }

  /// The other traffic that it would claim, or keep on the web if it excludes, by path group, the
  /// heaviest first.
  public var others: [PathGroupTraffic] = []

  /// The traffic that it would claim and another app opens so far.
  public var taken = Traffic()

  /// A path without a route or a request that it would also claim, or `nil` if none was found.
  public var unseenPath: String?
}

/// A route that the app would still not open.
public struct RemainingRoute: Hashable, Sendable {
  /// The reason why a route isn't claimed.
  public enum Reason: Hashable, Sendable {
    /// A rule excludes it.
    case excluded(ReportedRule?)

    /// It came from systems that don't read the list.
    case oldSystems

    /// Its traffic does not justify a line.
    case light

    /// The best rule would also claim this traffic, for which the app has no route.
    case besides(rule: String, Traffic)

    /// It was left out for the sake of the greatest number of rules.
    case top

    /// No rule that was tried justifies its line.
    case noRule

    /// No rule that was tried claims it.
    case unmatched

    /// Defaults exclude, which elements of `paths` can't take back.
    case excludedByDefault

    /// The route matches every path, so it says nothing about what the app implements.
    case everyPath
  }

  /// The route as written.
  public var route: String

  /// The reason why it isn't claimed.
  public var reason: Reason
  public var traffic: Traffic

  /// Up to three targets, percent-encoded.
  public var samples: [String]
}
