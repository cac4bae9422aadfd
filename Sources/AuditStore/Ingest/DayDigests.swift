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

  /// Writes and syncs the digests of some days, except those before `firstKept`; if one can't be
  /// written, no files remain.
  ///
  /// `make` makes the traffic of these days from their present digests in the store.
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
      let present = try store.read { database in
        let stored = try StoredDays(in: database, days: days)
        return try stored.entries.compactMapValues { try $0.digest.map(store.open) }
      }
      let all = try make(present)
      func write(_ bytes: [UInt8], of day: StoredDay) throws {
        let isNew = begun.insert(day).inserted
        let descriptor = try FileDescriptor.open(
          path(day), .writeOnly,
          options: isNew ? [.create, .exclusiveCreate, .closeOnExec] : [.append, .closeOnExec],
          permissions: [.ownerReadWrite, .groupRead, .otherRead])
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
      return try parts.filter { !StoredDay($0.day).isBefore(firstKept) }.map { part in
        let day = StoredDay(part.day)
        let identity = try DigestFile(opening: path(day).string).identity
        return StoredDigest(
          day: day, name: day.digestName(run: run), size: part.byteCount,
          identity: identity.description, requests: part.requests, targets: part.targetCount)
      }
    } catch {
      // The disk may be full.
      for day in days {
        unsafe path(day).withPlatformString { _ = unsafe unlink($0) }
      }
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
      let file = try FileDescriptor.open(path(day), .readOnly, options: .closeOnExec)
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

  private func path(_ day: StoredDay) -> FilePath {
    FilePath(store.path(ofDigest: day.digestName(run: run)))
  }
}
