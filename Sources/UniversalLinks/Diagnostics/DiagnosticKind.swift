/// A kind of problem that linkaudit reports, with all its documentation.
///
/// Lint rules, findings of reports, and problems of delivery have the same description.
/// `linkaudit explain` and the lists of codes in the documentation are generated from these values.
public struct DiagnosticKind: Hashable, Sendable {
  /// The stable name, which scripts and monitors may rely on.
  public let code: String

  /// The severities of problems of this kind, of which most have one.
  public private(set) var levels: SeverityLevels

  /// The total, such as `visits`, whose share determines the severity, or `nil` if none does.
  public private(set) var whole: String?

  private let exception: String?

  /// The name for people.
  public let title: String

  /// The condition for it, in words that follow "Found when", or `nil` if the title is sufficient.
  public let condition: String?

  /// The reason why it matters, in a sentence or two.
  public let meaning: String

  /// The remedy, in a sentence or two.
  public let remedy: String

  /// JSON with the problem, or `nil` if there is no example.
  public let example: String?

  /// The example without the problem.
  public let fixedExample: String?

  /// Creates a kind with a usual severity.
  package init(
    _ code: String, _ severity: Severity, except exception: String? = nil, _ title: String,
    condition: String? = nil, meaning: String, remedy: String,
    example: (text: String, fixed: String)? = nil
  ) {
    (self.code, levels, self.exception) = (code, [severity: 0], exception)
    (self.title, self.condition) = (title, condition)
    (self.meaning, self.remedy) = (meaning, remedy)
    (self.example, fixedExample) = (example?.text, example?.fixed)
  }

  /// Creates a kind whose severity grows with a share of `whole`.
  ///
  /// Each severity has a minimum share.
  package init(
    _ code: String, note: BasisPoints? = nil, warning: BasisPoints? = nil,
    error: BasisPoints? = nil, of whole: String, _ title: String, condition: String,
    meaning: String, remedy: String
  ) {
    self.init(code, .note, title, condition: condition, meaning: meaning, remedy: remedy)
    let shares = [Severity.note: note, .warning: warning, .error: error]
    (levels, self.whole) = (shares.compactMapValues(\.self), whole)
  }
}

extension DiagnosticKind {
  /// JSON with the problem, and without it.
  typealias Example = (text: String, fixed: String)

  /// The app of examples, as members of an entry of current systems, and of one that all read.
  static let apps = #""appIDs": ["A1B2C3D4E5.com.example.tea"]"#
  static let app = #""appID": "A1B2C3D4E5.com.example.tea""#

  /// An example with members of `applinks`; one with members of an entry, or of a whole file, has no
  /// text around it.
  static func links(_ text: String, _ fixed: String) -> Example {
    ("\"applinks\": {\(text)}", "\"applinks\": {\(fixed)}")
  }

  /// An example with elements of `components`.
  static func components(_ text: String, _ fixed: String) -> Example {
    ("\"components\": [\(text)]", "\"components\": [\(fixed)]")
  }

  /// An example with the pattern of the path of a component.
  static func pattern(_ text: String, _ fixed: String) -> Example {
    components("{\"/\": \"\(text)\"}", "{\"/\": \"\(fixed)\"}")
  }

  /// An example with elements of `paths`.
  static func paths(_ text: String, _ fixed: String) -> Example {
    ("\"paths\": [\(text)]", "\"paths\": [\(fixed)]")
  }

  /// The usual severities, in ascending order: one, or those that shares can reach.
  public var severities: [Severity] { levels.keys.sorted() }

  /// The usual severity; the greatest one if it grows with a share.
  public var severity: Severity { severities.last ?? .note }

  /// The severity with its conditions: `note, warning from 10% of claimed visits`.
  public var severityText: String {
    let parts = levels.sorted { $0.key < $1.key }.map { severity, share in
      share == 0 ? severity.rawValue : "\(severity.rawValue) from \(Self.percent(share))"
    }
    let isMeasured = levels.values.contains { $0 > 0 }
    return parts.joined(separator: ", ") + (whole.map { isMeasured ? " of \($0)" : "" } ?? "")
      + (exception.map { "; " + $0 } ?? "")
  }

