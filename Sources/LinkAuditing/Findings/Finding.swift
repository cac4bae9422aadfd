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
    case hostDoubtful = "host-doubtful"
    case formatDoubtful = "format-doubtful"
    case noUsableRules = "no-usable-rules"
    case fileTooLarge = "file-too-large"
    case noRoutes = "no-routes"
    case matchesEverything = "matches-everything"
    case oldSystems = "old-systems"
    case fileNotServed = "file-not-served"
    case fileRedirected = "file-redirected"
    case fileServedTooLarge = "file-served-too-large"
    case fileAskedAtRootOnly = "file-asked-at-root-only"
    case fileNotFetched = "file-not-fetched"
    case fileFetchesEnded = "file-fetches-ended"
    case fileFetchesFarApart = "file-fetches-far-apart"
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
    case appRemoved = "app-removed"
    case appClaimsLost = "app-claims-lost"
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

  /// What it is about where there can be several of a kind: an app, or an app and its rule;
  /// else empty.
  ///
  /// It has no figures, so that code, host and subject tell which finding of an earlier
  /// report is the same.
  public var subject = ""

  /// What was found, in a sentence or two; text from logs is percent-encoded.
  public var message: String

  /// The traffic that is concerned.
  public var traffic = Traffic()

  /// A share of a whole in millionths, rounded down.
  public typealias Millionths = Int

  /// What it is measured by, or `nil` if it is there or not, and nothing else.
  ///
  /// Where the severity is told by a share, this is it; else it is the share of what is
  /// wrong in all there is of the kind. Shares of reports about different spans of time can
  /// be compared, which counts can't.
  public var share: Millionths?

  /// What it rests on.
  public var evidence = Evidence()

  /// What to do about it, in a sentence or two.
  public var remedy: String

  /// How it compares with an earlier report, or `nil` if there is none.
  public var change: Change?

  /// How a finding compares with an earlier report.
  public enum Change: String, CaseIterable, Hashable, Sendable {
    /// The earlier report doesn't have it.
    case new

    /// It has a higher severity, or the same and a share greater by a tenth or more.
    case worse

    /// It has a lower severity, or the same and a share smaller by a tenth or more.
    case better

    /// It is as it was.
    case same
  }
}

extension Finding {
  /// The share of a part in a whole; more than nothing is never none.
  static func share(_ part: Int, of whole: Int) -> Millionths {
    guard part > 0, whole > 0 else { return 0 }
    let (high, low) = part.multipliedFullWidth(by: 1_000_000)
    guard part < whole else { return 1_000_000 }
    return max(1, whole.dividingFullWidth((high, low)).quotient)
  }
}
