internal import AccessLogs
internal import Foundations

/// Options of other programs, and their replacements in linkaudit.
///
/// People type them before they read the help. The message for each names the option to type.
enum ForeignOptions {
  /// Options that people type for an argument, by the argument's placeholder.
  ///
  /// The help shows the placeholder in lower case and between angle brackets.
  private static let ofArguments: [String: Set<String>] = [
    "host": ["domain", "domains", "host", "hostname", "hosts", "site", "url"],
    "url": ["link", "links", "path", "paths", "uri", "url", "urls"],
    "file": ["aasa", "aasa-file", "apple-app-site-association", "association-file"],
    "old": [
      "aasa", "aasa-file", "candidate", "current", "deployed", "first", "new", "old", "second",
    ],
    "code": ["code", "codes", "finding", "id", "rule"],
    "digest": ["digest", "digests", "input", "inputs"],
  ]

  /// Options that name logs.
  private static let ofLogs: Set = [
    "access-log", "access-logs", "file", "filename", "files", "in", "input", "inputs", "log",
    "log-file", "logfile", "logfiles", "logs",
  ]

  /// The replacements of options, by their names without hyphens; the first one that the
  /// command has counts.
  private static let replacements: [String: [String]] = [
    "aasa-file": ["--aasa"], "accept": ["--baseline"], "allow": ["--baseline"],
    "known": ["--baseline"], "suppress": ["--baseline"], "after": ["--since"], "app-id": ["--app"],
    "appid": ["--app"],
    "apple-app-site-association": ["--aasa"], "association": ["--aasa"],
    "association-file": ["--aasa"], "before": ["--until"], "begin": ["--since"],
    "bots": ["--include-bots"], "browser": ["--platform"], "bundle": ["--app"],
    "bundle-id": ["--app"],
    "colour": ["--color"], "conf": ["--config"], "configuration": ["--config"],
    "concurrency": ["--jobs"], "cores": ["--jobs"], "count": ["--top", "--max-rules"],
    "cpus": ["--jobs"],
    "csv": ["--format csv"], "database": ["--store"], "date": ["--since", "--deployed"],
    "days": ["--since"], "db": ["--store"], "deep-links": ["--routes"], "dest": ["--output"],
    "destination": ["--output"], "details": ["--full", "--explain"], "device": ["--platform"],
    "domain": ["--host"], "end": ["--until"], "end-date": ["--until"], "error": ["--fail-on error"],
    "exclude": ["--ignore"], "exit-code": ["--fail-on"], "fail": ["--fail-on"],
    "filter": ["--platform"], "format-string": ["--log-format"], "group-by": ["--group"],
    "host-name": ["--host"], "from": ["--since"],
    "from-date": ["--since"], "hostname": ["--host"], "hosts": ["--host"], "htm": ["--format html"],
    "html": ["--format html"], "input-format": ["--log-format"], "ios": ["--platform ios"],
    "json": ["--format json", "--format ndjson"], "jsonl": ["--format ndjson"],
    "last": ["--since"], "length": ["--top"], "lines": ["--top"],
    "limit": ["--top", "--max-rules"],
    "logformat": ["--log-format"], "markdown": ["--format markdown"], "max": ["--top"],
    "max-memory": ["--memory"], "max-rows": ["--top"], "md": ["--format markdown"],
    "mem": ["--memory"], "memory-limit": ["--memory"], "mobile": ["--platform ios"],
    "name": ["--host"], "ndjson": ["--format ndjson"], "no-colors": ["--color never"],
    "no-color": ["--color never"], "no-colour": ["--color never"], "new": ["--candidate"],
    "now": ["--until"],
    "number": ["--top"], "openmetrics": ["--format openmetrics"], "order": ["--sort"],
    "order-by": ["--sort"], "os": ["--platform"], "os-version": ["--os", "--minimum-os"],
    "out": ["--output"], "out-dir": ["--output-directory"], "outdir": ["--output-directory"],
    "outfile": ["--output"], "output-dir": ["--output-directory"], "output-file": ["--output"],
    "output-format": ["--format"], "parallel": ["--jobs"], "paths": ["--routes"],
    "period": ["--since"], "plain": ["--color never"], "processes": ["--jobs"],
    "prometheus": ["--format openmetrics"], "prom": ["--format openmetrics"], "rows": ["--top"],
    "rules": ["--aasa"], "sarif": ["--format sarif"], "save": ["--output"], "screens": ["--routes"],
    "server": ["--host"], "silent": ["--quiet"], "site": ["--host"], "skip": ["--ignore"],
    "skip-bots": ["--platform"],
    "sort-by": ["--sort"], "start": ["--since"], "start-date": ["--since"],
    "status-code": ["--status"], "strict": ["--fail-on warning"],
    "temp-dir": ["--temporary-directory"],
    "text": ["--format text"], "threads": ["--jobs"], "tmp": ["--temporary-directory"],
    "tmpdir": ["--temporary-directory"], "to": ["--until", "--output"], "to-date": ["--until"],
    "txt": ["--format text"], "type": ["--format"], "verbose": ["--full", "--explain"],
    "vhost": ["--host"], "workers": ["--jobs"], "write": ["--candidate", "--output"],
    "yaml": ["--format json"],
  ]

