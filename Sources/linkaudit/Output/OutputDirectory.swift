// Unsafe code: `mkdir`, which Swift hands a copy of its string.

internal import SystemPackage

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A directory that reports go to.
enum OutputDirectory {
  /// Makes a directory, and those that it is in, if they aren't there.
  ///
  /// - Parameter path: The path of the directory.
  /// - Throws: `Errno` if there is none and it can't be made.
  static func make(_ path: String) throws(Errno) {
    if unsafe mkdir(path, 0o777) == 0 { return }
    let error = Errno(rawValue: errno)
    let parent = FilePath(path).removingLastComponent()
    if error == .noSuchFileOrDirectory, !parent.isEmpty, parent != FilePath(path) {
      try make(parent.string)
      guard unsafe mkdir(path, 0o777) == 0 else { throw Errno(rawValue: errno) }
      return
    }
    let status = try? Stat(FilePath(path), followTargetSymlink: true)
    if status?.type != .directory { throw error == .fileExists ? .notDirectory : error }
  }
}
