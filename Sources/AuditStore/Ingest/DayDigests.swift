// Unsafe code: writing uses the memory of an array only inside the closure that lends it.

internal import AccessLogs
internal import Foundations
internal import SystemPackage
internal import TrafficDigest

// The digests of days that a run writes next to the database.
//
// Their names don't count until the database contains them.
extension AuditStore {
  /// Writes and syncs the digests of some days, except those before `firstKept`; if one can't be
  /// written, no files remain.
  ///
  /// `make` makes the traffic of these days from their present digests in the store.
  func writeDigests(
    of days: Set<StoredDay>, from firstKept: Day? = nil, run: Int64, _ options: ReductionOptions,
    _ make: ([StoredDay: DigestFile]) throws -> TrafficDigest
  ) throws(StoreError) -> [StoredDigest] {
    if days.isEmpty { return [] }
    func file(_ day: StoredDay) -> FilePath { FilePath(path(ofDigest: day.digestName(run: run))) }
    // The bytes of a day mostly come in several pieces. Opening a file for each of them would take
    // most of the time.
    var (waiting, count): ([StoredDay: [UInt8]], Int) = ([:], 0)
    var begun: Set<StoredDay> = []
    func writeWaiting() throws {
      for (day, bytes) in waiting.sorted(by: { $0.key < $1.key }) {
        let isNew = begun.insert(day).inserted
        let descriptor = try FileDescriptor.open(
          file(day), .writeOnly,
          options: isNew ? [.create, .exclusiveCreate, .closeOnExec] : [.append, .closeOnExec],
          permissions: [.ownerReadWrite, .groupRead, .otherRead])
        try descriptor.closeAfter {
          _ = try unsafe bytes.withUnsafeBytes { try unsafe descriptor.writeAll($0) }
        }
      }
      (waiting, count) = ([:], 0)
    }
    return try StoreError.catching(digestDirectory) {
      do {
        let present = try read { database in
          try DayContents.all(in: database, days: days)
            .compactMapValues { try $0.digest.map(open) }
        }
        let written = try make(present).writeByDay(
          jobs: options.jobs, temporaryDirectory: options.temporaryDirectory
        ) { day, bytes in
          let day = StoredDay(day)
          if day.isBefore(firstKept) { return }
          waiting[day, default: []] += bytes
          count += bytes.count
          if count >= Self.waitingLimit { try writeWaiting() }
        }
        try writeWaiting()
        try makeSafe(begun.map(file))
        return try written.map { StoredDay($0) }.filter { !$0.isBefore(firstKept) }.map { day in
          let digest = try DigestFile(opening: file(day).string)
          return StoredDigest(
            day: day, name: day.digestName(run: run), size: digest.size,
            identity: digest.identity.description, requests: digest.tally.requests,
            targets: digest.targetCount)
        }
      } catch {
        // The disk may be full.
        for day in days {
          unsafe file(day).withPlatformString { _ = unsafe unlink($0) }
        }
        throw error
      }
    }
  }

  /// The maximum number of bytes of all days that wait to be written.
  private static let waitingLimit = 1 << 24

  /// The number of days from which on all file systems are synced first.
  ///
  /// Syncing a file takes milliseconds, unless that has been done, and logs with wrong clocks can
  /// have tens of thousands of days.
  private static let syncLimit = 256

  /// Ensures that the files of days and their names survive a crash of the machine.
  private func makeSafe(_ paths: [FilePath]) throws {
    if paths.count > Self.syncLimit { sync() }
    for path in paths {
      let file = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
      try file.closeAfter {
        guard fsync(file.rawValue) == 0 else { throw Errno(rawValue: errno) }
      }
    }
    let directory = try FileDescriptor.open(
      FilePath(digestDirectory), .readOnly, options: .closeOnExec)
    defer { try? directory.close() }
    // Some file systems don't support this call for directories.
    _ = fsync(directory.rawValue)
  }
}
