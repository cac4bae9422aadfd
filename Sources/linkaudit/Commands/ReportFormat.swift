internal import ArgumentParser

/// The forms of a report.
enum ReportFormat: String, CaseIterable, ExpressibleByArgument {
  case text
  case json
  case csv
  case html
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
}
