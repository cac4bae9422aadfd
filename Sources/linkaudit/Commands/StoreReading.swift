internal import AuditStore
internal import LinkAuditing
internal import TrafficDigest

/// Reads what a store has of the days that options ask for.
struct StoreReading {
  let store: AuditStore
  let traffic: StoredTraffic

  /// Reads a store.
  ///
  /// - Throws: ``Complaint`` if it can't be read, or has nothing of these days.
  init(_ directory: String, _ options: ReadingOptions) throws {
    do throws(StoreError) {
      store = try AuditStore.reading(directory)
    } catch {
      throw Complaint(error)
    }
    let reduction = try options.reductionOptions(defaultHost: nil, isNamed: false)
    do throws(StoreError) {
      traffic = try StoredTraffic(
        store, in: reduction.timeSpan, jobs: reduction.jobs,
        temporaryDirectory: reduction.temporaryDirectory)
    } catch {
      throw Complaint(error)
    }
    if traffic.days.isEmpty {
      throw Complaint(
        "the store '\(directory)' has no request "
          + (reduction.timeSpan.isUnlimited ? "yet" : "in the time asked for")
          + "; 'linkaudit store list --store \(directory)' says what it has")
    }
  }
}
