internal import AccessLogs

/// The formats of the lines of a chunk.
struct ChunkReading: Sendable {
  var format: LogFormat

  /// The state that directives before the chunk have set.
  var heading = ColumnHeading()

  /// The host of lines that name none, or `nil` if it isn't known.
  var defaultHost: String?

  /// Which number of a day such as `10/06/2000` is the month, or `nil` if that isn't known.
  var dateOrder: DateOrder?
}

/// The formats of the chunks of a log, in their order.
struct ChunkFormats: Sendable {
  /// The format that was named, or that the first lines have; `nil` if none fits.
  private(set) var format: LogFormat?

  /// The beginning of the log if no format fits its first lines.
  private(set) var unreadStart: [UInt8] = []

  /// A Boolean value indicating whether more lines in the last chunk could have changed
  /// how it is read.
  private(set) var isOpen = false

  /// A Boolean value indicating whether lines can name hosts, as far as has been read.
  var canNameHosts: Bool { format?.canNameHosts(under: heading, hasHostKey: hasHostKey) ?? false }

  /// The days with numbers alone, as far as has been read.
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

  /// The number of chunks after which no format is looked for any more.
  private static let detectionLimit = 64

  /// The number of bytes of ``unreadStart``.
  private static let startLength = 1 << 14

  /// How the next chunk is read.
  mutating func reading(of chunk: LineChunk, of input: LogInput) -> ChunkReading {
    isOpen = false
    if !isBegun || format == nil, chunk.index < Self.detectionLimit {
      look(at: chunk)
      if let format { dates.begin(chunk, format, heading, of: input) }
    }
    isBegun = true
    let reading = ChunkReading(
      format: format ?? .combined, heading: heading, defaultHost: defaultHost,
      dateOrder: dates.order)
    // Directives hold from where they are on, also if lines that tell the format come later.
    if format != nil || chunk.index < Self.detectionLimit {
      heading.advance(
        over: chunk, upTo: chunk.count, in: format ?? .w3c, lineLimit: lineLimit)
    }
    return reading
  }

  /// How the lines of a chunk after its first bytes are read.
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
    } else if !isBegun {
      unreadStart = chunk.start(upTo: Self.startLength)
    }
  }
}
