// Unsafe code: `mkdir` and `rmdir`, which Swift hands a copy of its string.

internal import Foundations
internal import SystemPackage

/// A directory that reports go to.
enum OutputDirectory {
  /// Creates a directory and its parents, if they are missing.
  ///
  /// - Parameter path: The path of the directory.
  /// - Returns: The created directories, the innermost first.
  /// - Throws: `Errno` if the directory is missing and can't be created.
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
    if InputFile.type(at: path) != .directory { throw error == .fileExists ? .notDirectory : error }
    return []
  }

  /// Removes empty directories, up to the first that isn't empty.
  ///
  /// - Parameter paths: Their paths, the innermost first.
  static func removeEmpty(_ paths: [String]) {
    for path in paths where unsafe rmdir(path) != 0 { return }
  }
}
