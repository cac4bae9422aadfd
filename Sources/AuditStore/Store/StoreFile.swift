// Unsafe code: the end of a journal goes into an array inside the closure that lends it.

internal import SystemPackage

/// The files of a store, which may come from elsewhere, so that anything can be in their places.
enum StoreFile {
  /// Returns a Boolean value indicating whether there is a file.
  ///
  /// Whoever opens a pipe waits for its other end, and a device may have none.
  ///
  /// - Parameter path: The path.
  /// - Returns: Whether there is a regular file, or a link that leads to one.
  /// - Throws: ``StoreError`` if there is something else, or the system refuses to say.
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
  /// SQLite would read that, and remove it. This program changes one database at a time, so that
  /// its journals name none.
  ///
  /// - Parameter path: The path of the journal, or of none.
  /// - Returns: Whether it ends as one that does.
  /// - Throws: ``StoreError`` if it is there and can't be read.
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
      // One that was just finished is gone.
      guard let error = error as? Errno, error != .noSuchFileOrDirectory else { return false }
      throw .system(path: path, error)
    }
  }
}
