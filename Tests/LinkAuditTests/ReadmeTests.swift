import Foundation
import Foundations
import Testing

/// The commands in the README.
///
/// In blocks fenced as `console`, lines that begin with `$` are run, and what they print is
/// what follows. Blocks fenced as `sh` name files and hosts that readers have; here,
/// SampleLogs stands in for them.
@Suite struct ReadmeTests {
  struct Example: CustomTestStringConvertible, Sendable {
    var command: String
    var output: String
    var testDescription: String { command }
  }

  static func text() throws -> String {
    let readme = Command.packageFolder.appendingPathComponent("README.md")
    return String(decoding: try Data(contentsOf: readme), as: UTF8.self)
  }

  static func examples() throws -> [Example] {
    var examples: [Example] = []
    var isInside = false
    for line in try text().split(separator: "\n", omittingEmptySubsequences: false) {
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
  func printsTheOutputInTheReadme(example: Example) throws {
    // Directories that readers make go where they are removed.
    let temporary = FileManager.default.temporaryDirectory.appendingPathComponent(
      "linkaudit-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: temporary) }
    let outcome = try Command.run(example.command, environment: ["TMPDIR": temporary.path])
    // CSV ends its lines with a carriage return, too.
    let printed = (outcome.stdout + outcome.stderr).replacingOccurrences(of: "\r\n", with: "\n")
    #expect(printed == example.output)
  }

  @Test func thereAreExamples() throws {
    #expect(try Self.examples().count >= 5)
  }

  /// The blocks fenced as `sh`.
  static func scripts() throws -> [String] {
    try text().components(separatedBy: "\n```").filter { $0.hasPrefix("sh\n") }
      .map { String($0.dropFirst(3)) }
  }

  /// What stands in for what readers have.
  static let standIns = [
    ("/var/log/nginx/access.log.1", "access.log"), ("/var/lib/linkaudit", "store"),
    // Nobody listens there: the network is left alone, and all but the answer is tried.
    (
      "fetch www.example.com",
      "fetch www.example.com --base-url https://127.0.0.1:9 2>&1 | grep -q 'www.example.com'"
    ),
    ("-C /usr/local", "-C unpacked"),
  ]

  @Test(arguments: try scripts())
  func scriptsRun(script: String) throws {
    let line =
      "set -eu; here=$(mktemp -d); trap 'rm -rf \"$here\"' EXIT; samples=$PWD/SampleLogs; cd \"$here\"; "
      + "cp $samples/aasa.json deployed.json; cp $samples/aasa-candidate.json candidate.json; "
      + "cp $samples/logs/www.access.log access.log; "
      + "linkaudit ingest access.log --store store --aasa deployed.json --host www.example.com; "
      // An archive of another content will do: what is in it is a matter of Tests/System/package.
      + "mkdir -p unpacked folder; echo >folder/file; "
      + "tar -czf linkaudit-0.1.0-linux-x86_64.tar.gz folder; "
      + "sha256sum linkaudit-0.1.0-linux-x86_64.tar.gz >SHA256SUMS\n"
    var text = script
    for (name, standIn) in Self.standIns {
      text = text.replacingOccurrences(of: name, with: standIn)
    }
    // The logs are of June 2026.
    let outcome = try Command.run(line + text, environment: ["SOURCE_DATE_EPOCH": "1781049600"])
    #expect(outcome.status == 0, "\(outcome.stderr)")
    #expect(outcome.stderr == "")
  }

  @Test func scriptsAreFound() throws {
    #expect(try Self.scripts().count >= 4)
  }

  /// Every target of 'make' that documents name is one of the Makefile's.
  @Test(arguments: ["README.md", "CONTRIBUTING.md", "Documentation/Development.md"])
  func targetsExist(document: String) throws {
    func content(_ name: String) throws -> String {
      try String(
        contentsOf: Command.packageFolder.appendingPathComponent(name), encoding: .utf8)
    }
    let targets = Set(
      try content("Makefile").matches(of: /(?m)^([a-z-]+):/).map { String($0.output.1) })
    let named = try content(document).matches(
      of: /(?:`|^    )make ((?:[a-z]+(?:-[a-z]+)* ?)+)/.anchorsMatchLineEndings()
    )
    .flatMap { $0.output.1.split(separator: " ").map(String.init) }
    #expect(!named.isEmpty)
    for target in named {
      #expect(targets.contains(target), "make \(target)")
    }
  }

  /// Every command that the text names has help, and every option belongs to some command.
  @Test func namedCommandsAndOptionsExist() throws {
    let text = try Self.text()
    for command in Set(text.matches(of: /`linkaudit ([a-z]+)[ `]/).map { String($0.output.1) }) {
      #expect(try Command.run("linkaudit \(command) --help").status == 0, "linkaudit \(command)")
    }
    let help = try Command.run("linkaudit --experimental-dump-help").stdout
    let known = Set(help.matches(of: /"name" : "([a-z-]+)"/).map { String($0.output.1) })
    #expect(known.contains("fail-on"))
    // Of other programs.
    let foreign: Set = ["strip-components"]
    for option in Set(text.matches(of: /--([a-z]+(?:-[a-z]+)*)/).map { String($0.output.1) }) {
      #expect(known.union(foreign).contains(option), "--\(option)")
    }
  }
}
