internal import Foundations
public import TrafficDigest

/// The counts of all workers under the rules of sites.
struct JudgedTraffic<Tally: TargetTally>: Sendable {
  /// The counts of targets.
  var tally: Tally

  /// The requests to hosts that aren't sites.
  var otherHostCounts = OtherHostCounts()
  private(set) var otherHosts = HeaviestHosts()

  /// The fetches of association files by site and day.
  let fetches: [[TrafficDigest.Daily<TrafficDigest.Fetch>]]

  /// The requests to sites that the filter or ignored paths leave out.
  var leftOut = 0

  /// The traffic of ignored paths among those.
  var ignored = Traffic()

  /// Judges each distinct target of a digest.
  ///
  /// - Parameters:
  ///   - digest: The traffic.
  ///   - sites: The sites, each with a host of its own.
  ///   - others: Files with which those of the sites are compared; they count for the decision
  ///     whether workers share rules.
  ///   - options: The options of judging, and the number of workers.
  ///   - tally: Returns the empty counts of a worker, for these sites; a copy must share no rule
  ///     with others.
  /// - Returns: The combined counts of all workers.
  /// - Throws: ``JudgingError`` if a file can't be read, or requests were lost or counted twice.
  static func judge(
    _ digest: TrafficDigest, sites: [RuleSet], besides others: [RuleSet.Version] = [],
    options: AuditOptions,
    tally: @Sendable (_ sites: [RuleSet], _ isCopy: Bool) -> Tally
  ) throws(JudgingError) -> JudgedTraffic {
    let slices = digest.slices(jobs: options.jobs)
    let counter = WorkCounter(upTo: slices.count)
    let jobs = max(1, min(options.jobs, slices.count))
    let fetches = SiteDirectory(sites.map(\.host)).dailyFetches(of: digest)
    let undelivered = fetches.map(\.undeliveredDays)
    let sharesRules = sharesRules(sites.flatMap(\.versions) + others, siteCount: sites.count)
    let shares: [Result<JudgedTraffic, DigestFileError>] = inParallel(jobs: jobs) { worker in
      // Each worker compiles the rules itself: reference counting of shared rules would cost more.
      // Many copies of very many rules would take too much memory, so then the rules are shared.
      let isCopy = worker > 0 && !sharesRules
      let sites = isCopy ? RuleSet.compiling(sites.map(\.history)) : sites
      var judge = Judge(
        sites: sites, traffic: JudgedTraffic(tally: tally(sites, isCopy), fetches: fetches),
        undelivered: undelivered, options: options)
      do throws(DigestFileError) {
        while let number = counter.draw() { try judge.judge(slices[number], of: digest) }
      } catch {
        return .failure(error)
      }
      judge.finish()
      return .success(judge.traffic)
    }
    var total: JudgedTraffic
    do throws(DigestFileError) {
      total = try shares[0].get()
      for result in shares.dropFirst() { total.merge(try result.get()) }
    } catch {
      throw .digest(error)
    }
    total.otherHosts = total.otherHostCounts.heaviest
    let balance = RequestBalance(
      input: digest.tally.requests, judged: total.tally.requests,
      otherHosts: total.otherHosts.requests, leftOut: total.leftOut)
    guard balance.isEven else { throw .unbalanced(balance) }
    return total
  }

  /// Returns a Boolean value indicating whether there are so many rules and sites that workers share
  /// them.
  private static func sharesRules(_ files: [RuleSet.Version], siteCount: Int) -> Bool {
    files.reduce(siteCount) { $0 + $1.ruleCount } >= 10_000
  }

  private mutating func merge(_ other: JudgedTraffic) {
    tally.merge(other.tally)
    otherHostCounts.merge(other.otherHostCounts)
    leftOut += other.leftOut
    ignored += other.ignored
  }
}

/// The requests of an input by what became of them; a report counts each once.
public struct RequestBalance: Hashable, Sendable {
  /// The requests of the input, within the requested period.
  public var input: Int

  /// The requests that have a verdict.
  public var judged: Int

  /// The requests for hosts that are no sites.
  public var otherHosts: Int

  /// The requests for sites that a filter or ignored paths leave out.
  public var leftOut: Int

  /// A Boolean value indicating whether no request is lost or counted twice.
  var isEven: Bool { input == judged + otherHosts + leftOut }
}

extension RequestBalance: CustomStringConvertible {
  public var description: String {
    "the input has \(input.counted("request")), but \(judged.grouped) have a verdict, "
      + "\(otherHosts.grouped) are for other hosts, and filters ignore \(leftOut.grouped)"
  }
}

/// The reason why a digest has no report.
public enum JudgingError: Error, Sendable {
  /// A digest's file can't be read.
  case digest(DigestFileError)

  /// Requests were lost or counted twice.
  case unbalanced(RequestBalance)
}
