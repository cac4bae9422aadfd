internal import SystemPackage

/// The files of a store, which may come from elsewhere, so that anything can be in their places.
enum StoreFile {
  /// Returns a Boolean value indicating whether there is a file.
  ///
  /// Whoever opens a pipe waits for its other end, and a device may have none.
  ///
  /// - Parameter path: The path.
  /// - Returns: Whether there is a regular file, or a link that leads to one.
  /// - Throws: ``StoreError`` if there is something else, or the system doesn't tell.
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
}
