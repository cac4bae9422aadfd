import TestSupport
import TrafficDigest
import UniversalLinks

@testable import Foundations
@testable import LinkAuditing

/// The audits of several versions of a file, added up for clarity, not speed.
///
/// Each version is judged alone, with its own days and with unfolded paths.
struct PlainHistory {
  private let parts: [SiteAudit]

  /// The path group of each path and, after `from`, of each referring page.
  private var groups: [String: String] = [:]

  init(
    _ parts: [SiteAudit], of digest: TrafficDigest, _ options: AuditOptions, routes: PlainRoutes
  ) throws {
    self.parts = parts
    /// A path's template, whose beginning a route can name.
    func template(_ path: String, fold: (String) -> String = { $0 }) -> String {
      let group = routes.group(path: path, query: "")
      return group.text.replacing("/", with: PlainPathGroups.joint) + fold(group.rest)
    }
    var templates: [String: String] = [:]
    for record in try digest.records()
    where record.host == parts[0].host && record.target.first == UInt8(ascii: "/")
      && options.filter.lets(record.dimensions)
    {
      var url = LinkURL()
      url.setTarget(record.target.span)
      let path = String(decoding: url.encodedPath, as: UTF8.self)
      templates[path] = template(path) { rest in
        var folded: [UInt8] = []
        PathTemplate.append(folding: Array(rest.utf8).span, to: &folded)
        return String(decoding: folded, as: UTF8.self)
      }
    }
    for pair in parts.flatMap(\.sameHostReferrals) {
      templates["from " + pair.from] = template(pair.from)
    }
    let names = templates.keys.sorted()
    let folded = PlainPathGroups.groups(names.map { templates[$0] ?? "" }, fanOut: options.fanOut)
    groups = Dictionary(uniqueKeysWithValues: zip(names, folded))
  }

  func isSame(as whole: SiteAudit) -> Bool {
    let figures = Self.figures(of: parts) { groups[$0] ?? "" }
    let wholeFigures = Self.figures(of: [whole]) { String($0.trimmingPrefix("from ")) }
    return whole.verdicts.byCase == sum(\.verdicts) && whole.platforms.byCase == sum(\.platforms)
      && whole.referrals.byCase == sum(\.referrals) && appsAreSame(as: whole)
      && Self.days(of: parts) == Self.days(of: [whole]) && figures == wholeFigures
      && Set(whole.coverage.unvisitedRoutes)
        == parts.dropFirst().reduce(Set(parts[0].coverage.unvisitedRoutes)) {
          $0.intersection($1.coverage.unvisitedRoutes)
        }
  }

  private func sum<Key>(_ traffic: (SiteAudit) -> CaseCounts<Key>) -> [Key: Traffic] {
    parts.reduce(into: [:]) { $0.merge(traffic($1).byCase, uniquingKeysWith: +) }
  }

  private static func days(of audits: [SiteAudit]) -> [String] {
    audits.flatMap(\.days).sorted {
      ($0.day?.daysSince1970 ?? -1) < ($1.day?.daysSince1970 ?? -1)
    }.map { day in
      "\(day.day?.description ?? "-") \(day.sameHost) "
        + Verdict.allCases.map { "\(day.verdicts[$0])" }.joined()
    }
  }

  private func appsAreSame(as whole: SiteAudit) -> Bool {
    let named = Set(parts.filter { $0.total.requests > 0 }.flatMap(\.apps).map(\.app))
    guard named.isSubset(of: Set(whole.apps.map(\.app))) else { return false }
    return whole.apps.allSatisfy { app in
      app.verdicts.byCase
        == sum { part -> CaseCounts<Verdict> in
          if let own = part.apps.first(where: { $0.app == app.app }) { return own.verdicts }
          var verdicts = CaseCounts<Verdict>()
          verdicts[.ineligible] = part.verdicts[.ineligible]
          verdicts[.unclaimed] = part.total - verdicts[.ineligible]
          return verdicts
        }
    }
  }

  /// The figures of all path groups and routes, given the path group of each path.
  private static func figures(
    of audits: [SiteAudit], group: (String) -> String
  ) -> [String: Traffic] {
    var sums: [String: Traffic] = [:]
    for audit in audits {
      for pair in audit.sameHostReferrals {
        let name = "\(group("from " + pair.from)) \(group(pair.to))"
        sums[name, default: Traffic()] += Traffic(visits: pair.visits)
      }
      let coverage = audit.coverage
      let tables: [(name: String, rows: [PathGroupTraffic])] = [
        ("not implemented", coverage.claimedNotImplemented),
        ("excluded", coverage.excludedHeavy), ("unclaimed", coverage.unclaimedHeavy),
        ("older systems", coverage.olderSystems), ("route", coverage.implementedNotClaimed),
        ("route excluded", coverage.implementedButExcluded),
        ("broken", coverage.claimedBroken), ("redirected", coverage.claimedRedirected),
      ]
      for (table, rows) in tables {
        for row in rows {
          let name = "\(table) \(table.hasPrefix("route") ? row.path : group(row.path))"
          sums[name, default: Traffic()] += row.traffic
          sums[name + " attempts", default: Traffic()] += Traffic(requests: row.attempts)
          for (status, requests) in row.statuses {
            sums["\(name) \(status)", default: Traffic()] += Traffic(requests: requests)
          }
        }
      }
    }
    return sums
  }

  /// All results of a list of rules, except its version.
  static func text(_ list: RuleListTraffic) -> String {
    var list = list
    for index in list.rules.indices { list.rules[index].rule.version = nil }
    return String(describing: list)
  }
}
