internal import AccessLogs
internal import LinkAuditing
internal import TrafficDigest
internal import UniversalLinks

/// A report for people: its start, or all of it.
package struct TextReport {
  let report: Report

  /// Whether all tables are shown.
  let isFull: Bool
  let style: Style

  package init(report: Report, isFull: Bool, style: Style) {
    self.report = report
    self.isFull = isFull
    self.style = style
  }

  private var audit: Audit { report.audit }
  private var digest: TrafficDigest { report.digest }
  private var top: Int { report.textTop }

  package func text() -> String {
    let lines = isFull ? full() : TextStart(report: report, style: style).lines()
    return lines.joined(separator: "\n") + "\n"
  }

  /// All that the report has to say.
  private func full() -> [String] {
    var lines = urgent()
    let findings = Dictionary(grouping: audit.findings, by: \.host)
    let gone = Dictionary(grouping: audit.change?.gone ?? [], by: \.host)
    for site in audit.sites {
      if !lines.isEmpty { lines += ["", style.rule, ""] }
      let findings = TextFindings(
        findings: findings[site.host] ?? [], gone: gone[site.host] ?? [], top: top, style: style)
      lines += TextSiteReport(
        report: report, site: site, findings: findings, style: style
      ).lines()
    }
    if let note = report.noteOnRoutes {
      lines += [""] + style.note(note, indent: "")
    }
    lines += TextClients(digest: digest, top: top, style: style).lines()
    lines += input()
    return lines
  }

  /// Returns the problems of the logs, which make the rest of the report doubtful.
  private func urgent() -> [String] {
    let findings = audit.findings.filter { $0.host == nil && $0.severity > .note }
    guard !findings.isEmpty else { return [] }
    return [style.bold("About the logs")]
      + TextFindings(findings: findings, top: top, style: style).rows()
  }

  private func input() -> [String] {
    let tally = digest.tally
    var lines = ["", style.bold("Input")]
    let findings = audit.findings.filter { $0.host == nil && $0.severity == .note }
    let gone = audit.change?.gone(besides: audit.sites) ?? []
    if !findings.isEmpty || !gone.isEmpty {
      let rows = TextFindings(findings: findings, gone: gone, top: top, style: style)
      lines += findings.isEmpty ? rows.goneRows() : rows.rows()
    }
    let summary =
      "\(digest.inputs.count.counted("input"))\(formats): \(tally.words)"
      + (tally.outside > 0
        ? "; \(tally.outside.counted("request")) outside the selected time" : "")
    lines += summary.wrapped(width: style.width, indent: "  ")
    if let ignored = report.noteOnIgnoredPaths { lines.append("  " + ignored) }
    if let subresources = report.noteOnSubresources { lines.append("  " + subresources) }
    for reason in RejectionReason.allCases {
      guard let count = digest.rejections[reason] else { continue }
      var line = "    \(count.grouped) \(reason.sentence)"
      if let first = digest.rejectedLines.first(where: { $0.reason == reason }) {
        line += ", first at "
        let place = SafeText.escaped("\(first.path):\(first.line)")
        line += place.shortened(to: style.width - line.count)
      }
      lines.append(line)
    }
    lines += digest.damage(style)
    for host in audit.otherHosts.prefix(top) {
      let whose =
        switch host.host {
        case "": " that name no host"
        case HostName.anyAddress: " for hosts that are IP addresses"
        default: " for another host, '\(SafeText.escaped(host.host).shortened(to: 40))'"
        }
      lines.append("  \(host.requests.counted("request"))" + whose)
    }
    let rest = audit.otherHosts.count + audit.unlistedHosts.hosts - top
    return rest > 0
      ? lines + ["  \(style.ellipsis) and \(rest.counted("more host")) (--top)"] : lines
  }

  /// The formats of the inputs, in brackets.
  private var formats: String {
    let names = digest.inputs.compactMap(\.format?.name)
    let counts = Dictionary(grouping: names) { $0 }.mapValues(\.count)
    if counts.isEmpty { return "" }
    let parts = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let shown = parts.map { "\($0.value.grouped) \(SafeText.escaped($0.key))" }
    return " (" + shown.joined(separator: ", ") + ")"
  }
}

