internal import Foundations

/// A parser for rows: lines of CSV or JSON that each represent a number of equal requests.
///
/// Their text is that of the log, with the escapes of ``LogEscapes`` below those of CSV or JSON.
package final class RowParser: Sendable {
  private let scanner = JSONLineScanner(RowParser.keys)

  /// Parses a row, which isn't empty; the first one can set the columns.
  func parse(
    _ line: Span<UInt8>, heading: inout ColumnHeading, _ fields: inout LineFields,
    _ shape: inout JSONLineShape, into text: inout [UInt8]
  ) -> LogLine {
    fields.removeAll()
    if heading.read(line, as: .rowNames) { return .rejected(.heading) }
    if heading.columns.isEmpty {
      if let reason = scanner.scan(line, &shape, into: &fields) { return .rejected(reason) }
    } else if let reason = Self.findColumns(of: heading, in: line, &fields) {
      return .rejected(reason)
    }
    return Self.record(of: fields, in: line, into: &text)
  }

  private static func findColumns(
    of heading: ColumnHeading, in line: Span<UInt8>, _ fields: inout LineFields
  ) -> RejectionReason? {
    var (position, column) = (0, 0)
    while let value = line.nextCSVValue(&position) {
      // A quotation mark in an unquoted value is the rest of a value that contained a line feed.
      let isBroken =
        !value.isQuoted && line.extracting(value.range).firstIndex(of: UInt8(ascii: "\"")) != nil
      guard column < heading.columns.count, !isBroken else {
        fields.failure = value.range.lowerBound
        return .noFields
      }
      if let field = heading.columns[column], !line.isAbsent(value.range),
        value.isQuoted || !line.extracting(value.range).isNull
      {
        fields.set(
          field, value.range.lowerBound, value.range.upperBound,
          value.holdsQuotes ? .doubledQuotes : .escaped)
      }
      column += 1
    }
    guard column == heading.columns.count else {
      fields.failure = line.count
      return .noFields
    }
    return nil
  }

  /// Makes a record from a row's fields, with the same definition of a request as the parser of the
  /// common formats.
  private static func record(
    of fields: LineFields, in line: Span<UInt8>, into text: inout [UInt8]
  ) -> LogLine {
    func append(_ field: LogField) -> Range<Int>? {
      guard fields[field].isPresent else { return nil }
      let start = text.count
      fields[field].encoding.appendLogged(line.extracting(fields[field].range), to: &text)
      return start..<text.count
    }

    guard let target = append(.target) else {
      return .rejected(fields[.status].isPresent ? .noTarget : .noRequest)
    }
    guard let status = status(of: fields, in: line) else { return .rejected(.noStatus) }
    guard count(of: fields, in: line) != nil else { return .rejected(.noCount) }
    var method = append(.method)
    if let method, !text.span.isToken(method) { return .rejected(.noTarget) }
    if method == nil {
      // As in logs without methods, pages and files are requested by GET.
      text.append(contentsOf: "GET".utf8)
      method = (text.count - 3)..<text.count
    }
    var record = LogRecord(method: method ?? 0..<0, target: target, status: status)
    record.time = append(hasFirstOnDay(fields, in: line) ? .time : .date)
    record.host = append(.host)
    record.referrer = append(.referrer)
    record.agent = append(.agent)
    if fields[.fetchMetadata].isPresent {
      record.isSubresource = LineFields.isSubresource(
        line.extracting(fields[.fetchMetadata].range))
    }
    return .request(record)
  }

  /// The maximum number of requests in a row, and in a digest.
  package static let countLimit = 1 << 44

  /// The number of requests of a row, and the position of the time of the last one, or `nil` if only
  /// the day is known, because there are no times, or the first one is on another day.
  static func figures(
    of fields: LineFields, in line: Span<UInt8>
  ) -> (count: Int, lastTime: Range<Int>?) {
    (
      count(of: fields, in: line) ?? 1,
      fields[.lastTime].isPresent && hasFirstOnDay(fields, in: line)
        ? fields[.lastTime].range : nil
    )
  }

  /// Returns whether a row has the time of its first request; a day in the row must match.
  private static func hasFirstOnDay(_ fields: LineFields, in line: Span<UInt8>) -> Bool {
    guard fields[.time].isPresent, fields[.date].isPresent else { return fields[.time].isPresent }
    let first = line.extracting(fields[.time].range).extracting(first: 10)
    return first.isEqual(to: line.extracting(fields[.date].range).extracting(first: 10))
  }

  /// The number of requests that a row represents, or `nil` if it has none.
  private static func count(of fields: LineFields, in line: Span<UInt8>) -> Int? {
    guard fields[.count].isPresent, fields[.count].range.count <= 14,
      let count = line.decimal(fields[.count].range),
      (1...countLimit).contains(count)
    else { return nil }
    return count
  }

  /// The status: any number of up to three digits, as in the common formats.
  private static func status(of fields: LineFields, in line: Span<UInt8>) -> UInt16? {
    guard fields[.status].isPresent, fields[.status].range.count <= 3 else { return nil }
    return line.decimal(fields[.status].range).map { UInt16(truncatingIfNeeded: $0) }
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

extension RowParser {
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
    let text = String(decoding: line.extracting(first: 4_096).array, as: UTF8.self)
    return text.hasPrefix("{")
      && ["target", "status", "count"].allSatisfy { text.contains("\"\($0)\":") }
  }
}
