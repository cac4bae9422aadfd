/// A kind of problem that linkaudit reports, with all its documentation.
///
/// Lint rules, findings of reports, and problems of delivery have the same description.
/// `linkaudit explain` and the lists of codes in the documentation are generated from these values.
public struct DiagnosticKind: Hashable, Sendable {
  /// The severity of problems of a kind.
  public enum Grading: Hashable, Sendable {
    /// One severity, except as the text says.
    case usual(Severity, exception: String?)

    /// A severity that grows with a share of a whole, such as `visits`.
    case measured(SeverityLevels, of: String)
  }

  /// Text with the problem, or without it.
  public enum Example: Hashable, Sendable {
    /// A whole association file.
    case file(String)

    /// Members of `applinks`.
    case links(String)

    /// Members of an entry. If they name no app, the entry has one before them.
    case entry(String)

    /// Elements of `components`.
    case components(String)

    /// Elements of `paths`.
    case paths(String)

    /// The values of `com.apple.developer.associated-domains`, as a JSON array.
    case domains(String)

    /// The example in JSON.
    public var text: String {
      switch self {
      case .file(let text), .entry(let text): text
      case .links(let text): #""applinks": {\#(text)}"#
      case .components(let text): #""components": [\#(text)]"#
      case .paths(let text): #""paths": [\#(text)]"#
      case .domains(let text): #""com.apple.developer.associated-domains": \#(text)"#
      }
    }
  }

  /// The stable name, which scripts and monitors may rely on.
  public let code: String

  /// The severity of problems of this kind.
  public let grading: Grading

  /// The name for people.
  public let title: String

  /// The condition for it, in words that follow "Found when", or `nil` if the title is sufficient.
  public let condition: String?

  /// The reason why it matters, in a sentence or two.
  public let meaning: String

  /// The remedy, in a sentence or two.
  public let remedy: String

  /// An example with the problem.
  public let example: Example?

  /// The example without the problem, or `nil` if there is none.
  public let fixedExample: Example?

  /// Creates a kind with a usual severity.
  package init(
    _ code: String, _ severity: Severity, except exception: String? = nil, _ title: String,
    condition: String? = nil, meaning: String, remedy: String, example: Example? = nil,
    fixed: Example? = nil
  ) {
    (self.code, grading, self.title) = (code, .usual(severity, exception: exception), title)
    (self.condition, self.meaning, self.remedy) = (condition, meaning, remedy)
    (self.example, fixedExample) = (example, fixed)
  }

  /// Creates a kind whose severity grows with a share of `whole`.
  ///
  /// Each severity has a minimum share.
  package init(
    _ code: String, note: SeverityLevels.BasisPoints? = nil,
    warning: SeverityLevels.BasisPoints? = nil, error: SeverityLevels.BasisPoints? = nil,
    of whole: String, _ title: String, condition: String, meaning: String, remedy: String
  ) {
    let levels = SeverityLevels(note: note, warning: warning, error: error)
    (self.code, grading, self.title) = (code, .measured(levels, of: whole), title)
    (self.condition, self.meaning, self.remedy) = (condition, meaning, remedy)
    (example, fixedExample) = (nil, nil)
  }
}

extension DiagnosticKind {
  /// The usual severities, in ascending order: one, or those that shares can reach.
  public var severities: [Severity] {
    switch grading {
    case .usual(let severity, _): [severity]
    case .measured(let levels, _): levels.shares.keys.sorted()
    }
  }

  /// The usual severity; the greatest one if it grows with a share.
  public var severity: Severity { severities.last ?? .note }

  /// The severity with its conditions: `note, warning from 10% of claimed visits`.
  public var severityText: String {
    switch grading {
    case .usual(let severity, let exception):
      return severity.rawValue + (exception.map { "; " + $0 } ?? "")
    case .measured(let levels, let whole):
      let parts = levels.shares.sorted { $0.key < $1.key }.map { severity, share in
        share == 0 ? severity.rawValue : "\(severity.rawValue) from \(Self.percent(share))"
      }
      let isMeasured = levels.shares.values.contains { $0 > 0 }
      return parts.joined(separator: ", ") + (isMeasured ? " of \(whole)" : "")
    }
  }

