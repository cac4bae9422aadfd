// Unsafe code: `clock_gettime` writes to a variable that it gets for the call only.

internal import Foundations
package import SystemPackage

/// The system's record of a file when it was opened; the content is unchanged as long as the record
/// is.
public struct FileStamp: Hashable, Sendable {
  /// The device and the number of the file on it, in the system's own terms.
  public var device: UInt64
  public var inode: UInt64

  /// The size in bytes.
  public var size: Int64

  /// When the content was changed, and when anything was, in nanoseconds since 1970.
  public var modified: Int64
  public var changed: Int64

  /// The stamp of a file, or `nil` if it isn't a regular one.
  init?(_ status: Stat) {
    guard status.type == .regular else { return nil }
    device = UInt64(truncatingIfNeeded: status.deviceID.rawValue)
    inode = UInt64(truncatingIfNeeded: status.inode.rawValue)
    size = status.size
    #if canImport(Darwin)
    (modified, changed) = (Self.time(status.st_mtimespec), Self.time(status.st_ctimespec))
    #else
    (modified, changed) = (Self.time(status.st_mtim), Self.time(status.st_ctim))
    #endif
  }

  /// Reads the stamp of the file at a path, links followed.
  ///
  /// - Returns: The stamp, or `nil` if there is no regular file.
  public init?(path: String) {
    guard let status = try? Stat(FilePath(path), followTargetSymlink: true) else { return nil }
    self.init(status)
  }

  /// The current time in nanoseconds since 1970, regardless of `SOURCE_DATE_EPOCH`.
  package static var now: Int64 {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Self.time(time)
  }

  private static func time(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }

  /// Returns a Boolean value indicating whether a later change would show.
  ///
  /// File systems keep times coarsely, so that a file that was changed just now can be
  /// changed again without another time.
  ///
  /// - Parameter now: The time at which the file was opened, in nanoseconds since 1970.
  /// - Returns: Whether it would.
  public func showsChanges(since now: Int64) -> Bool {
    let settling: Int64 = 2_000_000_000
    return max(modified, changed) < now - settling
  }
}

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
