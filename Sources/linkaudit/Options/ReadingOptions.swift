internal import ArgumentParser
internal import TrafficDigest

/// The options for reading logs, for filtering their requests, and for rejected lines.
struct ReadingOptions: ParsableArguments {
  @OptionGroup(title: "Time")
  var timeOptions: TimeOptions

  @OptionGroup
  var logOptions: LogOptions

  @OptionGroup(title: "Rejected lines")
  var rejectOptions: RejectOptions

  /// Checks the options after a configuration has completed them.
  ///
  /// - Parameter command: The words of the corresponding command for stores.
  /// - Throws: `ValidationError` if an option is invalid.
  func check(askingStores command: String = "report") throws {
    try logOptions.check(askingStores: command)
  }

  /// Returns the options for reducing logs; see
  /// ``LogOptions/reductionOptions(defaultHost:isNamed:)``.
  func reductionOptions(defaultHost: String?, isNamed: Bool) throws -> ReductionOptions {
    var options = try logOptions.reductionOptions(defaultHost: defaultHost, isNamed: isNamed)
    options.timeSpan = try timeOptions.span()
    options.keepsRejectedLines = rejectOptions.rejects != nil
    return options
  }
}

extension ReadingOptions {
  /// The logs to read.
  var inputOptions: InputOptions {
    get { logOptions.inputOptions }
    set { logOptions.inputOptions = newValue }
  }

  /// The format of their lines.
  var formatOptions: FormatOptions { logOptions.formatOptions }

  /// The pattern that finds the host in the path of a log.
  var hostFromPath: String? { logOptions.hostFromPath }

  /// The workers.
  var workerOptions: WorkerOptions { logOptions.workerOptions }

  /// The number of workers.
  var workers: Int { get throws { try logOptions.workers } }
}
