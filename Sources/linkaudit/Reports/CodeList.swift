/// Codes with a severity and a few words each, for people who look for one.
struct CodeList {
  /// A code.
  struct Row {
    var code: String
    var severity: String
    var title: String
  }

  /// The rows by heading.
  let groups: [(heading: String, rows: [Row])]

  /// The line at the end, which says where there is more.
  let more: String
  let style: Style

  /// The text, with a line feed at the end.
  var text: String {
    let rows = groups.flatMap(\.rows)
    let code = rows.map(\.code.count).max() ?? 0
    let severity = rows.map(\.severity.count).max() ?? 0
    var lines: [String] = []
    for group in groups {
      lines += [style.bold(group.heading)]
      for row in group.rows {
        let start =
          "  " + row.code.padded(to: code) + "  " + row.severity.padded(to: severity) + "  "
        let indent = String(repeating: " ", count: start.count)
        let title = row.title.wrapped(width: style.width, indent: indent)
        lines += [start + (title.first ?? "").dropFirst(start.count)] + title.dropFirst()
      }
      lines.append("")
    }
    return (lines + more.wrapped(width: style.width, indent: "").map(style.dim))
      .joined(separator: "\n") + "\n"
  }
}

extension String {
  /// This text with spaces behind it.
  fileprivate func padded(to length: Int) -> String {
    self + String(repeating: " ", count: max(0, length - count))
  }
}
