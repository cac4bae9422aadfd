public import TrafficDigest

/// Compares the verdicts of two association files on the same traffic.
///
///     let comparison = try Comparer(old: deployed, new: candidate).compare(digest)
public struct Comparer: Sendable {
  private let old: CompiledSite
  private let new: CompiledSite
  private let options: AuditOptions

  /// Creates a comparer; compiling the rules happens here.
  ///
  /// - Parameters:
  ///   - old: The site with the file in force. Its host and its routes count.
  ///   - new: The site with the candidate file.
  ///   - options: The options of judging.
  public init(old: Site, new: Site, options: AuditOptions = AuditOptions()) {
    self.old = CompiledSite(old)
    self.new = CompiledSite(new)
    self.options = options
  }

  /// Judges each distinct target of a digest under both files.
  ///
  /// - Throws: ``JudgingError`` if a file can't be read, or requests were lost or counted twice.
  public func compare(_ digest: TrafficDigest) throws(JudgingError) -> Comparison {
    let judged = try JudgedTraffic.judge(
      digest, sites: [CompiledHistory(old)], candidates: [new], options: options)
    var comparison = ComparisonAssembly(
      old: old, new: new, tally: judged.comparisons[0], weight: options.weight
    ).comparison()
    (comparison.filter, comparison.grouping) = (options.filter, options.grouping)
    comparison.weight = options.weight
    let otherHosts = judged.otherHosts.heaviest(digest)
    try judged.checkBalance(
      judged: comparison.total.requests, otherHosts: otherHosts, of: digest)
    comparison.otherHostRequests =
      otherHosts.named.reduce(0) { $0 + $1.requests } + otherHosts.rest.requests
    comparison.findings = Finding.all(
      in: comparison, new: new.site, digest: digest, otherHosts: otherHosts,
      thresholds: options.thresholds)
    return comparison
  }
}
