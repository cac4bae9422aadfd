internal import TrafficDigest
internal import UniversalLinks

/// What one worker makes of the targets that it is given.
struct Judge: ~Copyable {
  private let sites: [CompiledSite]
  private let siteNumbers: [String: Int]
  private let options: AuditOptions

  /// The counts, by site.
  private(set) var tallies: [SiteTally]

  /// The requests to hosts that aren't sites.
  private(set) var otherHosts: [String: Int] = [:]

  /// The templates of paths, numbered.
  private(set) var templates = ByteTable()

  private var url = LinkURL()
  private var evaluation = Evaluation()
  private var template: [UInt8] = []

  /// The hosts and referring pages of the part that was last seen.
  private var part: Int?
  private var hosts: [Host] = []
  private var referrers: [[UInt8]] = []
  private var referrerNumbers: [Int: Int] = [:]

  /// A host as it concerns the sites.
  private struct Host {
    var name: String
    var site: Int?
    var hasForeignPort: Bool
  }

  init(sites: [CompiledSite], options: AuditOptions) {
    self.sites = sites
    self.options = options
    siteNumbers = Dictionary(
      sites.enumerated().map { ($0.element.site.host, $0.offset) }
    ) { first, _ in first }
    tallies = sites.map(SiteTally.init)
  }

  /// Judges the targets of a slice.
  mutating func judge(_ slice: TrafficDigest.Slice, of digest: TrafficDigest) {
    if part != slice.part { enter(slice.part, of: digest) }
    digest.forEachTarget(in: slice) { target, host, counts in
      judge(target, host: hosts[host], counts)
    }
  }

  private mutating func enter(_ part: Int, of digest: TrafficDigest) {
    self.part = part
    hosts = digest.hosts(ofPart: part).map { name in
      // A logged host has lost the default ports; any other makes its targets
      // ineligible.
      let colon = name.lastIndex(of: ":")
      let bare = colon.map { String(name[..<$0]) } ?? name
      return Host(
        name: name, site: siteNumbers[name] ?? siteNumbers[bare],
        hasForeignPort: siteNumbers[name] == nil && colon != nil)
    }
    referrers = digest.referrers(ofPart: part)
    referrerNumbers.removeAll(keepingCapacity: true)
  }

  private mutating func judge(
    _ target: Span<UInt8>, host: Host, _ counts: [TrafficDigest.Count]
  ) {
    guard let number = host.site else {
      otherHosts[host.name, default: 0] += counts.reduce(0) { $0 + $1.requests }
      return
    }
    let site = sites[number]
    let isEligible =
      site.site.isEligible && !host.hasForeignPort && target.count > 0
      && target[0] == UInt8(ascii: "/")
    url.setTarget(target)
    let isPage = !options.assetExtensions.contains(extensionOf: url.encodedPath)

    var traffic = (current: Traffic(), legacy: Traffic())
    for count in counts {
      let one = count.traffic(isPage: isPage)
      tallies[number].platforms[count.dimensions.platform] += one
      if count.dimensions.platform == .ios12 {
        traffic.legacy += one
      } else {
        traffic.current += one
      }
    }
    guard isEligible else {
      addIneligible(counts, traffic.current + traffic.legacy, isPage: isPage, site: number)
      return
    }

    template.removeAll(keepingCapacity: true)
    PathTemplate.append(folding: url.encodedPath.span, to: &template)
    let path = templates.insert(template, scope: UInt32(number)).id
    let route = site.site.routes?.firstMatch(path: url.encodedPath, query: url.encodedQuery)

    if traffic.current.requests > 0 {
      site.current.evaluate(&url, into: &evaluation)
      tallies[number].current.add(traffic.current, evaluation, matcher: site.current)
      addVerdict(.current, counts, traffic.current, path, route, isPage: isPage, site: number)
    }
    if traffic.legacy.requests > 0 {
      site.legacy.evaluate(&url, into: &evaluation)
      tallies[number].legacy.add(traffic.legacy, evaluation, matcher: site.legacy)
      addVerdict(.legacy, counts, traffic.legacy, path, route, isPage: isPage, site: number)
    }
  }

  private mutating func addIneligible(
    _ counts: [TrafficDigest.Count], _ traffic: Traffic, isPage: Bool, site: Int
  ) {
    tallies[site].verdicts[.ineligible] += traffic
    for count in counts {
      tallies[site].days.add(count.traffic(isPage: isPage), .ineligible, on: count.dimensions)
    }
  }

  /// Counts the requests of a target from one generation of systems under the
  /// verdict that has just been evaluated.
  private mutating func addVerdict(
    _ system: OperatingSystem, _ counts: [TrafficDigest.Count], _ traffic: Traffic, _ path: Int,
    _ route: Int?, isPage: Bool, site: Int
  ) {
    let verdict = evaluation.siteVerdict
    let matcher = sites[site].matcher(system)
    let app = matcher.apps.first { evaluation.verdict(ofRuleList: $0.ruleList) == verdict }
    let list = verdict == .unclaimed ? nil : app?.ruleList
    let key = SiteTally.PathKey(
      template: path, verdict: verdict, system: system, list: list,
      rule: list.flatMap { evaluation.decidingRule(ofRuleList: $0) }, route: route)

    tallies[site].verdicts[verdict] += traffic
    tallies[site].add(traffic, toPath: key)
    for count in counts where (count.dimensions.platform == .ios12) == (system == .legacy) {
      let one = count.traffic(isPage: isPage)
      tallies[site].days.add(one, verdict, on: count.dimensions)
      guard verdict == .claimed else { continue }
      tallies[site].referrals[count.dimensions.referral] += one
      guard count.dimensions.referral == .sameHost else { continue }
      tallies[site].days.addSameHost(one, on: count.dimensions)
      if one.visits > 0, let referrer = count.referrer {
        let from = template(ofReferrer: referrer, site: site)
        tallies[site].add(one.visits, toPair: SiteTally.PairKey(from: from, to: path))
      }
    }
  }

  /// The number among the templates of paths of the template of a referring page.
  private mutating func template(ofReferrer referrer: Int, site: Int) -> Int {
    // A referring page's host is that of the request, so within a part the
    // template belongs to one site only if hosts and sites agree; key by both.
    let key = referrer * sites.count + site
    if let known = referrerNumbers[key] { return known }
    let encoded = ReferrerTemplate.encoded(referrers[referrer])
    let number = templates.insert(encoded, scope: UInt32(site)).id
    referrerNumbers[key] = number
    return number
  }
}

extension TrafficDigest.Count {
  /// The requests, which are visits if they look like one and ask for a page.
  fileprivate func traffic(isPage: Bool) -> Traffic {
    Traffic(requests: requests, visits: isPage && dimensions.isVisitLike ? requests : 0)
  }
}
