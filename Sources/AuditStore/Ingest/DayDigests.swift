// Unsafe code: writing gets the memory of an array inside the closure that lends it.

internal import AccessLogs
internal import SystemPackage
internal import TrafficDigest

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

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
  /// - Returns: What has been written, safely on disk.
  /// - Throws: What kept it from being written; nothing is left then.
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
  /// - Returns: What has been written, safely on disk.
  /// - Throws: What kept it from being written; nothing is left then.
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
    var open: [StoredDay: FileDescriptor] = [:]
    var begun: Set<StoredDay> = []
    do {
      let all = try make(try presentDigests(of: days))
      let parts = try all.writeByDay(
        jobs: options.jobs, temporaryDirectory: options.temporaryDirectory
      ) { number, bytes in
        let day = StoredDay(number)
        if day.isBefore(firstKept) { return }
        let descriptor = try open[day] ?? self.open(day, isNew: begun.insert(day).inserted)
        open[day] = descriptor
        _ = try unsafe bytes.withUnsafeBytes { try unsafe descriptor.writeAll($0) }
        if open.count >= Self.openLimit { try close(&open) }
      }
      try close(&open)
      try sync(store.digestDirectory)
      return try parts.filter { !StoredDay($0.day).isBefore(firstKept) }.map(row)
    } catch {
      for (_, descriptor) in open { try? descriptor.close() }
      for day in days { remove(day) }
      if let error = error as? Errno { throw StoreError.system(path: store.digestDirectory, error) }
      throw error
    }
  }

  private func name(_ day: StoredDay) -> String { DigestName(day: day, run: run).description }

  /// The number of files that are written at a time: some systems allow 256.
  private static let openLimit = 64

  /// Closes files when what was written is safely on disk.
  private func close(_ open: inout [StoredDay: FileDescriptor]) throws {
    while let descriptor = open.popFirst()?.value {
      defer { try? descriptor.close() }
      guard fsync(descriptor.rawValue) == 0 else { throw Errno(rawValue: errno) }
    }
  }

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

  /// What the store has of some days.
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

  /// Makes sure that the names in a directory survive a crash of the machine.
  private func sync(_ directory: String) throws {
    let descriptor = try FileDescriptor.open(FilePath(directory), .readOnly, options: .closeOnExec)
    defer { try? descriptor.close() }
    // Some file systems have no such call for directories.
    _ = fsync(descriptor.rawValue)
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
