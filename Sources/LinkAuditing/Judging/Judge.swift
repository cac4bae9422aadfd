internal import TrafficDigest
internal import UniversalLinks

/// The work of one worker: it judges the targets that it is given.
struct Judge: ~Copyable {
  let sites: [CompiledHistory]

  /// The versions of all sites, one site after another.
  private let versions: [CompiledSite]

  /// By site, the position of its first version among those.
  let firstVersions: [Int]

  /// Whether a site has more than one version; if none has, the number of a site is that of
  /// its version.
  private let hasHistory: Bool

  /// The same versions with the files that theirs are compared with, or none.
  let candidates: [CompiledSite]

  /// The questions about the only site's targets if rules are looked for, and the counts.
  let survey: RuleSurvey?
  var surveyTally: SurveyTally?

  /// Which apps open, by site, if files are compared.
  let openers: [OpenerNumbers]
  let appPairs: [AppPairs]
  private let directory: SiteDirectory
  private let assets: AssetExtensions
  private let ignoredPaths: IgnoredPaths
  private let filter: TrafficFilter
  private let grouping: FamilyGrouping

  /// The counts, by site.
  private(set) var tallies: [SiteTally]

  /// The decisions of rules, by version.
  var ruleTallies: [RuleTallies]

  /// The changes, by site, if files are compared.
  var comparisons: [ComparisonTally]

  /// The requests to hosts that aren't sites.
  private(set) var otherHosts: OtherHostCounts

  /// The requests to sites that the filter or ignored paths leave out.
  private(set) var leftOut = 0

  /// The part in memory whose targets are judged, or `nil` if they are on disk; and then the
  /// host of the last one that is for no site, with the generation of its number.
  private var part: Int?
  private var lastOtherHost = (generation: -1, number: -1)

  /// Templates that take more bytes than this are folded to families: a log can
  /// be made to hold any number of them.
  private static let templateByteLimit = 1 << 23

  /// The templates of paths, numbered.
  private var templates = ByteTable()

  var url = LinkURL()
  var evaluation = Evaluation()
  var candidateEvaluation = Evaluation()
  private var template: [UInt8] = []
  private var routeSearch = RouteSearch()
  private let scanner = TemplateScanner()

  /// The numbers of the slice that was last judged, and the questions about it.
  private let names = TargetNames()
  private var generation = -1
  private var namesVersion = -1
  private var hostSites: [Int?] = []
  private var hostHasForeignPort: [Bool] = []
  private(set) var combinations: [Combination] = []
  var pages: [Page] = []

  /// The template of a page among those of a site.
  private struct PageTemplate {
    var site: Int
    var number: Int

    /// Stands for a template that isn't known yet.
    static let unknown = PageTemplate(site: -1, number: -1)
  }

  /// By page, its template for the site that was asked about last: few pages are referrers of
  /// several sites.
  private var pageTemplates: [PageTemplate] = []

  /// Those requests of a target that count, where not all do.
  private var selected: [TrafficDigest.Count] = []

  /// Those requests and visits of a target that are judged under one version, where others
  /// are under another.
  var versionRequests: [TrafficDigest.Count] = []
  var versionVisits: [TrafficDigest.Count] = []

  /// The version of each count of a target's requests.
  var countVersions: [Int] = []

  /// The requests by site, dimensions, verdict, and whether they were for a page.
  private var dimensionCounts = DimensionCounts()

