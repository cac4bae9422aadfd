internal import AccessLogs
internal import Foundations

/// The formats of the lines of a chunk.
struct ChunkReading: Sendable {
  var format: LogFormat

  /// Whether no format fits the log so far, so that none of the lines counts as a request.
  ///
  /// Some lines may look like requests of ``format``, but all of them together contradict it.
  var isUnread = false

  /// The state that directives before the chunk have set.
  var heading = ColumnHeading()

  /// The host of lines that name none, or `nil` if it isn't known.
  var defaultHost: String?

  /// The position of the month in a day such as `10/06/2000`, or `nil` if it isn't known.
  var dateOrder: DateOrder?
}

/// The formats of the chunks of a log, in the order of the chunks.
struct ChunkFormats: Sendable {
  /// The named format, or that of the first lines; `nil` if none fits.
  private(set) var format: LogFormat?

  /// The beginning of the log if no format fits its first lines.
  private(set) var unreadStart: [UInt8] = []

  /// The oddities of the first lines of the log in its format.
  private(set) var doubts: [FormatReview.Doubt] = []

  /// A Boolean value indicating whether more lines in the last chunk could have changed how it is
  /// read.
  private(set) var isOpen = false

  /// A Boolean value indicating whether lines can name hosts, judging from the lines so far.
  var canNameHosts: Bool { format?.canNameHosts(under: heading, hasHostKey: hasHostKey) ?? false }

  /// The numeric dates of the lines so far.
  private(set) var dates = NumericDates()

  private let isNamed: Bool
  private var hasHostKey = false
  private var heading = ColumnHeading()
  private var isBegun = false

  /// The host of lines that name none, or `nil` if it isn't known.
  private let defaultHost: String?

  private let lineLimit: Int

  init(named format: LogFormat?, defaultHost: String?, lineLimit: Int) {
    self.lineLimit = lineLimit
    self.format = format
    self.defaultHost = defaultHost
    isNamed = format != nil
  }

  /// The number of chunks after which detection stops.
  private static let detectionLimit = 64

  /// The number of bytes of ``unreadStart``.
  private static let startLength = 1 << 14

  /// Determines how to read the next chunk.
  mutating func reading(of chunk: LineChunk, of input: LogInput) -> ChunkReading {
    isOpen = false
    if !isBegun || format == nil, chunk.index < Self.detectionLimit {
      look(at: chunk)
      if let format { dates.begin(chunk, format, heading, of: input) }
    }
    isBegun = true
    let reading = ChunkReading(
      format: format ?? .combined, isUnread: format == nil,
      heading: heading, defaultHost: defaultHost, dateOrder: dates.order)
    // Directives apply from their place on, even if lines that show the format come later.
    if format != nil || chunk.index < Self.detectionLimit {
      heading.advance(
        over: chunk, upTo: chunk.count, in: format ?? .w3c, lineLimit: lineLimit)
    }
    return reading
  }

  /// Determines how to read the lines of a chunk after its first bytes.
  ///
  /// - Parameters:
  ///   - reading: How the chunk is read.
  ///   - start: The number of bytes up to the end of a line.
  ///   - chunk: The chunk.
  /// - Returns: How those lines are read.
  func reading(_ reading: ChunkReading, from start: Int, of chunk: LineChunk) -> ChunkReading {
    var reading = reading
    reading.heading.advance(over: chunk, upTo: start, in: reading.format, lineLimit: lineLimit)
    return reading
  }

  private mutating func look(at chunk: LineChunk) {
    var format = format
    if isNamed {
      format = format?.unwrapping(chunk)
    } else {
      let detection = LogFormat.detect(in: chunk)
      (format, isOpen) = (detection.format, !detection.isSettled)
    }
    if let format, !isNamed || format.fits(chunk) {
      self.format = format
      hasHostKey = format.hasHostKey(in: chunk)
      unreadStart = []
      doubts =
        format.hasRows
        ? []
        : FormatReview(chunk, readAs: format, isNamed: isNamed, after: heading) {
          LogTime($0) != nil || NumericDate($0) != nil
        }.doubts
    } else if !isBegun {
      unreadStart = chunk.start(upTo: Self.startLength)
    }
  }
}
