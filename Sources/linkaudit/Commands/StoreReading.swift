internal import AccessLogs
internal import AuditStore
internal import Foundations
internal import LinkAuditing
internal import TrafficDigest

/// Reads the data of a store for the days that options select.
struct StoreReading {
  let store: AuditStore
  let traffic: StoredTraffic

  /// Reads a store.
  ///
  /// - Throws: `StoreError` if it can't be read, and ``Complaint`` if it has no data for these
  ///   days.
  init(_ directory: String, _ options: ReadingOptions) throws {
    store = try AuditStore.reading(directory)
    let reduction = try options.reductionOptions(defaultHost: nil, isNamed: false)
    traffic = try StoredTraffic(store, reduction)
    if traffic.days.isEmpty {
      throw Complaint(
        "the store '\(directory)' has no request "
          + (reduction.timeSpan.isUnlimited ? "yet" : "in the selected time")
          + "; 'linkaudit store list --store \(directory.inCommand)' lists its days")
    }
  }

  /// Judges the traffic.
  ///
  /// Damage of logs was reported when they were added.
  ///
  /// - Throws: `StoreError` if digests can't be read, or hold other requests than the store
  ///   counted.
  func judged<Judged>(
    _ judge: (TrafficDigest) throws(JudgingError) -> Judged
  ) throws -> LogReading.Outcome<Judged> {
    do throws(JudgingError) {
      let digest = traffic.digest
      return LogReading.Outcome(digest: digest, judged: try judge(digest), isIncomplete: false)
    } catch {
      throw store.error(error)
    }
  }

  /// Compares the findings of a report with those of the last report with the same scope, and
  /// stores them for the next.
  ///
  /// The last report is one from before logs were last ingested.
  ///
  /// - Parameters:
  ///   - audit: The report.
  ///   - scope: A description of the options.
  /// - Throws: `StoreError` if the store can't be read.
  func compare(_ audit: inout Audit, scope: String) throws {
    let memory = ReportMemory(store, scope: scope)
    if let (report, findings) = try memory.last() {
      audit.compare(with: report, findings: findings)
    } else {
      audit.uncompared = try memory.gap()
    }
    do throws(StoreError) {
      try memory.remember(audit.findings, times: traffic.digest.times)
    } catch {
      StandardStreams.complain("this report can't be compared with the next one: \(error)")
    }
  }
}

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
  /// - Throws: ``Complaint``, or an error that `Complaint` explains, if nothing can be read.
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
