internal import LinkAuditing

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
