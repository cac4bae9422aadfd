internal import AccessLogs
internal import Foundations
internal import LinkAuditing
package import TrafficDigest
internal import UniversalLinks

extension TrafficDigest {
  /// Writes the digest as newline-delimited JSON, schema `linkaudit.digest-rows/1`.
  ///
  /// Each line is an object, whose `row` names the things that it counts. Numbers of lines of one
  /// kind add up, over any number of digests that have no log in common. A name has values of one
  /// type in all lines, so that they make one table.
  package func writeNDJSON(
    jobs: Int, temporaryDirectory: String, to sink: @escaping OutputSink
  ) throws {
    var json = JSONWriter(.compact, to: sink)
    json.line(Self.digestRows, self)
    for input in inputs { json.line(Self.inputRows, input) }
    for reason in RejectionReason.allCases {
      if let lines = rejections[reason] { json.line(Self.rejectionRows, (reason, lines)) }
    }
    for daily in dailyClients {
      for count in daily.counts { json.line(Self.clientRows, (daily.day, count)) }
    }
    for daily in dailyFetches {
      for fetch in daily.counts { json.line(Self.fetchRows, (daily.day, fetch)) }
    }
    try forEachSortedTarget(jobs: jobs, temporaryDirectory: temporaryDirectory) { target in
      var encoded: [UInt8] = []
      PercentEncoding.append(encodingTarget: target.target.span, to: &encoded)
      let text = String(decoding: encoded, as: UTF8.self)
      func row(_ dimensions: Dimensions, _ count: Int, page: [UInt8] = []) -> TargetRow {
        (target.host, text, page, dimensions, count)
      }
      for (dimensions, count) in target.requests {
        json.line(Self.requestRows, row(dimensions, count))
      }
      for (page, dimensions, count) in target.visits {
        json.line(Self.pageVisitRows, row(dimensions, count, page: page))
      }
      // Nobody may be reading any more.
      try json.check()
    }
    try json.finish()
  }
}

/// A kind of row of a digest, declared once.
///
/// JSON, the schema, and the reference page are made from this declaration.
typealias DigestRowKind<Row> = (name: String, about: String, columns: [TableColumn<Row>])

extension JSONWriter {
  fileprivate mutating func line<Row>(_ kind: DigestRowKind<Row>, _ row: Row) {
    object { json in
      json.member("row", kind.name)
      json.members(of: row, kind.columns)
    }
  }
}

/// A number of requests or visits of a target: path and query, percent-encoded, and for visits the
/// template of the page that the link was on, as bytes.
typealias TargetRow = (
  host: String, target: String, page: [UInt8], dimensions: Dimensions, count: Int
)

// The kinds of rows.
extension TrafficDigest {
  static let digestRows: DigestRowKind<TrafficDigest> = (
    "digest", "The first line.",
    [
      TableColumn("schema", .choice([rowSchema]), "The schema") { _ in .text(rowSchema) },
      .time("from", "The time of the first request") { $0.times?.lowerBound },
      .time("to", "The time of the last request") { $0.times?.upperBound },
    ]
  )

  private static let rowSchema = "linkaudit.digest-rows/1"

  // The digest that a log is in isn't named: rows are the same, wherever they come from.
  static let inputRows: DigestRowKind<TrafficDigest.Input> = (
    "inputs", "A log.",
    [
      .text("path", "The path as given") { $0.path },
      .choice("inputStatus", "The extent to which it was read") { InputStatus($0.damage) },
      .optionalCount("offset", "The byte offset of the damage in the file") { $0.damage?.offset },
      .optional("format", "The format of its lines") { $0.format?.name },
    ] + TableColumn.tally(\.tally) + [
      .time("from", "The time of its first request") { $0.times?.lowerBound },
      .time("to", "The time of its last request") { $0.times?.upperBound },
    ]
  )

  static let rejectionRows: DigestRowKind<(reason: RejectionReason, lines: Int)> = (
    "rejections", "Lines that are not requests.",
    [
      .choice("reason", "The reason") { $0.reason }, .count("lines", "Lines") { $0.lines },
    ]
  )

  static let clientRows: DigestRowKind<(day: Day?, count: TrafficDigest.ClientCount)> = (
    "clients", "Requests to all hosts by client. The rows `requests` count them, too.",
    [.day { $0.day }] + TableColumn<TrafficDigest.ClientCount>.client.map { $0.of(\.count) }
  )

  static let fetchRows: DigestRowKind<(day: Day?, fetch: TrafficDigest.Fetch)> = (
    "fetches", "Requests for an association file.",
    [.day { $0.day }, .text("host", "The host") { $0.fetch.host }]
      + TableColumn<TrafficDigest.Fetch>.fetch.map { $0.of(\.fetch) }
  )

