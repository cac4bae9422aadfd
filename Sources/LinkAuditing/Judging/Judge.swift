internal import TrafficDigest
internal import UniversalLinks

/// The work of one worker: it judges the targets that it is given.
struct Judge: ~Copyable {
  private let sites: JudgedSites

  /// The files that those are compared with, by version, or none.
  let candidates: [Candidate]

  /// The questions about the only site's targets if rules are looked for, and the counts.
  let survey: RuleSurvey?
  var surveyTally: RuleSurvey.Tally?
  private let assets: AssetExtensions
  private let ignoredPaths: PathPatterns
  private let callbackPaths: PathPatterns
  private let undelivered: UndeliveredDays
  private let filter: TrafficFilter
  private(set) var names: JudgedNames
  private var templates: PathTemplates

  /// The counts, by site.
  private(set) var tallies: [SiteTally]

  /// The decisions of rules, by version.
  private var ruleTallies: [RuleTallies]

  /// The changes, by version, if files are compared.
  var comparisons: [ComparisonTally]

  /// The requests to hosts that aren't sites.
  private(set) var otherHosts: OtherHostCounts

  /// The requests to sites that the filter or ignored paths leave out.
  private(set) var leftOut = 0

  /// The traffic of ignored paths among those.
  private(set) var ignored = Traffic()

  /// The requests by site, dimensions, verdict, and whether they were for a page.
  private var dimensionCounts = DimensionCounts()

  // Buffers that are reused for each target.
  var url = LinkURL()
  var evaluation = Evaluation()
  var candidateEvaluation = Evaluation()
  private var routeSearch = RouteSearch()
  private var selected: [TrafficDigest.Count] = []
  private var dayCounts = DayVersionCounts()

  /// The number of targets so far, and the site of the last one.
  private var judgedCount = 0
  private var lastSite = -1

  init(
    sites histories: [CompiledHistory], candidates: [CompiledSite] = [], survey: RuleSurvey? = nil,
    undelivered: UndeliveredDays, hostCounts: [Int], options: AuditOptions
  ) {
    let sites = JudgedSites(histories)
    self.sites = sites
    self.candidates = zip(sites.versions, candidates).map { Candidate($1, for: $0) }
    self.survey = survey
    assets = options.assetExtensions
    ignoredPaths = options.ignoredPaths
    callbackPaths = options.callbackPaths
    self.undelivered = undelivered
    filter = options.filter
    names = JudgedNames(SiteDirectory(histories.map(\.host)), options.filter)
    templates = PathTemplates(options.grouping)
    let fanOut = options.grouping.fanOut(options.fanOut)
    surveyTally = survey.map { _ in RuleSurvey.Tally(fanOut: fanOut) }
    tallies = histories.map { _ in SiteTally(fanOut: fanOut) }
    ruleTallies = sites.versions.map { RuleTallies($0) }
    comparisons = zip(sites.versions, self.candidates).map { version, candidate in
      ComparisonTally(
        old: version, new: candidate.site, pairs: candidate.appPairs, fanOut: fanOut)
    }
    otherHosts = OtherHostCounts(hostCounts: hostCounts)
  }

  /// The decisions of rules, by site and version.
  var ruleTalliesBySite: [[RuleTallies]] {
    zip(sites.histories, sites.firstVersions).map { site, first in
      Array(ruleTallies[first...].prefix(site.versions.count))
    }
  }

  /// Judges the targets of a slice.
  ///
  /// - Throws: ``DigestFileError`` if a temporary file can't be read.
  mutating func judge(
    _ slice: TrafficDigest.Slice, of digest: TrafficDigest
  ) throws(DigestFileError) {
    let part: Int? = if case .memory(let part, _) = slice { part } else { nil }
    otherHosts.beginSlice(part: part)
    defer { otherHosts.finishSlice() }
    let numbered = names.names
    try digest.forEachTarget(in: slice, names: numbered) { target, host, requests, visits in
      if names.isBehind { templates.makeRoom(for: numbered, areAnew: names.update()) }
      guard let site = names.sites[host] else {
        // Figures of other hosts are about the logs, so that no filter applies.
        otherHosts.add(requests, toHost: host, of: numbered, digest)
        return
      }
      judge(target, host: host, site: site, requests, visits)
      // Asking about samples takes time, and those of some targets more do no harm.
      judgedCount &+= 1
      let asksForSamples = judgedCount & 63 == 0 || site != lastSite
      lastSite = site
      if templates.isFull || asksForSamples && samplesAreFull(of: site) { foldTemplates() }
    }
  }

