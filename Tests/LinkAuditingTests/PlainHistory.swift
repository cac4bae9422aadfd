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

  /// The path group of each path and of each referring page.
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

  /// Returns a Boolean value indicating whether an audit has the same results.
  func isSame(as whole: SiteAudit) -> Bool {
    whole.verdicts == sum(\.verdicts) && whole.platforms == sum(\.platforms)
      && whole.referrals == sum(\.referrals) && days == days(of: [whole])
      && appsAreSame(as: whole) && pairs == pairs(of: whole)
      && rows(\.claimedNotImplemented) == rows(whole.coverage.claimedNotImplemented)
      && rows(\.excludedHeavy) == rows(whole.coverage.excludedHeavy)
      && rows(\.unclaimedHeavy) == rows(whole.coverage.unclaimedHeavy)
      && rows(\.olderSystems) == rows(whole.coverage.olderSystems)
      && routes(\.implementedNotClaimed) == rows(whole.coverage.implementedNotClaimed)
      && routes(\.implementedButExcluded) == rows(whole.coverage.implementedButExcluded)
      && answers(\.claimedBroken) == answers(whole.coverage.claimedBroken)
      && answers(\.claimedRedirected) == answers(whole.coverage.claimedRedirected)
      && Set(whole.coverage.unvisitedRoutes)
        == parts.dropFirst().reduce(Set(parts[0].coverage.unvisitedRoutes)) {
          $0.intersection($1.coverage.unvisitedRoutes)
        }
  }

  private func sum<Key>(_ traffic: (SiteAudit) -> [Key: Traffic]) -> [Key: Traffic] {
    parts.reduce(into: [:]) { $0.merge(traffic($1), uniquingKeysWith: +) }
  }

  private var days: [String] { days(of: parts) }

  private func days(of audits: [SiteAudit]) -> [String] {
    audits.flatMap(\.days).sorted {
      ($0.day?.daysSince1970 ?? -1) < ($1.day?.daysSince1970 ?? -1)
    }.map { day in
      "\(day.day?.description ?? "-") \(day.sameHost) "
        + Verdict.allCases.map { "\(day.verdicts[$0] ?? Traffic())" }.joined()
    }
  }

  private func appsAreSame(as whole: SiteAudit) -> Bool {
    let named = Set(parts.filter { $0.total.requests > 0 }.flatMap(\.apps).map(\.app))
    guard named.isSubset(of: Set(whole.apps.map(\.app))) else { return false }
    return whole.apps.allSatisfy { app in
      app.verdicts
        == sum { part in
          if let own = part.apps.first(where: { $0.app == app.app }) { return own.verdicts }
          let ineligible = part.verdicts[.ineligible] ?? Traffic()
          return [
            .claimed: Traffic(), .excluded: Traffic(), .unclaimed: part.total - ineligible,
            .ineligible: ineligible,
          ]
        }
    }
  }

  private var pairs: [[String]: Int] {
    parts.flatMap(\.sameHostReferrals).reduce(into: [:]) { sums, pair in
      sums[[groups["from " + pair.from] ?? "", groups[pair.to] ?? ""], default: 0] +=
        pair.visits
    }
  }

  private func pairs(of whole: SiteAudit) -> [[String]: Int] {
    Dictionary(whole.sameHostReferrals.map { ([$0.from, $0.to], $0.visits) }, uniquingKeysWith: +)
  }

  private func rows(_ rows: (Coverage) -> [PathGroupTraffic]) -> [String: Traffic] {
    parts.flatMap { rows($0.coverage) }.reduce(into: [:]) { sums, row in
      sums[groups[row.path] ?? "", default: Traffic()] += row.traffic
    }
  }

  private func routes(_ rows: (Coverage) -> [PathGroupTraffic]) -> [String: Traffic] {
    parts.flatMap { rows($0.coverage) }.reduce(into: [:]) { sums, row in
      sums[row.path, default: Traffic()] += row.traffic
    }
  }

  private func rows(_ rows: [PathGroupTraffic]) -> [String: Traffic] {
    Dictionary(rows.map { ($0.path, $0.traffic) }, uniquingKeysWith: +)
  }

  private func answers(_ rows: (Coverage) -> [AnsweredTraffic]) -> [String: Int] {
    answers(
      parts.flatMap { rows($0.coverage) }.map { row in
        var row = row
        row.path = groups[row.path] ?? ""
        return row
      })
  }

  private func answers(_ rows: [AnsweredTraffic]) -> [String: Int] {
    rows.reduce(into: [:]) { sums, row in
      sums["\(row.path) attempts", default: 0] += row.attempts
      sums["\(row.path) visits", default: 0] += row.visits
      for status in row.statuses {
        sums["\(row.path) \(status.status)", default: 0] += status.requests
      }
    }
  }

  /// All results of a list of rules, except its version.
  static func text(_ list: RuleListTraffic) -> String {
    var list = list
    for index in list.rules.indices { list.rules[index].rule.version = nil }
    return String(describing: list)
  }
}
