internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

/// The first lines about a site: what matters at a glance.
struct TextSummary {
  let site: SiteAudit
  let findings: TextFindings
  let filter: TrafficFilter

  /// The comparison with an earlier report, or `nil` if none was requested.
  let comparison: String?
  let style: Style

  func lines() -> [String] {
    header() + [""] + table()
  }

  private func header() -> [String] {
    [style.bold(SafeText.escaped(site.host)) + (site.days.period.map { ", " + $0 } ?? "")]
      + filter.words(for: site.total).wrapped(width: style.width, indent: "")
      + filter.lines + (findings.findings.isEmpty ? [] : [counts])
      + (comparison.map { [$0] } ?? [])
  }

  /// The number of findings by severity.
  private var counts: String {
    let parts = Severity.allCases.reversed().compactMap { severity -> String? in
      let count = findings.findings.count { $0.severity == severity }
      return count == 0 ? nil : style.colored(count.counted(severity.rawValue), severity)
    }
    return "Findings: " + parts.joined(separator: ", ")
  }

  /// The verdicts, and below them which parts of theirs deserve attention.
  private func table() -> [String] {
    var table = TextShares(of: site.total, style: style)
    for (verdict, traffic) in site.verdicts.shown {
      table.add(verdict.rawValue, traffic)
      for (name, part) in parts(of: verdict) where part.requests > 0 {
        table.add("  " + name, part)
      }
    }
    return table.lines()
  }

  private func parts(of verdict: Verdict) -> [(String, Traffic)] {
    let coverage = site.coverage
    func sum(_ rows: [PathGroupTraffic]) -> Traffic { rows.reduce(Traffic()) { $0 + $1.traffic } }
    switch verdict {
    case .claimed:
      return [
        ("from the same host", site.referrals[.sameHost] ?? Traffic()),
        ("without a route", sum(coverage.claimedNotImplemented)),
        (
          "redirected",
          coverage.claimedRedirected.reduce(Traffic()) {
            $0 + Traffic(requests: $1.requests, visits: $1.visits)
          }
        ),
        (
          "answered by an error",
          coverage.claimedBroken.reduce(Traffic()) { $0 + Traffic(requests: $1.requests) }
        ),
      ]
    case .excluded: return [("with a route", sum(coverage.implementedButExcluded))]
    case .unclaimed: return [("with a route", sum(coverage.implementedNotClaimed))]
    case .ineligible: return []
    }
  }
}

extension Style {
  /// Text in the color of a severity.
  func colored(_ text: String, _ severity: Severity) -> String {
    switch severity {
    case .error: red(text)
    case .warning: yellow(text)
    case .note: blue(text)
    }
  }
}
