import TrafficDigest
import UniversalLinks

@testable import LinkAuditing

/// An audit written for clarity rather than speed: every record is asked for
/// each app, and rule by rule.
struct PlainAudit {
  private(set) var verdicts: [Verdict: Traffic] = [:]
  private(set) var platforms: [Platform: Traffic] = [:]
  private(set) var referrals: [Referral: Traffic] = [:]
  private(set) var sameHostVisits = 0

  /// By app, entry and rule.
  private(set) var decided: [String: Traffic] = [:]
  private(set) var shadowed: [String: Int] = [:]

  init(
    _ digest: TrafficDigest, site: Site, isIncluded: (Dimensions) -> Bool = { _ in true },
    botsVisit: Bool = false
  ) throws {
    for verdict in Verdict.allCases { verdicts[verdict] = Traffic() }
    for record in try digest.records() {
      let bare = record.host.split(separator: ":")[0]
      guard bare == site.host, isIncluded(record.dimensions) else { continue }
      add(record, site: site, isForeignPort: record.host != site.host, botsVisit: botsVisit)
    }
  }

  private mutating func add(
    _ record: TrafficDigest.Record, site: Site, isForeignPort: Bool, botsVisit: Bool
  ) {
    let target = String(decoding: record.target, as: UTF8.self)
    let path = String(target.prefix { $0 != "?" && $0 != "#" }).lowercased()
    let isPage = !path.hasSuffix(".js")
    let dimensions = record.dimensions
    let isPerson = [.ios, .ios12, .iosBrowser, .inApp, .macos].contains(dimensions.platform)
    let isVisit =
      isPage && dimensions.isGet && dimensions.status >= 200 && dimensions.status < 400
      && (isPerson || botsVisit && dimensions.platform == .bot)
    let traffic = Traffic(requests: record.requests, visits: isVisit ? record.requests : 0)
    platforms[record.dimensions.platform, default: Traffic()] += traffic
    guard target.hasPrefix("/"), !isForeignPort else {
      verdicts[.ineligible, default: Traffic()] += traffic
      return
    }
    let system: OperatingSystem = record.dimensions.platform == .ios12 ? .legacy : .current
    let shown = String(target.prefix { $0 != "#" })
    let matcher = LinkMatcher(site.file, system: system)
    var url = LinkURL("https://\(site.host)" + shown, host: site.host)
    let decisions = matcher.decisions(for: &url)
    let verdict: Verdict =
      decisions.contains { $0.verdict == .claimed }
      ? .claimed : decisions.contains { $0.verdict == .excluded } ? .excluded : .unclaimed
    verdicts[verdict, default: Traffic()] += traffic
    if verdict == .claimed {
      referrals[record.dimensions.referral, default: Traffic()] += traffic
      if record.dimensions.referral == .sameHost { sameHostVisits += traffic.visits }
    }
    for decision in decisions where decision.verdict != .unclaimed {
      guard let rule = decision.rule else { continue }
      let entry = "\(decision.app) \(rule.entry) "
      decided[entry + "\(rule.position ?? -1)", default: Traffic()] += traffic
      var later = rule
      while let position = later.position {
        later.position = position + 1
        guard let explanation = matcher.explanation(of: later, for: url) else { break }
        if explanation.matches {
          shadowed[entry + "\(position + 1)", default: 0] += record.requests
        }
      }
    }
  }
}
