extension BriefHelp {
  /// The brief help of commands, by the words that name them; that of the tool has no word.
  static let all: [String: BriefHelp] = [
    "": tool, "report": report, "diff": diff, "suggest": suggest, "lint": lint, "fetch": fetch,
    "match": match, "compile": compile, "ingest": ingest, "digest": digest,
  ]

  private static let aasa = (
    label: "--aasa <file>", text: "The association file of the host"
  )
  private static let host = (
    label: "--host <host>", text: "The host of the file, and of lines that record none"
  )
  private static let site = (
    label: "--site <host=file>", text: "A host and its file, for several hosts; repeatable"
  )
  private static let routes = (
    label: "--routes <file>", text: "The routes of the app, one a line: /buy/:id"
  )
  private static let store = (
    label: "--store <directory>", text: "Use the requests of a store instead of logs"
  )
  private static let logFormat = (
    label: "--log-format <format>", text: "The log format, if linkaudit does not detect it"
  )
  private static let since = (
    label: "--since <time>", text: "Only requests from then on: 2026-11-19, 7d, 12h"
  )
  private static let until = (
    label: "--until <time>", text: "Only requests up to then; a day is included"
  )
  private static let platform = (
    label: "--platform <name>", text: "Only this platform: ios, iosBrowser, inApp, macos, ..."
  )
  private static let sort = (label: "--sort <figure>", text: "Order rows by visits or requests")
  private static let top = (label: "--top <n>", text: "Rows per table (default: 10 in text)")
  private static let full = (
    label: "--full", text: "Show all tables in text, not only the start"
  )
  private static let baseline = (
    label: "--baseline <file>", text: "Findings that are known; only others fail"
  )
  private static let failOn = (
    label: "--fail-on <severity>", text: "Exit with 1 at this severity: note, warning, error"
  )
  private static let output = (
    label: "-o, --output <file>", text: "Write to this file; its ending selects the format"
  )
  private static let jobs = (label: "-j, --jobs <n>", text: "Workers (default: one per core)")

  private static func format(_ names: String) -> (label: String, text: String) {
    ("-f, --format <format>", names)
  }

  private static let tool = BriefHelp(
    usage: ["<command> [<arguments>]"],
    entries: [
      ("report", "Which visits the rules claim, and why they stayed on the web"),
      ("diff", "What changes if another association file is deployed"),
      ("suggest", "Rules that would claim what the app implements"),
      ("lint", "Mistakes in association files"),
      ("fetch", "The deployed file, and whether it is delivered as it should be"),
      ("match", "Which rule decides a URL, and why"),
      ("compile", "Rules as SQL, for logs in a data warehouse"),
      ("ingest, store", "A store that takes in new lines of logs each night"),
      ("digest, merge", "Small files that stand for logs"),
      ("explain", "What a code of a mistake or finding means, and how to fix it"),
      ("formats", "The log formats, and how a log is read"),
      ("init", "A configuration file with every key explained"),
      ("", ""),
      ("-V, --version", "Show the version"),
    ],
    examples: [
      "report access.log.gz --aasa aasa.json --host www.example.com",
      "match --aasa aasa.json https://www.example.com/buy/42",
    ])

  private static let report = BriefHelp(
    usage: ["<log> ... --aasa <file> --host <host> [<options>]"],
    entries: [
      aasa, host, site, routes, store, logFormat, since, until, platform,
      format("text, json, csv, html, ndjson, openmetrics, markdown"), output, top, sort, full,
      failOn,
    ],
    examples: [
      "access.log.gz --aasa aasa.json --host www.example.com",
      "logs --aasa aasa.json --host www.example.com -o report.html",
    ])

  private static let diff = BriefHelp(
    usage: ["<old> <new> [<log> ...] --host <host> [<options>]"],
    entries: [
      host, routes, store, ("--app <id>", "Compare this app only; repeatable"), logFormat, since,
      until, platform, format("text, json, csv, html, markdown or github"), output, top, sort, full,
      failOn, baseline,
    ],
    examples: [
      "old.json new.json access.log.gz --host www.example.com",
      "old.json new.json --host www.example.com --fail-on warning",
    ])

  private static let suggest = BriefHelp(
    usage: ["<log> ... --aasa <file> --host <host> --routes <file> [<options>]"],
    entries: [
      aasa, host, routes, store, ("--app <id>", "The app to suggest rules for"),
      ("--max-rules <n>", "The most rules (default: all that are worth it)"),
      ("--least-share <share>", "The least share of visits for a rule (default: 0.1%)"),
      ("--candidate <file>", "Write the association file with the rules in it"), logFormat, since,
      until, format("text, json or components"), output,
    ],
    examples: [
      "logs --aasa aasa.json --host www.example.com \\\n      --routes routes.txt",
      "logs --aasa aasa.json --host www.example.com \\\n"
        + "      --routes routes.txt --candidate new.json",
    ])