  init(
    sites: [CompiledHistory], candidates: [CompiledSite] = [], survey: RuleSurvey? = nil,
    hostCounts: [Int], options: AuditOptions
  ) {
    otherHosts = OtherHostCounts(hostCounts: hostCounts)
    self.sites = sites
    self.candidates = candidates
    self.survey = survey
    let versions = sites.flatMap(\.versions)
    self.versions = versions
    var firstVersions: [Int] = []
    var count = 0
    for site in sites {
      firstVersions.append(count)
      count += site.versions.count
    }
    self.firstVersions = firstVersions
    hasHistory = count > sites.count
    openers = zip(versions, candidates).map { OpenerNumbers(old: $0, new: $1) }
    let pairs = zip(versions, candidates).map { AppPairs(old: $0, new: $1) }
    appPairs = pairs
    assets = options.assetExtensions
    directory = SiteDirectory(sites.map(\.host))
    ignoredPaths = options.ignoredPaths
    filter = options.filter
    grouping = options.grouping
    let fanOut = grouping.fanOut(options.fanOut)
    surveyTally = survey.map { _ in SurveyTally(fanOut: fanOut) }
    tallies = sites.map { _ in SiteTally(fanOut: fanOut) }
    ruleTallies = versions.map { RuleTallies($0) }
    comparisons = candidates.indices.map { number in
      ComparisonTally(
        old: versions[number], new: candidates[number], pairs: pairs[number], fanOut: fanOut)
    }
  }

  /// Judges the targets of a slice.
  ///
  /// - Throws: ``DigestFileError`` if a temporary file can't be read.
  mutating func judge(
    _ slice: TrafficDigest.Slice, of digest: TrafficDigest
  ) throws(DigestFileError) {
    part = if case .memory(let part, _) = slice { part } else { nil }
    lastOtherHost = (-1, -1)
    defer { otherHosts.finishSlice() }
    try digest.forEachTarget(in: slice, names: names) { target, host, requests, visits in
      if namesVersion != names.version { updateNames() }
      if hostSites[host] != nil {
        judge(target, host: host, requests, visits)
      } else {
        addOther(host, requests, digest)
      }
      if templates.byteCount > Self.templateByteLimit || samplesAreFull(ofHost: host) {
        foldTemplates()
      }
    }
  }

  /// Whether the samples of targets take more than templates may, of the site that was judged
  /// last: there can be thousands.
  private func samplesAreFull(ofHost host: Int) -> Bool {
    guard let site = hostSites[host] else { return false }
    return tallies[site].sampleByteCount > Self.templateByteLimit * 4
      || !comparisons.isEmpty && comparisons[site].sampleByteCount > Self.templateByteLimit * 4
      || surveyTally?.sampleByteCount ?? 0 > Self.templateByteLimit * 4
  }

  /// Finds out what is asked of each name that is new.
  @inline(never)
  private mutating func updateNames() {
    namesVersion = names.version
    if generation != names.generation {
      generation = names.generation
      pages.removeAll(keepingCapacity: true)
      (hostSites, hostHasForeignPort, combinations) = ([], [], [])
      pageTemplates.removeAll(keepingCapacity: true)
    }
    for host in names.hosts[hostSites.count...] {
      let name = HostName.withoutPort(host)
      hostSites.append(directory.number(of: name))
      // A logged host has lost the default ports; any other makes its targets
      // ineligible. No site's host has one.
      hostHasForeignPort.append(name != host)
    }
    combinations += names.combinations[combinations.count...].map { Combination($0, filter) }
    pages += names.pages[pages.count...].map { page in
      let combination = combinations[page.combination]
      return Page(
        template: page.template, isLegacy: combination.isLegacy,
        isIncluded: combination.isIncluded && combination.isVisitLike,
        day: combination.dimensions.dayNumber)
    }
    let missing = names.templates.count - pageTemplates.count
    pageTemplates.append(contentsOf: repeatElement(.unknown, count: max(0, missing)))
  }

  /// Counts the requests of a target for no site; what is said of those is about the logs, so
  /// that no filter applies.
  private mutating func addOther(
    _ host: Int, _ requests: [TrafficDigest.Count], _ digest: TrafficDigest
  ) {
    let sum = requests.reduce(0) { $0 + $1.requests }
    if let part {
      otherHosts.add(sum, toHost: host, ofPart: part)
      return
    }
    let isSame = lastOtherHost == (generation, host)
    lastOtherHost = (generation, host)
    otherHosts.add(sum, to: names.hostBytes(host), isSame: isSame, digest)
  }

