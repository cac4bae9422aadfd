internal import SystemPackage

/// The identity of a file, which doesn't depend on its name.
struct FileIdentity: Hashable {
  private var device: DeviceID
  private var inode: Inode

  init(_ status: Stat) {
    device = status.deviceID
    inode = status.inode
  }
}
