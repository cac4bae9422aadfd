internal import AccessLogs
internal import Foundations
package import LinkAuditing
package import TrafficDigest
internal import UniversalLinks

/// A report about two association files.
package struct DiffReport {
  let old: Site
  let new: Site
  let patterns: PatternComparison

  /// The changes in the traffic of logs, and the logs; `nil` without logs.
  package let traffic: (comparison: Comparison, digest: TrafficDigest)?

  /// The number of rows in tables that are ordered by weight, or `nil` for all.
  package var top: Int?

  package init(
    old: Site, new: Site, patterns: PatternComparison,
    traffic: (comparison: Comparison, digest: TrafficDigest)?, top: Int? = nil
  ) {
    (self.old, self.new, self.patterns) = (old, new, patterns)
    (self.traffic, self.top) = (traffic, top)
  }

  var host: String { old.host }
  var summary: String { traffic?.comparison.summary ?? patterns.summary }

  /// The findings about the traffic, or, without any, about the patterns.
  var findings: [Finding] { traffic?.comparison.findings ?? patterns.findings }

  /// The changes that the patterns tell and no request of the logs shows.
  var unseenChanges: [PatternChange] {
    let changes = Self.changes(patterns)
    guard let traffic else { return changes }
    let seen = Dictionary(grouping: traffic.comparison.changes, by: \.transition)
      .mapValues { changes in Set(changes.map { [$0.oldRule, $0.newRule] }) }
    return changes.filter { _, app, _, own in
      app == nil && seen[own.transition]?.contains([own.old.rule, own.new.rule]) != true
    }
  }

  /// A change that is derived from patterns: of the verdict of an app, or else of the site's.
  ///
  /// `apps` are those whose verdict changes like this: for a change of the site, those that are not in
  /// a change of their own.
  typealias PatternChange = (
    system: OperatingSystem, app: ApplicationIdentifier?, apps: [ApplicationIdentifier],
    change: VerdictChanges.Change
  )

  /// The changes that are derived from patterns: those of the site, then those of single
  /// apps that the site's don't show.
  static func changes(_ comparison: PatternComparison) -> [PatternChange] {
    let systems = [(OperatingSystem.current, comparison.current), (.legacy, comparison.legacy)]
    let ofSite: [PatternChange] = systems.flatMap { system, rules in
      rules.changesWithApps.map { (system, nil, $0.apps, $0.change) }
    }
    return ofSite
      + systems.flatMap { system, rules in
        rules.separateAppChanges.map { (system, $0.app, [$0.app], $0.change) }
      }
  }
}

extension Transition {
  /// The change in words, such as `excluded → claimed`.
  var words: String { from == to ? "opens another app" : "\(from.rawValue) → \(to.rawValue)" }
}

extension VerdictChanges.Outcome {
  var rule: ReportedRule? {
    decision.flatMap { decision in
      decision.rule.map { ReportedRule($0, definition, of: decision.app) }
    }
  }
}

extension OperatingSystem {
  var label: String { self == .current ? "iOS 13 and later" : "iOS 12 and earlier" }
}

extension DiffReport: TableSource {
  /// The tables of a comparison; without traffic, only the last two have rows.
  package static let tables: [Table<DiffReport>] = [
    pathGroupChanges, ruleChanges, transitions, patternChanges, findings,
  ]

  package static let pathGroupChanges = Table<DiffReport>(
    "changes", "Changes", "Path groups whose verdict or deciding rule changes.", isLimited: true,
    host: \.host, rows: { $0.traffic?.comparison.changes ?? [] },
    columns: [
      .text("path", "The path group") { $0.path }.headed(path: "Paths like") { $0.samples },
      .verdict("from", "The verdict now") { $0.transition.from },
      .verdict("to", "The verdict of the candidate") { $0.transition.to },
    ] + TableColumn.traffic { $0.traffic }
      + [
        TableColumn(
          "implemented", .nullable(.truth),
          "Whether the app has a route; none if no routes are known"
        ) { $0.isImplemented.map { .truth($0) } ?? .some(.none) },
        .texts("samples", "Up to three targets", atMost: 3) { $0.samples },
        .shown("Verdict") { change in
          let lacksRoute = change.isImplemented == false && change.transition.to == .claimed
          return .text(change.transition.words + (lacksRoute ? ", no route" : ""))
        },
      ] + TableColumn.sides({ $0.oldRule }, { $0.newRule }))

