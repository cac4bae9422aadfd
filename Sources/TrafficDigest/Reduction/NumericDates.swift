internal import AccessLogs
internal import Foundations

/// The days of a log that are numbers alone, such as `10/06/2000`, of which either can be the month.
///
/// A log in which some day is above 12 tells its order. It is read to there before its lines count;
/// of standard input, only the first chunk is looked at.
struct NumericDates: Sendable {
  /// The order of days, or `nil` if it isn't known.
  private(set) var order: DateOrder?

  /// A Boolean value indicating whether there are days that can be read in both ways, and nothing
  /// tells which is right.
  private(set) var areAmbiguous = false

  /// The number of requests that show whether a log has such days.
  private static let sampleCount = 50

  /// Looks at the chunk from which on a format is known.
  ///
  /// - Parameters:
  ///   - chunk: The chunk.
  ///   - format: The format of the log.
  ///   - heading: The directives before the chunk.
  ///   - input: The log.
  mutating func begin(
    _ chunk: LineChunk, _ format: LogFormat, _ heading: ColumnHeading, of input: LogInput
  ) {
    guard !areAmbiguous, order == nil else { return }
    var parser = LogParser(format)
    parser.heading = heading
    guard look(at: chunk, &parser, upTo: Self.sampleCount), order == nil else { return }
    parser.heading = heading
    _ = look(at: chunk, &parser, upTo: .max)
    if order == nil { search(input, format) }
    // Microsoft documents the month first for IIS's own format.
    if order == nil, format.name == LogFormat.iis.name { order = .monthFirst }
    areAmbiguous = order == nil
  }

  /// Looks for a day above 12 in all of a log.
  private mutating func search(_ input: LogInput, _ format: LogFormat) {
    guard input.size != nil, !input.isStandardInput else { return }
    var reader = LogReader(input)
    var chunk = LineChunk()
    var parser = LogParser(format)
    while order == nil, reader.next(into: &chunk) { _ = look(at: chunk, &parser, upTo: .max) }
  }

  /// Looks at the days of the first requests of a chunk.
  ///
  /// - Returns: Whether some are numbers alone.
  private mutating func look(
    at chunk: LineChunk, _ parser: inout LogParser, upTo limit: Int
  ) -> Bool {
    chunk.withBytes { bytes in
      var (position, requests, hasDates) = (0, 0, false)
      let isSample = limit < .max
      while requests < limit, order == nil, let range = bytes.nextLine(&position) {
        parser.reset()
        guard case .request(let record) = parser.parse(bytes.extracting(range)),
          let time = record.time
        else { continue }
        requests += 1
        let text = parser.text.span
        guard let date = NumericDate(text.extracting(time)) else {
          // All lines of a log have times of one kind, but for those that have none.
          if isSample, LogTime(text.extracting(time)) != nil { return hasDates }
          continue
        }
        hasDates = hasDates || !date.isSymmetric
        order = date.ownOrder
      }
      return hasDates
    }
  }
}
