internal import AccessLogs
internal import Foundations
internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

extension DiffReport: TableSource {
  /// The tables of a comparison; without traffic, only the last two have rows.
  package static let tables: [Table<DiffReport>] = [
    pathGroupChanges, ruleChanges, transitions, patternChanges, findings,
  ]

  package static let pathGroupChanges = Table<DiffReport>(
    "changes", "Changes", "Path groups whose verdict or deciding rule changes.", isLimited: true,
    host: \.host, rows: { $0.traffic?.comparison.changes ?? [] },
    columns: [
      .text("path", "The path group") { $0.path },
      .verdict("from", "The verdict now") {
        $0.transition.from
      },
      .verdict("to", "The verdict of the candidate") { $0.transition.to },
    ] + TableColumn.traffic { $0.traffic }
      + [
        TableColumn(
          "implemented", .nullable(.truth),
          "Whether the app has a route; none if no routes are known"
        ) { $0.isImplemented.map { .truth($0) } ?? .some(.none) },
        TableColumn("samples", .texts(atMost: 3), "Up to three targets") { .texts($0.samples) },
      ] + TableColumn.naming("old") { $0.oldRule } + TableColumn.naming("new") { $0.newRule },
    shown: [ShownColumn("Paths like", .code) { .path($0.path, samples: $0.samples) }]
      + ShownColumn.traffic { $0.traffic } + [
        .text("Verdict") { change in
          let lacksRoute = change.isImplemented == false && change.transition.to == .claimed
          return change.transition.words + (lacksRoute ? ", no route" : "")
        },
        .rule("Rule now") { $0.oldRule }, .rule("Rule of the candidate") { $0.newRule },
      ])

  static let ruleChanges = Table<DiffReport>(
    "rules", "Rules", "The rules of both files, app by app.",
    host: \.host, rows: { $0.traffic?.comparison.appRules ?? [] },
    columns: [
      .text("app", "The app") { $0.app.text },
      TableColumn("change", .choice(["kept", "added", "removed"]), "The change of the rule") {
        .text($0.change.kind.rawValue)
      },
      .optional("pattern", "The rule in short") { $0.change.reference?.pattern },
      TableColumn("excludes", .truth, "Whether the rule excludes what it matches") {
        .truth($0.change.reference?.excludes ?? false)
      },
    ] + TableColumn.naming("old") { $0.change.old } + TableColumn.naming("new") { $0.change.new }
      + TableColumn.traffic("old") { $0.change.oldTraffic }
      + TableColumn.traffic("new") { $0.change.newTraffic }
      + [
        .count("newShadowed", "Matching requests that an earlier rule of the candidate decided") {
          $0.change.newShadowed
        }
      ],
    shown: [.text("App") { $0.app.text }] + ruleColumns.map { $0.of(\.change) })

  /// The columns of a changed rule, for people.
  static let ruleColumns: [ShownColumn<RuleChange>] = [
    .rule("Rule") { $0.reference }, .text("Change") { $0.kind.rawValue },
    .number("Visits now") { $0.oldTraffic.visits },
    .number("Visits then") { $0.newTraffic.visits },
    .number("Requests now", isWide: true) { $0.oldTraffic.requests },
    .number("Requests then", isWide: true) { $0.newTraffic.requests },
  ]

  /// The columns of an app, for people.
  static let appColumns: [ShownColumn<AppChange>] = [
    .code("App") { $0.app.text }, .text("Change") { $0.kind.rawValue },
    .number("Visits gained") { $0.gained.visits }, .number("Visits lost") { $0.lost.visits },
    .number("Requests gained", isWide: true) { $0.gained.requests },
    .number("Requests lost", isWide: true) { $0.lost.requests },
  ]

  static let transitions = Table<DiffReport>(
    "transitions", "Transitions", "Traffic by verdict now and verdict of the candidate.",
    host: \.host, rows: { $0.traffic?.comparison.orderedTransitions ?? [] },
    columns: [
      .verdict("from", "The verdict now") { $0.transition.from },
      .verdict("to", "The verdict of the candidate") { $0.transition.to },
    ] + TableColumn.traffic { $0.traffic })

  package static let patternChanges = Table<DiffReport>(
    "patterns", "Changes by patterns",
    "Examples of URLs whose verdict changes, one for each kind of change.",
    isLimited: true, host: \.host,
    rows: { Self.changes($0.patterns) },
    columns: [
      .text("url", "The URL") { $0.change.url },
      TableColumn("os", .choice(["ios13+", "ios12"]), "The versions of iOS") {
        .text($0.system.rawValue)
      },
      .optional("app", "The app; none for a change of the site's verdict") { $0.app?.text },
      TableColumn("apps", .texts(atMost: .max), "The apps whose verdict changes") {
        .texts($0.apps.map(\.text))
      },
      .verdict("from", "The verdict now") { $0.change.old.verdict },
      .verdict("to", "The verdict of the candidate") { $0.change.new.verdict },
    ]
      + TableColumn.naming("old") { $0.change.old.rule }
      + TableColumn.naming("new") { $0.change.new.rule },
    shown: patternColumns)

