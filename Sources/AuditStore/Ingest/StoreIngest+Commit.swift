internal import AccessLogs
internal import Foundations
internal import TrafficDigest

// The changes that a batch of logs makes in a store.
extension StoreIngest {
  /// Writes the new lines of a batch, and commits them.
  ///
  /// - Parameters:
  ///   - files: The files, identified.
  ///   - digest: The lines that are counted permanently.
  ///   - logs: Those with uncounted lines, in the same order, after reading.
  ///   - started: A time before files were opened, in nanoseconds since 1970.
  ///   - outcome: Receives the new lines, and the messages about these logs.
  /// - Returns: The days with changed figures.
  /// - Throws: ``StoreError`` if the database can't be written, or digests can't be read; `outcome`
  ///   is unchanged then.
  func commit(
    _ files: [LogIdentification], _ digest: TrafficDigest, _ logs: [ContinuedLog],
    started: Int64, _ outcome: inout IngestOutcome
  ) throws(StoreError) -> Set<StoredDay> {
    let counted = files.filter { $0.uncounted == nil }
    let read = Array(zip(logs, files.filter { $0.uncounted != nil }))
    let (days, added) = try write(counted, digest, read, started: started)
    outcome.notes += counted.flatMap { Self.notes($0) }
    outcome.notes += read.flatMap { Self.notes($0, $1) }
    outcome.tally += added
    outcome.newFiles += logs.count
    return days
  }

  /// Writes digests, then the ledger, the names of the digests, and figures.
  private func write(
    _ counted: [LogIdentification], _ digest: TrafficDigest,
    _ read: [(log: ContinuedLog, file: LogIdentification)], started: Int64
  ) throws(StoreError) -> (days: Set<StoredDay>, added: LineTally) {
    if read.isEmpty, counted.isEmpty { return ([], LineTally()) }
    if read.isEmpty {
      try store.write { try writeCounted(counted, started: started, in: $0) }
      return ([], LineTally())
    }
    let run = try store.read { try AuditStore.nextRun(in: $0) }
    let pendingDigests = try StoreError.catching(store.directory) {
      try read.map { try self.pendingDigests(of: $0.log) }
    }
    let settledDays = Set(read.flatMap { $0.log.settled.days.keys }.map { StoredDay($0) })
    // In a first run, all lines of a short log can be pending.
    let addedDays = Set(read.flatMap { $0.log.added.days.keys }.map { StoredDay($0) })
    let firstDay = try store.read { database in
      try firstKept(besides: addedDays, in: database)
    }
    let digests = DayDigests(store, options.reduction, run: run)
    var before: [StoredDay: DigestFile] = [:]
    let rows = try StoreError.catching(store.digestDirectory) {
      try digests.write(settledDays, firstKept: firstDay) { present in
        before = present
        return try digest.adding(
          present.sorted { $0.key < $1.key }.map(\.value), jobs: options.reduction.jobs,
          temporaryDirectory: options.reduction.temporaryDirectory)
      }
    }
    let settled = DailyFigures.Counted(digest: digest, days: settledDays, before: before)
    // If this fails, the digests stay, because a commit can succeed although its end failed. The
    // next run removes those that the database doesn't name.
    return try store.write { database in
      try writeCounted(counted, started: started, in: database)
      var (days, sum) = (settledDays, LineTally())
      for ((log, file), pending) in zip(read, pendingDigests) {
        let (id, pendingDays, added) = try KnownLog.write(
          log, over: file.known, pending, run: run, started: started, in: database)
        days.formUnion(pendingDays)
        sum += added
        let lines =
          digest.rejectedLines.filter { $0.path == log.file.path } + log.pendingRejectedLines
        try Self.write(lines, log: id, in: database)
      }
      for row in rows { try row.write(run: run, in: database) }
      try writeRun(run, read.count, sum, in: database)
      for day in days where day.isBefore(firstDay) {
        try AuditStore.remove(day, in: database)
      }
      let kept = days.filter { !$0.isBefore(firstDay) }
      try DailyFigures(store, options).write(Set(kept), settled, in: database)
      return (days, sum)
    }
  }

