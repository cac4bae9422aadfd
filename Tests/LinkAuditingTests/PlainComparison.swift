import TestSupport
import TrafficDigest
import UniversalLinks

@testable import LinkAuditing

/// A comparison written for clarity, not speed: every record is evaluated under both files.
struct PlainComparison {
  private(set) var transitions: [Transition: Traffic] = [:]
  private(set) var opensAnotherApp = Traffic()
  private(set) var withoutRoute = Traffic()
  private(set) var fromSameHost = Traffic()

  /// By app, entry and rule.
  private(set) var old: [String: Traffic] = [:]
  private(set) var new: [String: Traffic] = [:]

  init(_ digest: TrafficDigest, old: Site, new: Site) throws {
    for record in try digest.records() {
      let bare = record.host.split(separator: ":")[0]
      guard bare == old.host else { continue }
      let dimensions = record.dimensions
      let target = String(decoding: record.target, as: UTF8.self)
      let path = String(target.prefix { $0 != "?" && $0 != "#" })
      let isVisit = !path.lowercased().hasSuffix(".js") && dimensions.isVisitLike
      let traffic = Traffic(
        requests: record.requests, visits: isVisit ? record.requests : 0)
      guard target.hasPrefix("/"), record.host == old.host else {
        transitions[Transition(from: .ineligible, to: .ineligible), default: Traffic()] += traffic
        continue
      }
      let system: OperatingSystem = dimensions.platform == .ios12 ? .legacy : .current
      let (from, oldApp) = Self.judge(target, old, system, traffic, &self.old)
      let (to, newApp) = Self.judge(target, new, system, traffic, &self.new)
      transitions[Transition(from: from, to: to), default: Traffic()] += traffic
      if from == .claimed, to == .claimed, oldApp != newApp { opensAnotherApp += traffic }
      guard from != .claimed, to == .claimed else { continue }
      if dimensions.referral == .sameHost { fromSameHost += traffic }
      let parts = target.prefix { $0 != "#" }.split(
        separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
      let route = old.routes?.firstMatch(
        path: Self.encoded(parts[0]), query: parts.count > 1 ? Self.encoded(parts[1]) : [])
      if route == nil { withoutRoute += traffic }
    }
  }

  private static func encoded(_ text: Substring) -> [UInt8] {
    var output: [UInt8] = []
    PercentEncoding.append(encoding: Array(text.utf8).span, to: &output)
    return output
  }

  private static func judge(
    _ target: String, _ site: Site, _ system: OperatingSystem, _ traffic: Traffic,
    _ rules: inout [String: Traffic]
  ) -> (Verdict, ApplicationIdentifier?) {
    let matcher = LinkMatcher(site.file, system: system)
    var url = LinkURL("https://\(site.host)" + target.prefix { $0 != "#" }, host: site.host)
    let decisions = matcher.decisions(for: &url)
    for decision in decisions where decision.verdict != .unclaimed {
      let name = "\(system) \(decision.app) \(decision.rule?.position ?? -1)"
      rules[name, default: Traffic()] += traffic
    }
    if let claim = decisions.first(where: { $0.verdict == .claimed }) {
      return (.claimed, claim.app)
    }
    return (decisions.contains { $0.verdict == .excluded } ? .excluded : .unclaimed, nil)
  }
}
