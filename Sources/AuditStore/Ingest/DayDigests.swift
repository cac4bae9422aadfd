// Unsafe code: writing gets the memory of an array inside the closure that lends it.

internal import AccessLogs
internal import Foundations
internal import SystemPackage
internal import TrafficDigest

/// The digests of days that a run writes beside the database, under names that don't count
/// until the database has them.
struct DayDigests {
  /// A digest that was written.
  struct Row {
    var day: StoredDay
    var name: String
    var size: Int
    var identity: String
    var requests: Int
    var targets: Int
  }

  private let store: AuditStore
  private let options: ReductionOptions
  private let run: Int64

  init(_ store: AuditStore, _ options: ReductionOptions, run: Int64) {
    (self.store, self.options, self.run) = (store, options, run)
  }

  /// Writes the digests of the days of some traffic, each together with what the store has
  /// of its day.
  ///
  /// - Parameters:
  ///   - digest: The traffic.
  ///   - days: Its days.
  ///   - firstKept: The first day that is kept, or `nil` for all.
  /// - Returns: The digests that were written and synced.
  /// - Throws: An error if it can't be written; nothing is left then.
  func write(_ digest: TrafficDigest, days: Set<StoredDay>, firstKept: Day?) throws -> [Row] {
    try write(days, firstKept: firstKept) { present in
      try digest.adding(
        present, jobs: options.jobs, temporaryDirectory: options.temporaryDirectory)
    }
  }

  /// Writes the digests of some days anew.
  ///
  /// - Parameters:
  ///   - days: The days.
  ///   - change: A function that changes what the store has of all of them together.
  /// - Returns: The digests that were written and synced.
  /// - Throws: An error if it can't be written; nothing is left then.
  func rewrite(
    _ days: Set<StoredDay>, _ change: (TrafficDigest) throws -> TrafficDigest
  ) throws -> [Row] {
    try write(days, firstKept: nil) { present in
      try change(
        TrafficDigest.empty.adding(
          present, jobs: options.jobs, temporaryDirectory: options.temporaryDirectory))
    }
  }

  private func write(
    _ days: Set<StoredDay>, firstKept: Day?, _ make: ([DigestFile]) throws -> TrafficDigest
  ) throws -> [Row] {
    guard !days.isEmpty else { return [] }
    var buffer = DayBuffer()
    var begun: Set<StoredDay> = []
    do {
      let all = try make(try presentDigests(of: days))
      func write(_ bytes: [UInt8], of day: StoredDay) throws {
        let descriptor = try open(day, isNew: begun.insert(day).inserted)
        try descriptor.closeAfter {
          _ = try unsafe bytes.withUnsafeBytes { try unsafe descriptor.writeAll($0) }
        }
      }
      let parts = try all.writeByDay(
        jobs: options.jobs, temporaryDirectory: options.temporaryDirectory
      ) { number, bytes in
        let day = StoredDay(number)
        if !day.isBefore(firstKept) { try buffer.add(bytes, of: day, write) }
      }
      try buffer.flush(write)
      try makeSafe(begun)
      return try parts.filter { !StoredDay($0.day).isBefore(firstKept) }.map(row)
    } catch {
      for day in days { remove(day) }
      if let error = error as? Errno { throw StoreError.system(path: store.digestDirectory, error) }
      throw error
    }
  }

  /// The number of days from which on the system is asked to write all that waits for the disk
  /// first: syncing a file takes milliseconds, unless that has been done already, and logs with
  /// wrong clocks can have tens of thousands of days.
  private static let syncLimit = 256

  /// Makes sure that the files of days, and their names, survive a crash of the machine.
  private func makeSafe(_ days: Set<StoredDay>) throws {
    if days.count > Self.syncLimit { sync() }
    for day in days {
      let file = try FileDescriptor.open(
        FilePath(store.path(ofDigest: name(day))), .readOnly, options: .closeOnExec)
      try file.closeAfter {
        guard fsync(file.rawValue) == 0 else { throw Errno(rawValue: errno) }
      }
    }
    let directory = try FileDescriptor.open(
      FilePath(store.digestDirectory), .readOnly, options: .closeOnExec)
    defer { try? directory.close() }
    // Some file systems have no such call for directories.
    _ = fsync(directory.rawValue)
  }

  private func name(_ day: StoredDay) -> String { DigestName(day: day, run: run).description }

  private func open(_ day: StoredDay, isNew: Bool) throws -> FileDescriptor {
    try FileDescriptor.open(
      FilePath(store.path(ofDigest: name(day))), .writeOnly,
      options: isNew ? [.create, .exclusiveCreate, .closeOnExec] : [.append, .closeOnExec],
      permissions: [.ownerReadWrite, .groupRead, .otherRead])
  }

  /// Removes what was written of a day: the disk may be full.
  func remove(_ day: StoredDay) {
    unsafe FilePath(store.path(ofDigest: name(day))).withPlatformString { _ = unsafe unlink($0) }
  }

  /// Returns the digests of some days that the store has.
  private func presentDigests(of days: Set<StoredDay>) throws -> [DigestFile] {
    try store.read { database in
      let stored = try StoredDays(in: database, days: days.sorted())
      return try days.sorted().compactMap { day in
        try stored.entries[day]?.digest.map { try store.open($0, of: day) }
      }
    }
  }

  private func row(_ part: TrafficDigest.DayPart) throws -> Row {
    let day = StoredDay(part.day)
    let file = try DigestFile(opening: store.path(ofDigest: name(day)))
    return Row(
      day: day, name: name(day), size: part.byteCount, identity: file.identity.description,
      requests: part.requests, targets: part.targetCount)
  }
}

/// Bytes of the files of days on their way: those of a day mostly come in several pieces, and
/// opening a file for each of them would take most of the time.
private struct DayBuffer {
  private var bytes: [StoredDay: [UInt8]] = [:]
  private var count = 0

  /// So many bytes of a day, and of all, are kept.
  private static let dayLimit = 1 << 18
  private static let limit = 1 << 24

  /// Adds the next bytes of a day.
  mutating func add(
    _ piece: [UInt8], of day: StoredDay, _ write: ([UInt8], StoredDay) throws -> Void
  ) throws {
    bytes[day, default: []] += piece
    count += piece.count
    if let all = bytes[day], all.count >= Self.dayLimit {
      bytes[day] = nil
      count -= all.count
      try write(all, day)
    } else if count >= Self.limit {
      try flush(write)
    }
  }

  /// Writes all that is kept.
  mutating func flush(_ write: ([UInt8], StoredDay) throws -> Void) throws {
    for (day, piece) in bytes.sorted(by: { $0.key < $1.key }) { try write(piece, day) }
    (bytes, count) = ([:], 0)
  }
}

extension DayDigests.Row {
  /// Makes the digest count in place of the one before it.
  func write(run: Int64, in database: Database) throws {
    try database.execute(
      "INSERT OR REPLACE INTO digests VALUES (?, ?, ?, ?, ?, ?, ?)",
      [day.text, name, size, identity, requests, targets, run])
  }
}
