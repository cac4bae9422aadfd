internal import Dispatch

/// A value that one thread at a time may use.
///
/// The lock is a queue of Dispatch rather than a `Mutex`, whose lock the thread sanitizer can't
/// see on Linux: it would report each use of the value as a race.
package final class Locked<Value: ~Copyable>: @unchecked Sendable {
  private let queue = DispatchQueue(label: "linkaudit.locked")
  private var value: Value

  /// Puts a value behind a lock of its own.
  package init(_ value: consuming sending Value) { self.value = value }

  /// Calls `body` with the value while no other thread uses it.
  ///
  /// The body must not use this value in another way, or it would wait for itself.
  package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    queue.sync { body(&value) }
  }
}
