internal import AccessLogs
internal import LinkAuditing
internal import TrafficDigest

extension Report {
  /// The tables about the logs.
  static let inputTables: [Table<Report>] = [
    files, rejectedByReason, rejectedLines, clients,
  ]

  static let files = Table<Report>(
    "files", "Logs", "The logs that were read.",
    rows: { $0.digest.inputs }, columns: TableColumn.input, shown: fileColumns)

  /// The columns of a log, for people.
  static let fileColumns: [ShownColumn<TrafficDigest.Input>] = [
    .code("Log") { $0.path }, .text("State", isWide: true) { InputStatus($0.damage).rawValue },
    .text("Format") { $0.format?.name }, .number("Lines") { $0.tally.lines },
    .number("Requests") { $0.tally.requests }, .number("Rejected") { $0.tally.rejected },
    ShownColumn("Damage", .text, isNote: true) { .text($0.damage?.description ?? "") },
  ]

  static let rejectedByReason = Table<Report>(
    "rejected-by-reason", "Rejected lines", "Lines that are not requests, by reason.",
    labels: ["reason"],
    rows: { report in
      RejectionReason.allCases.map { reason in
        (
          reason: reason, lines: report.digest.rejections[reason] ?? 0,
          first: report.digest.rejectedLines.first { $0.reason == reason }
        )
      }
    },
    columns: [
      .choice("reason", "The reason") { $0.reason },
      .count("lines", "Lines") { $0.lines }.gauge(
        "input_rejected_lines", "Lines that are not requests, by reason."),
    ],
    shown: [
      .text("Lines that are") { $0.reason.sentence }, .number("Count") { $0.lines },
      ShownColumn("First", .code) { row in
        row.first.map { .code("\($0.path):\($0.line)") } ?? .text("")
      },
    ])

  static let rejectedLines = Table<Report>(
    "rejected-lines", "Examples of rejected lines", "The first rejected lines of each reason.",
    rows: { $0.digest.rejectedLines },
    columns: [
      .choice("reason", "The reason") { $0.reason },
      .text("path", "The log") { $0.path },
      TableColumn("line", .integer(from: 1), "The line number, from 1") {
        .number($0.line)
      },
      .count("offset", "The number of decompressed bytes before the line") { $0.offset },
    ])

  static let clients = Table<Report>(
    "clients", "Clients", "Requests by client, to all hosts.", isLimited: true,
    labels: ["platform", "client", "version"],
    rows: { $0.digest.clients }, columns: TableColumn.client,
    shown: [
      .text("Client") { $0.client.name }, .text("Platform") { $0.platform.title },
      .number("Requests") { $0.requests },
      .number("iOS", help: "its major version") { $0.systemVersion },
    ])
}

extension TableColumn {
  /// The columns that count lines.
  static func tally(_ tally: @escaping @Sendable (Row) -> LineTally) -> [TableColumn] {
    [
      .count("lines", "Lines") { tally($0).lines },
      .count("requests", "Lines that are requests") { tally($0).requests },
      .count("rejected", "Lines that are not requests") { tally($0).rejected },
      .count("outside", "Requests outside the selected time") {
        tally($0).outside
      },
    ]
  }
}

extension TableColumn where Row == TrafficDigest.Input {
  /// The columns of a log.
  static let input: [TableColumn] =
    [
      .text("path", "The path as given") { $0.path },
      TableColumn(
        "digest", .text, "The digest that contains the log, if any",
        presence: .rarely
      ) {
        $0.digest.map { .text($0) }
      },
      TableColumn(
        "status", .choice(InputStatus.allCases.map(\.rawValue)), "The extent to which it was read"
      ) {
        .text(InputStatus($0.damage).rawValue)
      },
      TableColumn(
        "offset", .nullable(.count), "The byte offset of the damage in the file"
      ) { .number($0.damage?.offset) },
      TableColumn("damage", .text, "A description of the damage, if any", presence: .rarely) {
        $0.damage.map { .text($0.description) }
      },
      .optional("format", "The format of its lines") { $0.format?.name },
    ] + tally(\.tally)
}

extension TableColumn where Row == TrafficDigest.ClientCount {
  /// The columns of a client.
  static let client: [TableColumn] = [
    .platform { $0.platform },
    .text("client", "The browser, app, or bot") { $0.client.name },
    TableColumn("version", .nullable(.count), "The major version of iOS") {
      .number($0.systemVersion)
    },
    .count("requests", "Requests") { $0.requests }.gauge(
      "client_requests", "Requests to all hosts by the heaviest clients."),
  ]
}

extension TableColumn {
  /// The column of a platform.
  static func platform(_ platform: @escaping @Sendable (Row) -> Platform) -> TableColumn {
    TableColumn("platform", .definition("platform"), "The kind of client") {
      .text(platform($0).name)
    }
  }
}
