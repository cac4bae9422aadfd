// Unsafe code: `opendir` and `readdir`. Each entry is copied before the next one is read. The
// stream has one owner and is closed with it.

internal import Foundations
internal import SystemPackage

/// The names in a directory.
@safe
struct Directory: ~Copyable {
  #if canImport(Darwin)
  private typealias Stream = UnsafeMutablePointer<DIR>
  #else
  private typealias Stream = OpaquePointer
  #endif

  private let stream: Stream

  /// Opens a directory.
  ///
  /// - Throws: `Errno` if the system can't open it.
  init(_ path: String) throws(Errno) {
    guard let stream = unsafe opendir(path) else { throw Errno(rawValue: errno) }
    unsafe self.stream = stream
  }

  deinit { unsafe closedir(stream) }

  /// The names, in no order, without `.` and `..`.
  ///
  /// - Throws: `Errno` if the system can't read them all.
  func names() throws(Errno) -> [String] {
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(stream) else { break }
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        unsafe name.withMemoryRebound(to: CChar.self, capacity: 1) { unsafe String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    guard errno == 0 else { throw Errno(rawValue: errno) }
    return names
  }

  /// Returns the system's records of the files with some names, links followed; `nil` if there is
  /// none.
  ///
  /// Relative access costs the system less than paths from the root.
  func statuses(of names: [String], jobs: Int) -> [Stat?] {
    let directory = unsafe dirfd(stream)
    return names.mapInParallel(jobs: min(jobs, names.count / Self.namesForWorker)) { name in
      var status = stat()
      let result = unsafe name.withCString { name in unsafe fstatat(directory, name, &status, 0) }
      return result == 0 ? Stat(rawValue: status) : nil
    }
  }

  /// The number of names for which another worker saves time.
  private static let namesForWorker = 64
}
