internal import AccessLogs
internal import Foundations

/// The numeric dates of a log, such as `10/06/2000`, in which either number can be the month.
///
/// A day above 12 shows the order of a log. The log is read up to there before its lines count. Of
/// standard input, only the first chunk is examined.
struct NumericDates: Sendable {
  /// The order of day and month, or `nil` if it isn't known.
  private(set) var order: DateOrder?

  /// A Boolean value indicating whether there are ambiguous days and nothing shows the right order.
  private(set) var areAmbiguous = false

  /// The number of requests that show whether a log has such days.
  private static let sampleCount = 50

  /// Examines the first chunk for which a format is known.
  ///
  /// - Parameters:
  ///   - chunk: The chunk.
  ///   - format: The format of the log.
  ///   - heading: The directives before the chunk.
  ///   - input: The log.
  mutating func begin(
    _ chunk: LineChunk, _ format: LogFormat, _ heading: ColumnHeading, of input: LogInput
  ) {
    guard !areAmbiguous, order == nil, !beginsWithOtherTime(chunk, format) else { return }
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

  /// Returns a Boolean value indicating whether the first line of a log in a common format has a
  /// readable time, which isn't numeric in such a log.
  ///
  /// The same follows from parsers of all formats, but many logs are short.
  private func beginsWithOtherTime(_ chunk: LineChunk, _ format: LogFormat) -> Bool {
    guard let parser = LogLineParser(format, lineLimit: LogReader.defaultLineLimit) else {
      return false
    }
    return chunk.withBytes { bytes in
      var position = 0
      guard let range = bytes.nextLine(&position) else { return false }
      let line = bytes.extracting(range)
      guard line.collectorPrefixEnd == nil, case .request(let record) = parser.parse(line),
        let time = record.time
      else { return false }
      let text = line.extracting(time)
      return NumericDate(text) == nil && LogTime(text) != nil
    }
  }

  /// Searches a complete log for a day above 12.
  private mutating func search(_ input: LogInput, _ format: LogFormat) {
    guard input.size != nil, !input.isStandardInput else { return }
    var reader = LogReader(input)
    var chunk = LineChunk()
    var parser = LogParser(format)
    while order == nil, reader.next(into: &chunk) { _ = look(at: chunk, &parser, upTo: .max) }
  }

  /// Examines the days of the first requests of a chunk.
  ///
  /// - Returns: Whether some are numeric.
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
          // All lines of a log have the same kind of times, except lines without a time.
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
