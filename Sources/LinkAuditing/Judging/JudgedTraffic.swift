internal import TrafficDigest

/// What workers have counted under the rules of sites.
struct JudgedTraffic: Sendable {
  /// By site; of no use where files are compared.
  var tallies: [SiteTally]

  /// What rules decided, by site and version; of no use where files are compared.
  var ruleTallies: [[RuleTallies]]

  /// By site, if files are compared.
  var comparisons: [ComparisonTally]

  /// If rules are looked for.
  var survey: SurveyTally?

  /// The requests to hosts that aren't sites.
  var otherHosts: OtherHostCounts

  /// Judges each distinct target of a digest.
  ///
  /// - Parameters:
  ///   - digest: The traffic.
  ///   - sites: The sites, each with a host of its own.
  ///   - candidates: The same sites, each of a single version, with the files to compare
  ///     theirs with, or none.
  ///   - survey: What is asked of the only site's targets if rules are looked for, or `nil`.
  ///   - options: How to judge, and how many workers do.
  /// - Returns: What they have counted together.
  /// - Throws: ``DigestFileError`` if a temporary file can't be read.
  static func judge(
    _ digest: TrafficDigest, sites: [CompiledHistory], candidates: [CompiledSite] = [],
    survey: RuleSurvey? = nil, options: AuditOptions
  ) throws(DigestFileError) -> JudgedTraffic {
    let slices = digest.slices(jobs: options.jobs)
    let counter = WorkCounter(upTo: slices.count)
    let jobs = max(1, min(options.jobs, slices.count))
    let shares: [Result<JudgedTraffic, DigestFileError>] = inParallel(jobs: jobs) { worker in
      // Each worker has the rules for itself: counting references to what they share
      // would cost more than compiling it again.
      let hostCounts = digest.hostCounts
      var judge =
        worker == 0
        ? Judge(
          sites: sites, candidates: candidates, survey: survey, hostCounts: hostCounts,
          options: options)
        : Judge(
          sites: sites.map { CompiledHistory($0.history) },
          candidates: candidates.map { CompiledSite($0.site) }, survey: survey?.copied(),
          hostCounts: hostCounts, options: options)
      do throws(DigestFileError) {
        while let number = counter.draw() { try judge.judge(slices[number], of: digest) }
      } catch {
        return .failure(error)
      }
      judge.finish()
      return .success(
        JudgedTraffic(
          tallies: judge.tallies, ruleTallies: judge.ruleTalliesBySite,
          comparisons: judge.comparisons, survey: judge.surveyTally, otherHosts: judge.otherHosts))
    }
    var total = try shares[0].get()
    for result in shares.dropFirst() { total.merge(try result.get()) }
    return total
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
  }
}
