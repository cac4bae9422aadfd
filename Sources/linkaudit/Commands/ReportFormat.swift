internal import ArgumentParser

/// The forms of a report.
enum ReportFormat: String, CaseIterable, ExpressibleByArgument {
  case text
  case json
  case csv
  case html
  case ndjson
  case openmetrics

  /// What the name of a file in this form ends with, behind a full stop.
  var filenameExtension: String {
    switch self {
    case .text: "txt"
    case .openmetrics: "prom"
    default: rawValue
    }
  }
}

/// The tables of a report in CSV.
enum ReportTable: String, CaseIterable, ExpressibleByArgument {
  case rules
  case referrals
  case claimedNotImplemented = "claimed-not-implemented"
  case excluded
  case unclaimed
  case implementedNotClaimed = "implemented-not-claimed"
  case findings
  case days
  case clients
  case verdicts
  case platforms
  case referralKinds = "referral-kinds"
  case implementedButExcluded = "implemented-but-excluded"
  case claimedBroken = "claimed-broken"
  case claimedRedirected = "claimed-redirected"
  case unvisitedRoutes = "unvisited-routes"
  case shadowed
  case delivery
  case fetchers
  case inputs
  case rejected
  case rejectedLines = "rejected-lines"
  case otherHosts = "other-hosts"
  case dayPlatforms = "day-platforms"
  case dayReferralKinds = "day-referral-kinds"
  case versions
}
