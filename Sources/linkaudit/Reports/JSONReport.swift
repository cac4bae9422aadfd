internal import AccessLogs
internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A report as JSON, for dashboards and tests.
struct JSONReport {
  let audit: Audit
  let digest: TrafficDigest

  /// The number of rows per table, or `nil` for all.
  let top: Int?

  func text() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let document = JSONDocument(
      input: input(), filters: filters(),
      clients: limited(digest.clients).map { count in
        .init(
          platform: count.platform.name, client: count.client.name,
          version: JSONNullable(count.systemVersion), requests: count.requests)
      }, sites: audit.sites.map(site),
      otherHosts: limited(audit.otherHosts).map { .init(host: $0.host, requests: $0.requests) },
      findings: audit.findings.map { finding in
        .init(
          code: finding.code.rawValue, severity: finding.severity.rawValue,
          host: JSONNullable(finding.host), message: finding.message,
          requests: finding.traffic.requests, visits: finding.traffic.visits)
      })
    let data = try encoder.encode(document)
    let text = SafeText.escapedJSON(String(decoding: data, as: UTF8.self))
    return try JSONFileList(files: digest.inputs).inserted(into: text) + "\n"
  }

  private func limited<Row>(_ rows: [Row]) -> [Row] {
    top.map { Array(rows.prefix($0)) } ?? rows
  }

  private func filters() -> JSONDocument.Filters? {
    guard audit.filter.isActive else { return nil }
    return JSONDocument.Filters(
      platforms: audit.filter.platformNames, statuses: audit.filter.statusNames,
      includeBots: audit.filter.includesBots)
  }

  private func input() -> JSONDocument.Input {
    let tally = digest.tally
    return JSONDocument.Input(
      lines: tally.lines, requests: tally.requests, rejected: tally.rejected,
      outside: tally.outside,
      rejectedByReason: Dictionary(
        uniqueKeysWithValues: RejectionReason.allCases.map {
          ($0.rawValue, digest.rejections[$0] ?? 0)
        }),
      rejectedLines: digest.rejectedLines.map {
        .init(reason: $0.reason.rawValue, path: $0.path, line: $0.line, offset: $0.offset)
      },
      from: JSONNullable(digest.times?.lowerBound.description),
      to: JSONNullable(digest.times?.upperBound.description))
  }

  private func site(_ site: SiteAudit) -> JSONDocument.Site {
    JSONDocument.Site(
      host: site.host, verdicts: traffic(site.verdicts) { $0.rawValue },
      apps: site.apps.map { app in
        .init(app: app.app.text, verdicts: traffic(app.verdicts) { $0.rawValue })
      },
      platforms: traffic(site.platforms) { $0.name },
      referrals: traffic(site.referrals) { $0.name },
      days: site.days.map { day in
        .init(
          day: JSONNullable(day.day?.description),
          verdicts: traffic(day.verdicts) { $0.rawValue },
          sameHost: JSONDocument.Amount(day.sameHost))
      },
      rules: site.ruleLists.flatMap { list in list.apps.flatMap { rules(list.rules, of: $0) } },
      sameHostReferrals: limited(site.sameHostReferrals).map {
        .init(from: $0.from, to: $0.to, visits: $0.visits)
      },
      coverage: JSONDocument.Coverage(
        claimedNotImplemented: families(site.coverage.claimedNotImplemented),
        excludedHeavy: families(site.coverage.excludedHeavy),
        unclaimedHeavy: families(site.coverage.unclaimedHeavy),
        implementedNotClaimed: families(site.coverage.implementedNotClaimed)),
      delivery: JSONDocument.Delivery(
        fetches: site.fetches.map { fetch in
          .init(
            fetcher: fetch.fetcher.rawValue, path: fetch.path, status: Int(fetch.status),
            requests: fetch.requests, last: JSONNullable(fetch.last?.description))
        }))
  }

  private func rules(
    _ rules: [RuleTraffic], of app: ApplicationIdentifier
  ) -> [JSONDocument.Rule] {
    rules.map { rule in
      JSONDocument.Rule(
        app: app.text, detail: JSONPlace(rule.place), list: rule.list.rawValue,
        rule: JSONNullable(rule.rule), pattern: rule.pattern, excludes: rule.excludes,
        requests: rule.traffic.requests, visits: rule.traffic.visits, shadowed: rule.shadowed,
        fragmentDependent: rule.isFragmentDependent)
    }
  }

  private func traffic<Key>(
    _ traffic: [Key: Traffic], name: (Key) -> String
  ) -> [String: JSONDocument.Amount] {
    Dictionary(
      uniqueKeysWithValues: traffic.map { (name($0.key), JSONDocument.Amount($0.value)) })
  }

  private func families(_ rows: [FamilyTraffic]) -> [JSONDocument.Family] {
    limited(rows).map { row in
      JSONDocument.Family(
        path: row.path, requests: row.traffic.requests, visits: row.traffic.visits,
        app: row.rule?.app.text, detail: row.rule.map { JSONPlace($0.place) },
        rule: row.rule.map { JSONNullable($0.rule) }, pattern: row.rule?.pattern)
    }
  }
}
