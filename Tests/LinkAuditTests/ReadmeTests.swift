import Foundation
import TestSupport
import Testing

/// The commands in the README and the guide.
///
/// In blocks fenced as `console`, lines that begin with `$` are run, and must print the lines after
/// them. Blocks fenced as `sh` name readers' files and hosts; SampleLogs replaces these here.
@Suite struct ReadmeTests {
  /// The documents whose commands are run.
  static let documents = ["README.md", "Documentation/Guide.md"]

  static func blocks(_ word: String) throws -> [String] {
    try documents.map(packageText).joined(separator: "\n").components(separatedBy: "\n```")
      .filter { $0.hasPrefix(word + "\n") }.map { String($0.dropFirst(word.count + 1)) }
  }

  static func examples() throws -> [(command: String, output: String)] {
    try blocks("console").flatMap { block in
      (block + "\n").matches(of: /\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)/)
        .map { (String($0.1), String($0.2)) }
    }
  }

  @Test(arguments: try examples())
  func printsTheOutputInTheDocument(command: String, output: String) throws {
    // Directories that readers create are in a temporary place here.
    let temporary = try TemporaryFolder()
    let outcome = try Command.run(command, environment: ["TMPDIR": temporary.path])
    // CSV ends its lines with a carriage return, too.
    let printed = (outcome.stdout + outcome.stderr).replacingOccurrences(of: "\r\n", with: "\n")
    #expect(printed == output)
  }

  @Test func thereAreExamples() throws {
    #expect(try Self.examples().count >= 15)
    #expect(try Self.blocks("sh").count >= 8)
  }

  /// The replacements for readers' files and hosts.
  ///
  /// No server listens at the address: the network is not used, and everything but the answer is
  /// tested. Tests/System/package installs the package. `--update-baseline` prints a message.
  static let standIns = rows(
    """
    /var/log/nginx/ => logs/
    /var/lib/linkaudit => store
    curl -fsS https://www.example.com/.well-known/apple-app-site-association -o
      => cp $SAMPLES/aasa.json
    fetch www.example.com
      => fetch www.example.com --base-url https://127.0.0.1:9 2>&1 | grep -q 'www.example.com'
    sudo apt install => ls
    sudo tar => tar
    -C /usr/local => -C unpacked
    ␣--update-baseline => ␣--update-baseline 2>/dev/null
    """)

  @Test(arguments: try blocks("sh"))
  func scriptsRun(script: String) throws {
    // The logs are of June 2026. An archive with another content is enough, because
    // Tests/System/package checks the content.
    let setup = #"""
      set -eu; export SOURCE_DATE_EPOCH=1781049600; mkdir logs unpacked folder
      cp $SAMPLES/aasa.json aasa.json; cp $SAMPLES/aasa-candidate.json candidate.json
      cp $SAMPLES/logs/www.access.log logs/access.log
      gzip -dc $SAMPLES/logs/www.access.log-20260603.gz >logs/access.log.1
      cp $SAMPLES/logs/www.access.log-20260602.gz logs/access.log.2.gz
      linkaudit ingest logs --store store --aasa aasa.json --host www.example.com
      printf 'target,status,count\n/buy/42,200,3\n' | gzip >rows.csv.gz
      echo >folder/file; touch linkaudit_0.1.0-1_amd64.deb
      tar -czf linkaudit-0.1.0-linux-x86_64.tar.gz folder
      sha256sum linkaudit-0.1.0-linux-x86_64.tar.gz >SHA256SUMS

      """#
    let text = Self.standIns.reduce(script) { $0.replacing($1.0, with: $1.1) }
    let outcome = try TemporaryFolder().run(setup + text)
    #expect(outcome.status == 0 && outcome.stderr == "", "\(outcome.stderr)")
  }

  /// Every target of 'make' and every command of 'swift' in documents is run by continuous
  /// integration, or is listed with the reason why not.
  @Test func integrationRunsTheNamedBuilds() throws {
    var named: Set<String> = []
    var pages = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "SampleLogs/README.md"]
    pages += try FileManager.default.contentsOfDirectory(
      atPath: Command.packageFolder.appendingPathComponent("Documentation").path
    ).filter { $0.hasSuffix(".md") }.map { "Documentation/\($0)" }
    for document in pages {
      let text = try packageText(document)
      for command in text.matches(of: /(?:`|\n    |\n\$ |\n)make ((?:[a-z-]+ ?)+)/) {
        named.formUnion(command.output.1.split(separator: " ").map { "make \($0)" })
      }
      for command in text.matches(of: /(?:`|\n|  |=1 )(swift (?:build|test|run|package)[^`\n]*)/) {
        named.insert(command.output.1.trimmingCharacters(in: .whitespaces))
      }
    }
    let run = try [".ci/run", "Scripts/test-builds.sh"].map(packageText)
      .joined(separator: "\n").replacing("\"$swift\"", with: "swift")
    func isRun(_ command: String) -> Bool {
      run.replacing("make --silent ", with: "make ").matches(of: /(?:make|swift) [a-z-]+/)
        .contains { $0.output == command }
    }
    for command in named where !isRun(command) {
      let reason = Self.notRun.contains { command == $0.0 || command.hasPrefix($0.0 + " ") }
      #expect(reason, "'\(command)' is in a document, but neither in .ci/run nor in this list")
    }
    for (command, _) in Self.notRun {
      #expect(!isRun(command), "'\(command)' is run")
      #expect(
        named.contains { $0 == command || $0.hasPrefix(command + " ") },
        "no document names '\(command)'")
    }
  }

  /// The commands in documents that continuous integration doesn't run, with the reason.
  static let notRun = rows(
    #"""
    make setup => a part of every other target
    make format => changes sources; 'make lint' compares them
    make dist => test-package runs it
    make deb => test-package runs it
    make release => test-package runs it
    make container => needs the network for its images; test-package builds one from a local image
    make benchmark => measures, so it needs an idle machine
    make benchmark-peers => measures, so it needs an idle machine
    make test-full => takes hours, at night
    make test-page => needs a browser, at night and before a release
    make test-rows => needs warehouses, at night and before a release
    make test-sql => needs warehouses, at night and before a release
    make test-package => needs systems without Swift, at night and before a release
    make test-spark => takes minutes on a cluster, at night and before a release
    make test-spark-connect => takes minutes on a cluster, at night and before a release
    make fuzz => takes hours; test-builds compiles its targets, and tests run them on their seeds
    swift package update => changes versions
    swift test $(Scripts/traits.sh)
      => 'make test' runs all tests, and test-builds those of a module in a debug build
    swift build $(Scripts/traits.sh) => 'make test' builds all traits together
    swift build -c release => 'make test' optimizes
    """#)

  @Test(arguments: documents + ["Documentation/Options.md", "Documentation/Outputs.md"])
  func namedCommandsAndOptionsExist(document: String) throws {
    let text = try packageText(document)
    for command in Set(text.matches(of: /`linkaudit ([a-z]+)[ `]/).map { String($0.output.1) }) {
      #expect(try Command.run("linkaudit \(command) --help").status == 0, "linkaudit \(command)")
    }
    let help = try Command.run("linkaudit --experimental-dump-help").stdout
    let known = Set(help.matches(of: /"name" : "([a-z-]+)"/).map { String($0.output.1) })
    #expect(known.contains("fail-on"))
    for option in Set(text.matches(of: /--([a-z]+(?:-[a-z]+)*)/).map { String($0.output.1) }) {
      // The two are of other programs.
      #expect(known.union(["strip-components", "ignore-missing"]).contains(option), "--\(option)")
    }
  }
}
