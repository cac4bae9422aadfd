// Unsafe code: `mkdir` and `rmdir`, which Swift hands a copy of its string.

internal import Foundations
internal import SystemPackage

/// A directory that reports go to.
enum OutputDirectory {
  /// Makes a directory, and those that it is in, if they aren't there.
  ///
  /// - Parameter path: The path of the directory.
  /// - Returns: Those that were made, the innermost first.
  /// - Throws: `Errno` if there is none and it can't be made.
  static func make(_ path: String) throws(Errno) -> [String] {
    if unsafe mkdir(path, 0o777) == 0 { return [path] }
    let error = Errno(rawValue: errno)
    let parent = FilePath(path).removingLastComponent()
    if error == .noSuchFileOrDirectory, !parent.isEmpty, parent != FilePath(path) {
      let parents = try make(parent.string)
      guard unsafe mkdir(path, 0o777) == 0 else {
        let error = Errno(rawValue: errno)
        removeEmpty(parents)
        throw error
      }
      return [path] + parents
    }
    let status = try? Stat(FilePath(path), followTargetSymlink: true)
    if status?.type != .directory { throw error == .fileExists ? .notDirectory : error }
    return []
  }

  /// Removes directories as long as there is nothing in them.
  ///
  /// - Parameter paths: Their paths, the innermost first.
  static func removeEmpty(_ paths: [String]) {
    for path in paths where unsafe rmdir(path) != 0 { return }
  }
}
