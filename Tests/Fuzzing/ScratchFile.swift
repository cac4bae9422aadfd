import AccessLogs
import Foundation
import SystemPackage

/// A file that is removed with the value, in memory if the system has a folder for it.
final class ScratchFile: Sendable {
  static let folder =
    FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()

  private let path: FilePath

  /// The file as an input.
  let input: LogInput

  init(_ bytes: [UInt8]) throws {
    path = FilePath(Self.folder).appending("linkaudit-fuzz-\(UInt64.random(in: 0...UInt64.max))")
    let descriptor = try FileDescriptor.open(
      path, .writeOnly, options: [.create, .truncate], permissions: [.ownerReadWrite])
    try descriptor.closeAfter { _ = try descriptor.writeAll(bytes) }
    input = LogInput(path: path.string, size: bytes.count)
  }

  deinit { _ = try? FileManager.default.removeItem(atPath: path.string) }
}
