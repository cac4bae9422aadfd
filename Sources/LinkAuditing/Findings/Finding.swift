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
    case noUsableRules = "no-usable-rules"
    case matchesEverything = "matches-everything"
    case fileTooLarge = "file-too-large"
    case fileNotServed = "file-not-served"
    case fileNotFetched = "file-not-fetched"
    case oldSystems = "old-systems"
    case sameHostLinks = "same-host-links"
    case claimedNotImplemented = "claimed-not-implemented"
    case implementedNotClaimed = "implemented-not-claimed"
    case excludedHeavy = "excluded-heavy"
    case ruleShadowed = "rule-shadowed"
    case ruleUnused = "rule-unused"
    case fragmentDependent = "fragment-dependent"
    case linesRejected = "lines-rejected"
    case otherHosts = "other-hosts"
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
  public var traffic: Traffic
}