  static let ruleChanges = Table<DiffReport>(
    "rules", "Rules", "The rules of both files, app by app.",
    host: \.host,
    rows: { report in
      (report.traffic?.comparison.ruleLists ?? []).flatMap { list in
        list.apps.flatMap { app in list.rules.map { (app: app, change: $0) } }
      }
    },
    columns: [.text("app", "The app") { $0.app.text }] + ruleColumns.map { $0.of(\.change) })

  static let ruleColumns: [TableColumn<RuleChange>] =
    [
      .rule("Rule") { $0.reference },
      .change("The change of the rule") { $0.kind },
      .optional("pattern", "The rule in short") { $0.reference?.pattern },
      .truth("excludes", "Whether the rule excludes what it matches") {
        $0.reference?.excludes ?? false
      },
    ] + TableColumn.naming("old") { $0.old } + TableColumn.naming("new") { $0.new }
    + TableColumn.traffic("old", "now", before: 1) { $0.oldTraffic }
    + TableColumn.traffic("new", "then", before: 2) { $0.newTraffic }
    + [
      .count("newShadowed", "Matching requests that an earlier rule of the candidate decided") {
        $0.newShadowed
      }
    ]

  static let appColumns: [TableColumn<AppChange>] = [
    .text("app", "The app") { $0.app.text }.headed(code: "App"),
    .change("Whether one file names it") { $0.kind },
    .traffic(object: "gained", "Traffic that only the candidate claims for it") { $0.gained },
    .traffic(object: "lost", "Traffic that only the present file claims for it") { $0.lost },
    .shown("Visits gained", .number) { .number($0.gained.visits) },
    .shown("Visits lost", .number) { .number($0.lost.visits) },
    .shown("Requests gained", .number, isWide: true) { .number($0.gained.requests) },
    .shown("Requests lost", .number, isWide: true) { .number($0.lost.requests) },
  ]

  static let transitions = Table<DiffReport>(
    "transitions", "Transitions", "Traffic by verdict now and verdict of the candidate.",
    host: \.host, rows: { $0.traffic?.comparison.transitions.occurring ?? [] },
    columns: [
      .verdict("from", "The verdict now") { $0.key.from },
      .verdict("to", "The verdict of the candidate") { $0.key.to },
    ] + TableColumn.traffic { $0.traffic })

  package static let patternChanges = Table<DiffReport>(
    "patterns", "Changes by patterns",
    "Examples of URLs whose verdict changes, one for each kind of change.",
    isLimited: true, host: \.host,
    rows: { Self.changes($0.patterns) },
    columns: patternColumns)

  static let patternColumns: [TableColumn<PatternChange>] =
    TableColumn.urls([.current, .legacy], app: "The app; none for a change of the site's verdict")
    + [.texts("apps", "The apps whose verdict changes") { $0.apps.map(\.text) }]
    + TableColumn.verdicts("The verdict now", "The verdict of the candidate")
    + TableColumn.sides({ $0.change.old.rule }, { $0.change.new.rule })

  /// The findings about the change.
  package static let findings = Table<DiffReport>.findings { $0.findings }
}

extension TableColumn {
  /// The columns of requests and visits of one side, in an object of JSON.
  ///
  /// `time` ends their headings, and `before` is the number of columns that visits precede.
  fileprivate static func traffic(
    _ side: String, _ time: String, before: Int, _ value: @escaping Getter<Traffic>
  ) -> [TableColumn] {
    [
      .count("requests", "Requests") { value($0).requests }.within(side)
        .headed("Requests \(time)", isWide: true),
      .count("visits", "Requests that are visits") { value($0).visits }.within(side)
        .headed("Visits \(time)", before: before),
    ]
  }

  /// The columns of the rules that decide in both files.
  fileprivate static func sides(
    _ old: @escaping Getter<ReportedRule?>, _ new: @escaping Getter<ReportedRule?>
  ) -> [TableColumn] {
    naming("old", old) + naming("new", new) + [
      rule("Rule now", old), rule("Rule of the candidate", new),
    ]
  }

  fileprivate static func change(
    _ about: String, _ kind: @escaping Getter<RuleChange.Kind>
  ) -> TableColumn {
    .choice("change", about, kind).headed("Change")
  }
}

extension TableColumn where Row == DiffReport.PatternChange {
  /// The columns of a URL, and of the systems and the app whose verdict on it changes.
  static func urls(_ systems: [OperatingSystem], app about: String) -> [TableColumn] {
    [
      .text("url", "The URL") { $0.change.url }.headed(path: "For example"),
      TableColumn("os", .choice(systems.map(\.rawValue)), "The versions of iOS") {
        .text($0.system.rawValue)
      }.headed("Systems"),
      .optional("app", about) { $0.app?.text }.headed("App") { .text($0.app?.text ?? "all") },
    ]
  }

