import Foundation
import Testing

/// The golden tests in `Cases`: a file for each topic, with commands and what they print.
@Suite struct CaseTests {
  @Test(arguments: try GoldenTest.all())
  func printsTheExpectedOutput(entry: GoldenTest) throws {
    guard !Self.isRecording else { return }
    try #require(!entry.commands.isEmpty)
    var expected = entry.outcome
    for (index, command) in entry.commands.enumerated() {
      let outcome = try entry.run(command)
      if entry.isComparison, index == 0 { expected.stdout = outcome.stdout }
      #expect(outcome == expected, "\(command)")
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

  static func all() throws -> [GoldenTest] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".txt") }.sorted().flatMap(entries)
  }

  static func entries(of file: String) throws -> [GoldenTest] {
    // By scalars, because CSV ends its lines with CRLF, which is one Character.
    let form = #/(.*)\n((?:[$?!] .*\n)*)([\s\S]*)/#.matchingSemantics(.unicodeScalar)
    let text = try packageText("Tests/LinkAuditTests/Cases/\(file)")
    return try ("\n" + text).components(separatedBy: "\n=== ").dropFirst().map { part in
      let (_, name, header, stdout) = try #require(try form.wholeMatch(in: part)).output
      var entry = GoldenTest(file: file, name: String(name))
      for line in header.split(separator: "\n") {
        let rest = String(line.dropFirst(2))
        switch line.first {
        case "$": entry.commands.append(rest)
        case "?": entry.outcome.status = Int32(rest) ?? -1
        default: entry.outcome.stderr += rest + "\n"
        }
      }
      entry.outcome.stdout = trimmed(String(stdout))
      return entry
    }
  }

  /// A function for commands that writes each JSON object on a line, without nested ones.
  private static let functions =
    #"objects() { tr -s ' \n' ' ' | awk '{ gsub(/\{ "/, "\n{ \""); print }'; }; "#

  func run(_ command: String) throws -> Command.Outcome {
    var outcome = try Command.run(Self.functions + command)
    outcome.stdout = Self.trimmed(outcome.stdout)
    return outcome
  }

  /// The text with one line feed at its end, because empty lines separate entries; or no text.
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
