public import AccessLogs
internal import Foundations
internal import TrafficDigest

/// Takes the lines of logs into a store, each once.
///
/// A log is identified by its content, whatever its name and its compression: hashes of its
/// beginning show how much of it is counted, so that only new lines are. One commit of the
/// database makes all changes of a batch of logs.
public struct StoreIngest {
  private let store: AuditStore
  private let options: IngestOptions
  private let now = Timestamp.now

  /// Creates the work on a store.
  public init(_ store: AuditStore, options: IngestOptions) {
    var options = options
    options.reduction.timeSpan = TimeSpan()
    options.reduction.keepsRejectedLines = false
    (self.store, self.options) = (store, options)
  }

  /// Takes logs into the store.
  ///
  /// - Parameters:
  ///   - inputs: The logs.
  ///   - outcome: The result, even if an error is thrown: the next run doesn't repeat changes that
  ///     were committed before.
  ///   - progress: As for ``TrafficDigest/reduce(continuing:options:progress:)``.
  ///   - committed: A function that is called after each commit with the result so far.
  /// - Throws: ``StoreError`` if the store can't be changed; earlier commits stay.
  public func run(
    _ inputs: [LogInput], _ outcome: inout IngestOutcome,
    progress: (@Sendable (_ bytes: Int, _ lines: Int) -> Void)? = nil,
    committed: (IngestOutcome) -> Void = { _ in }
  ) throws(StoreError) {
    outcome = IngestOutcome()
    outcome.files = inputs.count
    // Single rows are looked up later. A log that isn't found would count twice.
    try store.read { database in
      if let mismatch = try StoreChecksums.mismatches(of: StoredTable.ledger, in: database).first {
        throw mismatch
      }
    }
    let files = inputs.filter { $0.size != nil || FileStamp(path: $0.path) != nil }
    for input in inputs where input.size == nil && FileStamp(path: input.path) == nil {
      let head: LogDamage? = input.isStandardInput ? nil : LogHead(of: input).damage
      outcome.notes.append(
        IngestNote(path: input.path, kind: head.map { .damaged($0, lines: 0) } ?? .unsupported))
    }
    var days = try deploy(&outcome)
    for batch in batches(files) {
      var rest = batch
      while !rest.isEmpty {
        let (changed, waiting) = try take(rest, &outcome, progress)
        days.formUnion(changed)
        rest = waiting
        committed(outcome)
      }
    }
    let removed = try keep()
    outcome.removedDays = removed.sorted().map(\.day)
    days.formUnion(removed)
    outcome.days = days.sorted().map(\.day)
  }

  /// Cuts logs into pieces of work between two commits.
  private func batches(_ inputs: [LogInput]) -> [[LogInput]] {
    var batches: [[LogInput]] = []
    // The bytes that still fit; a sparse file can be of any size.
    var room = options.batchSize
    for input in inputs.sorted(by: { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }) {
      let length = input.size ?? 0
      let isFull = length > room || batches.last?.count == IngestOptions.batchCount
      if batches.isEmpty || isFull {
        batches.append([])
        room = options.batchSize
      }
      batches[batches.count - 1].append(input)
      room -= min(length, room)
    }
    return batches
  }

  /// How often logs that change while they are read are looked at again.
  private static let attemptLimit = 3