  /// Whether the samples of targets take more than templates may, of the site that was judged
  /// last: there can be thousands.
  private func samplesAreFull(of site: Int) -> Bool {
    let limit = PathTemplates.byteLimit * 4
    return tallies[site].sampleByteCount > limit
      || !comparisons.isEmpty && comparisons[site].changes.sampleByteCount > limit
      || surveyTally?.decisions.sampleByteCount ?? 0 > limit
  }

  private mutating func judge(
    _ target: Span<UInt8>, host: Int, site: Int, _ requests: Span<TrafficDigest.Count>,
    _ visits: Span<TrafficDigest.Count>
  ) {
    guard filter.isSelective else {
      judgeVersions(target, host: host, site: site, requests, visits)
      return
    }
    // Taken out while it is used: an array that two hold is copied when it changes.
    var selected: [TrafficDigest.Count] = []
    swap(&selected, &self.selected)
    selected.removeAll(keepingCapacity: true)
    for index in requests.indices {
      let count = requests[index]
      if names.combinations[count.kind].isIncluded {
        selected.append(count)
      } else {
        leftOut += count.requests
      }
    }
    if !selected.isEmpty { judgeVersions(target, host: host, site: site, selected.span, visits) }
    swap(&selected, &self.selected)
  }

  /// Judges a target of a site, of which all requests count, under the versions of their days.
  @inline(__always)
  private mutating func judgeVersions(
    _ target: Span<UInt8>, host: Int, site: Int, _ requests: Span<TrafficDigest.Count>,
    _ visits: Span<TrafficDigest.Count>
  ) {
    guard sites.hasHistory else {
      judge(target, host: host, site: site, version: site, requests, visits)
      return
    }
    let first = sites.firstVersions[site]
    guard sites.histories[site].versions.count > 1 else {
      judge(target, host: host, site: site, version: first, requests, visits)
      return
    }
    judgeByDay(target, host: host, site: site, requests, visits)
  }

  /// Judges a target of a site with several versions, each count of requests under the version
  /// of its day.
  @inline(never)
  private mutating func judgeByDay(
    _ target: Span<UInt8>, host: Int, site: Int, _ requests: Span<TrafficDigest.Count>,
    _ visits: Span<TrafficDigest.Count>
  ) {
    var counts = DayVersionCounts()
    swap(&counts, &dayCounts)
    let history = sites.histories[site]
    counts.begin(requests) {
      history.version(onDay: names.combinations[$0.kind].dimensions.dayNumber)
    }
    while let version = counts.next(
      requests, visits, visitVersion: { history.version(onDay: names.pages[$0.kind].day) })
    {
      judge(
        target, host: host, site: site, version: sites.firstVersions[site] + version,
        counts.requests.span, counts.visits.span)
    }
    swap(&counts, &dayCounts)
  }

  /// Judges requests for a target of a site under one version.
  private mutating func judge(
    _ target: Span<UInt8>, host: Int, site number: Int, version: Int,
    _ requests: Span<TrafficDigest.Count>, _ visits: Span<TrafficDigest.Count>
  ) {
    let site = sites.versions[version]
    let isEligible =
      site.isEligible && !names.haveForeignPort[host] && target.count > 0
      && target[0] == UInt8(ascii: "/")
    if let end = url.setTarget(target) {
      judge(
        target, path: target.extracting(0..<end), of: site, isEligible: isEligible, site: number,
        version: version, requests, visits)
    } else {
      let path = url.encodedPath
      judge(
        target, path: path.span, of: site, isEligible: isEligible, site: number, version: version,
        requests, visits)
    }
  }

