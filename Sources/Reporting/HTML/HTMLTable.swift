internal import LinkAuditing

/// A table of a page.
///
/// The first rows are markup. The others are data, which a script shows page by page.
struct HTMLTable {
  private let caption: String
  private let columns: [ShownColumn<[ShownCell]>]

  /// The column by which the rows are ordered, the greatest first, or `nil` for another
  /// order.
  private let sorted: Int?
  private let rows: [[ShownCell]]

  /// The number of other rows, which the page does not hold.
  private let rest: Int
  private static let firstPage = 25

  /// Creates a table with at most `limit` rows; the first column names a row.
  ///
  /// `name` is the end of the caption, which differs from those of other sites.
  init(_ table: DocumentTable, name: String, limit: Int) {
    caption = table.title + name
    let rows = table.rows(min(limit, table.limit))
    let columns = table.columns(filledBy: rows)
    (self.columns, self.rows, rest) = (columns, rows, table.count - rows.count)
    let first = columns.firstIndex { $0.kind == .number }
    let weights = first.map { index in
      rows.map { row in
        if case .number(let number) = columns[index].cell(row) { number } else { 0 }
      }
    }
    let isSorted = weights.map { zip($0, $0.dropFirst()).allSatisfy { $0 >= $1 } } ?? false
    sorted = isSorted ? first : nil
  }

  func write(to page: inout HTMLWriter) {
    let sorted = sorted.map(String.init)
    page.block(
      "div",
      [
        "class": "table", "data-name": caption, "data-header": "0",
        "data-sorted": sorted, "data-rest": rest > 0 ? String(rest) : nil,
      ]
    ) { page in
      page.element("div", ["class": "scroll"]) { page in
        page.element("table") { page in
          page.element("caption", caption)
          writeHead(to: &page)
          page.element("tbody") { page in
            for row in rows.prefix(Self.firstPage) { write(row, to: &page) }
          }
        }
      }
      writeRest(to: &page)
    }
  }

  private func writeHead(to page: inout HTMLWriter) {
    page.element("thead") { page in
      page.element("tr") { page in
        for column in columns {
          page.element(
            "th", ["scope": "col", "data-kind": column.kind.rawValue, "title": column.help],
            column.title)
        }
      }
    }
  }

  private func write(_ row: [ShownCell], to page: inout HTMLWriter) {
    page.trusted("\n")
    page.element("tr") { page in
      for (index, column) in columns.enumerated() {
        let (cell, kind) = (column.cell(row), column.kind.rawValue)
        if index == 0 {
          page.element("th", ["scope": "row", "class": kind]) { cell.write(to: &$0) }
        } else {
          page.element("td", ["class": kind]) { cell.write(to: &$0) }
        }
      }
    }
  }

  private func writeRest(to page: inout HTMLWriter) {
    let more = max(0, rows.count - Self.firstPage)
    if more > 0 {
      page.element(
        "p", ["class": "more"],
        "The first \(Self.firstPage) of \((rows.count + rest).grouped) rows. "
          + "To show the others, enable JavaScript.")
    }
    if rest > 0 {
      page.element(
        "p", ["class": "hint"],
        "\(rest.counted("more row")) \(rest == 1 ? "is" : "are") not in this page; "
          + "set their number with --top, or see the CSV report for all.")
    }
    guard more > 0 else { return }
    var json = "["
    for (index, row) in rows.dropFirst(Self.firstPage).enumerated() {
      json += index > 0 ? ",\n[" : "["
      json += columns.map { $0.cell(row).json }.joined(separator: ",") + "]"
    }
    page.data(json + "]")
  }
}

extension ShownCell {
  fileprivate func write(to page: inout HTMLWriter) {
    switch self {
    case .number(let number): page.text(number.grouped)
    case .text(let text): page.text(text)
    case .path, .code, .rule:
      let (shown, remark) = code
      if !shown.text.isEmpty { page.element("code", ["title": shown.title], shown.text) }
      if !remark.isEmpty { page.element("small", remark) }
    case .marks(let marks):
      for (index, mark) in marks.enumerated() {
        if index > 0 { page.text(" ") }
        page.element("span", ["class": "mark"], mark)
      }
    case .link(let text, let target): page.element("a", ["href": "#\(target)"], text)
    }
  }

  private var code: (shown: ShownText, remark: String) {
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
    case .text(let text): return HTMLWriter.json(text)
    case .path, .code, .rule:
      let (shown, remark) = code
      if let title = shown.title { return Self.json([shown.text, remark, title]) }
      return remark.isEmpty ? HTMLWriter.json(shown.text) : Self.json([shown.text, remark])
    case .marks(let marks): return Self.json(marks)
    case .link(let text, let target): return Self.json([text, target])
    }
  }

  private static func json(_ texts: [String]) -> String {
    "[" + texts.map(HTMLWriter.json).joined(separator: ",") + "]"
  }
}
