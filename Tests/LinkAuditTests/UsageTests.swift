import Foundation
import TestSupport
import Testing

@testable import LinkAuditCommand

/// The messages about typical mistakes of newcomers.
@Suite struct UsageTests {
  private let folder: TemporaryFolder

  init() throws {
    let stars = String(repeating: "$(v)", count: 40)
    folder = try TemporaryFolder([
      "logs/README.md": "# Logs\n\nA file for each day.\n",
      "routes.csv": "path,screen\n/buy/:id,Buy\n/help,Help\n",
      "semicolons.csv": "path;screen\n\"/buy/:id\";Buy\n/help;Help\n",
      "results.csv": "\"Time\",\"line\"\n\"2026-06-01\",\"GET /buy\"\n",
      "inexact.json":
        #"{"applinks":{"substitutionVariables":{"v":["a","*b"]},"details":[{"appID":"A1B2C3D4E5.a","#
        + #""paths":["/\#(stars)","NOT /x\#(stars)","/c"]}]}}"#,
      "misspelt.json":
        #"{"applinks":{"details":[{"appIDs":["A1B2C3D4E5.a"],"components":[{"/":"/a","exlude":true}]}]}}"#,
      "object.json": #"{"applinks":{"details":{"A1B2C3D4E5.a\u001b[31m":{"paths":["/buy/*"]}}}}"#,
      "syntax.json": #"{"applinks": {"details": [] "apps": []}}"#,
      "two.json":
        #"{"applinks":{"details":[{"appID":"T.a","paths":[]},{"appID":"T.b","paths":["/news/*"]}]}}"#,
    ])
    let made = try folder.run(
      """
      mkdir nested && cp $SAMPLES/aasa.json $SAMPLES/routes.txt . && \
      cp $SAMPLES/logs/www.access.log access.log && cp access.log logs && \
      cp aasa.json nested && cp access.log nested && gzip -k aasa.json access.log && \
      cp routes.txt v=2.txt && ln -s access.log link
      """)
    #expect(made.status == 0, "\(made.stderr)")
  }

  static let host = "--host www.example.com"
  static let files = "--aasa aasa.json \(host)"
  static let report = "report access.log \(files)"
  static let suggest = "suggest access.log \(files)"

