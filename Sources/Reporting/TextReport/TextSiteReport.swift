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

  /// The number of pages that are shown with a banner of their own.
  private static let bannerLimit = 3

  func lines() -> [String] {
    summary() + verdicts()
      + style.note(
        "A claimed visit in a log did not open the app: when the app opens, the server gets no "
          + "request.")
      + ["", style.bold("Findings")] + findings.rows()
      + TextDays(site: site, style: style).lines()
      + (site.causes.isEmpty ? [] : TextCauses(site: site, style: style).lines(limit: .max))
      + referrals()
      + report.lines(of: Report.sameHostReferrals, site: site, style: style)
      + sameHostFixes() + rules()
      + Report.coverageTables.flatMap { report.lines(of: $0, site: site, style: style) }
      + shadowed() + delivery()
  }

  // MARK: - Summary

  /// The first lines about a site: what matters at a glance.
  private func summary() -> [String] {
    let filter = report.audit.filter
    let comparison = report.audit.comparison(of: findings.findings, gone: findings.gone.count)
    return [style.bold(SafeText.escaped(site.host)) + (site.days.period.map { ", " + $0 } ?? "")]
      + filter.words(for: site.total).wrapped(width: style.width, indent: "")
      + filter.lines + (findings.findings.isEmpty ? [] : [counts])
      + (comparison.map { [$0] } ?? []) + [""]
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
  private func verdicts() -> [String] {
    var table = TextShares("verdict", of: site.total, style: style)
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

  // MARK: - Links

  private func referrals() -> [String] {
    let picture = TextCauses(site: site, style: style).referrals()
    if picture.isEmpty { return [] }
    return picture + style.note("Links between pages of the same host never open the app.")
      + (site.lacksReferrers ? style.note(SiteAudit.withoutReferrers) : [])
  }

  /// The ways to let links on the same host open the app, with text to paste.
  private func sameHostFixes() -> [String] {
    let fixes = site.sameHostFixes
    guard let first = fixes.first else { return [] }
    var lines = ["", style.bold("To let links on the same host open the app")]
    let all = fixes.reduce(0) { $0 + $1.visits }
    lines += paragraph(
      "1. Link to a second host (\(all.counted("visit"))). Serve the same association file at")
    lines += code("https://\(first.secondHost)/.well-known/apple-app-site-association")
    lines += paragraph("add this entry to the app's associated domains,", indent: "     ")
    lines += code(first.entitlement)
    if let link = first.secondHostExample {
      lines += paragraph(
        "and link to it on pages like \(SafeText.escaped(first.page)):", indent: "     ")
      lines += code(link)
    }
    lines += paragraph("2. Or offer the app with a smart app banner.")
    for fix in fixes.prefix(Self.bannerLimit) {
      guard let banner = fix.banner else { continue }
      let name = "On pages like \(SafeText.escaped(fix.page)) (\(fix.visits.counted("visit")))"
      if fix.showsBanner {
        lines +=
          paragraph("\(name):", indent: "     ")
          // A tag may end its lines between attributes.
          + banner.replacing(" content=", with: "\ncontent=").split(separator: "\n")
          .flatMap { code(String($0)) }
      } else {
        lines += paragraph(
          "\(name), no rule claims the page, so Safari shows no banner.", indent: "     ")
      }
    }
    return lines
  }

  private func paragraph(_ text: String, indent: String = "  ") -> [String] {
    text.wrapped(width: style.width, indent: indent)
  }

  /// A line to paste, which is never wrapped.
  private func code(_ text: String) -> [String] { ["      " + SafeText.escaped(text)] }

  // MARK: - Rules

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
      lines += style.more(group.apps.count, top: top)
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
      lines += style.note("(fragment) depends on the fragment, which never reaches a server")
    }
    return lines
  }

  /// Returns lines about the rules that lose requests to earlier rules.
  private func shadowed() -> [String] {
    let rows = site.distinctShadows.sorted {
      $0.traffic.isHeavier(than: $1.traffic, by: report.audit.weight)
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

  // MARK: - Delivery

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
      lines += style.note(fetcher.sentence)
    }
    for file in DeliverySource.allCases.compactMap({ site.servedFiles.current(of: $0) }) {
      lines += style.note(file.sentence)
    }
    return lines
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
