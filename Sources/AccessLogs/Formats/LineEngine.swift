internal import Foundations

/// A parser that finds the fields of lines of one layout.
enum LineEngine: Sendable {
  case common(LogLineParser)
  case columns(ColumnLineParser)
  case json(JSONLineScanner)
  case pairs(PairLineParser)
  case template(TemplateLineParser)
  case haproxy(HAProxyLine)
  case rows(RowParser)

  /// Creates an engine for lines of a layout that have at most `lineLimit` bytes.
  init(_ layout: LogFormat.Layout, lineLimit: Int = .max) {
    switch layout {
    case .common(let layout):
      self = .common(LogLineParser(format: layout, lineLimit: lineLimit))
    case .columns(let layout): self = .columns(ColumnLineParser(layout))
    // Made anew: each worker counts the references to a tree of its own.
    case .json(let tree):
      self = .json(JSONLineScanner(JSONKeyTree(tree.paths, wrappers: tree.wrappers)))
    case .pairs(let layout): self = .pairs(PairLineParser(layout))
    case .template(let template): self = .template(TemplateLineParser(template))
    case .haproxy: self = .haproxy(HAProxyLine())
    case .rows: self = .rows(RowParser())
    }
  }

  /// Parses a line.
  ///
  /// - Parameters:
  ///   - line: The line, which isn't empty.
  ///   - heading: The directives so far, which this line can change.
  ///   - fields: The fields that were found; those of the line before are forgotten.
  ///   - shape: The shape of this engine's lines, if it reads JSON.
  ///   - text: Where the record's fields go.
  /// - Returns: The request, or another kind of line.
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

  /// Parses a line after a timestamp or a syslog header.
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
    case .columns(let parser): parser.layout.lineStart(in: line, heading) > 0
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
    case .columns(let parser): reason = parser.parse(line, heading: &heading, into: &fields)
    case .json(let scanner): reason = scanner.scan(line, &shape, into: &fields)
    case .pairs(let parser): reason = parser.parse(line, into: &fields)
    case .template(let parser): reason = parser.parse(line, into: &fields)
    case .haproxy(let parser): reason = parser.parse(line, into: &fields)
    case .rows(let parser):
      return parser.parse(line, heading: &heading, &fields, &shape, into: &text)
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
