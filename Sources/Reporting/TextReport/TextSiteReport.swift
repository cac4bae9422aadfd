internal import Foundations
internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

/// The part of a text report that is about one site.
struct TextSiteReport {
  let report: Report
  let site: SiteAudit
  let findings: TextFindings
  let style: Style

  private var top: Int { report.textTop }

  func lines() -> [String] {
    TextSummary(
      site: site, findings: findings, filter: report.audit.filter,
      comparison: report.audit.comparison(of: findings.findings, gone: findings.gone.count),
      style: style
    ).lines()
      + note(
        "A claimed visit in a log did not open the app: when the app opens, the server gets no "
          + "request.")
      + ["", style.bold("Findings")] + findings.rows()
      + TextDays(site: site, style: style).lines()
      + (site.causes.isEmpty ? [] : TextCauses(site: site, style: style).lines(limit: .max))
      + referrals()
      + report.lines(of: Report.sameHostReferrals, site: site, style: style)
      + TextSameHostFixes(fixes: site.sameHostFixes, style: style).lines() + rules()
      + TextCoverage(report: report, site: site, style: style).lines() + delivery()
  }

  private func referrals() -> [String] {
    let picture = TextCauses(site: site, style: style).referrals()
    if picture.isEmpty { return [] }
    return picture + note("Links between pages of the same host never open the app.")
      + (site.lacksReferrers ? note(SiteAudit.withoutReferrers) : [])
  }

  private func rules() -> [String] {
    guard !site.ruleLists.isEmpty else { return [] }
    var lines = ["", style.bold("Rules") + style.countedFromZero]
    var version: SiteVersion?
    for group in site.ruleLists {
      if let next = group.version, next != version {
        lines += SafeText.escaped(next.title.capitalizedFirst)
          .wrapped(width: style.width, indent: "  ")
        version = next
      }
      lines += group.apps.prefix(top).map { "  " + style.bold(SafeText.escaped($0.text)) }
      lines += more(group.apps.count)
      var table = TextTable([.right, .left, .left, .right, .right, .right])
      table.add(["rule", "", "pattern", "visits", "requests", "shadowed"])
      for rule in group.rules {
        let mark = rule.rule.dependsOnFragment ? " (fragment)" : ""
        table.add([
          SafeText.escaped(rule.rule.id.text).shortened(to: 12), rule.rule.excludes ? "not" : "",
          SafeText.escaped(rule.rule.pattern) + mark, rule.traffic.visits.grouped,
          rule.traffic.requests.grouped, rule.shadowed.grouped,
        ])
      }
      lines += table.lines(flexible: 2, width: style.width)
    }
    if site.ruleLists.contains(where: { $0.rules.contains(where: \.rule.dependsOnFragment) }) {
      lines += note("(fragment) depends on the fragment, which never reaches a server")
    }
    return lines
  }

  private func delivery() -> [String] {
    guard !site.fetches.isEmpty || !site.servedFiles.isEmpty else { return [] }
    var lines = ["", style.bold("Delivery of the file")]
    for path in Set(site.fetches.map(\.path)).sorted() {
      lines.append("  \(SafeText.escaped(path))")
      var table = TextTable([.left, .right, .right, .right, .left])
      table.add(["client", "status", "requests", "bytes", "last"])
      for fetch in site.fetches where fetch.path == path {
        table.add([
          fetch.fetcher.title, String(fetch.status), fetch.requests.grouped,
          fetch.sizes?.groupedText ?? "", fetch.last?.description ?? "",
        ])
      }
      lines += table.lines(flexible: 0, width: style.width)
    }
    for fetcher in site.fetchers where fetcher.fetcher.isApple {
      lines += note(fetcher.sentence)
    }
    for file in DeliverySource.allCases.compactMap({ site.servedFiles.current(of: $0) }) {
      lines += note(file.sentence)
    }
    return lines
  }

  private func more(_ count: Int) -> [String] { style.more(count, top: top) }

  private func note(_ text: String) -> [String] {
    text.wrapped(width: style.width, indent: "  ").map(style.dim)
  }

}

extension ServedFile {
  /// The last check in a sentence.
  fileprivate var sentence: String {
    let span = checks == 1 ? "" : ", as in all \(checks.grouped) checks since \(first)"
    let end = certificateEnd.map { " Its certificate is valid until \($0.day)." } ?? ""
    return
      "\(source.name.capitalizedFirst) answered the check of \(last) with \(answer)\(span).\(end)"
  }
}

extension Referral {
  /// The referral in words.
  var label: String {
    switch self {
    case .sameHost: "the same host"
    case .otherHost: "another host"
    case .none: "no referrer"
    }
  }
}

extension Fetcher {
  /// The name of the fetcher.
  fileprivate var title: String { self == .other ? "others" : rawValue }
}

extension ClosedRange<Int> {
  /// The numbers in words: one, or the least and the greatest.
  var groupedText: String {
    lowerBound == upperBound
      ? lowerBound.grouped : "\(lowerBound.grouped)-\(upperBound.grouped)"
  }
}

extension FetcherDelivery {
  /// The delivery to the fetcher, in a sentence.
  var sentence: String {
    guard good > 0 else { return "\(fetcher.rawValue) did not get the file." }
    let days = goodDays > 0 ? " on \(goodDays.counted("day"))" : ""
    let gap =
      greatestGap.map { $0 > 1 ? ", at most \($0.counted("day")) of these logs apart" : "" } ?? ""
    let last = lastGood.map { ", last \($0)" } ?? ""
    return "\(fetcher.rawValue) got the file\(days)\(gap)\(last)."
  }
}