  /// Options without a counterpart, and why.
  private static let remarks = [
    "debug": "linkaudit has no debug output; messages go to standard error",
    "excel": "for spreadsheets, use '--format csv'",
    "pdf": "print '--format html' to PDF from a browser",
    "xls": "for spreadsheets, use '--format csv'", "xlsx": "for spreadsheets, use '--format csv'",
    "exclude-bots": "leave it out: pages that bots open count as visits only with '--include-bots'",
    "no-bots": "leave it out: pages that bots open count as visits only with '--include-bots'",
    "follow": "linkaudit doesn't follow logs; run it again, or run 'linkaudit ingest' each night",
    "watch": "linkaudit doesn't follow logs; run it again, or run 'linkaudit ingest' each night",
    "recursive": "leave it out: linkaudit reads directories with all files below them",
    "gzip": "leave it out: linkaudit detects compression",
    "compressed": "leave it out: linkaudit detects compression",
    "fix": "'linkaudit lint --fix' fixes association files",
    "format": "this command has one format",
    "list": "'linkaudit explain' lists codes, and 'linkaudit formats' log formats",
    "usage": "'-h' and '--help' show the options",
    "examples": "'-h' and '--help' show examples",
    "all": "'--full' shows all tables in text, and other formats always have them",
    "url":
      "URLs and hosts are arguments: 'linkaudit match --aasa FILE URL', 'linkaudit fetch HOST'",
    "dry-run": "leave it out: only 'ingest', 'store' and 'fetch --store' change a store",
  ]

  /// Short options of other programs, and their long names there.
  private static let shortNames = [
    "-a": "aasa", "-c": "config", "-d": "domain", "-i": "input", "-l": "limit", "-n": "limit",
    "-p": "parallel", "-r": "recursive", "-s": "sort", "-t": "threads", "-v": "verbose",
    "-w": "workers",
  ]

  /// Returns the replacement for an option that the command does not have, or `nil` if none is
  /// known.
  ///
  /// - Parameters:
  ///   - option: The option, such as `--html` or `-v`.
  ///   - known: The options of the command.
  ///   - command: The words that name the command, such as `linkaudit report`.
  /// - Returns: The end of a sentence.
  static func answer(to option: String, among known: KnownOptions, of command: String) -> String? {
    let isShort = !option.hasPrefix("--")
    let name = isShort ? shortNames[option] ?? "" : option.dropFirst(2).lowercased()
    if let argument = known.argument, ofArguments[argument]?.contains(name) ?? false {
      let example = argument == "old" ? "OLD NEW" : argument.uppercased()
      return "it is an argument: '\(command) \(example)'"
    }
    if ofLogs.contains(name) {
      return "pass files without an option, as in '\(command) FILE'"
    }
    let found = replacements[name]?.first { known.takes($0) }
    // Names of options are in lower case.
    let own = ["--" + name, option.lowercased()].first { known.takes($0) }
    if let replacement = found ?? own { return "did you mean '\(replacement)'?" }
    if isShort, option.count > 2, known.takesValue(of: String(option.prefix(2))) {
      return "write it as '\(option.prefix(2)) \(String(option.dropFirst(2)).inCommand)'"
    }
    if let remark = remarks[name] { return remark }
    if isShort { return nil }
    let foreign = NearestName.find(name, among: replacements.keys.sorted())
      .flatMap { replacements[$0]?.first { known.takes($0) } }
    return (known.nearest(to: option) ?? foreign).map { "did you mean '\($0)'?" }
  }
}
