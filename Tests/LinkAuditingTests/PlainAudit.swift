import Foundations
import TestSupport
import TrafficDigest
import UniversalLinks

@testable import LinkAuditing

/// An audit written for clarity, not speed: every record is evaluated for each app, rule by rule.
struct PlainAudit {
  private(set) var verdicts: [Verdict: Traffic] = [:]
  private(set) var platforms: [Platform: Traffic] = [:]
  private(set) var referrals: [Referral: Traffic] = [:]
  private(set) var sameHostVisits = 0
  private(set) var causes: [Cause: Traffic] = [:]
  private(set) var dayCauses: [String: Traffic] = [:]

  /// The traffic that no rule matches, by path, and that which only rules of newer systems match.
  private(set) var unclaimed: [String: Traffic] = [:]
  private(set) var olderSystems: [String: Traffic] = [:]

  /// The days on which Apple's fetchers got no file.
  private var undelivered: Set<Day> = []

  /// By app, entry and rule.
  private(set) var decided: [String: Traffic] = [:]
  private(set) var shadowed: [String: Int] = [:]

  init(_ digest: TrafficDigest, site: Site, _ filter: TrafficFilter) throws {
    for verdict in Verdict.allCases { verdicts[verdict] = Traffic() }
    for daily in digest.dailyFetches {
      let own = daily.counts.filter { $0.host == site.host && $0.fetcher != .other }
      let good = own.filter { $0.status == 304 || $0.status == 200 && $0.sizes?.upperBound != 0 }
      if let day = daily.day, good.isEmpty, !own.isEmpty { undelivered.insert(day) }
    }
    for record in try digest.records() {
      let bare = record.host.split(separator: ":")[0]
      let (platform, status) = (record.dimensions.platform, record.dimensions.status)
      guard bare == site.host, filter.platforms?.contains(platform) ?? true,
        filter.statuses?.contains(status) ?? true
      else { continue }
      add(record, site: site, botsVisit: filter.includesBots)
    }
  }

  private mutating func add(_ record: TrafficDigest.Record, site: Site, botsVisit: Bool) {
    let dimensions = record.dimensions
    let traffic = record.traffic(botsVisit: botsVisit)
    platforms[dimensions.platform, default: Traffic()] += traffic
    guard let url = record.url(of: site) else {
      verdicts[.ineligible, default: Traffic()] += traffic
      return
    }
    let matcher = LinkMatcher(site.file.asRead(by: dimensions.system))
    let decisions = matcher.decisions(for: url, host: site.host)
    verdicts[decisions.verdict, default: Traffic()] += traffic
    if decisions.verdict == .unclaimed {
      var link = LinkURL()
      link.setTarget(record.target.span)
      let path = String(decoding: link.encodedPath, as: UTF8.self)
      let newer = LinkMatcher(site.file).decisions(for: url, host: site.host).verdict
      if newer == .unclaimed {
        unclaimed[path, default: Traffic()] += traffic
      } else {
        olderSystems[path, default: Traffic()] += traffic
      }
    }
    if let claim = decisions.first(where: { $0.verdict == .claimed }) {
      referrals[dimensions.referral, default: Traffic()] += traffic
      if dimensions.referral == .sameHost { sameHostVisits += traffic.visits }
      let rule = claim.rule.flatMap { $0.list == .components ? matcher.definition(of: $0) : nil }
      let cause = cause(dimensions, String(decoding: record.target, as: UTF8.self), rule)
      causes[cause, default: Traffic()] += traffic
      let day = dimensions.day.map { "\($0)" } ?? "-"
      dayCauses["\(day) \(cause)", default: Traffic()] += traffic
    }
    for decision in decisions where decision.verdict != .unclaimed {
      guard let rule = decision.rule else { continue }
      let entry = "\(decision.app) \(rule.entry) "
      decided[entry + "\(rule.position ?? -1)", default: Traffic()] += traffic
      var later = rule
      while let position = later.position {
        later.position = position + 1
        let link = LinkURL(url, host: site.host)
        guard let explanation = matcher.explanation(of: later, for: link) else { break }
        if explanation.matches {
          shadowed[entry + "\(position + 1)", default: 0] += record.requests
        }
      }
    }
  }

