internal import UniversalLinks

extension ReportTable {
  /// The names of the columns; those that came later stand at the end.
  var columns: [String] {
    switch self {
    case .rules:
      ["host"] + Self.rule
        + ["requests", "visits", "shadowed", "fragmentDependent", "line", "column"]
    case .referrals: ["host", "from", "to", "visits"]
    case .claimedNotImplemented:
      Self.family + Self.decider + ["samples", "nearestRoute", "nearestRouteDifference"]
    case .excluded, .implementedButExcluded: Self.family + Self.decider + ["samples"]
    case .unclaimed, .implementedNotClaimed: Self.family + ["samples"]
    case .claimedBroken: Self.family + ["attempts", "statuses"] + Self.decider + ["samples"]
    case .claimedRedirected:
      Self.family + ["attempts", "statuses"] + Self.decider
        + ["samples", "destination", "destinationVerdict", "destinationVisits"]
    case .unvisitedRoutes: ["host", "route"]
    case .findings:
      [
        "host", "code", "severity", "message", "requests", "visits", "remedy", "line", "column",
        "samples",
      ]
    case .days:
      ["host", "day"]
        + Verdict.allCases.flatMap { ["\($0.rawValue)Requests", "\($0.rawValue)Visits"] }
        + ["sameHostRequests", "sameHostVisits"]
    case .clients: ["platform", "client", "version", "requests"]
    case .verdicts: ["host", "app", "verdict", "requests", "visits"]
    case .platforms: ["host", "platform", "requests", "visits"]
    case .referralKinds: ["host", "referral", "requests", "visits"]
    case .shadowed:
      ["host"] + Self.rule
        + [
          "line", "column", "byRule", "byPattern", "byExcludes", "byLine", "byColumn",
          "requests", "visits",
        ]
    case .delivery:
      [
        "host", "fetcher", "path", "status", "requests", "last", "first", "smallest", "largest",
      ]
    case .fetchers:
      [
        "host", "fetcher", "requests", "good", "first", "last", "lastGood", "goodDays",
        "greatestGap",
      ]
    case .inputs:
      ["path", "status", "offset", "format", "lines", "requests", "rejected", "outside"]
    case .rejected: ["reason", "lines"]
    case .rejectedLines: ["reason", "path", "line", "offset"]
    case .otherHosts: ["host", "requests"]
    case .dayPlatforms: ["host", "day", "platform", "requests", "visits"]
    case .dayReferralKinds: ["host", "day", "referral", "requests", "visits"]
    case .versions: ["host", "version", "from", "to", "file"]
    }
  }

  /// A Boolean value indicating whether rows name a rule.
  var namesRules: Bool {
    switch self {
    case .rules, .shadowed, .claimedNotImplemented, .excluded, .implementedButExcluded,
      .claimedBroken, .claimedRedirected:
      true
    default: false
    }
  }

  private static let rule = ["app", "detail", "list", "rule", "pattern", "excludes"]

  private static let family = ["host", "path", "requests", "visits"]

  /// The rule that decided for the most of a family.
  private static let decider = ["app", "detail", "rule", "pattern", "list", "line", "column"]
}
