import Foundation
import TestSupport
import Testing

/// The messages about typical mistakes of newcomers.
@Suite struct UsageTests {
  /// A folder with the files of the command lines.
  private static func place() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let made = try Command.run(
      """
      cd \(folder.path) && samples="$OLDPWD/SampleLogs" && mkdir logs nested && \
      cp $samples/aasa.json $samples/routes.txt . && \
      cp $samples/logs/www.access.log access.log && cp access.log logs && \
      cp aasa.json nested && cp access.log nested && gzip -k aasa.json && \
      printf '# Logs\\n\\nA file for each day.\\n' > logs/README.md && \
      printf 'path,screen\\n/buy/:id,Buy\\n/help,Help\\n' > routes.csv
      """)
    #expect(made.status == 0, "\(made.stderr)")
    return folder
  }

  static let report =
    "report access.log --aasa aasa.json --host www.example.com"

  /// Command lines, and their error messages.
  static let mistakes: [(String, String)] = [
    // Words in the place of a command.
    ("access.log", "'linkaudit report access.log --aasa FILE --host HOST'"),
    ("access.log --aasa aasa.json --host www.example.com", "'linkaudit report access.log"),
    ("missing.log", "'linkaudit report missing.log"), ("logs", "'linkaudit report logs"),
    ("aasa.json", "'linkaudit lint aasa.json'"),
    ("www.example.com", "'linkaudit fetch www.example.com'"),
    (
      "https://www.example.com/buy/1", "'linkaudit match --aasa FILE https://www.example.com/buy/1'"
    ),
    (
      "https://www.example.com/.well-known/apple-app-site-association",
      "'linkaudit fetch www.example.com'"
    ),
    ("analyze access.log", "'linkaudit report'"), ("validate aasa.json", "'linkaudit lint'"),
    ("--aasa aasa.json report access.log", "write it after the command"),
    ("--json", "needs a command before it"), ("-v", "'-V'"), ("--hlep", "'--help'"),
    ("formats access.log", "'linkaudit formats test access.log'"),
    ("store ls --store store", "did you mean 'list'?"),
    ("store list store", "did you mean '--store store'?"),
    ("completion bash", "'linkaudit --generate-completion-script bash'"),
    // Options for arguments.
    ("lint --aasa aasa.json", "'linkaudit lint FILE'"),
    ("diff --old aasa.json --new aasa.json", "'linkaudit diff OLD NEW'"),
    ("fetch --host www.example.com", "'linkaudit fetch HOST'"),
    ("match --url https://www.example.com/", "'linkaudit match URL'"),
    // Options of other programs.
    ("\(report) --html", "did you mean '--format html'?"),
    ("\(report) --json", "did you mean '--format json'?"),
    ("match --aasa aasa.json https://www.example.com/ --json", "did you mean '--format ndjson'?"),
    ("report --logs access.log", "pass files without an option"),
    ("\(report) --from yesterday", "did you mean '--since'?"),
    ("\(report) --limit 5", "did you mean '--top'?"), ("\(report) -n 5", "did you mean '--top'?"),
    ("suggest access.log --limit 5", "did you mean '--max-rules'?"),
    ("\(report) --threads 4", "did you mean '--jobs'?"),
    ("\(report) --no-color", "did you mean '--color never'?"),
    ("\(report) --verbose", "did you mean '--full'?"), ("\(report) --pdf", "'--format html'"),
    ("\(report) --hots www.example.com", "did you mean '--host'?"),
    ("\(report) --Format json", "did you mean '--format'?"),
    ("\(report) -F json", "did you mean '-f'?"), ("\(report) -fjson", "'-f json'"),
    ("\(report) -oout.json", "'-o out.json'"), ("\(report) -f json csv", "pass one format"),
    ("\(report) --suppress known.json", "did you mean '--baseline'?"),
    ("\(report) --nonsense", "'linkaudit report --help' lists all options"),
    ("report access.log -aasa aasa.json", "'-aasa' needs two hyphens: '--aasa'"),
    ("report -oa-b.html access.log", "needs a space: '-o a-b.html'"),
    ("report access.log -fail-on error", "'-fail-on' needs two hyphens: '--fail-on'"),
    ("report access.log —aasa aasa.json", "type '--aasa'"),
    // Values.
    ("\(report) --format xlsx", "did you mean 'csv'?"),
    ("\(report) -f pdf", "did you mean 'html'?"),
    ("\(report) --format csv --table referrers", "did you mean 'referrals'?"),
    ("\(report) --top all", "write it as '--top 10'"),
    ("\(report) --jobs four", "write it as '--jobs 4'"),
    ("\(report) --top -1", "write '--top 1'"),
    ("\(report) --since -7d", "write '--since 7d'"),
    ("\(report) --memory 512", "add a unit"),
    ("\(report) --routes /buy/:id", "'/buy/:id' is a route"),
    ("report access.log --site aasa.json=www.example.com", "'--site www.example.com=aasa.json'"),
    ("report access.log --aasa '' --host www.example.com", "a variable of the shell may be unset"),
    ("report '' --aasa aasa.json --host www.example.com", "a variable of the shell may be unset"),
    ("lint aasa.json --minimum-os 17", "did you mean '14'?"),
    ("\(report) --sort hits", "it can be visits, requests"),
    ("\(report) --color blue", "it can be auto, always, never"),
    ("match --aasa aasa.json --os ios17 https://www.example.com/", "did you mean 'ios13+'?"),
    ("\(report) --platform iphone", "Did you mean 'ios' (Safari on iPhone and iPad)?"),
    ("\(report) --platform chrome", "Did you mean 'iosBrowser'"),
    ("\(report) --log-format nginx", "'combined'"),
    ("\(report) --log-format aws", "'awsalb'"),
    ("\(report) -o out.xlsx", "'.xlsx' is not a format of this command; use '.csv'"),
    ("\(report) -o out.docx", "'.docx' is not a format of this command"),
    ("\(report) -o out.json.gz", "| gzip >out.json.gz'"),
    ("\(report) -o logs", "'--output-directory logs'"),
    ("\(report) -o out.d/", "name a file in it"),
    ("\(report) --output-directory out.html", "use '--output out.html'"),
    ("match --aasa aasa.json https://www.example.com/ -o out.json", "use '.ndjson'"),
    ("fetch www.example.com -o aasa.json", "'--from cdn --save aasa.json'"),
    ("lint aasa.json -o out.csv", "'.csv' is not a format of this command"),
    ("report access.log --host www.example.com=aasa.json", "'--site www.example.com=aasa.json'"),
    // Files in each other's place.
    ("report access.log aasa.json --host www.example.com", "'--aasa aasa.json --host HOST'"),
    (
      "report aasa.json --aasa access.log --host www.example.com",
      "'--aasa aasa.json --host HOST'"
    ),
    ("\(report) aasa.json", "looks like an association file, not like a log"),
    ("ingest aasa.json --store store", "looks like an association file, not like a log"),
    ("diff aasa.json access.log --host www.example.com", "'linkaudit diff OLD NEW access.log"),
    ("match aasa.json https://www.example.com/buy/1", "'--aasa aasa.json'"),
    ("\(report) m.example.com", "'--site m.example.com=FILE'"),
    ("\(report) --since 2026-06-01 2026-06-05", "one to '--until'"),
    ("\(report) --platform ios ios12", "'--platform ios,ios12'"),
    ("\(report) --own-host https://example.net", "is not a host name"),
    ("digest access.log -o logs", "'--output logs' is a directory"),
    ("match --aasa aasa.json --expect https://www.example.com/", "takes a file"),
    ("match --aasa aasa.json routes.txt", "'- <routes.txt'"),
    ("match --aasa aasa.json /buy/1", "'https://www.example.com/buy/1'"),
    ("report https://www.example.com/access.log", "linkaudit report -"),
    ("report s3://bucket/access.log", "linkaudit report -"),
    ("lint www.example.com", "'linkaudit fetch www.example.com'"),
  ]

  /// Each mistake has one error, which says what to type, and leaves no files.
  @Test func mistakesAreAnswered() throws {
    let folder = try Self.place()
    for (arguments, answer) in Self.mistakes {
      let outcome = try Command.run("cd \(folder.path) && linkaudit \(arguments)")
      let first = outcome.stderr.split(separator: "\n").first ?? ""
      #expect(outcome.status == 64, "\(arguments): \(outcome)")
      #expect(outcome.stdout.isEmpty, "\(arguments)")
      #expect(first.hasPrefix("linkaudit: ") && first.contains(answer), "\(arguments): \(first)")
      let messages = outcome.stderr.split(separator: "\n").filter { $0.hasPrefix("linkaudit: ") }
      #expect(messages.count == 1, "\(arguments): \(outcome.stderr)")
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!left.contains { $0.hasPrefix("out.") || $0 == "store" })
  }

  /// No command waits for input that nobody would type.
  @Test(
    .enabled(
      if: (try? Command.run("script --version"))?.status == 0, "script is not installed"))
  func aTerminalIsNoLog() throws {
    let folder = try Self.place()
    for command in ["report -", "report --files-from -", "digest - -o out.digest"] {
      let outcome = try Command.run(
        "cd \(folder.path) && timeout 30 script -qec 'linkaudit \(command)' /dev/null")
      #expect(outcome.status == 64, "\(command): \(outcome)")
      #expect(outcome.stdout.contains("'-' is standard input"), "\(outcome)")
    }
    let match = try Command.run(
      "cd \(folder.path) && timeout 30 script -qec 'linkaudit match --aasa aasa.json -' /dev/null")
    #expect(match.stdout.contains("reading URLs from the terminal; end with Control-D"))
  }

  /// Files with another kind of content than their option requires.
  @Test(
    arguments: [
      ("report access.log --aasa aasa.json.gz --host www.example.com", "'gunzip aasa.json.gz'"),
      ("report access.log --aasa access.log --host www.example.com", "looks like an access log"),
      ("\(report) --routes routes.csv", "'routes.csv' is a table, not a list of routes"),
      ("\(report) --routes routes.csv", "'cut -d, -f1 routes.csv'"),
      ("\(report) --routes access.log", "'access.log' looks like an access log"),
      ("\(report) --routes aasa.json", "'aasa.json' looks like an association file"),
    ])
  func contentOfAnotherKindIsRefused(arguments: String, answer: String) throws {
    let folder = try Self.place()
    let outcome = try Command.run("cd \(folder.path) && linkaudit \(arguments)")
    #expect(outcome.status == 2 && outcome.stdout.isEmpty, "\(outcome)")
    #expect(outcome.stderr.contains(answer), "\(outcome.stderr)")
    #expect(outcome.stderr.split(separator: "\n").count == 1, "\(outcome.stderr)")
  }

  /// Other files next to logs have one line.
  @Test(arguments: [("logs", "logs/README.md"), ("nested", "nested/aasa.json")])
  func otherFilesInADirectoryHaveOneLine(logs: String, other: String) throws {
    let folder = try Self.place()
    let outcome = try Command.run(
      "cd \(folder.path) && linkaudit report \(logs) --aasa aasa.json --host www.example.com")
    #expect(outcome.status == 0 && !outcome.stdout.isEmpty)
    #expect(outcome.stderr.split(separator: "\n").count == 1, "\(outcome.stderr)")
    #expect(outcome.stderr.contains("'\(other)'"))
    let stored = try Command.run(
      "cd \(folder.path) && linkaudit ingest \(logs) --store store --host www.example.com")
    #expect(stored.stderr.split(separator: "\n").count == 1, "\(stored.stderr)")
  }

  /// Spellings of earlier versions work, with a notice.
  @Test(
    arguments: [
      ("\(report) --by requests", "\(report) --sort requests", "'--by' is now '--sort'"),
      ("\(report) --by=requests", "\(report) --sort=requests", "'--by' is now '--sort'"),
      (
        "suggest access.log --aasa aasa.json --host www.example.com --routes routes.txt --top 1",
        "suggest access.log --aasa aasa.json --host www.example.com --routes routes.txt "
          + "--max-rules 1",
        "'--top' is now '--max-rules'"
      ),
      (
        "\(report) -f csv --table excluded", "\(report) -f csv --table excluded-heavy",
        "'--table excluded' is now '--table excluded-heavy'"
      ),
      ("findings", "explain --kind finding", "'findings' is now 'explain --kind finding'"),
    ])
  func formerSpellingsWork(former: String, present: String, notice: String) throws {
    let folder = try Self.place()
    let one = try Command.run("cd \(folder.path) && linkaudit \(former)")
    let other = try Command.run("cd \(folder.path) && linkaudit \(present)")
    #expect(one.status == 0 && one.stdout == other.stdout && other.stderr.isEmpty)
    #expect(one.stderr.hasPrefix("linkaudit: \(notice); "), "\(one.stderr)")
    #expect(one.stderr.split(separator: "\n").count == 1)
  }

  @Test(
    arguments: [
      ("\(report) -j 2 -f json --no-progress", "\(report) --jobs 2 --format json --quiet"),
      ("\(report) -j2", "\(report) --jobs 2"), ("-V", "--version"), ("report -V", "--version"),
      (
        "match --aasa aasa.json --host www.example.com /buy/1",
        "match --aasa aasa.json --host www.example.com https://www.example.com/buy/1"
      ),
    ])
  func shortSpellingsWork(short: String, long: String) throws {
    let folder = try Self.place()
    let one = try Command.run("cd \(folder.path) && linkaudit \(short)")
    #expect(one.status == 0 && !one.stdout.isEmpty, "\(one)")
    #expect(try one == Command.run("cd \(folder.path) && linkaudit \(long)"))
  }

  @Test func colorsAreWhereTheyAreWanted() throws {
    let folder = try Self.place()
    for command in [
      Self.report, "lint aasa.json", "explain", "formats", "formats test access.log",
      "match --aasa aasa.json https://www.example.com/buy/1",
      "diff aasa.json aasa.json --host www.example.com",
    ] {
      let line = "cd \(folder.path) && NO_COLOR=1 linkaudit \(command) --color"
      let plain = try Command.run("\(line) auto")
      #expect(try plain == Command.run("\(line)=never"))
      let colored = try Command.run("\(line)=always")
      #expect(colored.stdout.contains("\u{1B}["), "\(command)")
      #expect(colored.stdout.replacing(/\u{1B}\[[0-9]*m/, with: "") == plain.stdout)
    }
  }

  @Test func matchWritesAFile() throws {
    let folder = try Self.place()
    let line = "cd \(folder.path) && linkaudit match --aasa aasa.json https://www.example.com/buy/1"
    for (name, format) in [("a.txt", "text"), ("a.ndjson", "ndjson"), ("a", "text")] {
      let outcome = try Command.run("\(line) -o \(name) && cat \(name)")
      #expect(try outcome == Command.run("\(line) --format \(format)"))
    }
    // The status reports a difference, and the answers are printed all the same.
    let differing = try Command.run(
      "\(line) --expect /dev/stdin -o b.txt <<END\nbrowser https://www.example.com/buy/1\nEND\n"
        + "echo $? && tail -n 1 b.txt")
    #expect(differing.stdout == "1\n0 as expected, 1 differs\n")
  }

  /// The commands with brief help, and the words that name them.
  static let commands = [
    "", "report", "diff", "suggest", "lint", "fetch", "match", "ingest", "digest",
  ]

  @Test(arguments: commands)
  func briefHelpFitsAScreen(command: String) throws {
    let brief = try Command.run("linkaudit \(command) -h")
    let full = try Command.run("linkaudit \(command) --help")
    #expect(brief.status == 0 && full.status == 0)
    let lines = brief.stdout.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 28, "\(lines.count) lines")
    for line in lines + full.stdout.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    // Each option in it exists in the command, with the same name.
    let labels = lines.compactMap { line in
      line.prefixMatch(of: #/  ((?:-., )?--[a-z-]+(?: <[^>]*>)?)  /#).map { String($0.1) }
    }
    for label in labels { #expect(full.stdout.contains("  \(label)"), "\(label)") }
    #expect(labels.count <= 16)
  }

  @Test(arguments: ["merge", "explain", "store list", "formats test", "init"])
  func helpOfCommandsWithFewOptionsIsTheSame(command: String) throws {
    #expect(
      try Command.run("linkaudit \(command) -h") == Command.run("linkaudit \(command) --help"))
  }
}