  /// Encodes the pending lines of a log by day.
  private func pendingDigests(of log: ContinuedLog) throws -> [KnownLog.PendingDigest] {
    guard let digest = log.pendingDigest, log.pending.tally.requests > 0 else { return [] }
    var bytes: [Day?: [UInt8]] = [:]
    return try digest.writeByDay(
      jobs: 1, temporaryDirectory: options.reduction.temporaryDirectory
    ) { bytes[$0, default: []] += $1 }
    .map { (StoredDay($0.day), $0.requests, bytes[$0.day] ?? []) }
  }

  /// Records the present names of files whose lines all count, and whether the files are complete.
  private func writeCounted(
    _ files: [LogIdentification], started: Int64, in database: Database
  ) throws {
    for file in files {
      switch file.answer {
      case .copy(let log, _):
        try KnownLog.record(file.stamp, of: log.id, started: started, in: database)
      case .counted(let log, let damage):
        try KnownLog.record(file.stamp, of: log.id, started: started, in: database)
        try database.execute(
          "UPDATE logs SET path = ?, status = ?, damage = ? WHERE id = ?",
          [file.input.path, InputStatus(damage), damage?.code, log.id])
      case .nothing, .unfinished, .uncounted, .diverged: break
      }
    }
  }

  private static func write(
    _ lines: [RejectedLine], log: Int64, in database: Database
  ) throws {
    for line in lines {
      try database.execute(
        "INSERT OR REPLACE INTO rejected_lines VALUES (?, ?, ?, ?)",
        [log, line.reason, line.line, line.offset])
    }
  }

  private func writeRun(
    _ run: Int64, _ logs: Int, _ tally: LineTally, in database: Database
  ) throws {
    try database.execute(
      "INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?)",
      [
        run, now, LogTime.now, logs, tally.lines,
        // The beginning of a line can look like a request although the complete line doesn't.
        max(0, tally.requests), max(0, tally.rejected),
      ])
  }
}

// MARK: - Notes

extension StoreIngest {
  private static func notes(_ file: LogIdentification) -> [IngestNote] {
    var kinds: [IngestNote.Kind?]
    switch file.answer {
    case .nothing(let damage), .unfinished(isTorn: false, let damage):
      kinds = [damage.map { .damaged($0, lines: 0) }]
    case .unfinished(isTorn: true, let damage):
      kinds = [damage.map { .damaged($0, lines: 0) } ?? .unfinished]
    // Damage is reported once.
    case .counted(let log, let damage?) where log.status == .complete:
      kinds = [.damaged(damage, lines: log.lines)]
    case .counted: kinds = [file.twin.map { .twin(of: $0) }]
    case .copy(_, let damage?): kinds = [.damaged(damage, lines: 0)]
    case .copy(let log, nil): kinds = [log.wasReadFromFile ? nil : .copy(of: log.path)]
    case .uncounted, .diverged: kinds = []
    }
    return kinds.compactMap { kind in
      kind.map { IngestNote(path: file.input.path, kind: $0) }
    }
  }

  private static func notes(_ log: ContinuedLog, _ file: LogIdentification) -> [IngestNote] {
    var notes: [IngestNote] = []
    let path = file.input.path
    if case .diverged(_, let other, isExact: false) = file.answer {
      notes.append(IngestNote(path: path, kind: .diverged(from: other.path)))
    }
    if let twin = file.twin { notes.append(IngestNote(path: path, kind: .twin(of: twin))) }
    if let alike = file.alike { notes.append(IngestNote(path: path, kind: .alike(alike))) }
    if let damage = log.input.damage {
      notes.append(
        IngestNote(path: path, kind: .damaged(damage, lines: log.added.tally.lines)))
    }
    if !log.input.unreadStart.isEmpty {
      notes.append(IngestNote(path: path, kind: .unread(start: log.input.unreadStart)))
    }
    return notes
  }
}

extension ContinuedLog {
  /// The positions of rejected lines among those that can change, relative to the complete log.
  var pendingRejectedLines: [RejectedLine] {
    (pendingDigest?.rejectedLines ?? []).map { line in
      var line = line
      line.line += settledLines + settled.tally.lines
      return line
    }
  }
}