  /// The columns of a change that is derived from patterns, for people.
  static let patternColumns =
    verdictColumns + [
      .rule("Rule now") { $0.change.old.rule },
      .rule("Rule of the candidate") { $0.change.new.rule },
    ]

  /// Its columns without those of rules.
  static let verdictColumns: [ShownColumn<PatternChange>] = [
    .path("For example") { $0.change.url }, .text("Systems") { $0.system.rawValue },
    .text("App") { $0.app?.text ?? "all" },
    .text("Verdict") {
      Transition(from: $0.change.old.verdict, to: $0.change.new.verdict).words
    },
  ]

  package static let findings = Table<DiffReport>.findings(
    "findings", "Findings",
    "Findings: first those that make figures doubtful, then those with the most visits to win."
  ) { $0.findings }
}

extension TableColumn {
  /// The columns of requests and visits of one side, in an object of JSON.
  fileprivate static func traffic(
    _ side: String, _ value: @escaping @Sendable (Row) -> Traffic
  ) -> [TableColumn] {
    [
      TableColumn(side + "Requests", .count, "Requests", in: (side, "requests")) {
        .number(value($0).requests)
      },
      TableColumn(side + "Visits", .count, "Requests that are visits", in: (side, "visits")) {
        .number(value($0).visits)
      },
    ]
  }
}

extension DiffReport {
  /// Writes the comparison as one JSON document, schema `linkaudit.diff/1`.
  package func writeJSON(to sink: @escaping OutputSink) throws {
    try JSONWriter.document("linkaudit.diff/1", to: sink) { json in
      if let comparison = traffic?.comparison {
        json.membersOfJudging(comparison.filter, comparison.grouping, comparison.weight)
      }
      json.member("host", host)
      json.member("old") { write(old, to: &$0) }
      json.member("new") { write(new, to: &$0) }
      json.member("summary", summary)
      if let traffic {
        write(traffic.comparison, traffic.digest, to: &json)
      } else {
        json.member("traffic", nil as String?)
      }
      json.member("patterns") { write(patterns, to: &$0) }
      json.member(Self.findings, of: self)
    }
  }

  private func write(_ site: Site, to json: inout JSONWriter) {
    json.member("file", site.filePath)
    json.member("bytes", site.fileSize)
  }

  // MARK: - Traffic

  private func write(
    _ comparison: Comparison, _ digest: TrafficDigest, to json: inout JSONWriter
  ) {
    json.member("traffic") { json in
      json.member("input") { json in
        json.member("files", objects: digest.inputs, TableColumn.input)
        json.members(of: digest)
      }
      json.member("otherHostRequests", comparison.otherHostRequests)
      json.member("total") { $0.members(of: comparison.total) }
      json.member("changed") { $0.members(of: comparison.changed) }
      json.member("newlyClaimed") { json in
        json.members(of: comparison.newlyClaimed)
        if let traffic = comparison.newlyClaimedWithoutRoute {
          json.member("withoutRoute") { $0.members(of: traffic) }
        } else {
          json.member("withoutRoute", nil as String?)
        }
        json.member("sameHost") { $0.members(of: comparison.newlyClaimedFromSameHost) }
        json.member("causes", occurring: comparison.newlyClaimedCauses) { $0.name }
      }
      json.member("noLongerClaimed") { $0.members(of: comparison.noLongerClaimed) }
      json.member("newlyExcluded") { $0.members(of: comparison.newlyExcluded) }
      json.member("noLongerExcluded") { $0.members(of: comparison.noLongerExcluded) }
      json.member("opensAnotherApp") { $0.members(of: comparison.opensAnotherApp) }
      json.member("apps", objects: comparison.apps) { json, app in
        json.member("app", app.app.text)
        json.member("change", app.kind.rawValue)
        json.member("gained") { $0.members(of: app.gained) }
        json.member("lost") { $0.members(of: app.lost) }
      }
      json.member(Self.transitions, of: self)
      json.member(Self.pathGroupChanges, of: self)
      json.member(Self.ruleChanges, of: self)
    }
  }

  private func write(_ comparison: PatternComparison, to json: inout JSONWriter) {
    json.member("exhaustive", comparison.current.isExhaustive && comparison.legacy.isExhaustive)
    json.member("equal", comparison.isProvenEqual)
    json.member(
      "gaps",
      strings: [comparison.current.gap, comparison.legacy.gap].compactMap { $0?.description })
    json.member(Self.patternChanges, of: self, named: "changes")
  }
}

extension Comparison {
  /// The traffic by verdicts that occur, in a fixed order.
  var orderedTransitions: [(transition: Transition, traffic: Traffic)] {
    Verdict.allCases.flatMap { from in
      Verdict.allCases.compactMap { to in
        let transition = Transition(from: from, to: to)
        guard let traffic = transitions[transition], traffic.requests > 0 else { return nil }
        return (transition, traffic)
      }
    }
  }

  /// The changes of the rules of each app.
  var appRules: [(app: ApplicationIdentifier, change: RuleChange)] {
    ruleLists.flatMap { list in
      list.apps.flatMap { app in list.rules.map { (app, $0) } }
    }
  }
}
