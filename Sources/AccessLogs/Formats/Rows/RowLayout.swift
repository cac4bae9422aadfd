internal import Foundations

/// The columns of rows: lines of CSV or JSON that each represent a number of equal requests.
///
/// Their text is that of the log, with the escapes of ``LogEscapes`` below those of CSV or JSON.
package enum RowLayout {
  /// The names of columns and keys; if a row has several for a field, the first one holds it.
  static let names: KeyValuePairs<LogField, [String]> = [
    .date: ["day", "date"],
    .time: ["first"],
    .lastTime: ["last"],
    .host: ["host"],
    .method: ["method"],
    .target: ["target"],
    .status: ["status"],
    .referrer: ["referrer", "referer"],
    .agent: ["agent", "user_agent"],
    .fetchMetadata: ["sec_fetch_dest", "sec_fetch_mode"],
    .size: ["size"],
    .count: ["count"],
  ]

  /// The same, as keys of rows in JSON.
  static let keys = JSONKeyTree(names)

  /// The layout of rows in CSV, whose first line names the columns.
  static let columns = ColumnLayout(heading: .rowNames)

  /// Returns a Boolean value indicating whether the first line of a file shows that the file holds
  /// rows, not lines of a log.
  ///
  /// Such a line has the names of columns, or an object with a count.
  package static func isRow(_ line: Span<UInt8>) -> Bool {
    // Text that isn't ASCII can begin with a mark.
    guard line.count > 0,
      line[0] == UInt8(ascii: "{") || line[0] >= 0x80
        || ["status", "Status", "STATUS"].contains(where: { line.contains($0) })
    else { return false }
    var heading = ColumnHeading()
    if heading.read(line, as: .rowNames) {
      return [.target, .status, .count].allSatisfy { heading.columns.contains($0) }
    }
    var bytes: [UInt8] = []
    line.extracting(first: 4_096).append(to: &bytes)
    let text = String(decoding: bytes, as: UTF8.self)
    return text.hasPrefix("{")
      && ["target", "status", "count"].allSatisfy { text.contains("\"\($0)\":") }
  }
}

/// A row's figures, besides the fields that every request has.
package struct RowFigures: Hashable, Sendable {
  /// The maximum number of requests in a row, and in a digest.
  package static let countLimit = 1 << 44

  /// The number of requests.
  package var count = 1

  /// The position in the line of the time of the last request, or `nil` if only the day is known.
  ///
  /// Only the day is known if there are no times, or if the first one is on another day.
  package var lastTime: Range<Int>?
}
