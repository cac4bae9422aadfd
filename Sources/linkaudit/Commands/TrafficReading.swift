internal import AccessLogs
internal import LinkAuditing
internal import TrafficDigest

/// The traffic that a command asks about: that of a store, or of logs.
struct TrafficReading {
  let options: ReadingOptions

  /// The directory of the store, or `nil` for logs.
  let store: String?

  /// The host of lines that name none, and whether it was named.
  let defaultHost: String?
  let isHostNamed: Bool

  /// The places of the output.
  let places: [OutputFile.Place?]

  /// The files other than logs that output must not replace.
  let files: [String]

  /// Reads the traffic, and judges it.
  ///
  /// - Throws: ``Complaint`` if nothing can be read.
  func judged<Judged>(
    _ judge: (TrafficDigest) throws(JudgingError) -> Judged
  ) throws -> LogReading.Outcome<Judged> {
    if let store {
      try OutputFile.check(places, among: files)
      return try StoreReading(store, options).judged(judge)
    }
    let reading = try LogReading(options, defaultHost: defaultHost, isNamed: isHostNamed)
    let inputs = try reading.inputs()
    try OutputFile.check(
      [options.rejectOptions.place] + places, among: files + options.inputOptions.lists,
      logs: inputs)
    return try reading.read(inputs, judge: judge)
  }
}
