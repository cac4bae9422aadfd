package import SystemPackage

/// The identity of a file, which is the same under all its names.
package struct FileIdentity: Hashable, Sendable {
  private let device: DeviceID
  private let inode: Inode

  /// Creates the identity of the file that a record of the system describes.
  package init(_ status: Stat) { (device, inode) = (status.deviceID, status.inode) }

  /// Returns `nil` if the record isn't that of a regular file.
  package init?(ofRegularFile status: Stat?) {
    guard let status, status.type == .regular else { return nil }
    self.init(status)
  }

  /// Returns `nil` if the path leads to no regular file.
  package init?(ofRegularFile path: String) {
    self.init(ofRegularFile: try? Stat(FilePath(path), followTargetSymlink: true))
  }
}
