internal import AccessLogs

/// How the lines of a chunk are read.
struct ChunkReading: Sendable {
  var format: LogFormat

  /// What the directives in front of the chunk have said.
  var heading = ColumnHeading()

  /// The host of lines that name none, or `nil` if it isn't known.
  var defaultHost: String?
}

/// How the chunks of a log are read, one after the other.
struct ChunkFormats: Sendable {
  /// The format that was named, or that the first lines have; `nil` if none fits.
  private(set) var format: LogFormat?

  /// The beginning of the log if no format fits its first lines.
  private(set) var unreadStart: [UInt8] = []

  private let isNamed: Bool
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
  mutating func reading(of chunk: LineChunk) -> ChunkReading {
    if !isBegun || format == nil, chunk.index < Self.detectionLimit { look(at: chunk) }
    isBegun = true
    guard let format else { return ChunkReading(format: .combined, defaultHost: defaultHost) }
    let reading = ChunkReading(format: format, heading: heading, defaultHost: defaultHost)
    if format.hasHeadings { heading.advance(over: chunk, lineLimit: lineLimit) }
    return reading
  }

  private mutating func look(at chunk: LineChunk) {
    let format = isNamed ? format : LogFormat.detect(in: chunk)
    if let format, !isNamed || format.fits(chunk) {
      self.format = format
      unreadStart = []
    } else if !isBegun {
      unreadStart = chunk.start(upTo: Self.startLength)
    }
  }
}
