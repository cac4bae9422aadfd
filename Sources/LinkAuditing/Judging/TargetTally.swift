internal import TrafficDigest

/// The counts of the targets that a worker judges.
///
/// Reports count verdicts, comparisons count changes of verdicts, and suggestions count what no
/// rule claims. ``Judge`` does what they have in common.
protocol TargetTally: Sendable {
  /// Whether paths of a route are counted together, rather than by the values of its parameters.
  static var followsRoutes: Bool { get }

  /// The number of requests that were counted.
  var requests: Int { get }

  /// Counts the requests for a target that can't open an app, whatever the rules.
  ///
  /// Of the target, only the site, the version, the traffic, and whether it is a page are known.
  mutating func addIneligible(
    _ target: borrowing JudgedTarget, _ requests: Span<TrafficDigest.Count>)

  /// Counts the requests for a target.
  ///
  /// - Parameters:
  ///   - target: The target, whose URL can be judged.
  ///   - bytes: The target as the request line has it.
  ///   - site: The site, with the version of its file that was in force.
  ///   - requests: The requests.
  ///   - visits: The visits from pages of the same host among them, by page.
  mutating func add(
    _ target: inout JudgedTarget, _ bytes: Span<UInt8>, of site: CompiledSite,
    _ requests: Span<TrafficDigest.Count>, _ visits: Span<TrafficDigest.Count>)

  /// Adds a template of a path.
  ///
  /// - Returns: The number of its path group.
  mutating func addGroup(of template: Span<UInt8>, site: Int) -> Int

  /// Completes the counts of a worker.
  mutating func finish()

  /// Adds the counts of another worker.
  mutating func merge(_ other: Self)
}
