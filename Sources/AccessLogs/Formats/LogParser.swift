/// A parser for the lines of any format.
///
/// It copies the fields into one text, with one kind of escapes, so that readers of records need to
/// know nothing of formats.
public struct LogParser {
  /// The bytes of the records that have been parsed since ``reset()``; their positions
  /// are positions in it.
  public private(set) var text: [UInt8] = []

  /// The state that directives have set so far.
  package var heading = ColumnHeading()

  private let engines: [LineEngine]
  private let lineLimit: Int
  private var fields = LineFields()

  /// The keys of JSON that each engine has found in its last line.
  private var keys: [JSONKnownKeys]

  /// A Boolean value indicating whether the lines are rows, before which no collector writes anything.
  private let readsRows: Bool

  /// The number of bytes that a collector has put before the line.
  private var prefixLength = 0

  /// A Boolean value indicating whether Docker has written the lines as JSON.
  private let isDockerLog: Bool

  /// Whether the line before was cut by a collector: by Docker, or by Kubernetes, of standard output
  /// and of standard error.
  private var cut = (docker: false, output: false, error: false)

  /// The line that was in Docker's last one, or empty if that was parsed as it is.
  private var inner: [UInt8] = []
  private var escaped: [UInt8] = []

  /// Creates a parser for lines of a format that have at most `lineLimit` bytes.
  public init(_ format: LogFormat, lineLimit: Int = LogReader.defaultLineLimit) {
    self.lineLimit = lineLimit
    isDockerLog = format.isDockerLog
    readsRows = format.hasRows
    engines = format.layouts.map { LineEngine($0, lineLimit: lineLimit) }
    keys = engines.map { _ in JSONKnownKeys() }
  }

  /// Begins with the lines of another part of a log.
  ///
  /// - Parameter heading: The directives before it.
  package mutating func begin(after heading: ColumnHeading) {
    self.heading = heading
    cut = (false, false, false)
    reset()
  }

  /// Forgets the text of the records so far.
  public mutating func reset() { text.removeAll(keepingCapacity: true) }

  /// Parses a line, given without its line terminator.
  public mutating func parse(_ line: Span<UInt8>) -> LogLine {
    fields.removeAll()
    prefixLength = 0
    guard line.count > 0 else { return .rejected(.emptyLine) }
    guard line.count <= lineLimit else { return .rejected(.lineTooLong) }
    if readsRows { return parseLine(line) }
    guard isDockerLog else { return parsePrefixed(line) }
    // Taken out, so that it can be read while this is changed.
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
    if case .rejected = parsed, readsJSON {
      // Formats of JSON unwrap lines themselves.
      if case .request(let record) = parsePrefixed(line) { return .request(record) }
      fields.removeAll()
    }
    self.inner = inner
    return parsed
  }

  /// Rejects the last part of a line that was cut, unless it is a directive.
  private mutating func rejectPart(_ parsed: LogLine, _ length: Int) -> LogLine {
    text.removeLast(text.count - length)
    fields.removeAll()
    return parsed == .rejected(.heading) ? parsed : .rejected(.partialLine)
  }

  private var readsJSON: Bool {
    engines.allSatisfy { if case .json = $0 { true } else { false } }
  }

  /// Parses a line with what a collector has put before it.
  private mutating func parsePrefixed(_ line: Span<UInt8>) -> LogLine {
    guard line.count > 0 else { return .rejected(.emptyLine) }
    prefixLength = 0
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
      prefixLength = start
      return parseLine(line.extracting(start..<line.count))
    }
    return parseLine(line)
  }

  private mutating func parseLine(_ line: Span<UInt8>) -> LogLine {
    var outcome = RejectionReason.noFields
    for index in engines.indices {
      let start = text.count
      switch engines[index].parse(line, heading: &heading, &fields, &keys[index], into: &text) {
      case .request(let record): return .request(record)
      // A directive is for all layouts, whatever else it looks like.
      case .rejected(.heading): return .rejected(.heading)
      case .rejected(let reason):
        text.removeLast(text.count - start)
        // The reason of the layout that came nearest.
        if reason.nearness > outcome.nearness { outcome = reason }
      }
    }
    return .rejected(outcome)
  }

  /// The figures of the row that was parsed last, if it is a request.
  package func figures(of row: Span<UInt8>) -> RowFigures {
    RowParser.figures(of: fields, in: row)
  }

  /// Where the line that was parsed last has the size of the response, or `nil` if its
  /// format has none, or isn't one of columns, keys or templates.
  private var sizeRange: Range<Int>? {
    guard fields[.size].isPresent else { return nil }
    let (range, start) = (fields[.size].range, prefixLength + fields.start)
    return (range.lowerBound + start)..<(range.upperBound + start)
  }

  /// A Boolean value indicating whether the line that was parsed last has a field for the size.
  var hasSize: Bool { fields[.size].isPresent }

  /// Calls `body` with the field for the size of the line that was parsed last, if there is one.
  func withSize<Result>(in line: Span<UInt8>, _ body: (Span<UInt8>) -> Result?) -> Result? {
    guard let range = sizeRange else { return nil }
    return body(inner.isEmpty ? line.extracting(range) : inner.span.extracting(range))
  }

  /// A Boolean value indicating whether the line that was parsed last has a field for the
  /// status, and is no line of one of the common formats.
  var hasOwnStatus: Bool { fields[.status].isPresent || fields[.resultAndStatus].isPresent }

  /// The number of bytes read of the last rejected line.
  public var failurePosition: Int {
    fields.failure > 0 && inner.isEmpty ? fields.failure + fields.start + prefixLength : 0
  }
}
