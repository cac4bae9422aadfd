import AccessLogs
import Foundation
import TestSupport

struct SeedSources: Sendable {
  let folder: URL

  static let own = SeedSources(folder: URL(fileURLWithPath: TestRun.packageFolder))

  /// The bytes of a file.
  func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: folder.appendingPathComponent(path)))
  }

  func paths(below path: String, suffix: String = "") throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.appendingPathComponent(path).path)
      .sorted().filter { $0.hasSuffix(suffix) }.map { path + "/" + $0 }
      .filter { !folder.appendingPathComponent($0).hasDirectoryPath }
  }

  var associationFiles: [[UInt8]] {
    get throws { try paths(below: "SampleLogs", suffix: ".json").map(bytes) }
  }

  var vectors: [(file: [UInt8], url: String)] {
    get throws {
      try paths(below: "Tests/UniversalLinksTests/Vectors", suffix: ".jsonl").flatMap { path in
        try bytes(path).split(separator: UInt8(ascii: "\n")).compactMap { line in
          let object = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
          guard let file = object?["aasa"], let url = object?["url"] as? String else { return nil }
          let data = try JSONSerialization.data(withJSONObject: file, options: [.sortedKeys])
          return (Array(data), url)
        }
      }
    }
  }

  var logLines: [[UInt8]] {
    get throws {
      let lines = try bytes("SampleLogs/logs/www.access.log").split(separator: UInt8(ascii: "\n"))
      return Array(lines.prefix(400)).every(20).map { Array($0) }
    }
  }
}

extension Array {
  /// The first element, and each `step`th one after it.
  func every(_ step: Int) -> [Element] { stride(from: 0, to: count, by: step).map { self[$0] } }
}

/// A file that is removed with the value, in memory if the system has a folder for it.
final class ScratchFile: Sendable {
  static let folder =
    FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()

  let input: LogInput

  init(_ bytes: [UInt8]) throws {
    let path = Self.folder + "/linkaudit-fuzz-\(UInt64.random(in: 0...UInt64.max))"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    input = LogInput(path: path, size: bytes.count)
  }

  deinit { try? FileManager.default.removeItem(atPath: input.path) }
}