  /// Command lines, and their error messages.
  static let mistakes = rows(
    #"""
    access.log => 'linkaudit report access.log --aasa FILE --host HOST'
    access.log --aasa aasa.json --host www.example.com => 'linkaudit report access.log
    missing.log => 'linkaudit report missing.log
    logs => 'logs' is a directory, not a command; to report on its traffic, use 'linkaudit report logs
    aasa.json => 'linkaudit lint aasa.json'
    aasa.json => pass it to other commands with '--aasa aasa.json'
    formats access.log => 'linkaudit formats test access.log'
    \#(report) --hots www.example.com => did you mean '--host'?
    \#(report) --Format json => did you mean '--format'?
    \#(report) -fjson => '-f json'
    \#(report) -oout.json => '-o out.json'
    \#(report) --nonsense => unknown option '--nonsense'
    report access.log --assa aasa.json \#(host) => unknown option '--assa'
    diff aasa.json aasa.json access.log --aasa aasa.json \#(host) => unknown option '--aasa'
    digest aasa.json -o out.digest => leave it out of the logs
    storre list => Did you mean 'store'?
    store lst => Did you mean 'store list'?
    help store lst => 'lst' is not a command of 'linkaudit store'. Did you mean 'store list'?
    formats tst x.log => Did you mean 'formats test'?
    store nonsense => Commands are list, check, remove-day
    report access.log -aasa aasa.json => '-aasa' needs two hyphens: '--aasa'
    report -oa-b.html access.log => needs a space: '-o a-b.html'
    report access.log -fail-on error => '-fail-on' needs two hyphens: '--fail-on'
    \#(report) --format xlsx => the value 'xlsx' is invalid for '--format <format>'
    \#(report) --format csv --table referrers => is invalid for '--table <table>'
    \#(report) --format xlsx => Please provide one of text, json, csv, html, ndjson,␣
    \#(report) --top all => the value 'all' is invalid for '--top <n>'
    \#(report) --top -1 => missing value for '--top <n>'
    \#(report) --memory 512 => add a unit
    \#(report) --routes /buy/:id => '/buy/:id' is a route
    report access.log --site aasa.json=www.example.com => '--site www.example.com=aasa.json'
    report access.log --aasa '' --host www.example.com => a variable of the shell may be unset
    report '' --aasa aasa.json --host www.example.com => a variable of the shell may be unset
    lint aasa.json --minimum-os 17 => is invalid for '--minimum-os <version>'
    \#(report) --sort hits => one of 'visits' and 'requests'
    \#(report) --color blue => one of 'auto', 'always' or 'never'
    match --aasa aasa.json --os ios17 https://www.example.com/ => one of 'ios12' and 'ios13+'
    \#(report) --platform iphone => Platforms are ios, ios12,␣
    \#(report) --platform macs => Did you mean 'macos'?
    \#(report) --log-format nginx => 'linkaudit formats' lists them
    \#(report) -o out.docx => '.docx' is not a format of this command; choose one with
    \#(report) -o out.json.gz => | gzip >out.json.gz'
    \#(report) -o logs => '--output-directory logs'
    \#(report) -o out.d/ => name a file in it
    \#(report) --output-directory out.html => use '--output out.html'
    \#(report) -o x.txt --output-directory out => exclude each other
    \#(report) --output-directory '' => is empty; a variable of the shell may be unset
    \#(report) --output-directory - => must be the path of a directory
    \#(report) --output-directory aasa.json => is a file
    \#(report) --table days --output-directory out => needs '--format csv'
    \#(report) --routes routes.txt --routes v=2.txt -o access.log => would replace
    \#(report) --routes routes.txt --routes v=2.txt -o aasa.json => would replace
    \#(report) --routes routes.txt --routes v=2.txt -o routes.txt => would replace
    \#(report) --routes routes.txt --routes v=2.txt -o v=2.txt => would replace
    \#(report) --routes routes.txt --routes v=2.txt -o link => would replace
    match --aasa aasa.json https://www.example.com/ -o out.json => text, ndjson, markdown.
    fetch www.example.com -o aasa.json => '--from cdn --save aasa.json'
    lint aasa.json -o out.csv => '.csv' is not a format of this command
    report access.log --host www.example.com=aasa.json => '--site www.example.com=aasa.json'
    report access.log aasa.json --host www.example.com => '--aasa aasa.json --host HOST'
    report aasa.json --aasa access.log --host www.example.com => '--aasa aasa.json --host HOST'
    \#(report) aasa.json => looks like an association file, not like a log
    ingest aasa.json --store store => looks like an association file, not like a log
    diff aasa.json access.log --host www.example.com => 'linkaudit diff OLD NEW access.log
    match aasa.json https://www.example.com/buy/1 => '--aasa aasa.json'
    \#(report) --own-host https://example.net => is not a host name
    digest access.log -o logs => '--output logs' is a directory
    match --aasa aasa.json routes.txt => '- <routes.txt'
    match --aasa aasa.json /buy/1 => 'https://www.example.com/buy/1'
    diff aasa.json aasa.json --host a.example --host b.example => '--host' is there twice
    \#(report) -o out.a --output=out.b => '--output' is there twice; pass it once
    \#(report) -j2 --jobs 3 => '--jobs' is there twice
    lint aasa.json --fail-on error --fail-on note => '--fail-on' is there twice
    \#(report) --asset-extensions '' => '--asset-extensions' is empty; a variable of the shell
    \#(report) --json-keys '' => '--json-keys' is empty; a variable of the shell may be unset
    \#(report) --since= => '--since' is empty
    \#(report) -o '' => '--output' is empty
    compile aasa.json --dialect duckdb --host a.example -o verdict => use '--output verdict'
    compile aasa.json --host www.example.com => missing expected argument '--dialect <dialect>'
    compile aasa.json --dialect oracle \#(host) => is invalid for '--dialect <dialect>'
    compile aasa.json --dialect spark --host www.example.com --output function --column x
      => '--column' needs '--output verdict'
    diff aasa.json aasa.json => '--host HOST'
    diff aasa.json aasa.json \#(host) -f csv --table rules => '--table rules' needs logs
    digest access.log => '-o day.digest'
    digest access.log --stdin-name x.log -o out.digest => names standard input, which is not read
    digest --describe day.digest --format ndjson => '--format' has no effect
    digest --describe day.digest --counts-only => '--counts-only' has no effect
    digest --from-rows rows.csv --log-format combined -o out.digest => '--log-format' has no effect
    digest --from-rows -o out.digest => no file of rows
    explain same-host-link => Did you mean 'same-host-links'?
    fetch www.example.com WWW.example.com => is there twice
    fetch 'www.example.com?x' => is not a host name
    fetch https://www.example.com => leave out scheme and path, as in 'www.example.com'
    fetch www.example.com --save aasa.json => '--from origin' or '--from cdn'
    fetch www.example.com example.com --from cdn --save - => '--save' needs exactly one host
    fetch www.example.com --timeout 0 => must be from 0.1 to 3600 seconds
    fetch www.example.com --base-url 127.0.0.1:8443 => write it as 'https://127.0.0.1:8443'
    fetch www.example.com --base-url https://127.0.0.1 --base-url cdn=https://127.0.0.1:8443
      => names two servers for 'cdn'
    ingest access.log --store store --since 7d => '--since' has no effect: a store counts all
    report --store store --max-rejects 3 --json-keys target=a
      => '--json-keys', '--max-rejects' have no effect: '--store' reads no logs
    diff aasa.json aasa.json --store store --log-format auto --host a.b => '--store' reads no logs
    digest --describe day.digest --since 7d => '--since' has no effect
    lint --no-config => as in 'linkaudit lint apple-app-site-association'
    lint --schema -o page.html => text, json, sarif, markdown, github
    match --aasa aasa.json => pass URLs, '-' for standard input, or '--expect FILE'
    match --aasa - --expect - => can't both come from standard input
    match --aasa aasa.json https://www.example.com/ --columns verdict
      => '--columns' has no effect: there is no '--stream'
    match --aasa aasa.json --stream tsv --columns verdict,rules => use verdict, app, detail, rule
    match --aasa aasa.json --stream tsv --format ndjson
      => '--format' has no effect: '--stream' answers rows
    match --aasa aasa.json --stream tsv https://www.example.com/
      => '--stream' reads URLs from standard input
    merge -o out.digest => no digest; pass files or directories
    report access.log --aasa aasa.json => '--aasa' needs '--host HOST'
    \#(report) --host m.example.com => pass '--site HOST=FILE' for each
    report access.log --aasa aasa.json --host https://www.example.com/ => leave out scheme and path
    report access.log --aasa aasa.json --host 'www.*.com' => as in '*.example.com'
    report - --files-from - --aasa aasa.json --host www.example.com => only one input can be '-'
    report - --site www.example.com=- => only one input can be '-'
    \#(report) --group deep => one of 'template', 'exact' or 'depth:N'
    \#(report) --group depth:0 => one of 'template', 'exact' or 'depth:N'
    \#(report) --log-format combine => did you mean 'combined'?
    \#(report) --routes routes.txt --route-syntax colons => is invalid for '--route-syntax <name>'
    \#(report) --routes routes.txt --route-syntax m.example.com=colon => which is not a site
    \#(report) --status 200,2x => write it as '200', '2xx', or '300-399'
    \#(report) --table rules => '--table' needs '--format csv'
    \#(report) --max-window 128 => '128' is invalid for '--max-window <size>': it must be from 1M to 2G
    \#(report) --max-window 4G => '4G' is invalid for '--max-window <size>': it must be from 1M to 2G
    \#(report) --max-window x => is invalid for '--max-window <size>'
    \#(report) --threshold '=' => write it as 'same-host-links:warning=20%'
    \#(report) --threshold same-host-links:error=200% => write one from 0% to 100%, or 'never'
    \#(report) --threshold same-host-link:error=30% => did you mean 'same-host-links'?
    \#(report) --threshold rule-unused:note=never => has no threshold; findings with thresholds are
    \#(suggest) => with '--routes FILE'
    \#(suggest) --routes routes.txt --tolerance 0.001% => is invalid for '--tolerance <share>'
    \#(suggest) --routes routes.txt --candidate aasa.json => would replace the input 'aasa.json'
    """#)

  @Test func mistakesAreAnswered() throws {
    for (arguments, answer) in Self.mistakes {
      let outcome = try folder.run("linkaudit \(arguments)")
      let first = outcome.stderr.split(separator: "\n").first ?? ""
      #expect(outcome.status == 64 && outcome.stdout.isEmpty, "\(arguments): \(outcome)")
      let messages = outcome.stderr.split(separator: "\n").filter { $0.hasPrefix("linkaudit: ") }
      #expect(messages == [first] && first.contains(answer), "\(arguments): \(outcome.stderr)")
    }
    #expect(try !folder.names().contains { $0.hasPrefix("out.") || $0 == "store" })
  }

  /// A shell runs nothing of a file's name in a message, with the quotes of the message or without.
  @Test(arguments: [
    "NAME", "report NAME --aasa NAME --host www.example.com", "lint NAME", "formats NAME",
    "match --aasa aasa.json NAME", "formats test NAME",
    "digest NAME -o out.digest --host a.example",
    "report access.log --aasa aasa.json --host www.example.com --routes NAME",
    "diff aasa.json NAME --host www.example.com", "report access.log --host NAME=aasa.json",
    "report --store NAME", "report access.log -o NAME.gz",
  ])
  func commandsInMessagesAreQuoted(arguments: String) throws {
    let name = "x $(touch P2) `touch P2`; touch P2 'log"
    for make in ["cp access.log \"$NAME\" && ", "printf '{\\n' >\"$NAME\" && ", ""] {
      let outcome = try folder.run(
        "NAME=\"$(cat <<'END'\n\(name)\nEND\n)\" && rm -f \"$NAME\" && \(make)linkaudit "
          + arguments.replacing("NAME", with: "\"$NAME\""))
      for quotation in outcome.stderr.matches(of: /use '([^\n]*)'/) {
        for text in [String(quotation.1), "'\(quotation.1)'"] {
          _ = try folder.write(text.utf8, to: "pasted.sh")
          _ = try folder.run("PATH=/usr/bin:/bin sh pasted.sh </dev/null")
        }
      }
      #expect(!FileManager.default.fileExists(atPath: folder.path + "/P2"), "\(outcome.stderr)")
    }
  }

  /// Nothing counted is no success, and says why.
  @Test(
    arguments: rows(
      """
      report empty.log --fail-on error => the log is empty
      report empty.log none.log => the logs are empty
      report access.log --since 2099-01-01 => are outside the time that '--since 2099-01-01' selects
      report access.log --until 2001-01-01 --fail-on error => '--until 2001-01-01' selects
      digest access.log -o out.digest => '--since 2098-01-01' selects
      suggest access.log --routes routes.txt => '--since 2098-01-01' selects
      report host.log --fail-on error => the only request is for other hosts, such as 'm.a.b'
      """))
  func nothingCountedIsAFailure(arguments: String, reason: String) throws {
    let file = arguments.hasPrefix("digest") ? "" : "--aasa aasa.json"
    let configuration = reason.contains("2098") ? "--config since.yml" : ""
    let outcome = try folder.run(
      """
      printf 'logs: { since: 2098-01-01 }' >since.yml; >empty.log; >none.log
      sed -n '1s/^/m.a.b /p' access.log >host.log
      linkaudit \(arguments) \(file) --host www.example.com \(configuration)
      """)
    #expect(outcome.status == 2, "\(outcome)")
    #expect(outcome.stderr.contains("nothing was counted: ") && outcome.stderr.contains(reason))
  }

  /// No command waits for input that nobody would type.
  @Test(
    .enabled(if: (try? Command.run("script --version"))?.status == 0, "script is not installed"))
  func aTerminalIsNoLog() throws {
    for command in ["report -", "report --files-from -", "digest - -o out.digest"] {
      let outcome = try folder.run("timeout 30 script -qec 'linkaudit \(command)' /dev/null")
      #expect(outcome.status == 64, "\(command): \(outcome)")
      #expect(outcome.stdout.contains("'-' is standard input"), "\(outcome)")
    }
    let match = try folder.run(
      "timeout 30 script -qec 'linkaudit match --aasa aasa.json -' /dev/null")
    #expect(match.stdout.contains("reading URLs from the terminal; end with Control-D"))
  }

  /// Command lines whose input is missing or of another kind, and a part of their messages.
  static let refusals = rows(
    #"""
    report access.log --aasa aasa.json.gz --host www.example.com => 'gunzip aasa.json.gz'
    report access.log --aasa access.log --host www.example.com => looks like an access log
    \#(report) --routes routes.csv => 'routes.csv' is a table, not a list of routes
    \#(report) --routes routes.csv => 'cut -d, -f1 routes.csv'
    \#(report) --routes semicolons.csv => 'cut -d';' -f1 semicolons.csv'
    \#(report) --routes access.log => 'access.log' looks like an access log
    \#(report) --routes aasa.json => 'aasa.json' looks like an association file
    compile access.log --dialect spark --host www.example.com
      => looks like an access log, not like an association file
    compile inexact.json --dialect duckdb --host www.example.com => paths[1]: '/x$(v)
    compile inexact.json --dialect duckdb --host www.example.com => with '--allow-inexact'
    diff aasa.json missing.json \#(host) => cannot read the association file 'missing.json'
    diff aasa.json aasa.json access.log --host www.example.com --app X.y
      => no association file names the app 'X.y'
    digest --no-config --from-rows access.log -o out.digest => leave out '--from-rows'
    digest --no-config --from-rows - -o out.digest <<END⏎day,target,status⏎2026-06-01,/a,200⏎END
      => no row is usable
    digest --no-config --from-rows - -o out.digest <<END⏎target,status,count⏎/,200,4398046511104⏎/,200,4398046511104⏎END
      => the limit of a digest
    fetch www.example.com --ca-certificate aasa.json => it must be a PEM file
    lint access.log => looks like an access log, not like an association file
    lint access.log.gz => looks like an access log, not like an association file
    match --aasa aasa.json access.log => looks like an access log, not like a URL
    match --aasa aasa.json access.log.gz => looks like an access log, not like a URL
    match --aasa aasa.json - <access.log => looks like an access log, not like a list of URLs
    match --aasa aasa.json --expect access.log => looks like an access log, not like expectations
    match --aasa access.log https://www.example.com/
      => looks like an access log, not like an association file
    match --aasa aasa.json --expect - <<END⏎# nothing⏎END => write lines 'open URL' or 'browser URL'
    report nowhere.log --aasa aasa.json --host www.example.com => there is nothing to report
    report routes.txt --aasa aasa.json --host www.example.com => no log format fits its first lines
    report results.csv --aasa aasa.json --host www.example.com => write the column 'line' alone
    \#(report) --json-keys target=a,status=b => leave out '--json-keys' to detect it
    formats test aasa.json => check it with 'linkaudit lint aasa.json'
    report --files-from nowhere.txt \#(files) => cannot read the list of logs
    report --files-from access.log \#(files) => looks like a log, not like a list of paths
    \#(report) --app com.example.tee => no association file names the app 'com.example.tee'
    \#(report) -o /nonexistent/report.txt => /nonexistent/report.txt
    \#(report) --routes routes.txt --output-directory /dev/null/x => /dev/null/x
    \#(suggest) --routes routes.txt --candidate /nonexistent/x.json
      => another place with '--candidate'
    \#(suggest) --routes routes.txt -o /nonexistent/x.txt => another place with '-o'
    report access.log --aasa syntax.json \#(host) => line 1, column 29: a comma is missing
    \#(suggest) --routes routes.txt --app T.c => doesn't name the app 'T.c'
    suggest access.log --aasa two.json --host www.example.com --routes routes.txt
      => choose one with '--app ID': T.a, T.b
    """#)

  /// Command lines that work, and a part of the note that they print.
  static let notes = rows(
    #"""
    compile inexact.json --dialect duckdb \#(host) --allow-inexact => paths[1]: '/x$(v)
    compile aasa.json --dialect trino --host localhost => the host 'localhost' has no full stop
    digest --no-config access.log -o nameless.digest => pass '--host' or '--host-from-path'
    digest --no-config --from-rows - -o rows.digest --host m.example.com <<END⏎day,target,status,count⏎01.06.26,/a,200,3⏎END
      => write days as 2026-11-19
    report access.log access.log.gz \#(files) => has the same content as 'access.log'; both count
    \#(report) 'none*.log' => no file matches the pattern 'none*.log'
    \#(report) --routes - <<END⏎# none yet⏎END => there is no route in standard input
    report access.log --aasa misspelt.json \#(host) => run 'linkaudit lint misspelt.json'
    report access.log --aasa object.json --host www.example.com
      => 'A1B2C3D4E5.a\u{1B}[31m' has a bundle identifier that no app can have
    """#)

  @Test(arguments: refusals + notes)
  func refusalsAreExplained(arguments: String, answer: String) throws {
    let outcome = try folder.run("linkaudit \(arguments)")
    if Self.notes.contains(where: { $0 == (arguments, answer) }) {
      #expect(outcome.status == 0, "\(outcome)")
    } else {
      #expect(outcome.status == 2 && outcome.stdout.isEmpty, "\(outcome)")
      #expect(try !folder.names().contains("out.digest"))
    }
    let lines = outcome.stderr.split(separator: "\n")
    #expect(lines.count { $0.contains(answer) } == 1, "\(outcome.stderr)")
  }

  @Test(arguments: [
    ("--files-from list", "--files-from list"), ("m/*", "'m/*.access.log'"),
    ("m/* access.log", "LOG..."),
  ])
  func theNextCommandCountsTheSame(logs: String, shown: String) throws {
    let options = "\(Self.files) --app A1B2C3D4E5.com.example.tea --sort requests"
    let report = "linkaudit report \(logs) \(options) --group=exact -q -j2 -f markdown"
    let outcome = try folder.run(
      "mkdir m; for i in one two three four; do cp access.log m/$i.access.log; done; ls m/* >list; "
        + report)
    let command = "linkaudit report \(shown) \(options) --group exact --format csv --table"
    #expect(outcome.stdout.contains("\n\(command) same-host-fixes\n"), "\(outcome)")
  }

  @Test(arguments: [("logs", "logs/README.md"), ("nested", "nested/aasa.json")])
  func otherFilesInADirectoryHaveOneLine(logs: String, other: String) throws {
    let outcome = try folder.run("linkaudit report \(logs) --aasa aasa.json --host www.example.com")
    #expect(outcome.status == 0 && !outcome.stdout.isEmpty)
    #expect(outcome.stderr.split(separator: "\n").count == 1, "\(outcome.stderr)")
    #expect(outcome.stderr.contains("'\(other)'"))
    let stored = try folder.run("linkaudit ingest \(logs) --store store --host www.example.com")
    #expect(stored.stderr.split(separator: "\n").count == 1, "\(stored.stderr)")
  }

  @Test(arguments: [
    ("\(report) -j 2 -f json --no-progress", "\(report) --jobs 2 --format json --quiet"),
    ("\(report) -j2", "\(report) --jobs 2"), ("-V", "--version"), ("report -V", "--version"),
    ("match \(files) /buy/1", "match \(files) https://www.example.com/buy/1"),
  ])
  func shortSpellingsWork(short: String, long: String) throws {
    let one = try folder.run("linkaudit \(short)")
    #expect(one.status == 0 && !one.stdout.isEmpty, "\(one)")
    #expect(try one == folder.run("linkaudit \(long)"))
  }

  @Test func colorsAreWhereTheyAreWanted() throws {
    for command in [
      Self.report, "lint aasa.json", "explain", "formats", "formats test access.log",
      "match --aasa aasa.json https://www.example.com/buy/1",
      "diff aasa.json aasa.json --host www.example.com",
    ] {
      let line = "NO_COLOR=1 linkaudit \(command) --color"
      let plain = try folder.run("\(line) auto")
      #expect(try plain == folder.run("\(line)=never"))
      let colored = try folder.run("\(line)=always")
      #expect(colored.stdout.contains("\u{1B}["), "\(command)")
      #expect(colored.stdout.replacing(/\u{1B}\[[0-9]*m/, with: "") == plain.stdout)
    }
  }

  @Test func matchWritesAFile() throws {
    let line = "linkaudit match --aasa aasa.json https://www.example.com/buy/1"
    // The status reports a difference, and the answers are printed all the same.
    let differing = try folder.run(
      "\(line) --expect /dev/stdin -o b.txt <<END\nbrowser https://www.example.com/buy/1\nEND\n"
        + "echo $? && tail -n 1 b.txt")
    #expect(differing.stdout == "1\n/dev/stdin: 0 as expected, 1 differs\n")
  }
}

@Suite struct HelpTests {
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

  @Test(
    arguments: commands + [
      "compile", "merge", "explain", "store list", "store remove-site", "formats test", "init",
    ])
  func errorsEndWithTheUsageOfTheHelp(command: String) throws {
    let error = try Command.run("linkaudit \(command) --no-such-option").stderr
    let help = try Command.run("linkaudit \(command) --help").stdout
    let short = try #require(error.firstMatch(of: /Usage: ([^']*)\n  See/)?.1)
    let long = try #require(help.firstMatch(of: /USAGE: ([^']*?)\n\n/)?.1)
    #expect(
      short.split(whereSeparator: \.isWhitespace) == long.split(whereSeparator: \.isWhitespace))
  }

  @Test(arguments: ["merge", "explain", "store list", "formats test", "init"])
  func helpOfCommandsWithFewOptionsIsTheSame(command: String) throws {
    #expect(
      try Command.run("linkaudit \(command) -h") == Command.run("linkaudit \(command) --help"))
  }
}

/// What is said about files that hold the lines of a log in another form.
@Suite struct FormatAdviceTests {
  @Test(arguments: [
    ("@timestamp,@message", "CloudWatch Logs Insights"),
    ("time,message", "write the column 'message'"),
    ("_time,_raw", "Splunk"), (#""_raw","_time""#, "Splunk"), (#"{"result":{"_raw":1}}"#, "Splunk"),
    ("<results preview='0'>", "Splunk"), ("{", "jq -c . "), ("[", "jq -c '.[]' "),
    (#"[{"a": 1}]"#, "jq -c '.[]' "),
    ("\u{7F}ELF\u{1B}[1m\0", "binary file"),
    (#"{"a": "b"#, "not correct JSON"), (#"{"a": "b" c"}"#, "not correct JSON"),
    ("\u{1B}[31mx", "colors"), (#"{"x": 1, "y": {"z": 2}}"#, "x, y.z; name"),
    (#"{"x": 1}"#, "'--json-keys target=KEY,status=KEY'"),
    (
      #"{"params": {"path": "/", "status": 200, "host": "a", "user_agent": "b", "bytes": 5}}"#,
      "'--json-keys host=params.host,target=params.path,status=params.status,user-agent=params.user_agent'"
    ),
    (
      #"{"data": {"request_line": "GET / HTTP/1.1", "uri": "/", "http": {"status_code": 200}}}"#,
      "'--json-keys target=data.uri,status=data.http.status_code'"
    ),
  ])
  func advice(line: String, expected: String) {
    let advice = FormatAdvice.advice(onFirstLine: Array(line.utf8), path: "a b.log")
    #expect(advice?.contains(expected) == true, "\(advice ?? "none")")
  }

  @Test func nothingIsSaidAboutOtherText() {
    #expect(FormatAdvice.advice(onFirstLine: Array("some text".utf8), path: "a.log") == nil)
  }
}
