public import UniversalLinks

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

  /// Whether no fewer rules of those that were tried would do.
  public var isSmallest = true

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

  /// The part of the newly claimed traffic that came from pages of the same host, where links never
  /// open the app.
  public var wonFromSameHost: Traffic { rules.sum(\.sameHost) }

  /// The traffic without a route that they would also claim.
  public var besides: Traffic { rules.sum { $0.excludes ? nil : $0.othersTotal } }

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

  /// The traffic that it would claim and the app implements.
  public var won = Traffic()

  /// The part of its claimed traffic that came from pages of the same host.
  public var sameHost = Traffic()

  /// The routes of the traffic that it would claim, the heaviest first.
  public var routes: [PathGroupTraffic] = []

  /// The other traffic that it would claim, or keep on the web if it excludes, by path group, the
  /// heaviest first.
  public var others: [PathGroupTraffic] = []

  /// The traffic that it would claim and another app opens so far.
  public var taken = Traffic()

  /// A path without a route or a request that it would also claim, or `nil` if none was found.
  public var unseenPath: String?

  /// The other traffic of all path groups together.
  public var othersTotal: Traffic { others.total }
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