  static let requestRows: DigestRowKind<TargetRow> = (
    "requests", "Requests for a target.",
    TableColumn<TargetRow>.target + [
      TableColumn("method", .choice(["get", "other"]), "The method") {
        .text($0.dimensions.isGet ? "get" : "other")
      },
      .platform { $0.dimensions.platform }, .referral { $0.dimensions.referral },
      TableColumn(
        "referrer", .choice(ReferrerKind.allCases.map(\.name)),
        "The kind of site with the link; `unknown` if it is not another host"
      ) { .text($0.dimensions.referrer.name) },
      TableColumn(
        "systemAge", .choice(SystemAge.allCases.map(\.name)),
        "The features of Universal Links that the system lacks"
      ) { .text($0.dimensions.systemAge.name) },
      .truth(
        "isSubresource", "Whether a page or a script made the request, by `Sec-Fetch-Dest`"
      ) { $0.dimensions.isSubresource },
      .status { $0.dimensions.status }, .count("requests", "Requests") { $0.count },
    ]
  )

  static let pageVisitRows: DigestRowKind<TargetRow> = (
    "pageVisits", "Visits to a target from pages of the same host.",
    TableColumn<TargetRow>.target + [
      .encoded("page", "The path of the page with the link, with placeholders such as `{n}`") {
        String(decoding: PathTemplate.encoded($0.page), as: UTF8.self)
      },
      .platform { $0.dimensions.platform }, .status { $0.dimensions.status },
      .count("visits", "Visits") { $0.count },
    ]
  )
}

extension TableColumn where Row == TargetRow {
  fileprivate static let target: [TableColumn] = [
    .day { $0.dimensions.day }, .text("host", "The host") { $0.host },
    .encoded("target", "Path and query; bytes that URLs can't contain are percent-encoded") {
      $0.target
    },
  ]

  fileprivate static func encoded(
    _ name: String, _ about: String, _ text: @escaping Getter<String>
  ) -> TableColumn {
    TableColumn(name, .pattern("^[\\x21-\\x7e]*$"), about) { .text(text($0)) }
  }

  fileprivate static func status(_ status: @escaping Getter<UInt16>) -> TableColumn {
    TableColumn("status", .integer(from: 0, to: 999), "The status of the response") {
      .number(Int(status($0)))
    }
  }
}

extension DigestFile {
  /// Reads the digest whole, and returns its content as text, with a line feed at the end.
  ///
  /// - Throws: ``DigestFileError`` if it is damaged.
  package func contentText() throws(DigestFileError) -> String {
    var hosts = [["targets", "requests", "host"]]
    try Self.forEachHost(of: [self]) { host, targets, requests in
      hosts.append([
        targets.grouped, requests.grouped, host.isEmpty ? "(none)" : SafeText.escaped(host),
      ])
    }
    var lines = [
      "\(SafeText.escaped(path)): a digest of version \(DigestFile.version), "
        + "\(size.counted("byte")), undamaged",
      "  identity  \(identity)",
      "  input     \(inputs.count.counted("log")): \(tally.words)"
        + (tally.outside > 0
          ? ", \(tally.outside.counted("request")) outside the selected time" : ""),
      "  targets   \(targetCount.grouped)",
    ]
    if let times { lines.append("  time      \(times.lowerBound) to \(times.upperBound)") }
    if let first = days.first, let last = days.last {
      lines.append(
        "  days      \(days.count.grouped), " + (first == last ? "" : "\(first) to ") + "\(last)")
    }
    if hasUndatedRequests { lines.append("  undated   some requests have no time") }
    lines += ["", "  Hosts"] + hosts.lines(numbers: [0, 1], flexible: 2).map { "  " + $0 }
    lines += ["", "  Logs"] + inputs.flatMap(\.shownLines)
    return lines.joined(separator: "\n") + "\n"
  }
}

extension TrafficDigest.Input {
  fileprivate var shownLines: [String] {
    var facts = [InputStatus(damage).rawValue]
    if let format { facts.append(format.name + (settings.namesFormat ? " (as named)" : "")) }
    facts.append(tally.words)
    var lines = [
      "    \(SafeText.escaped(path))",
      "      \(SafeText.escaped(facts.joined(separator: ", ")))",
    ]
    if let damage { lines.append("      ! \(damage)") }
    if let host = settings.defaultHost {
      lines.append("      host of lines without one: \(SafeText.escaped(host))")
    }
    for (name, bound) in [("since", settings.since), ("until", settings.until)] {
      if let bound { lines.append("      \(name) \(SafeText.escaped(bound))") }
    }
    if let fingerprint {
      lines.append("      content \(fingerprint), \(fingerprint.length.counted("byte"))")
    }
    return lines
  }
}
