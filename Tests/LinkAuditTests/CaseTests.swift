import Foundation
import Testing

/// The golden tests in `Cases`: a file for each topic, with commands and what they print.
@Suite struct CaseTests {
  @Test(arguments: try GoldenTest.all())
  func printsTheExpectedOutput(entry: GoldenTest) throws {
    guard !Self.isRecording else { return }
    let first = try entry.run(try #require(entry.commands.first))
    let expected = entry.isComparison ? first : entry.outcome
    #expect(first.stdout == expected.stdout)
    #expect(first.stderr == entry.outcome.stderr)
    #expect(first.status == entry.outcome.status)
    for command in entry.commands.dropFirst() {
      let other = try entry.run(command)
      #expect(other.stdout == expected.stdout, "\(command)")
      #expect(other.stderr == expected.stderr && other.status == expected.status, "\(command)")
    }
  }

  private static var isRecording: Bool {
    ProcessInfo.processInfo.environment["RECORD_CASES"] == "1"
  }

  /// `RECORD_CASES=1 swift test` rewrites the files; check the difference before you commit it.
  @Test(.enabled(if: isRecording)) func record() throws {
    let entries = try GoldenTest.all().map { entry in
      var entry = entry
      let isComparison = entry.isComparison
      entry.outcome = try entry.run(try #require(entry.commands.first))
      if isComparison { entry.outcome.stdout = "...\n" }
      return entry
    }
    for (file, entries) in Dictionary(grouping: entries, by: \.file) {
      let text = entries.map(\.text).joined(separator: "\n")
      try Data(text.utf8).write(to: GoldenTest.folder.appendingPathComponent(file))
    }
  }

  @Test func namesAreUnique() throws {
    let names = try GoldenTest.all().map(\.name)
    #expect(Set(names).count == names.count)
  }
}
