/// A key of the configuration: the option that it sets, and an example.
///
/// Each key is declared here and nowhere else: reading a configuration, its messages, and the file
/// that `linkaudit init` writes come from the list. What it is for is the help of the option.
struct Setting: Sendable {
  /// A part of the configuration; each command takes some.
  enum Part: Sendable {
    case reading, selection, judging, place, result, baseline, store, resources
  }

  /// What a key has as its value.
  enum Kind: Sendable {
    case text, file, number, decimalNumber, flag

    /// One value, or a list: of texts, of hosts, of paths, or of paths that can be patterns.
    case texts, hosts, files, patterns

    /// A list that the option takes with commas, and keys of JSON by field.
    case list, fields
  }

  /// The keys that lead to the value, such as `logs.since`.
  let key: String

  /// The option that the value is for; empty for arguments.
  let option: String

  let part: Part
  let kind: Kind

  /// An example, as YAML has it after the key.
  let example: String

  private init(_ key: String, _ option: String, _ part: Part, _ kind: Kind, _ example: String) {
    (self.key, self.option, self.part, self.kind, self.example) = (
      key, option, part, kind, example
    )
  }

  /// The section that holds the key, such as `logs`, or `nil` if none does.
  var section: String? { key.firstIndex(of: ".").map { String(key[..<$0]) } }

  /// The key itself, such as `since`.
  var name: String { String(key.dropFirst(section.map { $0.count + 1 } ?? 0)) }

  /// All keys besides `sites`, in the order of the template.
  static let all = [
    Setting("own-hosts", "--own-host", .reading, .hosts, "[shop.example.net]"),
    Setting("trackers", "--tracker-host", .reading, .hosts, "[click.example.com]"),
    Setting("callbacks", "--callback", .judging, .texts, "[/auth/callback]"),
    Setting("logs.inputs", "", .reading, .patterns, "[/var/log/nginx/access.log*]"),
    Setting("logs.format", "--log-format", .reading, .text, "auto"),
    Setting(
      "logs.json-keys", "--json-keys", .reading, .fields, "{target: req.uri, status: res.status}"),
    Setting("logs.host-from-path", "--host-from-path", .reading, .text, "\"{host}-access\""),
    Setting("logs.host-confirmed", "--host-confirmed", .reading, .flag, "true"),
    Setting("logs.since", "--since", .selection, .text, "30d"),
    Setting("logs.until", "--until", .selection, .text, "yesterday"),
    Setting("logs.max-expansion", "--max-expansion", .reading, .number, "1000"),
    Setting("logs.max-window", "--max-window", .reading, .text, "128M"),
    Setting("logs.max-rejects", "--max-rejects", .selection, .decimalNumber, "5"),
    Setting("ignore", "--ignore", .judging, .texts, "[/healthz, /internal/*]"),
    Setting(
      "asset-extensions", "--asset-extensions", .judging, .list, "[css, js, png, svg, woff2]"),
    Setting("report.format", "--format", .place, .text, "text"),
    Setting("report.output", "--output", .place, .file, "report.txt"),
    Setting("report.output-directory", "--output-directory", .place, .file, "report"),
    Setting("report.table", "--table", .place, .text, "rules"),
    Setting("report.top", "--top", .result, .number, "10"),
    Setting("report.full", "--full", .result, .flag, "true"),
    Setting("report.sort", "--sort", .judging, .text, "visits"),
    Setting("report.group", "--group", .judging, .text, "template"),
    Setting("report.fan-out", "--fan-out", .judging, .number, "100"),
    Setting("report.fail-on", "--fail-on", .result, .text, "error"),
    Setting(
      "report.thresholds", "--threshold", .judging, .texts, "[\"same-host-links:warning=20%\"]"),
    Setting("report.rejects", "--rejects", .selection, .file, "rejects.tsv"),
    Setting("baseline", "--baseline", .baseline, .file, "linkaudit-baseline.json"),
    Setting("store", "--store", .store, .file, "/var/lib/linkaudit"),
    Setting("run.jobs", "--jobs", .resources, .number, "4"),
    Setting("run.memory", "--memory", .resources, .text, "1G"),
    Setting("run.temporary-directory", "--temporary-directory", .resources, .file, "/var/tmp"),
  ]
}