  /// The cause of a claimed request, by the order of the causes.
  private func cause(_ dimensions: Dimensions, _ target: String, _ rule: RuleDefinition?) -> Cause {
    if dimensions.referral == .sameHost { return .sameHost }
    if dimensions.platform == .inApp { return .inAppBrowser }
    if dimensions.platform == .iosBrowser { return .otherBrowser }
    if dimensions.systemAge == .beforeUniversalLinks { return .oldSystem }
    let needs14 = rule.map { !$0.isPercentEncoded } ?? false
    let needs13Point5 = needs14 || rule.map { !$0.isCaseSensitive } ?? false
    if dimensions.systemAge == .before13Point5, needs13Point5 { return .oldSystem }
    if dimensions.systemAge == .before14, needs14 { return .oldSystem }
    if let day = dimensions.day, undelivered.contains(day) { return .fileNotDelivered }
    let beforeFragment = target.split(separator: "#", omittingEmptySubsequences: false)[0]
    let query = beforeFragment.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
    let items = query.split(separator: "&")
    func has(_ name: String) -> Bool { items.contains { $0.hasPrefix(name + "=") } }
    if has("code") && has("state") { return .loginCallback }
    if dimensions.referrer == .tracker { return .ownRedirect }
    if items.contains("utm_medium=email") || dimensions.referrer == .mail { return .mail }
    if has("gclid") || has("fbclid") || dimensions.referrer == .advert { return .advert }
    switch dimensions.referrer {
    case .ownHost: return .ownHost
    case .search: return .search
    case .social: return .social
    case .other: return .otherSite
    case .unknown, .tracker, .mail, .advert: return .unknown
    }
  }
}

/// A comparison written for clarity, not speed: every record is evaluated under both files.
struct PlainComparison {
  private(set) var transitions: [Transition: Traffic] = [:]
  private(set) var opensAnotherApp = Traffic()
  private(set) var withoutRoute = Traffic()
  private(set) var fromSameHost = Traffic()

  /// The requests that rules of the old and of the new file decided, app by app.
  private(set) var decided = [0, 0]

  init(_ digest: TrafficDigest, old: Site, new: Site) throws {
    for record in try digest.records() {
      guard record.host.split(separator: ":")[0] == old.host else { continue }
      let traffic = record.traffic()
      guard let url = record.url(of: old) else {
        transitions[Transition(from: .ineligible, to: .ineligible), default: Traffic()] += traffic
        continue
      }
      let sides = [old, new].map { site in
        LinkMatcher(site.file.asRead(by: record.dimensions.system))
          .decisions(for: url, host: site.host)
      }
      for (side, decisions) in sides.enumerated() {
        decided[side] += record.requests * decisions.count { $0.verdict != .unclaimed }
      }
      let (from, to) = (sides[0].verdict, sides[1].verdict)
      transitions[Transition(from: from, to: to), default: Traffic()] += traffic
      let apps = sides.map { $0.first { $0.verdict == .claimed }?.app }
      if from == .claimed, to == .claimed, apps[0] != apps[1] { opensAnotherApp += traffic }
      guard from != .claimed, to == .claimed else { continue }
      if record.dimensions.referral == .sameHost { fromSameHost += traffic }
      var target: [UInt8] = []
      PercentEncoding.append(encodingTarget: record.target.span, to: &target)
      let shown = String(decoding: target, as: UTF8.self).prefix { $0 != "#" }
      if old.routes?.match(shown) == nil { withoutRoute += traffic }
    }
  }
}

extension TrafficDigest.Record {
  /// The URL without its fragment, or `nil` if it isn't one of the site.
  fileprivate func url(of site: Site) -> String? {
    let text = String(decoding: target, as: UTF8.self)
    guard text.hasPrefix("/"), host == site.host else { return nil }
    return "https://\(host)\(text.prefix { $0 != "#" })"
  }

  func traffic(botsVisit: Bool = false) -> Traffic {
    let path = String(decoding: target, as: UTF8.self).prefix { $0 != "?" && $0 != "#" }
    let isPerson = [.ios, .ios12, .iosBrowser, .inApp, .macos].contains(dimensions.platform)
    let isVisit =
      !path.lowercased().hasSuffix(".js") && dimensions.isGet
      && (200..<400).contains(dimensions.status)
      && (isPerson || botsVisit && dimensions.platform == .bot)
    return Traffic(requests: requests, visits: isVisit ? requests : 0)
  }
}

extension Dimensions {
  fileprivate var system: OperatingSystem { platform == .ios12 ? .legacy : .current }
}

extension [Decision] {
  /// The verdict of a site with the rules of all apps.
  var verdict: Verdict {
    if contains(where: { $0.verdict == .claimed }) { return .claimed }
    return contains { $0.verdict == .excluded } ? .excluded : .unclaimed
  }
}

extension CaseCounts {
  /// The traffic by case, including cases without traffic.
  var byCase: [Key: Traffic] {
    Dictionary(uniqueKeysWithValues: Key.allCases.map { ($0, self[$0]) })
  }
}
