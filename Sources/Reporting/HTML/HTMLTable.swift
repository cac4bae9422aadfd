internal import LinkAuditing

extension HTMLWriter {
  private static let firstPage = 25

  /// Writes a table whose first column names a row.
  ///
  /// The first rows are markup. The others are data, which a script shows page by page.
  func write(_ table: DocumentTable) {
    let caption = table.title + captionEnd
    let rows = table.rows(min(limit, table.limit))
    let columns = table.columns(filledBy: rows)
    // The number of other rows, which the page does not hold.
    let rest = table.count - rows.count
    // The column by which the rows are ordered, the greatest first.
    let sorted = columns.firstIndex { $0.kind == .number }.flatMap { column -> String? in
      let weights = rows.map { row in
        if case .number(let number) = columns[column].cell(row) { number } else { 0 }
      }
      return zip(weights, weights.dropFirst()).allSatisfy { $0 >= $1 } ? String(column) : nil
    }
    block(
      "div",
      [
        "class": "table", "data-name": caption, "data-header": "0",
        "data-sorted": sorted, "data-rest": rest > 0 ? String(rest) : nil,
      ]
    ) {
      element("div", ["class": "scroll"]) {
        element("table") {
          element("caption", caption)
          element("thead") {
            element("tr") {
              for column in columns {
                element(
                  "th", ["scope": "col", "data-kind": column.kind.rawValue, "title": column.help],
                  column.title)
              }
            }
          }
          element("tbody") {
            for row in rows.prefix(Self.firstPage) {
              trusted("\n")
              element("tr") {
                for (index, column) in columns.enumerated() {
                  let (cell, kind) = (column.cell(row), column.kind.rawValue)
                  if index == 0 {
                    element("th", ["scope": "row", "class": kind]) { write(cell) }
                  } else {
                    element("td", ["class": kind]) { write(cell) }
                  }
                }
              }
            }
          }
        }
      }
      let later = rows.dropFirst(Self.firstPage)
      if !later.isEmpty {
        element(
          "p", ["class": "more"],
          "The first \(Self.firstPage) of \(table.count.grouped) rows. "
            + "To show the others, enable JavaScript.")
      }
      if rest > 0 {
        element(
          "p", ["class": "hint"],
          "\(rest.counted("more row")) \(rest == 1 ? "is" : "are") not in this page; "
            + "set their number with --top, or see the CSV report for all.")
      }
      guard !later.isEmpty else { return }
      var json = "["
      for (index, row) in later.enumerated() {
        json += index > 0 ? ",\n[" : "["
        json += columns.map { $0.cell(row).json }.joined(separator: ",") + "]"
      }
      data(json + "]")
    }
  }

  private func write(_ cell: TableValue) {
    switch cell {
    case .path, .code, .rule:
      let (shown, remark) = cell.code
      if !shown.text.isEmpty { code(shown) }
      if !remark.isEmpty { element("small", remark) }
    case .texts(let marks):
      for (index, mark) in marks.enumerated() {
        if index > 0 { text(" ") }
        element("span", ["class": "mark"], mark)
      }
    case .link(let text, let target): element("a", ["href": "#\(target)"], text)
    default: text(cell.text)
    }
  }
}

extension TableValue {
  fileprivate var code: (shown: ShownText, remark: String) {
    if case .path(let path, let remark) = self {
      (ShownText(path: path), remark)
    } else {
      (ShownText(text), remark)
    }
  }

  /// The cell as the page's script reads it.
  fileprivate var json: String {
    switch self {
    case .number(let number): return String(number)
    case .path, .code, .rule:
      let (shown, remark) = code
      if let title = shown.title { return Self.json([shown.text, remark, title]) }
      return remark.isEmpty ? HTMLWriter.json(shown.text) : Self.json([shown.text, remark])
    case .texts(let marks): return Self.json(marks)
    case .link(let text, let target): return Self.json([text, target])
    default: return HTMLWriter.json(text)
    }
  }

  private static func json(_ texts: [String]) -> String {
    "[" + texts.map(HTMLWriter.json).joined(separator: ",") + "]"
  }
}
