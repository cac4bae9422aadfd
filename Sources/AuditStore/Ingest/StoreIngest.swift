public import AccessLogs
internal import Foundations
internal import LinkAuditing
internal import TrafficDigest

/// Adds the lines of logs to a store, each once.
///
/// A log is identified by its content, whatever its name and its compression. Hashes of its
/// beginning show how much of it is counted, so that only new lines are added. One commit of the
/// database makes all changes of a batch of logs.
public struct StoreIngest {
  let store: AuditStore
  let options: IngestOptions
  let now = LogTime.now

  /// Creates an ingest for a store.
  public init(_ store: AuditStore, options: IngestOptions) {
    var options = options
    options.reduction.timeSpan = TimeSpan()
    options.reduction.keepsRejectedLines = false
    (self.store, self.options) = (store, options)
  }

  /// Adds logs to the store.
  ///
  /// - Parameters:
  ///   - inputs: The logs.
  ///   - outcome: The result, even if an error is thrown, because the next run doesn't repeat
  ///     earlier commits.
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
      if let mismatch = try database.mismatches(of: StoredTable.ledger).first {
        throw mismatch
      }
    }
    let files = inputs.filter { $0.size != nil || FileStamp(path: $0.path) != nil }
    for input in inputs where input.size == nil && FileStamp(path: input.path) == nil {
      let damage: LogDamage? = input.isStandardInput ? nil : LogHead(of: input).damage
      outcome.notes.append(
        (input.path, damage.map { .damaged($0, lines: 0) } ?? .unsupported))
    }
    try deploy(&outcome)
    var countedDays: Set<StoredDay> = []
    for batch in batches(files) {
      var rest = batch
      while !rest.isEmpty {
        let (changed, waiting) = try take(rest, &outcome, progress)
        countedDays.formUnion(changed)
        rest = waiting
        committed(outcome)
      }
    }
    let removed = try keep()
    outcome.removedDays = removed.sorted().map(\.day)
    outcome.countedDays = countedDays.sorted().map(\.day)
  }

  /// Divides logs into batches, one for each commit.
  private func batches(_ inputs: [LogInput]) -> [[LogInput]] {
    var batches: [[LogInput]] = []
    // The remaining number of bytes; a sparse file can have any size.
    var room = options.batchSize
    for input in inputs.sorted(by: { $0.path.precedesByBytes($1.path) }) {
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

  /// The maximum number of attempts for logs that change while they are read.
  private static let attemptLimit = 3

  /// Adds a batch of logs to the store; returns the days with changed figures, and logs that continue
  /// others of the batch and come next.
  private func take(
    _ inputs: [LogInput], _ outcome: inout IngestOutcome,
    _ progress: (@Sendable (_ bytes: Int, _ lines: Int) -> Void)?
  ) throws(StoreError) -> (days: Set<StoredDay>, waiting: [LogInput]) {
    var (inputs, attempt) = (inputs, 0)
    /// Leaves out logs, so that the others are read again without them.
    func leaveOut(_ logs: [ContinuedLog], _ kind: (ContinuedLog) -> IngestNote) {
      outcome.notes += logs.map { ($0.file.path, kind($0)) }
      let left = Set(logs.map(\.file))
      inputs.removeAll { left.contains($0) }
      attempt -= 1
    }
    while true {
      attempt += 1
      // The stamp of a file is useful only if it was certainly made before.
      let started = FileStamp.now
      var (files, waiting) = try LogIdentification.identify(inputs, store, options.reduction)
      let (digest, logs) = try StoreError.catching(store.directory) {
        try TrafficDigest.reduce(
          continuing: files.compactMap(\.uncounted), options: options.reduction, progress: progress)
      }
      let read = files.indices.filter { files[$0].uncounted != nil }
      for (index, log) in zip(read, logs) { files[index].uncounted = log }
      // The log was rotated meanwhile, so identify the file that has its name now.
      let others = Set(logs.filter(\.isOther).map(\.file))
      if !others.isEmpty {
        guard attempt >= Self.attemptLimit else { continue }
        inputs.removeAll { others.contains($0) }
        outcome.notes += others.map(\.path).sorted().map { ($0, .unsteady) }
        continue
      }
      let nameless = logsWithoutHosts(logs, digest)
      if !nameless.isEmpty {
        leaveOut(nameless) { _ in .nameless }
        continue
      }
      // A store counts each line once, so an error can't be corrected later.
      let digests = [digest] + logs.compactMap(\.pendingDigest)
      let doubts = TrafficDigest.DoubtfulHost.all(in: digests)
      if let doubt = doubts.first(where: { $0.isContradicted && $0.ownRequests == 0 }) {
        throw .message(
          "these are probably not logs of \(doubt.host): \(doubt.likelyRequests.grouped) of "
            + "\(doubt.requests.grouped) referrers name \(doubt.likelyHost), and none names "
            + "\(doubt.host); linkaudit stored nothing; pass '--host \(doubt.likelyHost)', or add "
            + "'--host-confirmed' if \(doubt.host) is right")
      }
      let misread = logs.filter(isMisread)
      if !misread.isEmpty {
        leaveOut(misread) {
          .misread(
            format: $0.input.format?.name ?? "", lacksTimes: $0.added.tally.lacksTimes,
            doubt: $0.added.tally.isMisread ? nil : certainDoubts(of: $0).first)
        }
        continue
      }
      // They have no requests, so no digest contains them.
      let unfit = logs.filter(isUnfit)
      outcome.notes += unfit.map { log in
        let format = options.reduction.format?.name
        let (lines, start) = (log.added.tally.lines, log.input.unreadStart)
        return (log.file.path, .unfit(lines: lines, format: format, start: start))
      }
      outcome.notes += logs.filter { $0.input.hasAmbiguousDates && $0.added.tally.requests > 0 }
        .map { ($0.file.path, .ambiguousDates) }
      let left = Set(unfit.map(\.file))
      files.removeAll { left.contains($0.input) }
      let days = try commit(files, digest, started: started, &outcome)
      return (days, waiting)
    }
  }

  /// Returns a Boolean value indicating whether no format fits a log, or none of its lines is a
  /// request in the named one.
  ///
  /// A store counts each line once, so another format can't correct this later. Error logs are next
  /// to access logs, and never contain requests. After headings alone, requests may follow.
  private func isUnfit(_ log: ContinuedLog) -> Bool {
    (options.reduction.format != nil || !log.input.unreadStart.isEmpty)
      && log.settledLines == 0 && log.hasContent && log.added.tally.requests == 0
      && !LogFormat.isErrorLog(log.input.unreadStart)
  }

  /// Returns a Boolean value indicating whether the detected format of a log is probably wrong.
  private func isMisread(_ log: ContinuedLog) -> Bool {
    options.reduction.format == nil
      && (log.settledLines == 0 && log.added.tally.isMisread || !certainDoubts(of: log).isEmpty)
  }

  /// The doubts about the format of a log's new lines that another format could resolve.
  ///
  /// A log may really have no times, unless its first lines have some.
  private func certainDoubts(of log: ContinuedLog) -> [FormatReview.Doubt] {
    log.input.doubts.filter {
      $0.line > 0 || log.settledLines == 0 && $0.oddity != .absentTime
    }
  }

  /// The logs with requests that can't belong to any site.
  ///
  /// A store counts each line once, so this can't be corrected later. If a format has a host field,
  /// lines without a host are acceptable. A log that is in the store already continues.
  private func logsWithoutHosts(
    _ logs: [ContinuedLog], _ digest: TrafficDigest
  ) -> [ContinuedLog] {
    let counted = logs.filter { $0.added.tally.requests > 0 }
    var nameless = counted.filter { log in
      log.settledLines == 0 && !log.canNameHosts
        && log.input.settings.defaultHost == nil && !(log.pendingDigest?.namesHosts ?? false)
    }
    // Targets can name hosts, too, and it is unknown which of the logs in the batch did.
    if nameless.count == counted.count, digest.namesHosts { nameless = [] }
    return nameless
  }

  /// Adds the association files to the ledger, and updates the figures of days that another file
  /// judges now.
  private func deploy(_ outcome: inout IngestOutcome) throws(StoreError) {
    let since = options.deployedSince ?? now.day
    outcome.replacements = try store.write { database in
      let replacements = try options.deployed.compactMap { file in
        try Deployment.add(file, since: since, seen: now, in: database)
      }
      let days = try Deployment.daysToJudge(in: database)
      try store.writeFigures(of: days, options, in: database)
      return replacements
    }
  }

  /// Removes days that are older than the retention allows, and returns them.
  private func keep() throws(StoreError) -> Set<StoredDay> {
    guard options.keptDays != nil else { return [] }
    return try store.write { database in
      guard let first = try firstKept(in: database) else { return [] }
      let days = try database.days(
        """
        SELECT day FROM log_days WHERE day <> '' AND day < ?1
        UNION SELECT day FROM digests WHERE day <> '' AND day < ?1
        """, [first])
      for day in days { try AuditStore.remove(day, in: database) }
      // The current answer of each server stays, whatever its age.
      try database.execute(
        """
        DELETE FROM served_files WHERE substr(last_seen, 1, 10) < ? AND EXISTS (
          SELECT 1 FROM served_files AS later WHERE later.host = served_files.host
            AND later.source = served_files.source AND later.number > served_files.number)
        """, [first])
      try Deployment.removeUnusedFiles(in: database)
      return days
    }
  }

  /// Returns the first day to keep, or `nil` for all.
  ///
  /// It depends on the newest day, in the store or to be written, that is not doubtful. Otherwise,
  /// one line with a wrong date would remove days that can't be counted again, or keep others.
  func firstKept(besides others: Set<StoredDay> = [], in database: Database) throws -> Day? {
    guard let keptDays = options.keptDays else { return nil }
    let stored = try database.days(
      """
      SELECT day FROM (
        SELECT max(day) AS day FROM log_days WHERE day <= ?1
        UNION SELECT max(day) FROM digests WHERE day <= ?1)
      WHERE day <> ''
      """, [Day(daysSince1970: now.day.daysSince1970 + 1)])
    let certain = stored.union(others).compactMap(\.day)
      .filter { !$0.isDoubtful(today: now.day) }
    return Day(daysSince1970: (certain.max() ?? now.day).daysSince1970 - keptDays)
  }
}

extension ContinuedLog {
  /// A Boolean value indicating whether any line read now is neither empty nor a heading.
  fileprivate var hasContent: Bool {
    let added = added
    return added.tally.lines
      > (added.rejections[.heading] ?? 0) + (added.rejections[.emptyLine] ?? 0)
  }
}

// The changes that a batch of logs makes in a store.
extension StoreIngest {
  /// Writes the new lines of a batch, commits them, and returns the days with changed figures.
  ///
  /// The digests of days come first, then the ledger, the names of the digests, and figures. The
  /// digest has the lines that are counted permanently. Files were opened after `started`, in
  /// nanoseconds since 1970. An error leaves `outcome` unchanged.
  private func commit(
    _ files: [LogIdentification], _ digest: TrafficDigest, started: Int64,
    _ outcome: inout IngestOutcome
  ) throws(StoreError) -> Set<StoredDay> {
    if files.isEmpty { return [] }
    let counted = files.filter { $0.uncounted == nil }
    let read = files.filter { $0.uncounted != nil }
    let logs = read.compactMap(\.uncounted)
    let pendingDigests = try StoreError.catching(store.directory) {
      try logs.map(self.pendingDigests)
    }
    let settledDays = Set(logs.flatMap(\.settled.days.keys).map { StoredDay($0) })
    // In a first run, all lines of a short log can be pending.
    let addedDays = Set(logs.flatMap(\.added.days.keys).map { StoredDay($0) })
    let (run, firstDay) = try store.read { database in
      (try AuditStore.nextRun(in: database), try firstKept(besides: addedDays, in: database))
    }
    var before: [StoredDay: DigestFile] = [:]
    let rows = try store.writeDigests(
      of: settledDays, from: firstDay, run: run, options.reduction
    ) { present in
      before = present
      return try digest.adding(
        present.sorted { $0.key < $1.key }.map(\.value), jobs: options.reduction.jobs,
        temporaryDirectory: options.reduction.temporaryDirectory)
    }
    // If this fails, the digests stay, because a commit can succeed although its end failed. The
    // next run removes those that the database doesn't name.
    let (days, added) = try store.write { database in
      try writeCounted(counted, started: started, in: database)
      var (days, sum) = (settledDays, LineTally())
      for ((log, file), pending) in zip(zip(logs, read), pendingDigests) {
        let (id, pendingDays, added) = try KnownLog.write(
          log, over: file.known, pending, run: run, started: started, in: database)
        days.formUnion(pendingDays)
        sum += added
        // A pending digest numbers lines from the first one that can still change.
        let pendingLines = (log.pendingDigest?.rejectedLines ?? []).map { line in
          var line = line
          line.line += log.settledLines + log.settled.tally.lines
          return line
        }
        for line in digest.rejectedLines.filter({ $0.path == log.file.path }) + pendingLines {
          try database.insert(
            into: "rejected_lines", id, line.reason, line.line, line.offset, or: "REPLACE")
        }
      }
      for row in rows { try row.write(run: run, in: database) }
      if !read.isEmpty {
        // The beginning of a line can look like a request although the complete line doesn't.
        try database.insert(
          into: "runs", run, now, LogTime.now, read.count, sum.lines, max(0, sum.requests),
          max(0, sum.rejected))
      }
      for day in days where day.isBefore(firstDay) {
        try AuditStore.remove(day, in: database)
      }
      let kept = days.filter { !$0.isBefore(firstDay) }
      try store.writeFigures(of: kept, options, in: database) { day in
        // The lines that were counted just now need not be read.
        guard settledDays.count <= Self.judgedDayLimit, settledDays.contains(day) else {
          return nil
        }
        return try digest.inMemory(on: day.day)?.adding(
          before[day].map { [$0] } ?? [], jobs: options.reduction.jobs,
          temporaryDirectory: options.reduction.temporaryDirectory)
      }
      return (days, sum)
    }
    outcome.notes += (counted + read).flatMap { file in
      file.allNotes.map { (file.input.path, $0) }
    }
    outcome.tally += added
    outcome.newFiles += read.count
    return days
  }

  /// The maximum number of days that are judged in memory, because each looks at all targets.
  private static let judgedDayLimit = 16

  /// Encodes the pending lines of a log by day.
  private func pendingDigests(of log: ContinuedLog) throws -> [KnownLog.PendingDigest] {
    guard let digest = log.pendingDigest, log.pending.tally.requests > 0 else { return [] }
    var bytes: [Day?: [UInt8]] = [:]
    return try digest.writeByDay(
      jobs: 1, temporaryDirectory: options.reduction.temporaryDirectory
    ) { bytes[$0, default: []] += $1 }
    .map { day in
      let digest = bytes[day] ?? []
      return (StoredDay(day), try DigestFile(bytes: digest, name: "").tally.requests, digest)
    }
  }

  /// Records the present names of files whose lines all count, and whether the files are complete.
  private func writeCounted(
    _ files: [LogIdentification], started: Int64, in database: Database
  ) throws {
    for file in files {
      guard let log = file.known else { continue }
      try KnownLog.record(file.stamp, of: log.id, started: started, in: database)
      if file.isCopy { continue }
      try database.execute(
        "UPDATE logs SET path = ?, status = ?, damage = ? WHERE id = ?",
        [file.input.path, InputStatus(file.damage), file.damage, log.id])
    }
  }
}
