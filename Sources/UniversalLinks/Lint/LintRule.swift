/// A kind of mistakes in association files.
///
/// Each kind stands beside the check that finds it, under `Checks`. Documentation/Lint.md
/// is made from ``all``.
public struct LintRule: Hashable, Sendable {
  /// How much a mistake matters.
  public enum Severity: String, CaseIterable, Comparable, Sendable {
    /// Worth knowing; the file works.
    case note

    /// The file does something else than it seems to say, or will on some systems.
    case warning

    /// The file, or what was meant by a part of it, does not work.
    case error

    /// Whether the first severity is less serious.
    public static func < (first: Severity, second: Severity) -> Bool {
      first.rank < second.rank
    }

    private var rank: Int {
      switch self {
      case .note: 0
      case .warning: 1
      case .error: 2
      }
    }
  }

  /// Text with the mistake, or as it should be.
  public enum Example: Hashable, Sendable {
    /// A whole file.
    case file(String)

    /// Members of `applinks`.
    case links(String)

    /// Members of an entry, which names an app unless they do.
    case entry(String)

    /// Elements of `components`.
    case components(String)

    /// Elements of `paths`.
    case paths(String)

    /// The values of `com.apple.developer.associated-domains`, as a JSON array.
    case domains(String)
  }

  /// The name that scripts may rely on.
  public let code: String

  /// How much it matters as a rule.
  public let severity: Severity

  /// When it matters more or less, in words that follow a semicolon, or `nil`.
  public let exception: String?

  /// What it is called among people.
  public let title: String

  /// Why it matters, in a sentence or two.
  public let meaning: String

  /// How to mend it, in a sentence or two.
  public let remedy: String

  /// An example with the mistake.
  public let example: Example?

  /// The example as it should be, or `nil` if there is none.
  public let mended: Example?

  init(
    _ code: String, _ severity: Severity, except exception: String? = nil, _ title: String,
    meaning: String, remedy: String, example: Example?, mended: Example? = nil
  ) {
    self.code = code
    self.severity = severity
    self.exception = exception
    self.title = title
    self.meaning = meaning
    self.remedy = remedy
    self.example = example
    self.mended = mended
  }

  /// Whether both have the same code.
  public static func == (first: Self, second: Self) -> Bool { first.code == second.code }

  /// Feeds the code into a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension LintRule {
  /// What rules are about.
  public struct Group: Sendable {
    /// What it is called among people.
    public let title: String

    /// The rules.
    public let rules: [LintRule]
  }

  /// All rules by what they are about.
  public static let groups: [Group] = [
    Group(title: "The text", rules: SyntaxCheck.rules + ContentCheck.rules),
    Group(title: "Names and types of members", rules: MemberCheck.rules),
    Group(title: "Services and entries", rules: LinksCheck.rules + EntryCheck.rules),
    Group(title: "Apps", rules: ApplicationIdentifierCheck.rules),
    Group(title: "Rules", rules: ComponentCheck.rules + PathsCheck.rules),
    Group(
      title: "Patterns",
      rules: PatternCheck.rules + PathPatternCheck.rules + RouterSyntaxCheck.rules
        + QueryCheck.rules),
    Group(title: "Variables", rules: VariableCheck.rules),
    Group(title: "What rules decide", rules: ReachabilityCheck.rules),
    Group(title: "Systems", rules: SystemReleaseCheck.rules),
    Group(title: "Entitlements", rules: EntitlementsCheck.rules),
  ]

  /// All rules.
  public static let all: [LintRule] = groups.flatMap(\.rules)
}
