internal import Synchronization

/// The limit on the memory of all workers' tables: beyond it, they spill to files.
final class Spilling: Sendable {
  /// The runs of all workers, or what kept one of them from being written.
  private let outcome = Locked<Result<[DigestRun], DigestFileError>>(.success([]))
  private let failed = Atomic(false)

  private let directory: String
  private let limitPerWorker: Int

  /// A worker with so many runs merges the shorter half: each is an open file, of
  /// which some systems allow 256.
  private let runLimit: Int

  /// Tables number their records in words of eight bytes, with 32 bits.
  private static let greatestLimit = 16 << 30

  init(_ options: ReductionOptions) {
    directory = options.temporaryDirectory
    limitPerWorker = min(options.memoryLimit / options.jobs, Self.greatestLimit)
    runLimit = max(2, DigestRun.fanIn / options.jobs)
  }

  /// A Boolean value indicating whether going on is of no use.
  var hasFailed: Bool { failed.load(ordering: .relaxed) }

  /// Writes what a worker has counted to a run if it takes too much memory.
  func relieve(_ reducer: inout Reducer, _ runs: inout [DigestRun]) {
    guard reducer.byteCount > limitPerWorker else { return }
    do throws(DigestFileError) {
      runs.append(try reducer.spill(to: directory))
      guard runs.count >= runLimit else { return }
      runs.sort { $0.byteCount < $1.byteCount }
      let count = runLimit / 2 + 1
      runs = [try .merging(Array(runs[..<count]), in: directory)] + runs[count...]
    } catch {
      fail(error)
    }
  }

  /// Adds the runs of a worker that has come to its end.
  func add(_ runs: [DigestRun]) {
    outcome.withLock { outcome in
      if case .success(let others) = outcome { outcome = .success(others + runs) }
    }
  }

  /// The runs of all workers, no more than can be read at a time.
  func finish(jobs: Int) throws(DigestFileError) -> [DigestRun] {
    try DigestRun.limiting(try outcome.withLock { $0 }.get(), in: directory, jobs: jobs)
  }

  private func fail(_ error: DigestFileError) {
    outcome.withLock { outcome in
      if case .success = outcome { outcome = .failure(error) }
    }
    failed.store(true, ordering: .relaxed)
  }
}
