public import AccessLogs

/// The options for reducing logs.
public struct ReductionOptions: Sendable {
  /// The host of lines that name none, or `nil` if it isn't known.
  public var defaultHost: String?

  /// The pattern that extracts the host of lines without one from the path of their log.
  ///
  /// ``defaultHost`` applies only to logs that don't match it.
  public var hostPattern: HostPattern?

  /// A Boolean value indicating whether the host of lines that name none is certain, so that
  /// referrers are not checked.
  public var isHostConfirmed = false

  /// Hosts that redirect, in addition to the known ones: names, or `*.` and a name for all hosts
  /// below it.
  public var trackers: [String] = []

  /// Hosts of one owner, in the same notation, in addition to those under one registered domain.
  public var ownHosts: [String] = []

  /// The format of all logs, or `nil` to detect it for each file.
  public var format: LogFormat?

  /// The span of time whose requests are counted.
  public var timeSpan = TimeSpan()

  /// The greatest number of bytes in a line.
  public var lineLimit = LogReader.defaultLineLimit

  /// The maximum number of bytes that a compressed log may decompress to.
  public var expansion = ExpansionLimit()

  /// A Boolean value indicating whether rejected lines are kept, in a temporary file.
  public var keepsRejectedLines = false

  /// A Boolean value indicating whether to compute fingerprints of the contents of logs, which
  /// identify inputs that have been counted.
  public var fingerprintsContent = false

  /// The number of workers.
  public var jobs: Int

  /// The number of bytes of tables beyond which they spill to temporary files.
  public var memoryLimit = ReductionOptions.defaultMemoryLimit

  /// The default of the memory for tables, in bytes: 1 GiB.
  public static let defaultMemoryLimit = 1 << 30

  /// The directory of temporary files.
  public var temporaryDirectory = "/tmp"

  /// The host of the lines of a log that name none, or `nil` if it isn't known.
  package func host(ofLogAt path: String) -> String? {
    hostPattern?.host(of: path) ?? defaultHost
  }

  /// Creates options.
  public init(defaultHost: String? = nil, format: LogFormat? = nil, jobs: Int = 1) {
    self.defaultHost = defaultHost
    self.format = format
    self.jobs = max(1, jobs)
  }
}
