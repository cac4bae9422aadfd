// Unsafe code: `rename`, `chmod` and `unlink`, which Swift hands copies of its strings.

internal import Foundations
internal import Synchronization
internal import SystemPackage

/// The files that are being written, which have temporary names until they are complete.
///
/// They are created, named and removed one at a time, so that the code that ends the process knows
/// each existing file.
enum UnfinishedFiles {
  /// By the path of each file, that under which it will be found.
  private static let targets = Mutex<[String: String]>([:])

  /// Creates a file next to its target.
  ///
  /// Its name begins with a full stop, so programs that read the directory skip it if it remains
  /// there.
  ///
  /// - Parameters:
  ///   - target: The final path of the file.
  ///   - permissions: Its permissions, before the process's mask applies.
  /// - Returns: The file, and its path until it gets its name.
  /// - Throws: `Errno` if it can't be created.
  static func make(
    for target: String, permissions: FilePermissions
  ) throws(Errno) -> (path: String, descriptor: FileDescriptor) {
    let name = ".linkaudit-" + String(UInt64.random(in: 0...UInt64.max), radix: 36) + ".part"
    let directory = FilePath(target).removingLastComponent()
    let path = directory.appending(name)
    let outcome: Result<FileDescriptor, Errno> = targets.withLock { targets in
      do {
        let descriptor = try FileDescriptor.open(
          path, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
          permissions: permissions)
        targets[path.string] = target
        return .success(descriptor)
      } catch {
        return .failure(error as? Errno ?? .ioError)
      }
    }
    return (path.string, try outcome.get())
  }

  /// Gives a file its name.
  ///
  /// - Parameters:
  ///   - path: The temporary path of the file.
  ///   - permissions: Its permissions, or `nil` to keep the current ones.
  /// - Throws: `Errno` if it can't have that name.
  static func finish(_ path: String, permissions: FilePermissions?) throws(Errno) {
    let error: Errno? = targets.withLock { targets in
      guard let target = targets[path] else { return .noSuchFileOrDirectory }
      if let permissions { _ = unsafe chmod(path, permissions.rawValue) }
      guard unsafe rename(path, target) == 0 else { return Errno(rawValue: errno) }
      targets[path] = nil
      return nil
    }
    if let error { throw error }
  }

  /// Removes a file that stays unfinished.
  ///
  /// - Parameter path: The temporary path of the file.
  static func remove(_ path: String) {
    targets.withLock { targets in
      if targets.removeValue(forKey: path) != nil { _ = unsafe unlink(path) }
    }
  }

  /// Removes all unfinished files, and prevents new ones while `body` ends the process.
  ///
  /// If a file is being created or named at that moment, it does nothing and doesn't call `body`.
  ///
  /// - Parameter body: A function that receives the final paths of the files, in ascending order.
  static func removeAll(andEnd body: (_ targets: [String]) -> Never) {
    _ = targets.withLockIfAvailable { targets in
      for path in targets.keys { _ = unsafe unlink(path) }
      body(targets.values.sorted())
    }
  }
}
