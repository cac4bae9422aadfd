internal import Dispatch

/// A value that one thread at a time may use.
///
/// The lock is a Dispatch queue. The thread sanitizer on Linux can't see the lock of a `Mutex`, and
/// would report each use of the value as a race.
package final class Locked<Value: ~Copyable>: @unchecked Sendable {
  private let queue = DispatchQueue(label: "linkaudit.locked")
  private var value: Value

  /// Protects a value with a lock of its own.
  package init(_ value: consuming sending Value) { self.value = value }

  /// Calls `body` with the value while no other thread uses it.
  ///
  /// The body must not lock this value again, or it would wait for itself.
  package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    queue.sync { body(&value) }
  }
}
