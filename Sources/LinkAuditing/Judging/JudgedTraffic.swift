internal import Foundations
internal import TrafficDigest

/// The counts of workers under the rules of sites.
struct JudgedTraffic: Sendable {
  /// By site; of no use where files are compared.
  var tallies: [SiteTally]

  /// The decisions of rules, by site and version; unused where files are compared.
  var ruleTallies: [[RuleTallies]]

  /// By site, if files are compared.
  var comparisons: [ComparisonTally]

  /// The counts of the survey, or `nil` if no rules are suggested.
  var survey: RuleSurvey.Tally?

  /// The requests to hosts that aren't sites.
  var otherHosts: OtherHostCounts

  /// The requests to sites that the filter or ignored paths leave out.
  var leftOut: Int

  /// The traffic of ignored paths among those.
  var ignored: Traffic

  /// Judges each distinct target of a digest.
  ///
  /// - Parameters:
  ///   - digest: The traffic.
  ///   - sites: The sites, each with a host of its own.
  ///   - candidates: The same sites, each with one version, and the files to compare with; or none.
  ///   - survey: The survey of the only site's targets when looking for rules, or `nil`.
  ///   - options: The options of judging, and the number of workers.
  /// - Returns: The combined counts of all workers.
  /// - Throws: ``JudgingError`` if a file can't be read.
  static func judge(
    _ digest: TrafficDigest, sites: [CompiledHistory], candidates: [CompiledSite] = [],
    survey: RuleSurvey? = nil, options: AuditOptions
  ) throws(JudgingError) -> JudgedTraffic {
    let slices = digest.slices(jobs: options.jobs)
    let counter = WorkCounter(upTo: slices.count)
    let jobs = max(1, min(options.jobs, slices.count))
    let undelivered = UndeliveredDays(
      digest, SiteDirectory(sites.map(\.host)), siteCount: sites.count)
    let sharesRules = sharesRules(sites + candidates.map { CompiledHistory($0) })
    let shares: [Result<JudgedTraffic, DigestFileError>] = inParallel(jobs: jobs) { worker in
      // Each worker compiles the rules itself: reference counting of shared rules would cost more.
      // Many copies of very many rules would take too much memory, so then the rules are shared.
      let hostCounts = digest.hostCounts
      var judge =
        worker == 0 || sharesRules && survey == nil
        ? Judge(
          sites: sites, candidates: candidates, survey: survey, undelivered: undelivered,
          hostCounts: hostCounts, options: options)
        : Judge(
          sites: CompiledHistory.compiling(sites.map(\.history)),
          candidates: candidates.map { CompiledSite($0.site) }, survey: survey?.copied(),
          undelivered: undelivered, hostCounts: hostCounts, options: options)
      do throws(DigestFileError) {
        while let number = counter.draw() { try judge.judge(slices[number], of: digest) }
      } catch {
        return .failure(error)
      }
      judge.finish()
      return .success(
        JudgedTraffic(
          tallies: judge.tallies, ruleTallies: judge.ruleTalliesBySite,
          comparisons: judge.comparisons, survey: judge.surveyTally,
          otherHosts: judge.otherHosts, leftOut: judge.leftOut,
          ignored: judge.ignored))
    }
    do throws(DigestFileError) {
      var total = try shares[0].get()
      for result in shares.dropFirst() { total.merge(try result.get()) }
      return total
    } catch {
      throw .digest(error)
    }
  }

  /// The minimum number of rules and sites for workers to share them.
  private static let sharedCount = 10_000

  private static func sharesRules(_ sites: [CompiledHistory]) -> Bool {
    let count = sites.reduce(0) { sum, site in
      site.versions.reduce(sum + 1) { $0 + $1.ruleCount }
    }
    return count >= sharedCount
  }

  private mutating func merge(_ other: JudgedTraffic) {
    for number in tallies.indices { tallies[number].merge(other.tallies[number]) }
    for number in ruleTallies.indices {
      for version in ruleTallies[number].indices {
        ruleTallies[number][version].merge(other.ruleTallies[number][version])
      }
    }
    for number in comparisons.indices { comparisons[number].merge(other.comparisons[number]) }
    if let survey = other.survey { self.survey?.merge(survey) }
    otherHosts.merge(other.otherHosts)
    leftOut += other.leftOut
    ignored += other.ignored
  }

  /// Sees that each request of a digest was counted once.
  ///
  /// - Parameters:
  ///   - requests: The number of requests that have a verdict.
  ///   - otherHosts: The other hosts and their requests.
  ///   - digest: The digest that was judged.
  /// - Throws: ``JudgingError/unbalanced(_:)`` if one was lost or counted twice.
  func checkBalance(
    judged requests: Int, otherHosts: (named: [HostRequests], rest: HostRemainder),
    of digest: TrafficDigest
  ) throws(JudgingError) {
    try RequestBalance(
      input: digest.tally.requests, judged: requests,
      otherHosts: otherHosts.named.reduce(otherHosts.rest.requests) { $0 + $1.requests },
      leftOut: leftOut
    ).check()
  }
}