  /// Takes a batch of logs into the store.
  ///
  /// - Returns: The days whose figures have changed, and logs that go on where others of
  ///   the batch end, and are to be taken next.
  private func take(
    _ inputs: [LogInput], _ outcome: inout IngestOutcome,
    _ progress: (@Sendable (_ bytes: Int, _ lines: Int) -> Void)?
  ) throws(StoreError) -> (days: Set<StoredDay>, waiting: [LogInput]) {
    var (inputs, attempt) = (inputs, 0)
    /// Leaves logs out, so that the others are read once more, without them.
    func leaveOut(_ logs: [ContinuedLog], _ kind: (ContinuedLog) -> IngestNote.Kind) {
      outcome.notes += logs.map {
        IngestNote(path: $0.continuation.input.path, kind: kind($0))
      }
      let left = Set(logs.map(\.continuation.input))
      inputs.removeAll { left.contains($0) }
      attempt -= 1
    }
    while true {
      attempt += 1
      // The stamp of a file is of use only if it is clear that it was made before.
      let started = StampClock.now
      var plan = try IngestPlan(inputs, store, options.reduction)
      var (digest, logs) = try StoreError.catching(store.directory) {
        try TrafficDigest.reduce(
          continuing: plan.uncounted.compactMap(\.continuation), options: options.reduction,
          progress: progress)
      }
      // The log was rotated in between: identify the file that has its name now.
      let others = Set(logs.filter(\.isOther).map(\.continuation.input))
      if !others.isEmpty {
        guard attempt >= Self.attemptLimit else { continue }
        inputs.removeAll { others.contains($0) }
        outcome.notes += others.sorted { $0.path < $1.path }
          .map { IngestNote(path: $0.path, kind: .unsteady) }
        continue
      }
      let nameless = logsWithoutHosts(logs, digest)
      if !nameless.isEmpty {
        leaveOut(nameless) { _ in .nameless }
        continue
      }
      // A store counts each line once, so it couldn't be put right later.
      let digests = [digest] + logs.compactMap(\.pending?.digest)
      let doubts = TrafficDigest.DoubtfulHost.found(in: digests)
      if let doubt = doubts.first(where: { $0.ownRequests == 0 }) {
        throw .hostDoubtful(doubt)
      }
      let misread = logs.filter(isMisread)
      if !misread.isEmpty {
        leaveOut(misread) {
          .misread(format: $0.input.format?.name ?? "", lacksTimes: $0.added.tally.lacksTimes)
        }
        continue
      }
      // They have no requests, so that they are in no digest.
      let unfit = logs.filter(isUnfit)
      outcome.notes += unfit.map(note(unfit:))
      outcome.notes += logs.filter { $0.input.hasAmbiguousDates && $0.added.tally.requests > 0 }
        .map { IngestNote(path: $0.continuation.input.path, kind: .ambiguousDates) }
      let left = Set(unfit.map(\.continuation.input))
      logs.removeAll { left.contains($0.continuation.input) }
      plan.leaveOut(left)
      let days = try commit(plan, digest, logs, started: started, &outcome)
      return (days, plan.waiting)
    }
  }

  /// Returns a Boolean value indicating whether no format fits a log, or none of its lines is a
  /// request in the one that was named.
  ///
  /// A store counts each line once, so it couldn't be put right later with another format. Logs
  /// of errors are next to others, and never are requests; and where there are only headings,
  /// requests may follow.
  private func isUnfit(_ log: ContinuedLog) -> Bool {
    (options.reduction.format != nil || !log.input.unreadStart.isEmpty)
      && log.continuation.settledLines == 0 && log.hasContent && log.added.tally.requests == 0
      && !ErrorLog.isStart(log.input.unreadStart)
  }

  /// Returns a Boolean value indicating whether the format that was detected from the lines of a log is
  /// probably another one.
  private func isMisread(_ log: ContinuedLog) -> Bool {
    options.reduction.format == nil && log.continuation.settledLines == 0
      && log.added.tally.isMisread
  }

  private func note(unfit log: ContinuedLog) -> IngestNote {
    IngestNote(
      path: log.continuation.input.path,
      kind: .unfit(
        lines: log.added.tally.lines, format: options.reduction.format?.name,
        start: log.input.unreadStart))
  }

  /// The logs with requests that no site could ever have.
  ///
  /// A store counts each line once, so it couldn't be put right later. Where a format has a
  /// place for hosts, lines that name none are only quiet; and a log that was taken in goes on.
  private func logsWithoutHosts(
    _ logs: [ContinuedLog], _ digest: TrafficDigest
  ) -> [ContinuedLog] {
    let counted = logs.filter { $0.added.tally.requests > 0 }
    var nameless = counted.filter { log in
      log.continuation.settledLines == 0 && !log.canNameHosts
        && log.input.settings.defaultHost == nil && !(log.pending?.digest.namesHosts ?? false)
    }
    // Targets can name hosts, too; of the logs that were read together, nobody knows which did.
    if nameless.count == counted.count, digest.namesHosts { nameless = [] }
    return nameless
  }

