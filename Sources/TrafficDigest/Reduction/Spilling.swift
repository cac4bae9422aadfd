internal import Foundations
internal import Synchronization

/// The limit on the memory of all workers' tables; beyond it, they spill to files.
final class Spilling: Sendable {
  /// The runs of all workers, or the error that prevented one from being written.
  private let outcome = Locked<Result<[DigestRun], DigestFileError>>(.success([]))
  private let failed = Atomic(false)

  private let directory: String
  private let limitPerWorker: Int

  /// The number of runs at which a worker merges the shorter half.
  ///
  /// Each run is an open file, and some systems allow 256.
  private let runLimit: Int

  /// Upper bound for a table: records have 32-bit positions in words of eight bytes.
  private static let greatestLimit = 16 << 30

  init(_ options: ReductionOptions) {
    directory = options.temporaryDirectory
    limitPerWorker = min(options.memoryLimit / options.jobs, Self.greatestLimit)
    runLimit = max(2, DigestRun.fanIn / options.jobs)
  }

  /// A Boolean value indicating whether a worker has failed, so that the others can stop.
  var hasFailed: Bool { failed.load(ordering: .relaxed) }

  /// Spills the counts of a worker to a run if they take too much memory.
  func spillIfNeeded(_ reducer: inout Reducer, _ runs: inout [DigestRun]) {
    guard reducer.byteCount > limitPerWorker else { return }
    do throws(DigestFileError) {
      let part = reducer.takePart()
      guard part.targets.count > 0 else { return }
      runs.append(try .merging(TargetSources(parts: [SortedPart(part)]), in: directory))
      guard runs.count >= runLimit else { return }
      runs.sort { $0.byteCount < $1.byteCount }
      let count = runLimit / 2 + 1
      let merged = TargetSources(runs: Array(runs[..<count]))
      runs = [try .merging(merged, in: directory)] + runs[count...]
    } catch {
      fail(error)
    }
  }

  /// Adds the runs of a worker that has finished.
  func add(_ runs: [DigestRun]) {
    outcome.withLock { outcome in
      if case .success(let others) = outcome { outcome = .success(others + runs) }
    }
  }

  /// The runs of all workers, at most as many as can be read at a time.
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
