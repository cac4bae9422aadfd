extension BriefHelp {
  /// The brief help of commands, by the words that name them; that of the tool has no word.
  static let all: [String: BriefHelp] = [
    "": tool, "report": report, "diff": diff, "suggest": suggest, "lint": lint, "fetch": fetch,
    "match": match, "compile": compile, "ingest": ingest, "digest": digest,
  ]

  private static let aasa = (
    label: "--aasa <file>", text: "Read the association file of the host"
  )
  private static let host = (
    label: "--host <host>", text: "Name the host of the file, and of lines without one"
  )
  private static let site = (
    label: "--site <host=file>", text: "Name a host and its file, for several hosts; repeatable"
  )
  private static let routes = (
    label: "--routes <file>", text: "Read the routes of the app, one a line: /buy/:id"
  )
  private static let store = (
    label: "--store <directory>", text: "Use the requests of a store instead of logs"
  )
  private static let logFormat = (
    label: "--log-format <format>", text: "Read logs in this format (default: detected)"
  )
  private static let since = (
    label: "--since <time>", text: "Count requests from then on: 2026-11-19, 7d, 12h"
  )
  private static let until = (
    label: "--until <time>", text: "Count requests up to then; a day is included"
  )
  private static let platform = (
    label: "--platform <name>", text: "Count this platform only: ios, iosBrowser, inApp, ..."
  )
  private static let sort = (label: "--sort <figure>", text: "Order rows by visits or requests")
  private static let top = (
    label: "--top <n>", text: "Show this many rows per table (default: 10 in text)"
  )
  private static let full = (
    label: "--full", text: "Show all tables in text, not only the start"
  )
  private static let baseline = (
    label: "--baseline <file>", text: "Accept the findings in this file"
  )
  private static let failOn = (
    label: "--fail-on <severity>", text: "Exit with 1 at this severity: note, warning, error"
  )
  private static let output = (
    label: "-o, --output <file>", text: "Write to this file; its extension selects the format"
  )
  private static let jobs = (
    label: "-j, --jobs <n>", text: "Use this many workers (default: one per core)"
  )

  private static func format(_ names: String) -> (label: String, text: String) {
    ("-f, --format <format>", names)
  }

  private static let tool = BriefHelp(
    usage: ["<command> [<arguments>]"],
    entries: [
      ("report", "Report claimed visits, and why they stayed on the web"),
      ("diff", "Compare two association files: count the visits that change"),
      ("suggest", "Suggest rules that claim the unclaimed routes of the app"),
      ("lint", "Find mistakes in association files"),
      ("fetch", "Download the deployed file, and check its delivery"),
      ("match", "Show which rule decides a URL, and why"),
      ("compile", "Write rules as SQL, for logs in a data warehouse"),
      ("ingest, store", "Add new lines of logs to a store, each night"),
      ("digest, merge", "Reduce logs to small files that replace them"),
      ("explain", "Explain the code of a mistake or finding, and its fix"),
      ("formats", "List log formats, or test how a log is read"),
      ("init", "Write a configuration file with every key explained"),
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
      aasa, host, routes, store, ("--app <id>", "Suggest rules for this app"),
      ("--max-rules <n>", "Limit the rules (default: all that win enough)"),
      ("--least-share <share>", "Require this share of visits for a rule (default: 0.1%)"),
      ("--candidate <file>", "Write the association file with these rules"), logFormat, since,
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
      ("--host <host>", "Name the host of the file"),
      ("--site <host=file>", "Name a host and its file; repeatable"),
      ("--entitlements <file>", "Also check the entitlements of an app"),
      ("--minimum-os <version>", "Report features that this version of iOS lacks"),
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
      ("--store <directory>", "Save the answers in this store, for its reports"),
      ("--from <source>", "Request from origin or cdn only (default: both)"),
      ("--save <file>", "Save the downloaded file; needs --from"),
      ("--timeout <seconds>", "Wait this long for an answer (default: 10)"),
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
      ("--aasa <file>", "Read the association file"),
      ("--host <host>", "Name its host, also of paths such as /buy/42"),
      ("--site <host=file>", "Name a host and its file, for several hosts; repeatable"),
      ("--explain", "Show all rules and each comparison"),
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
      ("--host <host>", "Name the host of the file; '*.example.com' for all below"),
      ("--os <generation>", "ios12 or ios13+ (default)"),
      ("--output <kind>", "verdict (default), rule or function"),
      ("--column <column>", "Read the URL from this column (default: url)"),
      ("--allow-inexact", "Also write rules that SQL cannot express exactly"),
      ("-o, --file <file>", "Write to this file"),
    ],
    examples: [
      "aasa.json --dialect duckdb --host www.example.com",
      "aasa.json --dialect duckdb --host www.example.com \\\n      --output function -o rules.sql",
    ])

  private static let ingest = BriefHelp(
    usage: ["<log> ... --store <directory> [<options>]"],
    entries: [
      ("--store <directory>", "Use the store in this directory"), aasa,
      host, site, routes, logFormat,
      ("--keep <time>", "Remove days older than this: 400d, 60w (default: none)"),
      ("--deployed <date>", "Set the first day of the file (default: today)"),
      ("--summary", "Print the number of added lines and requests"), jobs,
      ("", ""),
      ("--ignore <path>", "Ignore these requests in stored figures; repeatable"),
      ("--platform <name>", "Count this platform only in stored figures"),
      ("--status <pattern>", "Count this status only in stored figures: 200, 2xx"),
      ("--include-bots", "Count pages that bots open as visits in stored figures"),
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
      ("-o, --output <file>", "Write the digest to this file"),
      ("--host <host>", "Count lines without a host for this one"),
      ("--host-from-path <pattern>", "Take the host from paths, such as '{host}-access'"),
      logFormat, since, until, format("digest, or ndjson for its rows"),
      ("--from-rows", "Read rows of a warehouse, each with its 'count'"),
      ("--counts-only", "Leave out names of logs, and times within a day"),
      ("--describe", "Describe digests, and check them for damage"), jobs,
    ],
    examples: [
      "/var/log/nginx --host www.example.com -o day.digest",
      "--describe day.digest",
    ])
}
