import Foundation
import TestSupport
import Testing

@testable import LinkAuditCommand

/// Files that get their names when they are complete.
@Suite struct OutputFileTests {
  private struct Failure: Error {}

  private func names(in folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test func failuresKeepTheOldFile() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/out"
    try OutputFile(path).write("old")
    #expect(throws: Failure.self) {
      try OutputFile(path).write { sink in
        try sink(Array("new".utf8))
        throw Failure()
      }
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
    #expect(try names(in: folder) == ["out"])
  }

  @Test func aDraftIsHiddenUntilItIsFinished() throws {
    let folder = try TemporaryFolder()
    let file = OutputFile(folder.path + "/out")
    let draft = try file.draft { try $0(Array("text".utf8)) }
    let hidden = try names(in: folder)
    #expect(hidden.count == 1)
    #expect(hidden.allSatisfy { $0.hasPrefix(".linkaudit-") && $0.hasSuffix(".part") })
    try file.finish(draft)
    #expect(try names(in: folder) == ["out"])
    // A finished file can't be removed any more.
    draft?.discard()
    #expect(try names(in: folder) == ["out"])
  }

  @Test func aLinkToNothingStays() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/link", withDestinationPath: "next")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/next", withDestinationPath: folder.path + "/out")
    try OutputFile(folder.path + "/link").write("text")
    #expect(try names(in: folder) == ["link", "next", "out"])
    #expect(try String(contentsOfFile: folder.path + "/out", encoding: .utf8) == "text")
  }
}
