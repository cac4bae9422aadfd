import Foundation
import Testing

/// The commands in the README, in blocks fenced as `console`: lines that begin
/// with `$` are run, and what they print is what follows.
@Suite struct ReadmeTests {
  struct Example: CustomTestStringConvertible, Sendable {
    var command: String
    var output: String
    var testDescription: String { command }
  }

  static func examples() throws -> [Example] {
    let readme = Command.packageFolder.appendingPathComponent("README.md")
    let text = String(decoding: try Data(contentsOf: readme), as: UTF8.self)
    var examples: [Example] = []
    var isInside = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isInside = line == "```console"
      } else if isInside, line.hasPrefix("$ ") {
        examples.append(Example(command: String(line.dropFirst(2)), output: ""))
      } else if isInside, line.hasPrefix("    "), examples.last?.command.hasSuffix("\\") == true {
        examples[examples.count - 1].command += "\n" + line
      } else if isInside, !examples.isEmpty {
        examples[examples.count - 1].output += line + "\n"
      }
    }
    return examples
  }

  @Test(arguments: try examples())
  func printsWhatTheReadmeShows(example: Example) throws {
    let outcome = try Command.run(example.command)
    // CSV ends its lines with a carriage return, too.
    let printed = (outcome.stdout + outcome.stderr).replacingOccurrences(of: "\r\n", with: "\n")
    #expect(printed == example.output)
  }

  @Test func thereAreExamples() throws {
    #expect(try Self.examples().count >= 5)
  }
}
