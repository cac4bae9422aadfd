// Unsafe code: the end of a journal is read into an array inside the closure that lends it.

internal import SystemPackage

/// The files of a store, which may be untrusted, so that anything can have their names.
enum StoreFile {
  /// Returns a Boolean value indicating whether there is a file.
  ///
  /// Opening a pipe waits for its other end, and a device may be endless.
  ///
  /// - Parameter path: The path.
  /// - Returns: Whether there is a regular file, or a link to one.
  /// - Throws: ``StoreError`` if there is something else, or the system refuses access.
  static func exists(_ path: String) throws(StoreError) -> Bool {
    let status: Stat
    do {
      status = try Stat(FilePath(path), followTargetSymlink: true)
    } catch {
      switch error {
      case .noSuchFileOrDirectory, .notDirectory: return false
      case .tooManySymbolicLinkLevels: throw .noFile(path: path)
      default: throw .system(path: path, error)
      }
    }
    guard status.type == .regular else { throw .noFile(path: path) }
    return true
  }

  /// The end of a journal that names a journal of several databases ([SQLite, "Database File
  /// Format"](https://www.sqlite.org/fileformat2.html), 3).
  private static let nameMark: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]

  /// Returns a Boolean value indicating whether a journal names another file.
  ///
  /// SQLite would read and remove that file. This program changes one database at a time, so its
  /// journals name none.
  ///
  /// - Parameter path: The path of the journal, which may be missing.
  /// - Returns: Whether its end names a file.
  /// - Throws: ``StoreError`` if it exists but can't be read.
  static func namesAnother(journal path: String) throws(StoreError) -> Bool {
    guard try exists(path) else { return false }
    var end = [UInt8](repeating: 0, count: nameMark.count)
    do {
      let size = try Stat(FilePath(path), followTargetSymlink: true).size
      guard size >= end.count else { return false }
      let descriptor = try FileDescriptor.open(
        FilePath(path), .readOnly, options: [.nonBlocking, .closeOnExec])
      let count = try descriptor.closeAfter {
        try unsafe end.withUnsafeMutableBytes { bytes in
          try unsafe descriptor.read(
            fromAbsoluteOffset: Int64(size) - Int64(bytes.count), into: bytes)
        }
      }
      return count == end.count && end == nameMark
    } catch {
      // A journal that was just finished is gone.
      guard let error = error as? Errno, error != .noSuchFileOrDirectory else { return false }
      throw .system(path: path, error)
    }
  }
}
