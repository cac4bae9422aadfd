internal import Foundations
package import SystemPackage

extension FileDescriptor {
  /// A Boolean value indicating whether the file can be a text file.
  ///
  /// Except for terminals and `/dev/null`, devices have no lines, and often no end.
  package var hasLines: Bool {
    guard let status = try? stat(), status.type == .characterSpecial else { return true }
    let null = try? Stat(FilePath("/dev/null"), followTargetSymlink: true)
    return status.specialDeviceID == null?.specialDeviceID || isatty(rawValue) == 1
  }
}
