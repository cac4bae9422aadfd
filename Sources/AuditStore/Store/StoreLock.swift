// Unsafe code: writing and reading the holder's name uses the memory of an array only inside the
// closure that lends it.

internal import FoundationSubset
internal import Foundations
internal import SystemPackage

/// The right to change a store, which one process has at a time.
///
/// The system releases the lock when the process ends, so it cannot go stale.
final class StoreLock: Sendable {
  private let descriptor: FileDescriptor

  /// Takes the lock of a store, whose directory must exist; waits up to `wait` seconds for another
  /// process.
  init(_ directory: String, wait: Double) throws(StoreError) {
    let path = FilePath(directory).appending("lock")
    do {
      descriptor = try FileDescriptor.open(
        path, .readWrite, options: [.create, .closeOnExec],
        permissions: [.ownerReadWrite, .groupRead, .otherRead])
    } catch {
      throw .system(path: path.string, error as? Errno ?? .ioError)
    }
    let deadline = ContinuousClock.now + .seconds(wait)
    while flock(descriptor.rawValue, LOCK_EX | LOCK_NB) != 0 {
      let error = Errno(rawValue: errno)
      guard error == .wouldBlock || error == .interrupted else {
        try? descriptor.close()
        throw .system(path: path.string, error)
      }
      guard ContinuousClock.now < deadline else {
        // A process that has just taken the lock is about to write its name.
        var holder = Self.text(descriptor)
        for _ in 0..<20 where holder.isEmpty {
          usleep(20_000)
          holder = Self.text(descriptor)
        }
        try? descriptor.close()
        throw .message(
          "the store '\(directory)' is in use" + (holder.isEmpty ? "" : " by \(holder)")
            + ", so linkaudit did nothing; wait for it with '--wait SECONDS'")
      }
      usleep(50_000)
    }
    let text = "process \(ProcessInfo.processInfo.processIdentifier), since \(LogTime.now)\n"
    _ = ftruncate(descriptor.rawValue, 0)
    // A waiting process shows who holds the lock; the lock works without that, too.
    _ = try? unsafe Array(text.utf8).withUnsafeBytes { bytes in
      try unsafe descriptor.writeAll(toAbsoluteOffset: 0, bytes)
    }
  }

  deinit { try? descriptor.close() }

  /// Returns the holder's description of itself.
  private static func text(_ descriptor: FileDescriptor) -> String {
    var buffer = [UInt8](repeating: 0, count: 200)
    let count = try? unsafe buffer.withUnsafeMutableBytes { bytes in
      try unsafe descriptor.read(fromAbsoluteOffset: 0, into: bytes)
    }
    let line = buffer[..<(count ?? 0)].prefix { $0 >= 0x20 && $0 < 0x7F }
    return String(decoding: line, as: UTF8.self)
  }
}
