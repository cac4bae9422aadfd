internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

/// The part of a text report that is about one site.
struct TextSiteReport {
  let site: SiteAudit
  let findings: TextFindings
  let filter: TrafficFilter
  let top: Int
  let style: Style

  func lines() -> [String] {
    header() + verdicts() + referrals() + ["", style.bold("Findings")] + findings.rows()
      + pairs() + rules() + coverage() + delivery()
  }

  private func header() -> [String] {
    let total = site.total
    var period = ""
    let days = site.days.compactMap(\.day)
    if let first = days.min(), let last = days.max() {
      period = first == last ? ", \(first)" : ", \(first) to \(last)"
    }
    return [
      style.bold(SafeText.escaped(site.host)) + period,
      "\(total.requests.counted("request")), of which \(total.visits.grouped) "
        + "\(total.visits == 1 ? "is a visit" : "are visits"): pages opened on Apple devices"
        + (filter.includesBots ? " or by bots" : ""),
    ] + filter.lines
  }

  private func verdicts() -> [String] {
    var table = TextTable([.left, .left, .right, .right, .right, .right])
    table.add(["", "", "visits", "", "requests", ""])
    for verdict in Verdict.allCases {
      let traffic = site.verdicts[verdict] ?? Traffic()
      table.add(row(verdict.rawValue, traffic, of: site.total))
    }
    return ["", style.bold("Verdicts")] + table.lines(flexible: 1)
      + note(
        "A claimed visit in a log is a visit that did not open the app: when the app opens, "
          + "the server is not asked.")
  }

  private func referrals() -> [String] {
    let claimed = site.verdicts[.claimed] ?? Traffic()
    guard claimed.requests > 0 else { return [] }
    var table = TextTable([.left, .left, .right, .right, .right, .right])
    table.add(["", "", "visits", "", "requests", ""])
    for referral in Referral.allCases {
      table.add(row(referral.label, site.referrals[referral] ?? Traffic(), of: claimed))
    }
    return ["", style.bold("Where claimed visits came from")] + table.lines(flexible: 1)
      + note("Links between pages of the same host never open the app.")
  }

  /// A row with a bar of the share of visits, or of requests if there are no
  /// visits at all.
  private func row(_ name: String, _ traffic: Traffic, of whole: Traffic) -> [String] {
    let bar =
      whole.visits > 0
      ? Self.bar(traffic.visits, of: whole.visits)
      : Self.bar(traffic.requests, of: whole.requests)
    return [
      name, bar, traffic.visits.grouped, traffic.visits.percent(of: whole.visits),
      traffic.requests.grouped, traffic.requests.percent(of: whole.requests),
    ]
  }

  private static let barWidth = 20

  /// A bar of up to 20 characters, in steps of an eighth of one.
  private static func bar(_ part: Int, of whole: Int) -> String {
    guard whole > 0, part > 0 else { return String(repeating: " ", count: barWidth) }
    let eighths = max(1, (part * barWidth * 8 + whole / 2) / whole)
    let partial = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
    let bar = String(repeating: "█", count: eighths / 8) + partial
    return bar + String(repeating: " ", count: max(0, barWidth - bar.count))
  }

  private func pairs() -> [String] {
    guard !site.sameHostReferrals.isEmpty else { return [] }
    var table = TextTable([.right, .left, .left])
    table.add(["visits", "from a page like", "to a page like"])
    for pair in site.sameHostReferrals.prefix(top) {
      table.add([
        pair.visits.grouped, display(pair.from).shortened(to: 32),
        display(pair.to).shortened(to: 32),
      ])
    }
    return ["", style.bold("Same-host links to claimed pages")] + table.lines(flexible: 1)
      + more(site.sameHostReferrals.count)
  }

  private func rules() -> [String] {
    guard !site.ruleLists.isEmpty else { return [] }
    var lines = ["", style.bold("Rules")]
    for group in site.ruleLists {
      lines += group.apps.prefix(top).map { "  " + style.bold(SafeText.escaped($0.text)) }
      lines += more(group.apps.count)
      var table = TextTable([.right, .left, .left, .right, .right, .right])
      table.add(["rule", "", "pattern", "visits", "requests", "shadowed"])
      for rule in group.rules {
        let name = [rule.place.text, rule.rule.map(String.init) ?? "-"].joined(separator: ".")
        let mark = rule.isFragmentDependent ? " *" : ""
        table.add([
          SafeText.escaped(name).shortened(to: 12), rule.excludes ? "not" : "",
          SafeText.escaped(rule.pattern) + mark, rule.traffic.visits.grouped,
          rule.traffic.requests.grouped, rule.shadowed.grouped,
        ])
      }
      lines += table.lines(flexible: 2)
    }
    if site.ruleLists.contains(where: { $0.rules.contains(where: \.isFragmentDependent) }) {
      lines += note("* depends on the fragment, which never reaches a server")
    }
    return lines
  }

  private func coverage() -> [String] {
    let coverage = site.coverage
    return families(
      "Claimed, but the app has no route", coverage.claimedNotImplemented, showsRule: true)
      + families("The app has a route, but no rule claims it", coverage.implementedNotClaimed)
      + families("Excluded", coverage.excludedHeavy, showsRule: true)
      + families("Claimed by no rule", coverage.unclaimedHeavy)
  }

  private func families(
    _ title: String, _ rows: [FamilyTraffic], showsRule: Bool = false
  ) -> [String] {
    guard !rows.isEmpty else { return [] }
    var table = TextTable(
      showsRule ? [.right, .right, .left, .left] : [.right, .right, .left])
    table.add(["visits", "requests", "paths like"] + (showsRule ? ["by rule"] : []))
    for row in rows.prefix(top) {
      let rule = row.rule.map { SafeText.escaped($0.pattern).shortened(to: 24) } ?? ""
      table.add(
        [row.traffic.visits.grouped, row.traffic.requests.grouped, display(row.path)]
          + (showsRule ? [rule] : []))
    }
    return ["", style.bold(title)] + table.lines(flexible: 2) + more(rows.count)
  }

  private func delivery() -> [String] {
    guard !site.fetches.isEmpty else { return [] }
    var lines = ["", style.bold("Fetches of the association file")]
    for path in Set(site.fetches.map(\.path)).sorted() {
      lines.append("  \(path)")
      var table = TextTable([.left, .right, .right, .left])
      table.add(["fetcher", "status", "requests", "last"])
      for fetch in site.fetches where fetch.path == path {
        table.add([
          fetch.fetcher.rawValue, String(fetch.status), fetch.requests.grouped,
          fetch.last?.description ?? "",
        ])
      }
      lines += table.lines(flexible: 0)
    }
    return lines
  }

  private func more(_ count: Int) -> [String] {
    count > top ? ["  … and \((count - top).grouped) more (--top)"] : []
  }

  private func note(_ text: String) -> [String] {
    text.wrapped(width: TextTable.width, indent: "  ").map(style.dim)
  }

  private func display(_ path: String) -> String { SafeText.escaped(path) }
}

extension Referral {
  /// The referral in words.
  fileprivate var label: String {
    switch self {
    case .sameHost: "the same host"
    case .otherHost: "another host"
    case .none: "unknown"
    }
  }
}
