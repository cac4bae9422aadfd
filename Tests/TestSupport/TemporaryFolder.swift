import Foundation

/// A folder that is removed with the value.
public final class TemporaryFolder: Sendable {
  /// The path of the folder.
  public let path: String

  /// Creates an empty folder.
  public init() throws {
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("linkaudit-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file and returns its path.
  public func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
    let url = URL(fileURLWithPath: path).appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
    return url.path
  }
}
