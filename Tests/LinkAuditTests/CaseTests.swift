import Foundation
import Testing

/// The cases in `Cases`: a folder each, with the shell line in `command` and
/// what it prints in `stdout`, `stderr` and `status`.
///
/// `RECORD_CASES=1 swift test` writes them anew; look at the difference before
/// you commit it.
@Suite struct CaseTests {
  static let folder = Command.packageFolder.appendingPathComponent("Tests/LinkAuditTests/Cases")

  static func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") }
      .sorted()
  }

  @Test(arguments: try names())
  func printsTheExpectedOutput(name: String) throws {
    let folder = Self.folder.appendingPathComponent(name)
    func text(_ file: String) throws -> String {
      let path = folder.appendingPathComponent(file)
      return FileManager.default.fileExists(atPath: path.path)
        ? String(decoding: try Data(contentsOf: path), as: UTF8.self) : ""
    }
    let outcome = try Command.run(try text("command"))
    if ProcessInfo.processInfo.environment["RECORD_CASES"] == "1" {
      for (file, content) in [
        ("stdout", outcome.stdout), ("stderr", outcome.stderr), ("status", "\(outcome.status)\n"),
      ] {
        let path = folder.appendingPathComponent(file)
        try? FileManager.default.removeItem(at: path)
        if !content.isEmpty, content != "0\n" { try Data(content.utf8).write(to: path) }
      }
      return
    }
    let status = try text("status").split(separator: "\n").first.flatMap { Int32($0) } ?? 0
    let expected = Command.Outcome(
      stdout: try text("stdout"), stderr: try text("stderr"), status: status)
    #expect(outcome.stdout == expected.stdout)
    #expect(outcome.stderr == expected.stderr)
    #expect(outcome.status == expected.status)
  }

  /// Every line of a text report fits a terminal of 80 columns, colours apart.
  @Test func textReportsFitEightyColumns() throws {
    for name in try Self.names()
    where name.hasPrefix("report-text") || name.hasPrefix("suggest-text") {
      let path = Self.folder.appendingPathComponent(name).appendingPathComponent("stdout")
      let text = String(decoding: try Data(contentsOf: path), as: UTF8.self)
      for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(name): \(line)") }
    }
  }
}
