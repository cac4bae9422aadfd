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

  private let engines: [LineEngine]
  private let lineLimit: Int
  private var fields = LineFields()

  /// The number of bytes that a collector has put in front of the line.
  private var prefixLength = 0

  /// Creates a parser for lines of a format that have at most `lineLimit` bytes.
  public init(_ format: LogFormat, lineLimit: Int = LogReader.defaultLineLimit) {
    self.lineLimit = lineLimit
    engines = format.layouts.map { LineEngine($0, lineLimit: lineLimit) }
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
      switch engines[index].parse(line, heading: &heading, &fields, into: &text) {
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

  /// Where the line that was parsed last has the size of the response, or `nil` if its
  /// format has none, or isn't one of columns, keys or templates.
  var sizeRange: Range<Int>? {
    guard fields[.size].isPresent else { return nil }
    let range = fields[.size].range
    return (range.lowerBound + prefixLength)..<(range.upperBound + prefixLength)
  }

  /// A Boolean value indicating whether the line that was parsed last has a field for the
  /// status, and is no line of one of the common formats.
  var hasOwnStatus: Bool { fields[.status].isPresent || fields[.resultAndStatus].isPresent }

  /// How far the line that was rejected last could be read, in bytes.
  public var failurePosition: Int { fields.failure > 0 ? fields.failure + prefixLength : 0 }
}
