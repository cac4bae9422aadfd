/// The first bytes of a log, decompressed.
public struct LogHead: Sendable {
  /// The bytes, ``ContentTrace/headLength`` of them at most.
  public let bytes: [UInt8]

  /// A Boolean value indicating whether the log has no others.
  public let isWhole: Bool

  /// A Boolean value indicating whether the log is compressed.
  public let isCompressed: Bool

  /// The damage that keeps even the head from being read, or `nil`.
  public let damage: LogDamage?

  /// The stamp of the file when it was opened, or `nil` if it isn't a regular one.
  public let stamp: FileStamp?

  /// Reads the head of a log.
  public init(of input: LogInput) {
    var buffer = [UInt8](repeating: 0, count: ContentTrace.headLength + 1)
    var (count, offset) = (0, 0)
    var stamp: FileStamp?
    var isCompressed = false
    var found: LogDamage?
    do throws(LogDamage) {
      var stream = try DecodedStream(input, engine: .preferred)
      (stamp, isCompressed) = (stream.stamp, stream.isCompressed)
      var output = buffer.mutableSpan
      try stream.read(into: &output, count: &count, offset: &offset)
    } catch {
      found = error
    }
    isWhole = count <= ContentTrace.headLength
    bytes = Array(buffer[..<min(count, ContentTrace.headLength)])
    (damage, self.stamp, self.isCompressed) = (found, stamp, isCompressed)
  }

  /// The fingerprint of the first `count` bytes.
  public func fingerprint(ofFirst count: Int) -> ContentFingerprint {
    ContentFingerprint(bytes.span.extracting(0..<min(count, bytes.count)))
  }

  /// The fingerprint of all of them.
  public var fingerprint: ContentFingerprint { fingerprint(ofFirst: bytes.count) }
}
