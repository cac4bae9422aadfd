internal import Foundations

/// A parser for the lines of any format.
///
/// It copies the fields into one text, with one kind of escapes, so that readers of records don't
/// depend on formats.
public struct LogParser {
  /// The bytes of the records that have been parsed since ``reset()``; their positions
  /// are positions in it.
  public private(set) var text: [UInt8] = []

  /// The state that directives have set so far.
  package var heading = ColumnHeading()

  private let layouts: [LogFormat.Layout]
  private let lineLimit: Int
  private var fields = LineFields()

  /// The shape of the lines of each layout, which those of JSON use.
  private var shapes: [JSONLineShape]

  /// A Boolean value indicating whether the lines are rows, which have no prefix of a collector.
  private let readsRows: Bool

  private let isDockerLog: Bool

  /// Whether a collector cut the previous line: Docker, or Kubernetes on standard output or on
  /// standard error.
  private var cut = (docker: false, output: false, error: false)

  /// The line inside Docker's last one, or empty if that was parsed directly.
  private var inner: [UInt8] = []
  private var escaped: [UInt8] = []

  /// Creates a parser for lines of a format that have at most `lineLimit` bytes.
  public init(_ format: LogFormat, lineLimit: Int = LogReader.defaultLineLimit) {
    self.lineLimit = lineLimit
    isDockerLog = format.isDockerLog
    readsRows = format.hasRows
    layouts = format.layouts.map { $0.copied(lineLimit: lineLimit) }
    shapes = layouts.map { _ in JSONLineShape() }
  }

  /// Starts parsing the lines of another part of a log.
  ///
  /// - Parameter heading: The directives before it.
  package mutating func begin(after heading: ColumnHeading) {
    self.heading = heading
    cut = (false, false, false)
    reset()
  }

  /// Discards the text of the records so far.
  public mutating func reset() { text.removeAll(keepingCapacity: true) }

  /// Parses a line, given without its line terminator.
  public mutating func parse(_ line: Span<UInt8>) -> LogLine {
    fields.removeAll()
    guard line.count > 0 else { return .rejected(.emptyLine) }
    guard line.count <= lineLimit else { return .rejected(.lineTooLong) }
    if readsRows { return parseLine(line) }
    guard isDockerLog else { return parsePrefixed(line) }
    // Moved out, so that it can be read while this value changes.
    var inner = inner
    self.inner = []
    inner.removeAll(keepingCapacity: true)
    guard line.appendDockerLine(to: &inner, &escaped) else { return parsePrefixed(line) }
    let (isPartial, goesOn) = (line.isPartialDockerLine(inner.count), cut.docker)
    cut.docker = isPartial
    if isPartial { return .rejected(.partialLine) }
    let length = text.count
    let parsed = parsePrefixed(inner.span)
    if goesOn { return rejectPart(parsed, length) }
    if case .rejected = parsed, layouts.allSatisfy({ if case .json = $0 { true } else { false } }) {
      // Formats of JSON unwrap lines themselves.
      if case .request(let record) = parsePrefixed(line) { return .request(record) }
      fields.removeAll()
    }
    self.inner = inner
    return parsed
  }

  /// Rejects the last part of a cut line, unless it is a directive.
  private mutating func rejectPart(_ parsed: LogLine, _ length: Int) -> LogLine {
    text.removeLast(text.count - length)
    fields.removeAll()
    return parsed == .rejected(.heading) ? parsed : .rejected(.partialLine)
  }

  private mutating func parsePrefixed(_ line: Span<UInt8>) -> LogLine {
    guard line.count > 0 else { return .rejected(.emptyLine) }
    if let start = line.collectorPrefixEnd {
      if let part = line.collectorPart {
        let goesOn = part.isError ? cut.error : cut.output
        if part.isError { cut.error = part.isPartial } else { cut.output = part.isPartial }
        if part.isPartial { return .rejected(.partialLine) }
        if goesOn {
          let length = text.count
          return rejectPart(parseLine(line.extracting(start..<line.count)), length)
        }
      }
      let parsed = parseLine(line.extracting(start..<line.count))
      fields.start += start
      guard case .rejected(let reason) = parsed, reason != .heading,
        line.servicePrefixEnd == start
      else { return parsed }
      // The first column of a format can look like the name of a service, also after escapes.
      let wholeStart = line.escapesEnd(from: 0)
      let whole = parseLine(line.extracting(wholeStart..<line.count))
      fields.start += wholeStart
      if case .request = whole { return whole }
      return parsed
    }
    return parseLine(line)
  }

  private mutating func parseLine(_ line: Span<UInt8>) -> LogLine {
    var outcome = RejectionReason.noFields
    for index in layouts.indices {
      let start = text.count
      switch layouts[index].parse(line, heading: &heading, &fields, &shapes[index], into: &text) {
      case .request(let record): return .request(record)
      // A directive applies to all layouts, whatever else it looks like.
      case .rejected(.heading): return .rejected(.heading)
      case .rejected(let reason):
        text.removeLast(text.count - start)
        // The reason of the layout that came closest.
        if reason.nearness > outcome.nearness { outcome = reason }
      }
    }
    return .rejected(outcome)
  }

  /// The figures of the row that was parsed last, if it is a request: the number of requests, and the
  /// position in the row of the time of the last one, or `nil` if only the day is known.
  package func figures(of row: Span<UInt8>) -> (count: Int, lastTime: Range<Int>?) {
    fields.rowFigures(in: row)
  }