  private static let lint = BriefHelp(
    usage: ["<file> ... [<options>]"],
    entries: [
      ("--host <host>", "The host of the file"),
      ("--site <host=file>", "A host and its file; repeatable"),
      ("--entitlements <file>", "Also check the entitlements of an app"),
      ("--minimum-os <version>", "The oldest system to support"),
      ("--rules", "Show a URL that each rule decides"),
      format("text, json, sarif, markdown or github"), output, baseline,
      ("--fail-on <severity>", "Exit with 1 at this severity (default: error)"),
    ],
    examples: [
      "apple-app-site-association",
      "aasa.json --minimum-os 13 --fail-on warning",
    ])

  private static let fetch = BriefHelp(
    usage: ["<host> ... [<options>]", "--store <directory> [<host> ...] [<options>]"],
    entries: [
      ("--store <directory>", "Keep the answers in a store, for its reports"),
      ("--from <source>", "Ask origin or cdn only (default: both)"),
      ("--save <file>", "Save the downloaded file; needs --from"),
      ("--timeout <seconds>", "The time limit for an answer (default: 10)"),
      format("text or json"), output,
      ("--fail-on <severity>", "Exit with 1 at this severity (default: error)"),
    ],
    examples: [
      "www.example.com", "www.example.com --from cdn --save aasa.json",
      "--store /var/lib/linkaudit",
    ])

  private static let match = BriefHelp(
    usage: [
      "<url> ... --aasa <file> [<options>]", "--expect <file> --aasa <file> [<options>]",
      "--stream <form> --aasa <file> [<options>]",
    ],
    entries: [
      ("--aasa <file>", "The association file"),
      ("--host <host>", "Its host, which paths such as /buy/42 belong to"),
      ("--site <host=file>", "A host and its file, for several hosts; repeatable"),
      ("--explain", "Show all rules and everything that they compare"),
      ("--os <generation>", "ios12 or ios13+ (default)"),
      ("--expect <file>", "Check lines such as 'open https://example.com/buy/42'"),
      ("--stream <form>", "Answer rows of standard input at once: tsv or jsonl"),
      format("text, ndjson or markdown"), output,
    ],
    examples: [
      "--aasa aasa.json https://www.example.com/buy/42",
      "--aasa aasa.json --host www.example.com --expect links.txt",
    ])

  private static let compile = BriefHelp(
    usage: ["<aasa> --dialect <dialect> --host <host> [<options>]"],
    entries: [
      ("--dialect <dialect>", "clickhouse, duckdb, spark, trino (Athena) or bigquery"),
      ("--host <host>", "The host of the file; '*.example.com' for all below"),
      ("--os <generation>", "ios12 or ios13+ (default)"),
      ("--output <kind>", "verdict (default), rule, function or view"),
      ("--column <column>", "The column of the URL (default: url)"),
      ("--table <table>", "The table of requests, for a view"),
      ("--columns <columns>", "Its columns: host, target, status, agent and others"),
      ("--allow-inexact", "Write rules, too, that SQL cannot say exactly"),
      ("-o, --file <file>", "Write to this file"),
    ],
    examples: [
      "aasa.json --dialect duckdb --host www.example.com",
      "aasa.json --dialect duckdb --host www.example.com --output view \\\n      --columns host,target,status,agent,method,referrer",
    ])

  private static let ingest = BriefHelp(
    usage: ["<log> ... --store <directory> [<options>]"],
    entries: [
      ("--store <directory>", "The directory of the store"), aasa,
      host, site, routes, logFormat,
      ("--keep <time>", "Remove days that are older: 400d, 60w (default: none)"),
      ("--deployed <date>", "The first day of the association file (default: today)"),
      ("--summary", "Print a line about what was added"), jobs,
      ("", ""),
      ("--ignore <path>", "Stored figures leave these requests out; repeatable"),
      ("--platform <name>", "Stored figures count this platform only"),
      ("--status <pattern>", "Stored figures count this status only: 200, 2xx"),
      ("--include-bots", "Stored figures count pages that bots open as visits"),
    ],
    examples: [
      "/var/log/nginx --store /var/lib/linkaudit \\\n"
        + "      --aasa aasa.json --host www.example.com --summary"
    ])

  private static let digest = BriefHelp(
    usage: [
      "<log> ... -o <file> [<options>]", "--from-rows <file> ... -o <file> [<options>]",
      "--describe <digest> ...",
    ],
    entries: [
      ("-o, --output <file>", "The digest"),
      ("--host <host>", "The host of lines that record none"),
      ("--host-from-path <pattern>", "Take the host from paths, as '{host}-access'"),
      logFormat, since, until, format("digest, or ndjson for its rows"),
      ("--from-rows", "Read rows of a warehouse, each with its 'count'"),
      ("--counts-only", "Leave out which logs were read, and when"),
      ("--describe", "Describe digests, and check them for damage"), jobs,
    ],
    examples: [
      "/var/log/nginx --host www.example.com -o day.digest",
      "--describe day.digest",
    ])
}
