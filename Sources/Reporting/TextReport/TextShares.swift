internal import LinkAuditing

/// A table of the parts of some traffic: a bar, visits, requests, and their shares of the whole.
struct TextShares {
  private let name: String
  private let whole: Traffic
  private let style: Style
  private var rows: [(cells: [String], traffic: Traffic)]

  /// Creates a table without parts.
  ///
  /// - Parameters:
  ///   - name: The heading of the parts.
  ///   - whole: The traffic of all parts.
  ///   - style: The style of text.
  init(_ name: String, of whole: Traffic, style: Style) {
    (self.name, self.whole, self.style) = (name, whole, style)
    rows = []
  }

  /// Adds a part.
  mutating func add(_ name: String, _ traffic: Traffic) {
    let cells = [
      name, traffic.visits.grouped, traffic.visits.percent(of: whole.visits),
      traffic.requests.grouped, traffic.requests.percent(of: whole.requests),
    ]
    rows.append((cells, traffic))
  }

  /// The lines, with bars as long as the other columns allow.
  func lines() -> [String] {
    let heads = [name, "visits", "share", "requests", "share"]
    let widths = heads.indices.map { column in
      rows.map { $0.cells[column].displayWidth }.reduce(heads[column].displayWidth, max)
    }
    // Two columns are the margin, and two are between columns.
    let rest = style.width - 2 - 2 * heads.count - widths.reduce(0, +)
    let columns = min(style.barColumns, max(0, rest))
    var table = TextTable([.left, .left, .right, .right, .right, .right])
    table.add([heads[0], ""] + heads.dropFirst())
    for row in rows {
      table.add([row.cells[0], bar(row.traffic, columns)] + row.cells.dropFirst())
    }
    return table.lines(flexible: 1, width: style.width)
  }

  /// A bar of the share of visits, or of requests if there are no visits at all.
  private func bar(_ traffic: Traffic, _ columns: Int) -> String {
    whole.visits > 0
      ? style.bar(traffic.visits, of: whole.visits, columns: columns)
      : style.bar(traffic.requests, of: whole.requests, columns: columns)
  }
}
