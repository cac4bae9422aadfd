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
    var entries = try GoldenTest.all()
    for (index, entry) in entries.enumerated() {
      entries[index].outcome = try entry.run(try #require(entry.commands.first))
      if entry.isComparison { entries[index].outcome.stdout = "...\n" }
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

/// An entry of a file in `Cases`: commands, and what each of them prints.
///
///     === name
///     $ linkaudit ...
///     ? 2
///     ! a line of standard error
///     the lines of standard output
///
/// The line `?` is omitted for status 0. All commands of an entry print the same. If standard
/// output is `...`, it isn't recorded, and the commands are only compared with one another.
struct GoldenTest: CustomTestStringConvertible, Sendable {
  let file: String
  let name: String
  var commands: [String] = []
  var outcome = Command.Outcome()

  var testDescription: String { name }

  /// Whether standard output isn't recorded.
  var isComparison: Bool { outcome.stdout == "...\n" }

  static let folder = Command.packageFolder.appendingPathComponent("Tests/LinkAuditTests/Cases")

  /// All entries, in the order of their files.
  static func all() throws -> [GoldenTest] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".txt") }.sorted().flatMap(entries)
  }

  /// The entries of a file.
  static func entries(of file: String) throws -> [GoldenTest] {
    let data = try Data(contentsOf: folder.appendingPathComponent(file))
    var entries: [GoldenTest] = []
    var isHeader = false
    // By bytes, because CSV ends its lines with CRLF, which is one Character.
    for line in data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      let text = String(decoding: line, as: UTF8.self)
      if text.hasPrefix("=== ") {
        entries.append(GoldenTest(file: file, name: String(text.dropFirst(4))))
        isHeader = true
        continue
      }
      guard var entry = entries.popLast() else { continue }
      let rest = String(text.dropFirst(2))
      switch isHeader ? text.prefix(2) : "" {
      case "$ ": entry.commands.append(rest)
      case "? ": entry.outcome.status = Int32(rest) ?? -1
      case "! ": entry.outcome.stderr += rest + "\n"
      default:
        isHeader = false
        entry.outcome.stdout += text + "\n"
      }
      entries.append(entry)
    }
    for index in entries.indices {
      entries[index].outcome.stdout = trimmed(entries[index].outcome.stdout)
    }
    return entries
  }

  /// Functions for commands: `objects` writes each JSON object on a line of its own, without nested
  /// ones.
  private static let functions =
    #"objects() { tr -s ' \n' ' ' | awk '{ gsub(/\{ "/, "\n{ \""); print }'; }; "#

  /// Runs a command of the entry.
  func run(_ command: String) throws -> Command.Outcome {
    var outcome = try Command.run(Self.functions + command)
    outcome.stdout = Self.trimmed(outcome.stdout)
    return outcome
  }

  /// The text with exactly one line feed at its end, because empty lines separate entries; or no
  /// text.
  private static func trimmed(_ text: String) -> String {
    var bytes = Array(text.utf8)
    while bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    return bytes.isEmpty ? "" : String(decoding: bytes, as: UTF8.self) + "\n"
  }

  /// The entry in the notation of its file.
  var text: String {
    var text = "=== \(name)\n" + commands.map { "$ \($0)\n" }.joined()
    if outcome.status != 0 { text += "? \(outcome.status)\n" }
    for line in outcome.stderr.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      text += "! \(line)\n"
    }
    return text + outcome.stdout
  }
}
