internal import AccessLogs
public import Foundations
internal import SystemPackage
public import TrafficDigest

/// The traffic of some days of a store.
public struct StoredTraffic: Sendable {
  /// The requests of the days; the inputs are the logs that contributed.
  public let digest: TrafficDigest

  /// The days, ascending; `nil` is for requests without a time.
  public let days: [Day?]

  /// Reads the digests of the days in a span of time.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - span: The span, which must consist of complete days.
  ///   - jobs: The number of workers.
  ///   - temporaryDirectory: The directory of temporary files.
  /// - Throws: ``StoreError`` if the store can't be read, or the span cuts a day.
  public init(
    _ store: AuditStore, in span: TimeSpan, jobs: Int, temporaryDirectory: String
  ) throws(StoreError) {
    for _ in 0..<Self.attemptLimit {
      do {
        self = try Self.read(store, span, jobs, temporaryDirectory)
        return
      } catch .digest(let error) where error.isMissing {
        // A run has replaced a digest, and the next one has removed it.
        continue
      }
    }
    self = try Self.read(store, span, jobs, temporaryDirectory)
  }

  private static let attemptLimit = 4

  private init(_ digest: TrafficDigest, _ days: [Day?]) {
    (self.digest, self.days) = (digest, days)
  }

  private static func read(
    _ store: AuditStore, _ span: TimeSpan, _ jobs: Int, _ temporaryDirectory: String
  ) throws(StoreError) -> StoredTraffic {
    // Runs can't commit while this reads the database, so it reads no digests there.
    let (days, files, ledger) = try store.read { database in
      let stored = try StoredDays(in: database)
      var files: [DigestFile] = []
      var days: [StoredDay] = []
      for day in stored.entries.keys.sorted() {
        if let problem = stored.problem(of: day) {
          throw StoreError.damaged(path: store.databasePath, problem)
        }
        let own = try stored.files(of: day, store)
        // If the span includes one file of a day, it includes all of them, because it consists of
        // complete days.
        guard try own.contains(where: { try Self.isInside($0, span) }) else { continue }
        files += own
        days.append(day)
      }
      return (
        days, files,
        try LedgerSummary(days: days, of: stored, isWhole: span.isUnlimited, in: database)
      )
    }
    return try StoreError.catching(store.directory) {
      let digest = try TrafficDigest.empty.adding(
        files, jobs: jobs, temporaryDirectory: temporaryDirectory)
      return StoredTraffic(
        digest.replacingInputs(
          ledger.inputs, rejections: ledger.rejections, rejectedLines: ledger.rejectedLines),
        days.map(\.day))
    }
  }

  private static func isInside(_ file: DigestFile, _ span: TimeSpan) throws -> Bool {
    do {
      return try !DigestSelection([file], in: span).files.isEmpty
    } catch {
      throw StoreError.cutDay
    }
  }
}
