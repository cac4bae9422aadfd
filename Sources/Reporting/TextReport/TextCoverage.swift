internal import LinkAuditing
internal import UniversalLinks

/// The tables of a text report that say how rules, routes, and pages fit.
struct TextCoverage {
  let report: Report
  let site: SiteAudit
  let style: Style

  private var top: Int { report.textTop }

  func lines() -> [String] {
    Report.coverageTables.flatMap { report.lines(of: $0, site: site, style: style) } + shadowed()
  }

  /// Returns lines about the rules that lose requests to earlier rules.
  private func shadowed() -> [String] {
    let rows = site.distinctShadows.sorted {
      $1.traffic.isLighter(than: $0.traffic, by: report.audit.weight)
    }
    guard !rows.isEmpty else { return [] }
    let half = (style.width - 24) / 2
    var table = TextTable([.right, .right, .left, .left])
    table.add(["visits", "requests", "that match", "but were decided by"])
    for row in rows.prefix(top) {
      table.add([
        row.traffic.visits.grouped, row.traffic.requests.grouped,
        name(row.rule).shortened(to: half), name(row.decider),
      ])
    }
    return ["", style.bold("Rules that others shadow")]
      + table.lines(flexible: 3, width: style.width) + style.more(rows.count, top: top)
  }

  private func name(_ rule: ReportedRule) -> String {
    SafeText.escaped("\(rule.version.mark)\(rule.id.text) \(rule.signedPattern)")
  }
}

extension ReadablePath {
  /// The path as terminals can show it.
  static func shown(_ path: String) -> String { SafeText.escaped(text(path)) }
}

extension SiteVersion? {
  /// The version before a rule, if there are several.
  var mark: String { map { "v\($0.number) " } ?? "" }
}