  /// Writes what is new, and makes it count.
  private func commit(
    _ plan: IngestPlan, _ digest: TrafficDigest, _ logs: [ContinuedLog], started: Int64,
    _ outcome: inout IngestOutcome
  ) throws(StoreError) -> Set<StoredDay> {
    var notes: [IngestNote] = []
    let work = IngestCommit(store, options, now: now)
    let (days, added) = try work.write(plan, digest, logs, started: started, notes: &notes)
    outcome.notes += notes
    outcome.tally += added
    outcome.newFiles += logs.count
    return days
  }

  /// Takes the association files into the ledger, and brings the figures of days up to
  /// date that are judged by another file than before.
  ///
  /// - Returns: Those days.
  private func deploy(_ outcome: inout IngestOutcome) throws(StoreError) -> Set<StoredDay> {
    let since = options.deployedSince ?? now.day
    let (days, replacements) = try store.write { database in
      let replacements = try options.deployed.compactMap { file in
        try Deployment.add(file, since: since, seen: now, in: database)
      }
      let days = try Deployment.daysToJudge(in: database)
      try DailyFigures(store, options).write(days, in: database)
      return (days, replacements)
    }
    outcome.replacements = replacements
    return days
  }

  /// Removes days that are older than what is kept.
  ///
  /// - Returns: Those days.
  private func keep() throws(StoreError) -> Set<StoredDay> {
    guard options.keptDays != nil else { return [] }
    return try store.write { database in
      guard let first = try firstKept(options, now: now, in: database) else { return [] }
      let days = try database.rows(
        """
        SELECT day FROM log_days WHERE day <> '' AND day < ?1
        UNION SELECT day FROM digests WHERE day <> '' AND day < ?1
        """,
        [first.description]
      ).map { try $0.day() }
      for day in days { try StoreMaintenance.remove(day, in: database) }
      // The present answer of each server stays, however long it has been given.
      try database.execute(
        """
        DELETE FROM served_files WHERE substr(last_seen, 1, 10) < ? AND EXISTS (
          SELECT 1 FROM served_files AS later WHERE later.host = served_files.host
            AND later.source = served_files.source AND later.number > served_files.number)
        """, [first.description])
      try Deployment.removeUnusedFiles(in: database)
      return Set(days)
    }
  }
}

/// The first day that is kept, or `nil` for all.
///
/// It depends on the newest day in the store, up to today: otherwise, a clock that is ahead for one
/// run would remove days that can't be counted again.
///
/// - Parameters:
///   - options: How long days are kept.
///   - now: The present.
///   - others: Days that are about to be written.
///   - database: The ledger.
/// - Returns: The day.
/// - Throws: An error if the ledger can't be read.
func firstKept(
  _ options: IngestOptions, now: Timestamp, besides others: Set<StoredDay> = [],
  in database: Database
) throws -> Day? {
  guard let keptDays = options.keptDays else { return nil }
  let stored = try database.rows(
    """
    SELECT day FROM (SELECT max(day) AS day FROM log_days UNION SELECT max(day) FROM digests)
    WHERE day <> ''
    """
  ).map { try $0.day() }
  let newest = (stored + others).compactMap(\.day).max() ?? now.day
  return Day(daysSince1970: min(newest, now.day).daysSince1970 - keptDays)
}

extension ContinuedLog {
  /// A Boolean value indicating whether a line that was read now is neither empty nor a heading.
  fileprivate var hasContent: Bool {
    let added = added
    return added.tally.lines
      > (added.rejections[.heading] ?? 0) + (added.rejections[.emptyLine] ?? 0)
  }
}
