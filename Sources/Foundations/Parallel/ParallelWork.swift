internal import Dispatch
internal import Synchronization

// All parallel work of this project starts here. Everything below is synchronous: a worker owns
// what it writes. Shared values have a lock, which each worker takes once per chunk.

/// Calls `body` once for each of `jobs` workers at the same time.
///
/// - Returns: The results in the order of the workers' numbers.
package func inParallel<Result: Sendable>(
  jobs: Int, _ body: @Sendable (_ worker: Int) -> Result
) -> [Result] {
  guard jobs > 1 else { return [body(0)] }
  let results = Locked<[(worker: Int, result: Result)]>([])
  DispatchQueue.concurrentPerform(iterations: jobs) { worker in
    let result = body(worker)
    results.withLock { $0.append((worker, result)) }
  }
  return results.withLock { $0.sorted { $0.worker < $1.worker }.map(\.result) }
}

/// A counter that gives workers the numbers of pieces of work.
package final class WorkCounter: Sendable {
  private let next = Atomic(0)
  private let end: Int

  /// Creates a counter of the numbers from 0 up to `end`.
  package init(upTo end: Int) { self.end = end }

  /// The next number, or `nil` if none is left.
  package func draw() -> Int? {
    let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
    return number < end ? number : nil
  }
}

extension RandomAccessCollection where Self: Sendable, Element: Sendable, Index == Int {
  /// Calls `body` for each element, by several workers at the same time.
  ///
  /// - Returns: The results in the order of the elements.
  package func mapInParallel<Result: Sendable>(
    jobs: Int, _ body: @Sendable (Element) -> Result
  ) -> [Result] {
    let jobs = Swift.max(1, Swift.min(jobs, count))
    guard jobs > 1 else { return map(body) }
    // Many pieces for each worker, because elements differ in the time that they take.
    let length = Swift.max(1, count / (jobs * 64))
    let counter = WorkCounter(upTo: (count + length - 1) / length)
    let shares = inParallel(jobs: jobs) { _ in
      var own: [(piece: Int, results: [Result])] = []
      while let piece = counter.draw() {
        let elements = dropFirst(piece * length).prefix(length)
        own.append((piece, elements.map(body)))
      }
      return own
    }
    return shares.joined().sorted { $0.piece < $1.piece }.flatMap(\.results)
  }
}
