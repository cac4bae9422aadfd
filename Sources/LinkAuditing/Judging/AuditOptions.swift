/// The options of judging a digest.
public struct AuditOptions: Sendable {
  /// The greatest number of literal segments below one parent; more fold into one path group.
  public var fanOut = 100

  /// The grouping of paths.
  public var grouping = PathGrouping.template

  /// The weight that orders the rows of tables.
  public var weight = Traffic.Weight.visits

  /// The minimum shares of traffic for the severities of findings.
  public var thresholds = FindingThresholds()

  /// The extensions of paths that aren't pages.
  public var assetExtensions = AssetExtensions.standard

  /// Paths whose requests don't count.
  public var ignoredPaths = PathPatterns()

  /// Paths to which login services send browsers back.
  public var callbackPaths = PathPatterns()

  /// The filter that selects requests and possible visits.
  public var filter = TrafficFilter()

  /// The number of workers.
  public var jobs: Int

  /// Creates options.
  public init(jobs: Int = 1) {
    self.jobs = max(1, jobs)
  }
}
