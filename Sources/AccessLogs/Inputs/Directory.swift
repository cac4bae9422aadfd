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

  /// Returns the system's record of the file with a name, links followed.
  ///
  /// - Throws: `Errno` if there is none.
  func status(of name: String) throws(Errno) -> Stat {
    var status = stat()
    let result = unsafe name.withCString { name in
      unsafe fstatat(dirfd(stream), name, &status, 0)
    }
    guard result == 0 else { throw Errno(rawValue: errno) }
    return Stat(rawValue: status)
  }
}
