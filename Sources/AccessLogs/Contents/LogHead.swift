/// The first bytes of a log, decompressed.
public struct LogHead: Sendable {
  /// The log.
  public let input: LogInput

  /// The bytes, ``ContentTrace/headLength`` of them at most.
  public let bytes: [UInt8]

  /// A Boolean value indicating whether the log has no others.
  public let isWhole: Bool

  /// A Boolean value indicating whether the log is compressed.
  public private(set) var isCompressed = false

  /// The damage that makes even the head unreadable, or `nil`.
  public private(set) var damage: LogDamage?

  /// The stamp of the file when it was opened, or `nil` if it isn't a regular one.
  public private(set) var stamp: FileStamp?

  /// Reads the head of a log.
  public init(of input: LogInput) {
    var buffer = [UInt8](repeating: 0, count: ContentTrace.headLength + 1)
    var count = 0
    do throws(LogDamage) {
      var stream = try DecodedStream(input, engine: .preferred)
      (stamp, isCompressed) = (stream.stamp, stream.isCompressed)
      var output = buffer.mutableSpan
      try stream.read(into: &output, count: &count)
    } catch {
      damage = error
    }
    self.input = input
    isWhole = count <= ContentTrace.headLength
    bytes = Array(buffer[..<min(count, ContentTrace.headLength)])
  }

  /// The fingerprint of the bytes.
  public var fingerprint: ContentFingerprint { ContentFingerprint(bytes.span) }

  /// The number of bytes of the directives (`#Fields:`) that the log begins with.
  public var directiveLength: Int {
    var start = 0
    while start < bytes.count, bytes[start] == UInt8(ascii: "#") {
      start = bytes[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.count
    }
    return start
  }

  /// The beginnings of the log that are used to look it up.
  ///
  /// They end with a line that isn't a directive, have one of the given lengths, or are the
  /// complete head.
  ///
  /// - Parameter lengths: Numbers of bytes.
  /// - Returns: The ends of the beginnings in ascending order.
  public func beginnings(ofLengths lengths: [Int]) -> [Checkpoint] {
    var trace = ContentTrace(
      lengths: lengths.filter { $0 < bytes.count }, keepsCheckpoints: true)
    trace.update(bytes.span)
    let directives = directiveLength
    let ends = trace.checkpoints.filter { $0.length > directives }
    return (ends + trace.beginnings.map(\.checkpoint) + [trace.fingerprint.checkpoint])
      .sorted { $0.length < $1.length }
  }
}
