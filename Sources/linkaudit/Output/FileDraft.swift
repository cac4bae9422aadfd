// Unsafe code: `rename`, `chmod`, `unlink`, `mkdir` and `rmdir`, which Swift hands copies of its strings.

internal import Foundations
internal import Synchronization
internal import SystemPackage

/// A file that is complete, or will be, but does not have its final name yet.
///
/// Drafts are created, named and removed one at a time, so that the code that ends the process
/// knows each existing one.
struct FileDraft {
  /// The final paths of all drafts, by the paths that they have until then.
  private static let targets = Mutex<[String: String]>([:])
  private let path: String
  private let target: String

  /// Creates an empty file next to its target.
  ///
  /// Its name begins with a full stop, so other programs skip it if it remains there.
  static func begin(
    for target: String, isPrivate: Bool = false
  ) throws(Errno) -> (draft: FileDraft, descriptor: FileDescriptor) {
    let name = ".linkaudit-" + String(UInt64.random(in: 0...UInt64.max), radix: 36) + ".part"
    let path = FilePath(target).removingLastComponent().appending(name)
    let outcome: Result<FileDescriptor, Errno> = targets.withLock { targets in
      do {
        let descriptor = try FileDescriptor.open(
          path, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
          permissions: isPrivate ? [.ownerReadWrite] : [.ownerReadWrite, .groupRead, .otherRead])
        targets[path.string] = target
        return .success(descriptor)
      } catch {
        return .failure(error as? Errno ?? .ioError)
      }
    }
    return (FileDraft(path: path.string, target: target), try outcome.get())
  }

  /// Gives the file its name, and the permissions of any file that it replaces.
  func finish(isSynced: Bool) throws(Errno) {
    let replaced = try? Stat(FilePath(target), followTargetSymlink: false)
    let error: Errno? = Self.targets.withLock { targets in
      guard targets[path] != nil else { return .noSuchFileOrDirectory }
      if let replaced, replaced.type == .regular {
        _ = unsafe chmod(path, replaced.permissions.rawValue)
      }
      guard unsafe rename(path, target) == 0 else { return Errno(rawValue: errno) }
      targets[path] = nil
      return nil
    }
    if let error { throw error }
    if isSynced { syncDirectory() }
  }

  func discard() {
    Self.targets.withLock { targets in
      if targets.removeValue(forKey: path) != nil { _ = unsafe unlink(path) }
    }
  }

  /// Removes all drafts, and prevents new ones while `body` ends the process.
  ///
  /// If a draft is being created or named at that moment, this function does nothing and doesn't call
  /// `body`.
  ///
  /// - Parameter body: A function that receives the final paths of the drafts in ascending order.
  static func removeAll(andEnd body: (_ targets: [String]) -> Never) {
    _ = targets.withLockIfAvailable { targets in
      for path in targets.keys { _ = unsafe unlink(path) }
      body(targets.values.sorted())
    }
  }

  private func syncDirectory() {
    let parent = FilePath(target).removingLastComponent()
    let directory = parent.isEmpty ? FilePath(".") : parent
    guard let descriptor = try? FileDescriptor.open(directory, .readOnly, options: .closeOnExec)
    else { return }
    _ = fsync(descriptor.rawValue)
    try? descriptor.close()
  }
}

enum OutputDirectory {
  /// Creates a directory and its parents, if they are missing, and returns those that it has
  /// created, the innermost first.
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

  /// Removes directories, the innermost first, up to the first that isn't empty.
  static func removeEmpty(_ paths: [String]) {
    for path in paths where unsafe rmdir(path) != 0 { return }
  }
}
