internal import Foundations
internal import SystemPackage

/// A file that is complete, or will be, but does not have its final name yet.
struct FileDraft {
  /// The path that it has until then.
  private let path: String

  /// The path that it is going to have.
  private let target: String

  /// Creates an empty file next to its target.
  ///
  /// - Parameters:
  ///   - target: Its final path.
  ///   - isPrivate: Whether only its owner can read it.
  /// - Returns: The draft, and the file, which is open for writing.
  /// - Throws: `Errno` if it can't be created.
  static func begin(
    for target: String, isPrivate: Bool = false
  ) throws(Errno) -> (draft: FileDraft, descriptor: FileDescriptor) {
    let (path, descriptor) = try UnfinishedFiles.make(
      for: target,
      permissions: isPrivate ? [.ownerReadWrite] : [.ownerReadWrite, .groupRead, .otherRead])
    return (FileDraft(path: path, target: target), descriptor)
  }

  /// Gives the file its name, and replaces any other file with that name.
  ///
  /// - Parameters:
  ///   - keepsPermissionsOfTarget: Whether it receives the permissions of the replaced file.
  ///   - isSynced: Whether the name is also on the disk before this returns.
  /// - Throws: `Errno` if the file can't have the name.
  func finish(keepsPermissionsOfTarget: Bool, isSynced: Bool) throws(Errno) {
    var permissions: FilePermissions?
    if keepsPermissionsOfTarget,
      let status = try? Stat(FilePath(target), followTargetSymlink: false), status.type == .regular
    {
      permissions = status.permissions
    }
    try UnfinishedFiles.finish(path, permissions: permissions)
    if isSynced { syncDirectory() }
  }

  /// Removes the file.
  func discard() { UnfinishedFiles.remove(path) }

  private func syncDirectory() {
    let parent = FilePath(target).removingLastComponent()
    let directory = parent.isEmpty ? FilePath(".") : parent
    guard let descriptor = try? FileDescriptor.open(directory, .readOnly, options: .closeOnExec)
    else { return }
    _ = fsync(descriptor.rawValue)
    try? descriptor.close()
  }
}
