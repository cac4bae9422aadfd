public import UniversalLinks

/// The comparison of the rules with the app's routes, the web's answers, and people's visits.
///
/// Rows are the heaviest first.
public struct Coverage: Hashable, Sendable {
  /// Path groups that the app claims and, by its routes, does not implement.
  public var claimedNotImplemented: [PathGroupTraffic] = []

  /// Routes of the app with traffic that no rule matches.
  public var implementedNotClaimed: [PathGroupTraffic] = []

  /// Routes of the app with traffic that rules exclude.
  public var implementedButExcluded: [PathGroupTraffic] = []

  /// Path groups that rules exclude.
  public var excludedHeavy: [PathGroupTraffic] = []

  /// Path groups that no rule matches on any system; see ``olderSystems``.
  public var unclaimedHeavy: [PathGroupTraffic] = []

  /// Path groups that no rule matches on iOS 12 and earlier, although newer systems read rules that
  /// decide.
  ///
  /// They have the traffic of iOS 12 and earlier, with those rules.
  public var olderSystems: [PathGroupTraffic] = []

  /// Path groups with visits but without a route, whose paths look like data for programs.
  public var dataPaths: [PathGroupTraffic] = []

  /// Claimed path groups that the web answers with 404, 410, or 5xx.
  public var claimedBroken: [AnsweredTraffic] = []

  /// Claimed path groups that the web redirects.
  public var claimedRedirected: [AnsweredTraffic] = []

  /// The routes without any request, in the order of their file.
  public var unvisitedRoutes: [String] = []
}

/// The traffic of a path group, or of a route.
public struct PathGroupTraffic: Hashable, Sendable {
  /// The path group, percent-encoded, or the route as its file spells it.
  public var path: String

  /// The traffic.
  public var traffic: Traffic

  /// The rule that decided most of it, or `nil` if none did.
  public var rule: ReportedRule?

  /// Up to three targets, percent-encoded: visited ones first, then short ones.
  public var samples: [String] = []
}

/// The claimed traffic of a path group that the web answered in a certain way.
public struct AnsweredTraffic: Hashable, Sendable {
  /// The kind of response.
  public enum Kind: CaseIterable, Hashable, Sendable {
    /// The page doesn't exist or couldn't be made: 404, 410, and 5xx.
    case broken

    /// The page is elsewhere: 301, 302, 303, 307, and 308.
    case redirected

    /// Returns a Boolean value indicating whether a status says so.
    public func contains(_ status: UInt16) -> Bool {
      switch self {
      case .broken: status == 404 || status == 410 || (500..<600).contains(status)
      case .redirected: [301, 302, 303, 307, 308].contains(status)
      }
    }
  }

  /// The path group, percent-encoded.
  public var path: String

  /// The number of requests with these statuses.
  public var requests: Int

  /// The number of visits among them: redirects can be visits, errors cannot.
  public var visits: Int

  /// The requests for a page from Apple devices, which would have been visits with another status.
  public var attempts: Int

  /// The requests by status, in ascending order of these.
  public var statuses: [StatusCount]

  /// The rule that claims the most of it.
  public var rule: ReportedRule?

  /// Up to three targets, percent-encoded.
  public var samples: [String]

  /// The probable destination of the visits: see ``RedirectDestination``.
  public var destination: RedirectDestination?
}

/// A number of requests with a status.
public struct StatusCount: Hashable, Sendable {
  /// The status of the response.
  public var status: UInt16

  /// The number of requests.
  public var requests: Int
}

/// A path group that the web serves, and to which another one seems to be redirected.
///
/// Logs don't record the destination of a redirect. This is a path group whose paths differ only in
/// the slash at the end or in letter case. It can also be the same path group, if only the host or
/// the scheme can differ.
public struct RedirectDestination: Hashable, Sendable {
  /// The path group, percent-encoded.
  public var path: String

  /// The verdict on the most of its visits.
  public var verdict: Verdict

  /// Its visits that received a page.
  public var visits: Int
}