  /// Judges requests for a target, which is that of the URL, with the path as URLs spell it.
  @inline(__always)
  private mutating func judge(
    _ target: Span<UInt8>, path: Span<UInt8>, of site: CompiledSite, isEligible: Bool,
    site number: Int, version: Int, _ requests: Span<TrafficDigest.Count>,
    _ visits: Span<TrafficDigest.Count>
  ) {
    let isPage = !assets.contains(extensionOf: path)
    if !ignoredPaths.isEmpty, ignoredPaths.contains(path) {
      addIgnored(requests, isPage: isPage)
      return
    }
    var subject = Subject(site: number, version: version, isPage: isPage, template: 0)

    var traffic = (current: Traffic(), legacy: Traffic())
    var submissions = Traffic()
    for index in requests.indices {
      let count = requests[index]
      let combination = names.combinations[count.kind]
      let one = self.traffic(count, isPage: subject.isPage)
      if combination.isLegacy {
        traffic.legacy += one
      } else {
        traffic.current += one
      }
      if combination.isSubmission { submissions.requests += count.requests }
      if combination.isEntry { submissions.visits += count.requests }
      subject.hasProblems = subject.hasProblems || combination.problem != 0
    }
    guard isEligible else {
      if survey != nil {
        surveyTally?.total += traffic.current + traffic.legacy
        return
      }
      if !candidates.isEmpty {
        comparisons[version].add(
          traffic.current + traffic.legacy, from: .ineligible, to: .ineligible)
        return
      }
      addDimensions(requests, .ineligible, subject) { _ in true }
      return
    }

    var match = RouteMatcher.Match()
    if let routes = site.routes {
      match = routes.match(
        path: url.encodedPath, query: url.encodedQuery, using: &routeSearch)
    }
    subject.route = match.route
    // Rules are drafted by the values that parameters have.
    subject.template = templates.number(
      of: path, site: number, route: survey == nil ? match.routeOfPath : nil, of: site.routes)

    if let survey {
      addSurvey(survey, site, .current, traffic.current, target, subject, requests)
      addSurvey(survey, site, .legacy, traffic.legacy, target, subject, requests)
      return
    }
    if !candidates.isEmpty {
      compare(site, .current, traffic.current, target, subject, requests)
      compare(site, .legacy, traffic.legacy, target, subject, requests)
      return
    }
    // Only a path that is a group of its own can be one to which scripts send data.
    if subject.isPage, submissions != Traffic(), !templates.lastHasPlaceholder {
      tallies[number].add(submissions: submissions, toPath: subject.template)
    }
    if traffic.current.requests > 0 {
      site.current.evaluate(&url, into: &evaluation)
      ruleTallies[version].current.add(traffic.current, evaluation)
      addVerdict(of: site, .current, traffic.current, target, subject, requests, visits)
    }
    if traffic.legacy.requests > 0 {
      site.legacy.evaluate(&url, into: &evaluation)
      ruleTallies[version].legacy.add(traffic.legacy, evaluation)
      addVerdict(of: site, .legacy, traffic.legacy, target, subject, requests, visits)
    }
  }

  @inline(never)
  private mutating func addIgnored(_ requests: Span<TrafficDigest.Count>, isPage: Bool) {
    for index in requests.indices {
      leftOut += requests[index].requests
      ignored += traffic(requests[index], isPage: isPage)
    }
  }

  /// Counts those of a target's requests that some combinations have.
  @inline(__always)
  private mutating func addDimensions(
    _ requests: Span<TrafficDigest.Count>, _ verdict: Verdict, _ subject: Subject,
    where isIncluded: (JudgedNames.Combination) -> Bool
  ) {
    for index in requests.indices {
      let count = requests[index]
      guard isIncluded(names.combinations[count.kind]) else { continue }
      dimensionCounts.add(
        count.requests, site: subject.site, names.combinations[count.kind].dimensions, verdict, nil,
        isPage: subject.isPage)
    }
    if dimensionCounts.isFull { flushDimensions() }
  }

  private mutating func flushDimensions() {
    dimensionCounts.forEachCount { count in
      let isVisit = count.isPage && filter.isVisitLike(count.dimensions)
      tallies[count.site].add(count, isVisit: isVisit)
      if count.isPage, count.dimensions.isSubresource,
        filter.isVisitLike(count.dimensions.asNavigation)
      {
        tallies[count.site].add(subresources: count.requests)
      }
    }
    dimensionCounts.removeAll()
  }

  /// Converts counts by template to counts by path group, and removes the templates.
  private mutating func foldTemplates() {
    let groups = templates.removeAll { template, site in
      if let group = surveyTally?.decisions.addGroup(of: template) { return group }
      return candidates.isEmpty
        ? tallies[site].addGroup(of: template) : comparisons[site].changes.addGroup(of: template)
    }
    surveyTally?.decisions.foldTemplates { groups[$0] }
    for site in comparisons.indices { comparisons[site].changes.foldTemplates { groups[$0] } }
    for site in tallies.indices { tallies[site].foldTemplates { groups[$0] } }
  }

  /// Completes the tallies after judging.
  mutating func finish() {
    flushDimensions()
    foldTemplates()
  }

  /// The requests, which are visits if they look like one and ask for a page.
  @inline(__always)
  func traffic(_ count: TrafficDigest.Count, isPage: Bool) -> Traffic {
    let isVisit = isPage && names.combinations[count.kind].isVisitLike
    return Traffic(requests: count.requests, visits: isVisit ? count.requests : 0)
  }

