/// Something that deserves attention.
public struct Finding: Hashable, Sendable {
  /// How much a finding matters.
  public enum Severity: String, CaseIterable, Hashable, Comparable, Sendable {
    /// Worth knowing.
    case note

    /// Costs visits, or will.
    case warning

    /// Links don't work, or the figures can't be trusted.
    case error

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

  /// The kinds of findings, by names that are stable: monitors may rely on them.
  public enum Code: String, CaseIterable, Hashable, Sendable {
    case inputIncomplete = "input-incomplete"
    case noRequests = "no-requests"
    case noUserAgents = "no-user-agents"
    case linesRejected = "lines-rejected"
    case otherHosts = "other-hosts"
    case noUsableRules = "no-usable-rules"
    case fileTooLarge = "file-too-large"
    case matchesEverything = "matches-everything"
    case oldSystems = "old-systems"
    case fileNotServed = "file-not-served"
    case fileNotFetched = "file-not-fetched"
    case sameHostLinks = "same-host-links"
    case claimedNotImplemented = "claimed-not-implemented"
    case claimedBroken = "claimed-broken"
    case claimedRedirected = "claimed-redirected"
    case implementedNotClaimed = "implemented-not-claimed"
    case implementedButExcluded = "implemented-but-excluded"
    case excludedHeavy = "excluded-heavy"
    case unclaimedHeavy = "unclaimed-heavy"
    case ruleShadowed = "rule-shadowed"
    case ruleUnused = "rule-unused"
    case fragmentDependent = "fragment-dependent"
    case claimsLost = "claims-lost"
    case claimsGained = "claims-gained"
    case claimedWithoutRoute = "claimed-without-route"
    case opensAnotherApp = "opens-another-app"
    case ruleNewlyShadowed = "rule-newly-shadowed"
    case addedRuleUnused = "added-rule-unused"
  }

  /// What it is called among people.
  public var title: String { FindingCatalog.kind(code)?.title ?? code.rawValue }

  /// What a finding rests on: the heaviest few of each kind.
  public struct Evidence: Hashable, Sendable {
    /// The rules concerned, with their places in the file.
    public var rules: [RuleReference] = []

    /// The families of paths, or the routes, with samples of targets.
    public var paths: [FamilyTraffic] = []

    /// The pages from and to which visits went.
    public var pairs: [PagePair] = []

    /// The logs concerned, by their paths.
    public var logs: [String] = []

    /// Creates evidence of which there is none yet.
    public init() {}

    /// How many of a kind are kept.
    static let limit = 5
  }

  /// What kind of finding it is.
  public var code: Code

  /// How much it matters.
  public var severity: Severity

  /// The site, or `nil` if it concerns the input.
  public var host: String?

  /// What was found, in a sentence or two; text from logs is percent-encoded.
  public var message: String

  /// The traffic that is concerned.
  public var traffic = Traffic()

  /// What it rests on.
  public var evidence = Evidence()

  /// What to do about it, in a sentence or two.
  public var remedy: String
}
