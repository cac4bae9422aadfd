// Unsafe code: writing uses the memory of an array only inside the closure that lends it.

internal import AccessLogs
internal import Foundations
internal import SystemPackage
internal import TrafficDigest

/// The digests of days that a run writes next to the database.
///
/// Their names don't count until the database contains them.
struct DayDigests {
  private let store: AuditStore
  private let options: ReductionOptions
  private let run: Int64

  init(_ store: AuditStore, _ options: ReductionOptions, run: Int64) {
    (self.store, self.options, self.run) = (store, options, run)
  }

  /// Writes the digests of some days.
  ///
  /// - Parameters:
  ///   - days: The days.
  ///   - firstKept: The first day to keep, or `nil` for all.
  ///   - make: A function that makes their traffic from their present digests in the store.
  /// - Returns: The digests, written and synced.
  /// - Throws: An error if a digest can't be written; no files remain.
  func write(
    _ days: Set<StoredDay>, firstKept: Day?,
    _ make: ([StoredDay: DigestFile]) throws -> TrafficDigest
  ) throws -> [StoredDigest] {
    guard !days.isEmpty else { return [] }
    // The bytes of a day mostly come in several pieces. Opening a file for each of them would take
    // most of the time.
    var (waiting, count): ([StoredDay: [UInt8]], Int) = ([:], 0)
    var begun: Set<StoredDay> = []
    do {
      let all = try make(try presentDigests(of: days))
      func write(_ bytes: [UInt8], of day: StoredDay) throws {
        let descriptor = try open(day, isNew: begun.insert(day).inserted)
        try descriptor.closeAfter {
          _ = try unsafe bytes.withUnsafeBytes { try unsafe descriptor.writeAll($0) }
        }
      }
      func writeWaiting() throws {
        for (day, bytes) in waiting.sorted(by: { $0.key < $1.key }) { try write(bytes, of: day) }
        (waiting, count) = ([:], 0)
      }
      let parts = try all.writeByDay(
        jobs: options.jobs, temporaryDirectory: options.temporaryDirectory
      ) { number, bytes in
        let day = StoredDay(number)
        if day.isBefore(firstKept) { return }
        waiting[day, default: []] += bytes
        count += bytes.count
        if let whole = waiting[day], whole.count >= Self.dayLimit {
          waiting[day] = nil
          count -= whole.count
          try write(whole, of: day)
        } else if count >= Self.limit {
          try writeWaiting()
        }
      }
      try writeWaiting()
      try makeSafe(begun)
      return try parts.filter { !StoredDay($0.day).isBefore(firstKept) }.map(digest)
    } catch {
      for day in days { remove(day) }
      throw error
    }
  }

  /// The maximum numbers of bytes of a day, and of all days, that wait to be written.
  private static let dayLimit = 1 << 18
  private static let limit = 1 << 24

  /// The number of days from which on all file systems are synced first.
  ///
  /// Syncing a file takes milliseconds, unless that has been done, and logs with wrong clocks can
  /// have tens of thousands of days.
  private static let syncLimit = 256

  /// Ensures that the files of days and their names survive a crash of the machine.
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
    // Some file systems don't support this call for directories.
    _ = fsync(directory.rawValue)
  }

  private func name(_ day: StoredDay) -> String { day.digestName(run: run) }

  private func open(_ day: StoredDay, isNew: Bool) throws -> FileDescriptor {
    try FileDescriptor.open(
      FilePath(store.path(ofDigest: name(day))), .writeOnly,
      options: isNew ? [.create, .exclusiveCreate, .closeOnExec] : [.append, .closeOnExec],
      permissions: [.ownerReadWrite, .groupRead, .otherRead])
  }

  /// Removes the written files of a day, because the disk may be full.
  func remove(_ day: StoredDay) {
    unsafe FilePath(store.path(ofDigest: name(day))).withPlatformString { _ = unsafe unlink($0) }
  }

  /// Returns the store's digests of some days.
  private func presentDigests(of days: Set<StoredDay>) throws -> [StoredDay: DigestFile] {
    try store.read { database in
      let stored = try StoredDays(in: database, days: days.sorted())
      return try stored.entries.compactMapValues { try $0.digest.map(store.open) }
    }
  }

  private func digest(_ part: TrafficDigest.DayPart) throws -> StoredDigest {
    let day = StoredDay(part.day)
    let file = try DigestFile(opening: store.path(ofDigest: name(day)))
    return StoredDigest(
      day: day, name: name(day), size: part.byteCount, identity: file.identity.description,
      requests: part.requests, targets: part.targetCount)
  }
}
