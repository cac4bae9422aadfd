extension Configuration {
  /// A key of the configuration: what it is for, an example, and the value that it sets.
  ///
  /// Each key is declared here and nowhere else: reading a configuration, its messages, and the
  /// file that `linkaudit init` writes come from the list.
  struct Setting: Sendable {
    /// The keys that lead to the value, such as `logs.since`.
    let key: String

    /// An example, as YAML has it after the key.
    let example: String

    /// The purpose, in lines for the template; empty if that of the key before holds.
    let purpose: String

    /// Whether the template has the example as the value, and not in a comment.
    let isWritten: Bool

    /// Sets the value.
    let read: @Sendable (inout Configuration, ConfigurationNode) throws -> Void

    init(
      _ key: String, _ example: String, _ purpose: String = "", isWritten: Bool = false,
      read: @escaping @Sendable (inout Configuration, ConfigurationNode) throws -> Void
    ) {
      (self.key, self.example, self.purpose) = (key, example, purpose)
      (self.isWritten, self.read) = (isWritten, read)
    }

    /// The section that holds the key, such as `logs`, or `nil` if none does.
    var section: String? { key.firstIndex(of: ".").map { String(key[..<$0]) } }

    /// The key itself, such as `since`.
    var name: String { String(key.dropFirst(section.map { $0.count + 1 } ?? 0)) }
  }

  /// All keys besides `sites`, in the order of the template.
  static let settings = [
    Setting(
      "own-hosts", "[shop.example.net]",
      "Other hosts of yours, besides those under the domains of the sites."
    ) { $0.ownHosts = try $1.hosts() },
    Setting(
      "trackers", "[click.example.com]",
      "Hosts that redirect to yours, such as the click tracker of your mail service."
    ) { $0.trackers = try $1.hosts() },
    Setting(
      "callbacks", "[/auth/callback]",
      "Paths to which login services send browsers back; '*' stands for any text."
    ) { $0.callbackPaths = try $1.texts() },
    Setting(
      "logs.inputs", "[/var/log/nginx/access.log*]", "Files, directories, and patterns."
    ) { $0.logs = try $1.texts().map($1.resolvedPattern) },
    Setting(
      "logs.format", "auto",
      """
      auto, a name that 'linkaudit formats' lists, or the text of an nginx log_format
      or Apache LogFormat, after '|' and on its own lines.
      """, isWritten: true
    ) { $0.logFormat = try $1.text() },
    Setting(
      "logs.json-keys",
      """

        target: req.uri
        status: res.status
        referrer: req.headers.referer
      """, "Keys of JSON logs, instead of 'format'."
    ) {
      $0.jsonKeys = []
      for (field, key) in try $1.members(of: jsonFields) {
        $0.jsonKeys.append((field, try key.text()))
      }
    },
    Setting(
      "logs.host-from-path", "\"{host}-access\"",
      "Take the host of lines without one from the path of their log."
    ) { $0.hostFromPath = try $1.text() },
    Setting(
      "logs.host-confirmed", "true",
      "Accept the host of lines without one, even if referrers name another host."
    ) { $0.isHostConfirmed = try $1.flag() },
    Setting(
      "logs.since", "30d",
      "Count requests in this period only: dates, times, yesterday, 7d, 12h."
    ) { $0.since = try $1.text() },
    Setting("logs.until", "yesterday") { $0.until = try $1.text() },
    Setting(
      "logs.max-expansion", "1000", "Stop reading a log beyond this decompression ratio."
    ) { $0.maxExpansion = try $1.number() },
    Setting(
      "logs.max-window", "128M",
      "Refuse a zstd log that needs a greater window in memory, up to 2G."
    ) { $0.maxWindow = try $1.text() },
    Setting(
      "logs.max-rejects", "5",
      "Exit with status 2 if more than this percentage of the lines is rejected."
    ) { $0.maxRejects = try $1.decimalNumber() },
    Setting(
      "ignore", "[/healthz, /internal/*]",
      "Ignore requests of these paths; '*' stands for any text."
    ) { $0.ignoredPaths = try $1.texts() },
    Setting(
      "asset-extensions", "[css, js, png, svg, woff2]",
      "Extensions of files that aren't pages, instead of the default ones."
    ) { $0.assetExtensions = try $1.texts() },
    Setting(
      "report.format", "text",
      """
      text, json, csv, html, ndjson, openmetrics, or markdown. By default, the extension
      of 'output' selects it, else it is text.
      """
    ) { $0.format = try $1.text() },
    Setting(
      "report.output", "report.txt",
      "Write the report to this file; standard output by default."
    ) { $0.output = try $1.file() },
    Setting(
      "report.output-directory", "report",
      """
      Write report.json, report.html and a CSV file for each table to this directory,
      instead of 'output'.
      """
    ) { $0.outputDirectory = try $1.file() },
    Setting("report.table", "rules", "Write this table in CSV.") { $0.table = try $1.text() },
    Setting("report.top", "10", "Show this many rows per table.") { $0.top = try $1.number() },
    Setting(
      "report.full", "true", "Show all tables in text, not only the start."
    ) { $0.isFull = try $1.flag() },
    Setting(
      "report.sort", "visits", "Order rows by visits or requests."
    ) { $0.weight = try $1.text() },
    Setting(
      "report.group", "template", "Group paths by template, exact, or depth:N."
    ) { $0.group = try $1.text() },
    Setting(
      "report.fan-out", "100",
      "Fold the names in a directory into '{*}' if there are more than this."
    ) { $0.fanOut = try $1.number() },
    Setting(
      "report.fail-on", "error",
      "Exit with status 1 if a finding has this severity or a higher one."
    ) { $0.failOn = try $1.text() },
    Setting(
      "report.thresholds", "[\"same-host-links:warning=20%\", \"excluded-heavy:note=never\"]",
      "Minimum shares of traffic for a severity, or never."
    ) { $0.thresholds = try $1.texts() },
    Setting(
      "report.rejects", "rejects.tsv", "Write rejected lines to this file."
    ) { $0.rejects = try $1.file() },
    Setting(
      "baseline", "linkaudit-baseline.json",
      "Accept the findings in this file: 'lint', 'report' and 'diff' fail only for others."
    ) { $0.baseline = try $1.file() },
    Setting(
      "store", "/var/lib/linkaudit", "The store of 'linkaudit ingest'."
    ) { $0.store = try $1.file() },
    Setting(
      "run.jobs", "4", "Use this many workers; one per core by default."
    ) { $0.jobs = try $1.number() },
    Setting(
      "run.memory", "1G",
      """
      Use this much memory for tables; beyond it, linkaudit spills to temporary files. The default
      is a quarter of the memory that the system leaves.
      """
    ) { $0.memory = try $1.text() },
    Setting(
      "run.temporary-directory", "/var/tmp", "Write temporary files to this directory."
    ) { $0.temporaryDirectory = try $1.file() },
  ]
}