  /// A share in hundredths of a percent as people write it.
  private static func percent(_ share: BasisPoints) -> String {
    let (whole, rest) = (share / 100, share % 100)
    let decimals = rest % 10 == 0 ? "\(rest / 10)" : "\(rest / 10)\(rest % 10)"
    return rest == 0 ? "\(whole)%" : "\(whole).\(decimals)%"
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

  /// Kinds of diagnostics about the same subject, which is their heading.
  ///
  /// Documents list the kinds in this order.
  public typealias Group = (origin: Origin, title: String, kinds: [DiagnosticKind])

  /// The groups, in the order in which documents list them.
  public let groups: [Group]

  package init(_ groups: [Group]) { self.groups = groups }

  /// Creates a catalog of one origin from groups by title.
  package init(_ origin: Origin, _ groups: KeyValuePairs<String, [DiagnosticKind]>) {
    self.groups = groups.map { (origin, $0.key, $0.value) }
  }

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
  public static let lint = DiagnosticCatalog(
    .lint,
    [
      "The text": DiagnosticKind.syntaxKinds + [
        .tooLarge, .signed, .signedUnreadable, .notAFile, .template,
      ],
      "Names and types of members": [
        .duplicateKey, .misspeltKey, .misplacedKey, .patternAsKey, .unknownKey, .wrongType,
        .booleanAsText,
      ],
      "Services and entries": [
        .noLinks, .emptyDetails, .objectDetails, .singleEntry, .keyedEntry, .appsNotEmpty, .appClip,
        .noApp, .appIDAndAppIDs, .noRules, .emptyRules, .nothingClaimed, .pathsAndComponents,
        .mixedGenerations,
      ],
      "Apps": [
        .appIDPrefix, .placeholderApp, .malformedApp, .numericPrefix, .otherSpelling, .duplicateApp,
      ],
      "Rules": [.unconstrained, .requiredEntitlement, .exclusionPrefix],
      "Patterns": [
        .unencoded, .htmlEntity, .lowerCaseEscape, .strayPercent, .escapeWhenDecoded, .backslash,
        .oneLetterPath, .severalPatterns, .fragmentInPath, .queryInPath, .hostInPath, .withoutSlash,
        .questionMark, .routerParameter, .regularExpression, .alternatives, .queryValueType,
        .queryMark, .fragmentMark, .itemAlways, .itemOneCharacter, .itemNameWildcard,
      ],
      "Variables": [
        .unknownVariable, .unclosedVariable, .variableSyntax, .variableWithoutValues, .droppedValue,
        .unusedVariable,
      ],
      "What rules decide": DiagnosticKind.reachKinds,
      "Systems": [.needsLaterSystem],
      "Entitlements": [
        .noDomains, .malformedDomain, .hostMissing, .wwwHost, .apexByWildcard, .modeLeft,
        .appNotNamed, .hostWithoutFile, .duplicateDomain,
      ],
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

/// A share of a whole in hundredths of a percent; 0 means any share.
public typealias BasisPoints = Int

/// The least share of a whole that has a severity, for each severity that can be reached.
public typealias SeverityLevels = [Severity: BasisPoints]

extension SeverityLevels {
  /// Returns the severity of a part of a whole, or `nil` if the part is below all levels.
  package func severity(of part: Int, in whole: Int) -> Severity? {
    guard part > 0 else { return nil }
    return Severity.allCases.reversed().first { severity in
      guard let share = self[severity] else { return false }
      // Whole numbers of twice the width: the same on every machine, and without overflow.
      let (high, low) = part.multipliedFullWidth(by: 10_000)
      let (leastHigh, leastLow) = share.multipliedFullWidth(by: Swift.max(whole, 1))
      return (high, low) >= (leastHigh, leastLow)
    }
  }
}