  /// Counts the requests of a target from one generation of systems under the
  /// verdict that has just been evaluated.
  private mutating func addVerdict(
    of compiled: CompiledSite, _ system: OperatingSystem, _ traffic: Traffic,
    _ target: Span<UInt8>, _ subject: Subject, _ requests: Span<TrafficDigest.Count>,
    _ visits: Span<TrafficDigest.Count>
  ) {
    let site = subject.site
    let version = sites.hasHistory ? subject.version - sites.firstVersions[site] : 0
    let verdict = evaluation.siteVerdict
    let key = SiteTally.PathKey(
      path: subject.template, verdict: verdict, system: system, version: version,
      rule: verdict == .unclaimed && system == .legacy
        ? ruleOfNewerSystems(compiled) : compiled.decidingRule(verdict, system, evaluation),
      route: subject.route)

    tallies[site].add(traffic, toPath: key, target: target)
    let isLegacy = system == .legacy
    guard verdict == .claimed else {
      addDimensions(requests, verdict, subject) { $0.isLegacy == isLegacy }
      return
    }
    addCauses(of: compiled, system, subject, requests)
    if subject.hasProblems {
      for index in requests.indices where names.combinations[requests[index].kind].problem != 0 {
        addProblem(requests[index], key, target, subject)
      }
    }
    guard subject.isPage else { return }
    for index in visits.indices {
      let count = visits[index]
      let page = names.pages[count.kind]
      guard page.isLegacy == isLegacy, page.isIncluded else { continue }
      let from = templates.number(
        ofPage: page.template, of: names.names, site: site, compiled.routes, using: &routeSearch)
      tallies[site].add(
        count.requests, toPair: SiteTally.PairKey(from: from, to: subject.template))
    }
  }

  /// Counts the requests of a claimed target from one generation of systems by their dimensions and
  /// causes.
  @inline(__always)
  private mutating func addCauses(
    of compiled: CompiledSite, _ system: OperatingSystem, _ subject: Subject,
    _ requests: Span<TrafficDigest.Count>
  ) {
    let signs = causeSigns(of: compiled, system, evaluation, subject)
    var (last, sum) = (Cause.unknown, Traffic())
    for index in requests.indices {
      let count = requests[index]
      let combination = names.combinations[count.kind]
      guard combination.isLegacy == (system == .legacy) else { continue }
      let cause = signs.cause(of: combination)
      dimensionCounts.add(
        count.requests, site: subject.site, combination.dimensions, .claimed, cause,
        isPage: subject.isPage)
      if cause != last {
        if sum.requests > 0 { tallies[subject.site].add(sum, toPath: subject.template, last) }
        (last, sum) = (cause, Traffic())
      }
      sum += traffic(count, isPage: subject.isPage)
    }
    if sum.requests > 0 { tallies[subject.site].add(sum, toPath: subject.template, last) }
    if dimensionCounts.isFull { flushDimensions() }
  }

  /// The signs by which the causes of a claimed target's requests are found.
  func causeSigns(
    of compiled: CompiledSite, _ system: OperatingSystem, _ evaluation: borrowing Evaluation,
    _ subject: Subject
  ) -> CauseSigns {
    CauseSigns(
      query: url.withEncodedQuery { $0.isEmpty ? QuerySigns() : QuerySigns($0) },
      isCallback: !callbackPaths.isEmpty && callbackPaths.contains(url.encodedPath.span),
      release: names.haveOldSystems ? compiled.firstRelease(system, evaluation) : .iOS13,
      undelivered: undelivered.hasAny(site: subject.site) ? undelivered : nil, site: subject.site)
  }

  /// The number of the rule that decides on the target on iOS 13 and later, or `nil` if none does.
  @inline(never)
  private mutating func ruleOfNewerSystems(_ compiled: CompiledSite) -> Int? {
    compiled.current.evaluate(&url, into: &candidateEvaluation)
    return compiled.decidingRule(candidateEvaluation.siteVerdict, .current, candidateEvaluation)
  }

  /// Counts requests for a claimed target that didn't get a page.
  @inline(never)
  private mutating func addProblem(
    _ count: TrafficDigest.Count, _ key: SiteTally.PathKey, _ target: Span<UInt8>,
    _ subject: Subject
  ) {
    let combination = names.combinations[count.kind]
    guard combination.isLegacy == (key.system == .legacy) else { return }
    var key = key
    key.status = combination.problem
    let attempts = subject.isPage && combination.isAttempt ? count.requests : 0
    tallies[subject.site].add(
      problem: Traffic(requests: count.requests, visits: attempts), toPath: key, target: target)
  }
}
