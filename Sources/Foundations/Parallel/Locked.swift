// Unsafe code: the lock needs a fixed place in memory. It has one owner and is released with it.

/// A value that one thread at a time may use.
///
/// The lock is POSIX's. The thread sanitizer on Linux can't see the lock of a `Mutex`, and would
/// report each use of the value as a race.
@safe
package final class Locked<Value: ~Copyable>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var value: Value

  /// Protects a value with a lock of its own.
  package init(_ value: consuming sending Value) {
    self.value = value
    unsafe mutex = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe pthread_mutex_init(mutex, nil)
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  /// Calls `body` with the value while no other thread uses it.
  ///
  /// The body must not lock this value again, or it would wait for itself.
  package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return body(&value)
  }
}