  /// A share in hundredths of a percent as people write it.
  private static func percent(_ share: SeverityLevels.BasisPoints) -> String {
    let rest = share % 100
    if rest == 0 { return "\(share / 100)%" }
    return rest % 10 == 0
      ? "\(share / 100).\(rest / 10)%" : "\(share / 100).\(rest < 10 ? "0" : "")\(rest)%"
  }
}

/// A problem that was found: a mistake in a file, a finding of a report, or a problem of delivery.
///
/// Each conforming type adds where the problem is, or what proves it.
public protocol Diagnostic {
  /// The kind of problem.
  var kind: DiagnosticKind { get }

  /// The severity of this occurrence, which can differ from the usual one of its kind.
  var severity: Severity { get }

  /// The problem in a sentence or two, with names and figures.
  var message: String { get }

  /// The remedy in a sentence or two.
  var remedy: String { get }
}

extension Diagnostic {
  /// The stable name of the kind, which scripts may rely on.
  public var code: String { kind.code }

  /// The name of the kind for people.
  public var title: String { kind.title }
}

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
  /// Each is defined next to its check.
  public static let lint = DiagnosticCatalog([
    Group(.lint, "The text", DiagnosticKind.syntaxKinds + DiagnosticKind.contentKinds),
    Group(.lint, "Names and types of members", DiagnosticKind.memberKinds),
    Group(.lint, "Services and entries", DiagnosticKind.linkKinds + DiagnosticKind.entryKinds),
    Group(.lint, "Apps", DiagnosticKind.appKinds),
    Group(.lint, "Rules", DiagnosticKind.componentKinds + DiagnosticKind.pathsKinds),
    Group(
      .lint, "Patterns",
      DiagnosticKind.patternKinds + DiagnosticKind.pathPatternKinds + DiagnosticKind.routerKinds
        + DiagnosticKind.queryKinds),
    Group(.lint, "Variables", DiagnosticKind.variableKinds),
    Group(.lint, "What rules decide", DiagnosticKind.reachKinds),
    Group(.lint, "Systems", DiagnosticKind.releaseKinds),
    Group(.lint, "Entitlements", DiagnosticKind.entitlementKinds),
  ])
}

/// The importance of a diagnostic.
public enum Severity: String, CaseIterable, Hashable, Comparable, Sendable {
  /// Useful information that requires no action.
  case note

  /// Costs visits, or will on some systems.
  case warning

  /// Links don't work, or figures can't be trusted.
  case error

  /// Whether the first severity is less serious.
  public static func < (first: Severity, second: Severity) -> Bool {
    first != second && allCases.first { $0 == first || $0 == second } == first
  }
}

/// The least share of a whole that has a severity, for each severity.
public struct SeverityLevels: Hashable, Sendable {
  /// A share of a whole in hundredths of a percent; 0 means any share.
  public typealias BasisPoints = Int

  /// The least share by severity; a severity that is absent is never reached.
  public private(set) var shares: [Severity: BasisPoints] = [:]

  package init(note: BasisPoints? = nil, warning: BasisPoints? = nil, error: BasisPoints? = nil) {
    shares[.note] = note
    shares[.warning] = warning
    shares[.error] = error
  }

  /// Sets the least share of a severity, or removes the severity with `nil`.
  public mutating func set(_ severity: Severity, _ share: BasisPoints?) { shares[severity] = share }

  /// Returns the severity of a part of a whole, or `nil` if the part is below all levels.
  package func severity(of part: Int, in whole: Int) -> Severity? {
    guard part > 0 else { return nil }
    return Severity.allCases.reversed().first { severity in
      guard let share = shares[severity] else { return false }
      // Whole numbers of twice the width: the same on every machine, and without overflow.
      let (high, low) = part.multipliedFullWidth(by: 10_000)
      let (leastHigh, leastLow) = share.multipliedFullWidth(by: max(whole, 1))
      return (high, low) >= (leastHigh, leastLow)
    }
  }
}
