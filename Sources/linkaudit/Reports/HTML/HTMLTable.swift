internal import LinkAuditing

/// A table of a page: the first rows as markup, the others as data, from which a script
/// shows them page by page.
struct HTMLTable {
  /// The kind of values in a column.
  enum Kind: String {
    case number
    case share
    case text
    case code
    case marks
    case link
  }

  struct Column {
    let title: String
    let kind: Kind

    /// The meaning of the figure, in a few words, where its title doesn't say it.
    var help: String?

    init(_ title: String, _ kind: Kind, help: String? = nil) {
      (self.title, self.kind, self.help) = (title, kind, help)
    }
  }

  enum Cell {
    case number(Int)
    case text(String)

    /// Text in code, and a remark on it.
    case code(ShownText, remark: String = "")
    case marks([String])

    /// The text of a link, and the element to which it leads.
    case link(String, to: String)
  }

  /// The name of the table for screen readers.
  let caption: String
  let columns: [Column]

  /// The column that names a row.
  var header = 0

  /// The column by which the rows are ordered, the greatest first, or `nil` for another
  /// order.
  var sorted: Int?
  private(set) var rows: [[Cell]] = []

  /// How many rows there are besides these, which the page does not hold.
  private var rest = 0

  /// How many rows are markup.
  static let firstPage = 25

  /// Creates a table of elements, of which `limit` get a row.
  init<Element>(
    _ caption: String, _ columns: [Column], header: Int = 0, sorted: Int? = nil,
    _ elements: [Element], limit: Int, row: (Element) -> [Cell]
  ) {
    self.caption = caption
    self.columns = columns
    self.header = header
    self.sorted = sorted
    rows = elements.prefix(limit).map(row)
    rest = elements.count - rows.count
  }

  func write(to page: inout HTMLWriter) {
    let sorted = sorted.map(String.init)
    page.line {
      $0.element(
        "div",
        [
          "class": "table", "data-name": caption, "data-header": String(header),
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

  private func write(_ row: [Cell], to page: inout HTMLWriter) {
    page.trusted("\n")
    page.element("tr") { page in
      for (index, cell) in row.enumerated() {
        let kind = columns[index].kind.rawValue
        if index == header {
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
          + "The others are in this page, and need JavaScript to be shown.")
    }
    if rest > 0 {
      page.element(
        "p", ["class": "hint"],
        "\(rest.counted("more row")) \(rest == 1 ? "is" : "are") not in this page; "
          + "--top says how many are, and the report in CSV has them all.")
    }
    guard more > 0 else { return }
    var json = "["
    for (index, row) in rows.dropFirst(Self.firstPage).enumerated() {
      json += index > 0 ? ",\n[" : "["
      for (index, cell) in row.enumerated() {
        if index > 0 { json += "," }
        json += cell.json
      }
      json += "]"
    }
    page.data(json + "]")
  }
}

extension HTMLTable.Cell {
  fileprivate func write(to page: inout HTMLWriter) {
    switch self {
    case .number(let number): page.text(number.grouped)
    case .text(let text): page.text(text)
    case .code(let shown, let remark):
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

  /// The cell as the page's script reads it.
  fileprivate var json: String {
    switch self {
    case .number(let number): String(number)
    case .text(let text): JSONText.quoted(text)
    case .code(let shown, let remark):
      if let title = shown.title {
        Self.json([shown.text, remark, title])
      } else if remark.isEmpty {
        JSONText.quoted(shown.text)
      } else {
        Self.json([shown.text, remark])
      }
    case .marks(let marks): Self.json(marks)
    case .link(let text, let target): Self.json([text, target])
    }
  }

  private static func json(_ texts: [String]) -> String {
    "[" + texts.map(JSONText.quoted).joined(separator: ",") + "]"
  }
}

/// JSON strings that can stand inside a script element.
enum JSONText {
  /// The text between quotation marks, with control and bidirectional characters shown as
  /// `\u{…}`, and nothing in it that could end the element or begin a comment.
  static func quoted(_ text: String) -> String {
    var output: [UInt8] = [UInt8(ascii: "\"")]
    for byte in SafeText.escaped(text).utf8 {
      switch byte {
      case UInt8(ascii: "\""): output.append(contentsOf: "\\\"".utf8)
      case UInt8(ascii: "\\"): output.append(contentsOf: "\\\\".utf8)
      case UInt8(ascii: "<"): output.append(contentsOf: "\\u003C".utf8)
      case UInt8(ascii: ">"): output.append(contentsOf: "\\u003E".utf8)
      case UInt8(ascii: "&"): output.append(contentsOf: "\\u0026".utf8)
      default: output.append(byte)
      }
    }
    output.append(UInt8(ascii: "\""))
    return String(decoding: output, as: UTF8.self)
  }
}
