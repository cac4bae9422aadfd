internal import SystemPackage

/// The identity of a file, which is the same under all its names.
struct FileIdentity: Hashable {
  private var device: DeviceID
  private var inode: Inode

  init(_ status: Stat) {
    device = status.deviceID
    inode = status.inode
  }
}
