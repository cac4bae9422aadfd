public import UniversalLinks

/// How the rules fit what the app implements and what people visit.
public struct Coverage: Sendable {
  /// Families that the app claims and, by its routes, does not implement.
  public var claimedNotImplemented: [FamilyTraffic] = []

  /// Families that rules exclude, the heaviest first.
  public var excludedHeavy: [FamilyTraffic] = []

  /// Families that no rule matches, the heaviest first.
  public var unclaimedHeavy: [FamilyTraffic] = []

  /// Routes of the app with traffic that no rule matches.
  public var implementedNotClaimed: [FamilyTraffic] = []
}

/// The traffic of a family of paths, or of a route.
public struct FamilyTraffic: Hashable, Sendable {
  /// The family or the route.
  public var path: String

  /// The traffic.
  public var traffic: Traffic

  /// The rule that decided for the most of it, or `nil` if none did.
  public var rule: RuleReference?
}

/// A rule, as reports name it.
public struct RuleReference: Hashable, Sendable {
  /// The first app that has the rule.
  public var app: ApplicationIdentifier

  /// The entry that holds it.
  public var place: AssociationFile.Place

  /// Whether it is one of `components` or of `paths`.
  public var list: RuleListKind

  /// Its position, from 0, or `nil` for an entry without rules.
  public var rule: Int?

  /// The rule in short.
  public var pattern: String
}
