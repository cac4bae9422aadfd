/// A parser for the lines of any format.
///
/// What it finds is rewritten behind one another into a text, with one kind of escapes,
/// so that whoever reads records needs to know nothing of formats.
public struct LogParser {
  /// The bytes of the records that have been parsed since ``reset()``; their positions
  /// are positions in it.
  public private(set) var text: [UInt8] = []

  /// What directives have said so far.
  package var heading = ColumnHeading()

  /// What reads one of the layouts.
  private enum Engine {
    case common(LogLineParser)
    case columns(ColumnLineParser)
    case json(JSONLineScanner)
    case template(TemplateLineParser)
    case haproxy(HAProxyLine)
  }

  private let engines: [Engine]
  private let lineLimit: Int
  private var fields = LineFields()

  /// The number of bytes that a collector has put in front of the line.
  private var prefixLength = 0

  /// Creates a parser for lines of a format that have at most `lineLimit` bytes.
  public init(_ format: LogFormat, lineLimit: Int = LogReader.defaultLineLimit) {
    self.lineLimit = lineLimit
    engines = format.layouts.map { layout in
      switch layout {
      case .common(let layout): .common(LogLineParser(format: layout, lineLimit: lineLimit))
      case .columns(let layout): .columns(ColumnLineParser(layout))
      // Made anew: each worker counts the references to a tree of its own.
      case .json(let tree): .json(JSONLineScanner(JSONKeyTree(tree.paths, wrappers: tree.wrappers)))
      case .template(let template): .template(TemplateLineParser(template))
      case .haproxy: .haproxy(HAProxyLine())
      }
    }
  }

  /// Forgets the text of the records so far.
  public mutating func reset() { text.removeAll(keepingCapacity: true) }

  /// Parses a line, given without its line terminator.
  public mutating func parse(_ line: Span<UInt8>) -> LogLine {
    fields.removeAll()
    prefixLength = 0
    guard line.count > 0 else { return .rejected(.emptyLine) }
    guard line.count <= lineLimit else { return .rejected(.lineTooLong) }
    if let start = line.collectorPrefixEnd {
      prefixLength = start
      return parseLine(line.extracting(start..<line.count))
    }
    return parseLine(line)
  }

  private mutating func parseLine(_ line: Span<UInt8>) -> LogLine {
    var outcome = RejectionReason.noFields
    for index in engines.indices {
      let start = text.count
      switch parse(line, engine: index) {
      case .request(let record): return .request(record)
      case .rejected(let reason):
        text.removeLast(text.count - start)
        // The reason of the layout that came nearest.
        if reason.nearness > outcome.nearness { outcome = reason }
      }
    }
    return .rejected(outcome)
  }

  @inline(__always)
  private mutating func parse(_ line: Span<UInt8>, engine: Int) -> LogLine {
    fields.removeAll()
    let reason: RejectionReason?
    switch engines[engine] {
    case .common(let parser): return parseCommon(line, parser)
    case .columns(let parser): reason = parser.parse(line, heading: &heading, into: &fields)
    case .json(let scanner): reason = scanner.scan(line, into: &fields) ? nil : .noFields
    case .template(let parser): reason = parser.parse(line, into: &fields)
    case .haproxy(let parser): reason = parser.parse(line, into: &fields)
    }
    if let reason { return .rejected(reason) }
    return fields.record(in: line, day: heading.day, into: &text)
  }

  /// How far the line that was rejected last could be read, in bytes.
  public var failurePosition: Int { fields.failure > 0 ? fields.failure + prefixLength : 0 }

  private mutating func parseCommon(_ line: Span<UInt8>, _ parser: LogLineParser) -> LogLine {
    let parsed = parser.parse(line)
    guard case .request(let record) = parsed else { return parsed }
    let start = text.count
    line.append(to: &text)
    return .request(record.moved(by: start))
  }
}
