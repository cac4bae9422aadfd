/// Kinds of diagnostics in groups.
///
/// Each module that finds problems lists its kinds: ``lint`` is the catalog of this one.
public struct DiagnosticCatalog: Sendable {
  /// The part of linkaudit that finds the problems of a group.
  public enum Origin: String, CaseIterable, Sendable {
    /// Checks of association files and entitlements.
    case lint

    /// Reports and comparisons of traffic.
    case finding

    /// Checks of deployed files.
    case delivery
  }

  /// Kinds of diagnostics about the same subject.
  public struct Group: Sendable {
    /// The part of linkaudit that finds them.
    public let origin: Origin

    /// The subject, as a heading.
    public let title: String

    /// The kinds, in the order in which documents list them.
    public let kinds: [DiagnosticKind]

    package init(_ origin: Origin, _ title: String, _ kinds: [DiagnosticKind]) {
      (self.origin, self.title, self.kinds) = (origin, title, kinds)
    }
  }

  /// The groups, in the order in which documents list them.
  public let groups: [Group]

  package init(_ groups: [Group]) { self.groups = groups }

  /// The kinds of all groups.
  ///
  /// Codes are unique within an origin, not across origins.
  public var kinds: [DiagnosticKind] { groups.flatMap(\.kinds) }

  /// Returns the catalog with the groups of another one after its own.
  public static func + (first: Self, second: Self) -> Self { Self(first.groups + second.groups) }
}

extension DiagnosticCatalog {
  /// The kinds of mistakes in association files and entitlements.
  ///
  /// Each is defined next to its check, in `Lint/Checks`.
  public static let lint = DiagnosticCatalog([
    Group(.lint, "The text", SyntaxCheck.rules + ContentCheck.rules),
    Group(.lint, "Names and types of members", MemberCheck.rules),
    Group(.lint, "Services and entries", LinksCheck.rules + EntryCheck.rules),
    Group(.lint, "Apps", ApplicationIdentifierCheck.rules),
    Group(.lint, "Rules", ComponentCheck.rules + PathsCheck.rules),
    Group(
      .lint, "Patterns",
      PatternCheck.rules + PathPatternCheck.rules + RouterSyntaxCheck.rules + QueryCheck.rules),
    Group(.lint, "Variables", VariableCheck.rules),
    Group(.lint, "What rules decide", ReachabilityCheck.rules),
    Group(.lint, "Systems", SystemReleaseCheck.rules),
    Group(.lint, "Entitlements", EntitlementsCheck.rules),
  ])
}