  /// The number of bytes of the response of the request that was parsed last, or `nil` if its line
  /// doesn't have it.
  ///
  /// Records don't have it, because only a few requests need it.
  ///
  /// - Parameters:
  ///   - record: The request.
  ///   - line: Its line.
  /// - Returns: The number of bytes.
  package func size(of record: LogRecord, in line: Span<UInt8>) -> Int? {
    guard fields.holds(.size) else {
      // The fields of a common format are in the text as in the line.
      let isCommon = !fields.holds(.status) && !fields.holds(.resultAndStatus)
      return isCommon ? text.span.size(of: record) : nil
    }
    let size = fields[.size].range
    let range = (size.lowerBound + fields.start)..<(size.upperBound + fields.start)
    return inner.isEmpty ? line.extracting(range).size : inner.span.extracting(range).size
  }

  /// The number of bytes read of the last rejected line.
  public var failurePosition: Int {
    fields.failure > 0 && inner.isEmpty ? fields.failure + fields.start : 0
  }
}

extension Span<UInt8> {
  /// The size that these bytes are; `nil` for other bytes, and for more than 13 digits.
  fileprivate var size: Int? { (1...13).contains(count) ? decimal(indices) : nil }

  /// Returns the number of bytes of the response, which the line of a record in one of the common
  /// formats has after the status, or `nil` if it doesn't.
  package func size(of record: LogRecord) -> Int? {
    var search = record.target.upperBound
    while let quote = firstIndex(of: UInt8(ascii: "\""), from: search) {
      search = quote + 1
      guard status(after: search) == record.status else { continue }
      guard let status = word(from: search, to: count),
        let size = word(from: status.upperBound, to: count)
      else { return nil }
      return extracting(size).size
    }
    return nil
  }
}

/// Reading lines of one layout.
extension LogFormat.Layout {
  /// Returns a copy for one worker, which counts the references to its own boxes.
  fileprivate func copied(lineLimit: Int) -> Self {
    switch self {
    case .common(let parser): .common(parser.limited(to: lineLimit))
    case .columns(let columns): .columns(columns)
    case .json(let keys): .json(keys.copy)
    case .pairs(let names, let areLabels): .pairs(names.copy, areLabels: areLabels)
    case .template(let parser): .template(TemplateLineParser(parser.template))
    case .rows(let keys): .rows(keys.copy)
    case .haproxy: .haproxy
    }
  }

  /// Parses a line, which isn't empty.
  ///
  /// It can change the directives so far. The fields of the line before are forgotten; those of the
  /// record go to the text.
  @inline(__always)
  func parse(
    _ line: Span<UInt8>, heading: inout ColumnHeading, _ fields: inout LineFields,
    _ shape: inout JSONLineShape, into text: inout [UInt8]
  ) -> LogLine {
    guard let start = line.lineHeaderEnd, skipsHeader(upTo: start, of: line, heading) else {
      return parseFields(of: line, heading: &heading, &fields, &shape, into: &text)
    }
    return parse(line, after: start, heading: &heading, &fields, &shape, into: &text)
  }

  @inline(never)
  private func parse(
    _ line: Span<UInt8>, after start: Int, heading: inout ColumnHeading,
    _ fields: inout LineFields, _ shape: inout JSONLineShape, into text: inout [UInt8]
  ) -> LogLine {
    let length = text.count
    let parsed = parseFields(
      of: line.extracting(start..<line.count), heading: &heading, &fields, &shape, into: &text)
    fields.start = start
    guard case .rejected = parsed, case .template = self else { return parsed }
    // Something that the pattern ignores can look like a header.
    text.removeLast(text.count - length)
    return parseFields(of: line, heading: &heading, &fields, &shape, into: &text)
  }

  /// Returns a Boolean value indicating whether the header before a line is separate from it.
  private func skipsHeader(
    upTo end: Int, of line: Span<UInt8>, _ heading: ColumnHeading
  ) -> Bool {
    switch self {
    // These find where their own fields begin.
    case .common, .json, .pairs, .haproxy, .rows: false
    case .columns(let columns): columns.lineStart(in: line, heading) > 0
    case .template(let parser):
      !parser.beginsWithTime || line.extracting(end..<line.count).beginsWithOwnTime
    }
  }

  @inline(__always)
  private func parseFields(
    of line: Span<UInt8>, heading: inout ColumnHeading, _ fields: inout LineFields,
    _ shape: inout JSONLineShape, into text: inout [UInt8]
  ) -> LogLine {
    fields.removeAll()
    let reason: RejectionReason?
    switch self {
    case .common(let parser): return Self.parseCommon(line, parser, into: &text)
    case .columns(let columns): reason = columns.parse(line, heading: &heading, into: &fields)
    case .json(let keys): reason = keys.scan(line, &shape, into: &fields)
    case .pairs(let names, let areLabels):
      reason = names.parsePairs(line, areLabels: areLabels, into: &fields)
    case .template(let parser): reason = parser.parse(line, into: &fields)
    case .haproxy: reason = fields.readHAProxy(line)
    case .rows(let keys):
      reason = fields.readRow(line, heading: &heading, keys: keys, &shape)
      if reason == nil { return fields.rowRecord(in: line, into: &text) }
    }
    if let reason { return .rejected(reason) }
    let parsed = fields.record(in: line, day: heading.lineDay, into: &text)
    // A member of JSON ends with its quote, whatever is in it.
    if case .json = self { return parsed }
    guard case .request(let record) = parsed else { return parsed }
    if let reason = record.tear(in: text.span) { return .rejected(reason) }
    switch self {
    case .columns, .pairs:
      return record.hasTargetForm(in: text.span) ? parsed : .rejected(.noTarget)
    default: return parsed
    }
  }

  private static func parseCommon(
    _ line: Span<UInt8>, _ parser: LogLineParser, into text: inout [UInt8]
  ) -> LogLine {
    let parsed = parser.parse(line)
    guard case .request(let record) = parsed else { return parsed }
    let start = text.count
    line.append(to: &text)
    return .request(record.moved(by: start))
  }
}