  static func verdicts(_ old: String, _ new: String) -> [TableColumn] {
    [
      .verdict("from", old) { $0.change.old.verdict }
        .headed("Verdict") { .text($0.change.transition.words) },
      .verdict("to", new) { $0.change.new.verdict },
    ]
  }
}

extension DiffReport {
  static let jsonSchema = "linkaudit.diff/1"

  package func writeJSON(to sink: @escaping OutputSink) throws {
    try JSONWriter.document(Self.jsonSchema, of: self, TableColumn.members, to: sink)
  }
}

extension TableColumn where Row == DiffReport {
  static let members: [TableColumn] =
    judging { $0.traffic?.comparison.options } + [
      .text("host", "The host") { $0.host },
      .part("old", named: "side", "The file now", TableColumn<Site>.side) { $0.old },
      .part("new", named: "side", "The candidate", TableColumn<Site>.side) { $0.new },
      .text("summary", "The changes in a sentence") { $0.summary },
      .object(
        "traffic", named: "trafficChanges", "The changes in the traffic of logs; none without logs",
        DiffReport.trafficMembers
      ) { report in report.traffic.map { (report, $0.comparison, $0.digest) } },
      .part(
        "patterns", named: "patternChanges", "The changes that the patterns alone show",
        [
          .truth("exhaustive", "Whether there is no other change") {
            $0.patterns.current.isExhaustive && $0.patterns.legacy.isExhaustive
          },
          .truth("equal", "Whether it is proven that no verdict changes", \.patterns.isProvenEqual),
          .texts("gaps", "The reasons why there may be other changes") { report in
            [report.patterns.current.gap, report.patterns.legacy.gap].compactMap { $0?.description }
          },
          .table(DiffReport.patternChanges, named: "changes") { ($0, nil) },
        ]
      ) { $0 },
      .table(DiffReport.findings) { ($0, nil) },
    ]
}

extension TableColumn where Row == Site {
  fileprivate static let side: [TableColumn] = [
    .optional("file", "The path of the file; none for standard input") { $0.filePath },
    .optionalCount("bytes", "Its size in bytes") { $0.fileSize },
  ]
}

extension DiffReport {
  fileprivate typealias TrafficChanges = (
    report: DiffReport, comparison: Comparison, digest: TrafficDigest
  )

  fileprivate static let trafficMembers: [TableColumn<TrafficChanges>] = [
    .part("input", "The logs", TableColumn<TrafficDigest>.document) { $0.digest },
    .count("otherHostRequests", "Requests to other hosts") { $0.comparison.otherHostRequests },
    .traffic(object: "total", "The traffic of the host") { $0.comparison.total },
    .traffic(object: "changed", "Traffic whose verdict or app changes") { $0.comparison.changed },
    .part(
      "newlyClaimed", "Traffic that only the candidate claims",
      TableColumn.traffic { $0.newlyClaimed } + [
        .object(
          "withoutRoute", named: "traffic", "The part without a route; none if no routes are known",
          TableColumn<Traffic>.traffic { $0 }
        ) { $0.newlyClaimedWithoutRoute },
        .traffic(object: "sameHost", "The part from pages of the same host") {
          $0.newlyClaimedFromSameHost
        },
        .traffic(
          object: "causes", "By the cause for which it stays on the web", onlyOccurring: true,
          by: \.entry.name
        ) { $0.newlyClaimedCauses },
      ]
    ) { $0.comparison },
    .traffic(object: "noLongerClaimed", "Traffic that only the present file claims") {
      $0.comparison.noLongerClaimed
    },
    .traffic(object: "newlyExcluded", "Traffic that only the candidate excludes") {
      $0.comparison.newlyExcluded
    },
    .traffic(object: "noLongerExcluded", "Traffic that only the present file excludes") {
      $0.comparison.noLongerExcluded
    },
    .traffic(object: "opensAnotherApp", "Traffic that both files claim, for other apps") {
      $0.comparison.opensAnotherApp
    },
    .objects("apps", named: "apps", "The apps of both files.", DiffReport.appColumns) {
      $0.comparison.apps
    },
    .table(DiffReport.transitions) { ($0.report, nil) },
    .table(DiffReport.pathGroupChanges) { ($0.report, nil) },
    .table(DiffReport.ruleChanges) { ($0.report, nil) },
  ]
}