extension RejectionReason {
  /// The reason in words, to follow a number of lines.
  package var sentence: String {
    switch self {
    case .emptyLine: "empty"
    case .lineTooLong: "too long"
    case .heading: "directives or headings"
    case .noFields: "without the fields of the format"
    case .noRequest: "without a request"
    case .noTarget: "without a request target"
    case .noStatus: "without a status"
    case .partialLine: "truncated by a collector"
    case .severalRequests: "with several requests"
    case .noCount: "without a count"
    }
  }
}

extension Report {
  /// The number of rows per table of a text report.
  var textTop: Int { top ?? 10 }

  /// The lines of a table from its declaration: a heading, the first rows, and notes on them.
  ///
  /// Numbers come first, so that long values are at the end of a line.
  func lines(of table: Table<Report>, site: SiteAudit, style: Style) -> [String] {
    let rows = table.rows(of: self, site: site)
    guard !rows.isEmpty else { return [] }
    let columns = table.shown.filter { !$0.isNote }
    let shown = rows.prefix(textTop)
    var lines = ["", style.bold(table.title)]
    if columns.count == 1, let column = columns.first {
      lines += shown.map { column.cell($0).text }.joined(separator: "  ")
        .wrapped(width: style.width, indent: "  ")
    } else {
      lines += self.lines(shown, columns, style)
    }
    return lines + style.more(rows.count, top: textTop) + notes(shown, table.shown, style)
  }

  private func lines<Row>(
    _ rows: ArraySlice<Row>, _ columns: [ShownColumn<Row>], _ style: Style
  ) -> [String] {
    let (numbers, texts) = (
      columns.filter { $0.kind == .number }, columns.filter { $0.kind != .number }
    )
    let ordered = numbers + texts
    // The columns of text share the width that the numbers leave. The first one shrinks if that is
    // too narrow, and takes the width that the others don't need.
    let flexible = texts.isEmpty ? 0 : numbers.count
    let room = (style.width - 2 - 10 * numbers.count) / max(1, texts.count)
    var text = TextTable(ordered.map { $0.kind == .number ? .right : .left })
    text.add(ordered.map { $0.heading.lowercased() })
    for row in rows {
      text.add(
        ordered.enumerated().map { index, column in
          let cell = column.cell(row).text
          return column.kind == .number || index == flexible
            ? cell : cell.shortened(to: max(12, room))
        })
    }
    return text.lines(flexible: flexible, width: style.width)
  }

  /// The columns that are notes, a sentence for each row that has one.
  private func notes<Row>(
    _ rows: ArraySlice<Row>, _ columns: [ShownColumn<Row>], _ style: Style
  ) -> [String] {
    rows.flatMap { row in
      columns.filter(\.isNote).flatMap { column -> [String] in
        let cell = column.cell(row)
        guard !cell.text.isEmpty else { return [] }
        let remark = cell.remark.isEmpty ? "" : ", \(cell.remark)"
        let name = columns.first?.cell(row).text ?? ""
        return style.note("\(name): \(column.heading.lowercased()) \(cell.text)\(remark)")
      }
    }
  }
}

extension ShownCell {
  /// The cell as a terminal can show it, without its remark.
  fileprivate var text: String {
    switch self {
    case .number(let number): number.grouped
    case .text(let text), .code(let text, _), .link(let text, _): SafeText.escaped(text)
    case .path(let path, _): ReadablePath.shown(path)
    case .rule(let rule): SafeText.escaped(rule.version.mark + rule.pattern)
    case .marks(let marks): SafeText.escaped(marks.joined(separator: ", "))
    }
  }

  /// The remark as a terminal can show it.
  fileprivate var remark: String {
    switch self {
    case .path(_, let remark), .code(_, let remark): ReadablePath.shown(remark)
    case .number, .text, .rule, .marks, .link: ""
    }
  }
}