  private mutating func judge(
    _ target: Span<UInt8>, host: Int, _ requests: [TrafficDigest.Count],
    _ visits: [TrafficDigest.Count]
  ) {
    guard let number = hostSites[host] else { return }
    guard filter.isSelective else {
      judgeVersions(target, host: host, site: number, requests, visits)
      return
    }
    // Taken out while it is used: an array that two hold is copied when it changes.
    var selected: [TrafficDigest.Count] = []
    swap(&selected, &self.selected)
    selected.removeAll(keepingCapacity: true)
    for count in requests {
      if combinations[count.kind].isIncluded {
        selected.append(count)
      } else {
        leftOut += count.requests
      }
    }
    if !selected.isEmpty { judgeVersions(target, host: host, site: number, selected, visits) }
    swap(&selected, &self.selected)
  }

  /// Judges a target of a site, of which all requests count, under the versions of their days.
  @inline(__always)
  private mutating func judgeVersions(
    _ target: Span<UInt8>, host: Int, site: Int, _ requests: [TrafficDigest.Count],
    _ visits: [TrafficDigest.Count]
  ) {
    guard hasHistory else {
      judge(target, host: host, site: site, version: site, requests, visits)
      return
    }
    let first = firstVersions[site]
    guard sites[site].versions.count > 1 else {
      judge(target, host: host, site: site, version: first, requests, visits)
      return
    }
    judgeByDay(target, host: host, site: site, requests, visits)
  }

