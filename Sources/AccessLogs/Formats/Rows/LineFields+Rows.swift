internal import Foundations

/// Reading rows: lines of CSV or JSON that each represent a number of equal requests.
///
/// Their text is that of the log, with the escapes of ``LogEscapes`` below those of CSV or JSON.
extension LineFields {
  /// Finds the fields of a row, which isn't empty; the first one can set the columns.
  ///
  /// - Returns: Why the row has none, or `nil` if it has.
  mutating func readRow(
    _ line: Span<UInt8>, heading: inout ColumnHeading, keys: JSONKeyTree,
    _ shape: inout JSONLineShape
  ) -> RejectionReason? {
    if heading.read(line, as: .rowNames) { return .heading }
    if heading.columns.isEmpty { return keys.scan(line, &shape, into: &self) }
    var (position, column) = (0, 0)
    while let value = line.nextCSVValue(&position) {
      // A quotation mark in an unquoted value is the rest of a value that contained a line feed.
      let isBroken =
        !value.isQuoted && line.extracting(value.range).firstIndex(of: UInt8(ascii: "\"")) != nil
      guard column < heading.columns.count, !isBroken else {
        failure = value.range.lowerBound
        return .noFields
      }
      if let field = heading.columns[column], !line.isAbsent(value.range),
        value.isQuoted || !line.extracting(value.range).isNull
      {
        set(
          field, value.range.lowerBound, value.range.upperBound,
          value.holdsQuotes ? .doubledQuotes : .escaped)
      }
      column += 1
    }
    guard column == heading.columns.count else {
      failure = line.count
      return .noFields
    }
    return nil
  }

  /// Makes a record from a row's fields, with the same definition of a request as the parser of the
  /// common formats.
  func rowRecord(in line: Span<UInt8>, into text: inout [UInt8]) -> LogLine {
    func append(_ field: LogField) -> Range<Int>? {
      guard holds(field) else { return nil }
      let start = text.count
      self[field].encoding.appendLogged(line.extracting(self[field].range), to: &text)
      return start..<text.count
    }

    guard let target = append(.target) else {
      return .rejected(holds(.status) ? .noTarget : .noRequest)
    }
    // Any number of up to three digits, as in the common formats.
    guard holds(.status), self[.status].range.count <= 3,
      let status = line.decimal(self[.status].range)
    else { return .rejected(.noStatus) }
    guard rowCount(in: line) != nil else { return .rejected(.noCount) }
    var method = append(.method)
    if let method, !text.span.isToken(method) { return .rejected(.noTarget) }
    if method == nil {
      // As in logs without methods, pages and files are requested by GET.
      text.append(contentsOf: "GET".utf8)
      method = (text.count - 3)..<text.count
    }
    var record = LogRecord(
      method: method ?? 0..<0, target: target, status: UInt16(truncatingIfNeeded: status))
    record.time = append(hasFirstOnDay(in: line) ? .time : .date)
    record.host = append(.host)
    record.referrer = append(.referrer)
    record.agent = append(.agent)
    record.isSubresource = isSubresource(in: line)
    return .request(record)
  }

  /// Returns the number of requests of a row, and the position of the time of the last one, or `nil`
  /// if only the day is known, because there are no times, or the first one is on another day.
  func rowFigures(in line: Span<UInt8>) -> (count: Int, lastTime: Range<Int>?) {
    (
      rowCount(in: line) ?? 1,
      holds(.lastTime) && hasFirstOnDay(in: line) ? self[.lastTime].range : nil
    )
  }

  /// Returns whether a row has the time of its first request; a day in the row must match.
  private func hasFirstOnDay(in line: Span<UInt8>) -> Bool {
    guard holds(.time), holds(.date) else { return holds(.time) }
    let first = line.extracting(self[.time].range).extracting(first: 10)
    return first.isEqual(to: line.extracting(self[.date].range).extracting(first: 10))
  }

  /// The number of requests that a row represents, or `nil` if it has none.
  private func rowCount(in line: Span<UInt8>) -> Int? {
    guard holds(.count), self[.count].range.count <= 14,
      let count = line.decimal(self[.count].range), (1...LogFormat.rowCountLimit).contains(count)
    else { return nil }
    return count
  }
}

extension FieldEncoding {
  /// Appends a field whose text has the escapes of ``LogEscapes`` under those of its line.
  fileprivate func appendLogged(_ field: Span<UInt8>, to output: inout [UInt8]) {
    switch self {
    case .json, .doubledQuotes:
      var escaped: [UInt8] = []
      append(field, to: &escaped)
      LogEscapes.append(undoing: escaped.span, to: &output)
    default: field.append(to: &output)
    }
  }
}

extension Span<UInt8> {
  /// The next value of a line of CSV (RFC 4180), or `nil` at the end.
  ///
  /// An unquoted value is read verbatim, with its blanks.
  func nextCSVValue(
    _ position: inout Int
  ) -> (range: Range<Int>, isQuoted: Bool, holdsQuotes: Bool)? {
    guard position <= count else { return nil }
    let start = position
    guard start < count, byte(start) == UInt8(ascii: "\"") else {
      let end = firstIndex(of: UInt8(ascii: ","), from: start) ?? count
      position = end + 1
      return (start..<end, false, false)
    }
    var (search, holdsQuotes) = (start + 1, false)
    while let quote = firstIndex(of: UInt8(ascii: "\""), from: search) {
      if quote + 1 == count || byte(quote + 1) == UInt8(ascii: ",") {
        position = quote + 2
        return ((start + 1)..<quote, true, holdsQuotes)
      }
      (search, holdsQuotes) = (quote + 2, true)
    }
    // The quote has no end, so the rest of the line is not a value.
    position = count + 1
    return (count..<count, true, false)
  }

  /// Whether an unquoted value means that there is none, as databases write it.
  fileprivate var isNull: Bool { isOne(of: ["\\N", "null", "NULL"]) }

  /// Returns whether a token, such as a method, is at a position (RFC 9110, 5.6.2).
  fileprivate func isToken(_ range: Range<Int>) -> Bool {
    !range.isEmpty && range.allSatisfy { self[$0].isTokenByte }
  }
}

extension JSONKeyTree {
  /// The names of columns and keys of rows; if a row has several for a field, the first one holds it.
  static let rowNames = JSONKeyTree([
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
  ])
}

extension LogFormat {
  /// The maximum number of requests in a row, and in a digest.
  package static let rowCountLimit = 1 << 44

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
    let text = String(decoding: line.extracting(first: 4_096).array, as: UTF8.self)
    return text.hasPrefix("{")
      && ["target", "status", "count"].allSatisfy { text.contains("\"\($0)\":") }
  }
}