  /// Judges requests for a target of a site under one version.
  mutating func judge(
    _ target: Span<UInt8>, host: Int, site number: Int, version: Int,
    _ requests: [TrafficDigest.Count], _ visits: [TrafficDigest.Count]
  ) {
    let site = versions[version]
    let isEligible =
      site.isEligible && !hostHasForeignPort[host] && target.count > 0
      && target[0] == UInt8(ascii: "/")
    url.setTarget(target)
    let path = url.encodedPath
    if !ignoredPaths.isEmpty, ignoredPaths.contains(path.span) {
      for count in requests { leftOut += count.requests }
      return
    }
    var subject = Subject(
      site: number, version: version, isPage: !assets.contains(extensionOf: path),
      template: 0)

    var traffic = (current: Traffic(), legacy: Traffic())
    for count in requests {
      let one = self.traffic(count, isPage: subject.isPage)
      if combinations[count.kind].isLegacy {
        traffic.legacy += one
      } else {
        traffic.current += one
      }
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

    subject.template = template(of: path, site: number)
    if let routes = site.routes {
      subject.route = routes.firstMatch(path: path, query: url.encodedQuery, using: &routeSearch)
    }

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

  /// The number of a path's template.
  @inline(__always)
  private mutating func template(of path: [UInt8], site: Int) -> Int {
    if grouping == .template, scanner.isTemplate(path.span) {
      return templates.insert(path, scope: UInt32(site)).id
    }
    template.removeAll(keepingCapacity: true)
    if grouping == .exact {
      PathTemplate.append(escaping: path.span, to: &template)
    } else {
      scanner.append(folding: path.span, to: &template)
      grouping.fold(&template)
    }
    return templates.insert(template, scope: UInt32(site)).id
  }

  /// Counts those of a target's requests that some combinations have.
  @inline(__always)
  private mutating func addDimensions(
    _ requests: [TrafficDigest.Count], _ verdict: Verdict, _ subject: Subject,
    where isIncluded: (Combination) -> Bool
  ) {
    for count in requests where isIncluded(combinations[count.kind]) {
      dimensionCounts.add(
        count.requests, site: subject.site, combinations[count.kind].dimensions, verdict,
        isPage: subject.isPage)
    }
    if dimensionCounts.isFull { flushDimensions() }
  }

  private mutating func flushDimensions() {
    dimensionCounts.forEachCount { count in
      let isVisit = count.isPage && filter.isVisitLike(count.dimensions)
      tallies[count.site].add(count, isVisit: isVisit)
    }
    dimensionCounts.removeAll()
  }

  /// Counts by families what has been counted by templates, and forgets those.
  private mutating func foldTemplates() {
    let families = (0..<templates.count).map { id in
      let site = Int(templates.scope(id))
      return templates.withBytes(id) { template in
        if let family = surveyTally?.addFamily(of: template) { return family }
        return candidates.isEmpty
          ? tallies[site].addFamily(of: template) : comparisons[site].addFamily(of: template)
      }
    }
    surveyTally?.foldTemplates { families[$0] }
    for site in comparisons.indices { comparisons[site].foldTemplates { families[$0] } }
    for site in tallies.indices { tallies[site].foldTemplates { families[$0] } }
    templates.removeAll()
    for index in pageTemplates.indices { pageTemplates[index] = .unknown }
  }

  /// Brings the tallies up to date when all has been judged.
  mutating func finish() {
    flushDimensions()
    foldTemplates()
  }

  /// The requests, which are visits if they look like one and ask for a page.
  @inline(__always)
  func traffic(_ count: TrafficDigest.Count, isPage: Bool) -> Traffic {
    let isVisit = isPage && combinations[count.kind].isVisitLike
    return Traffic(requests: count.requests, visits: isVisit ? count.requests : 0)
  }

  /// Counts the requests of a target from one generation of systems under the
  /// verdict that has just been evaluated.
  private mutating func addVerdict(
    of compiled: CompiledSite, _ system: OperatingSystem, _ traffic: Traffic,
    _ target: Span<UInt8>, _ subject: Subject, _ requests: [TrafficDigest.Count],
    _ visits: [TrafficDigest.Count]
  ) {
    let site = subject.site
    let version = hasHistory ? subject.version - firstVersions[site] : 0
    let verdict = evaluation.siteVerdict
    let key = SiteTally.PathKey(
      path: subject.template, verdict: verdict, system: system, version: version,
      rule: compiled.firstList(with: verdict, system, evaluation)
        .flatMap { evaluation.decidingRule(ofRuleList: $0) },
      route: subject.route)

    tallies[site].add(traffic, toPath: key, target: target)
    let isLegacy = system == .legacy
    addDimensions(requests, verdict, subject) { $0.isLegacy == isLegacy }
    guard verdict == .claimed else { return }
    for count in requests where combinations[count.kind].problem != 0 {
      addProblem(count, key, target, subject)
    }
    guard subject.isPage else { return }
    for count in visits {
      let page = pages[count.kind]
      guard page.isLegacy == isLegacy, page.isIncluded else { continue }
      let from = template(ofPage: page.template, site: site)
      tallies[site].add(
        count.requests, toPair: SiteTally.PairKey(from: from, to: subject.template))
    }
  }

  /// Counts requests for a claimed target that didn't get a page.
  @inline(never)
  private mutating func addProblem(
    _ count: TrafficDigest.Count, _ key: SiteTally.PathKey, _ target: Span<UInt8>,
    _ subject: Subject
  ) {
    let combination = combinations[count.kind]
    guard combination.isLegacy == (key.system == .legacy) else { return }
    var key = key
    key.status = combination.problem
    let attempts = subject.isPage && combination.isAttempt ? count.requests : 0
    tallies[subject.site].add(
      problem: Traffic(requests: count.requests, visits: attempts), toPath: key, target: target)
  }

  /// The number among the templates of paths of the template of a referring page.
  private mutating func template(ofPage page: Int, site: Int) -> Int {
    // A page's host is that of the request, but a part numbers the templates of
    // all hosts together.
    if pageTemplates[page].site == site { return pageTemplates[page].number }
    var encoded = ReferrerTemplate.encoded(names.templates[page])
    grouping.fold(&encoded)
    let number = templates.insert(encoded, scope: UInt32(site)).id
    pageTemplates[page] = PageTemplate(site: site, number: number)
    return number
  }
}
