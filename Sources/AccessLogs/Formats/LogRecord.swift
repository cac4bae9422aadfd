/// The fields of a log line that an audit needs, as positions in the line.
///
/// Every line has one, so it is small. Positions have 32 bits each; lines that need more exceed any
/// limit that can be set.
public struct LogRecord: Hashable, Sendable {
  /// A range with two 32-bit positions in one word, so that it is written and read at once.
  ///
  /// It starts after its end if the field is absent.
  @usableFromInline
  struct Position: BitwiseCopyable, Hashable, Sendable {
    @usableFromInline
    var bits: UInt64

    @inlinable
    init(_ range: Range<Int>?) {
      self.init(start: range?.lowerBound ?? 1, end: range?.upperBound ?? 0)
    }

    @inlinable @inline(__always)
    init(start: Int, end: Int) {
      bits =
        UInt64(UInt32(truncatingIfNeeded: start)) | UInt64(UInt32(truncatingIfNeeded: end)) << 32
    }

    @inlinable
    var range: Range<Int>? {
      let (start, end) = (bits & 0xFFFF_FFFF, bits >> 32)
      return start <= end ? Int(start)..<Int(end) : nil
    }
  }

  @usableFromInline
  var hostPosition = Position(nil)
  @usableFromInline
  var timePosition = Position(nil)
  @usableFromInline
  var methodPosition: Position
  @usableFromInline
  var targetPosition: Position
  @usableFromInline
  var referrerPosition = Position(nil)
  @usableFromInline
  var agentPosition = Position(nil)

  /// The status of the response, three digits.
  public var status: UInt16

  /// A Boolean value indicating whether the browser asked for something other than a page to show.
  ///
  /// The line has ``LogField/fetchMetadata``, and it names another purpose, such as a script's own
  /// request.
  public var isSubresource = false

  /// Creates an empty record.
  @inlinable
  init() { (methodPosition, targetPosition, status) = (Position(nil), Position(nil), 0) }

  /// Creates a record without any of the fields that may be absent.
  init(method: Range<Int>, target: Range<Int>, status: UInt16) {
    methodPosition = Position(method)
    targetPosition = Position(target)
    self.status = status
  }
}

extension LogRecord {
  /// Returns this record with all positions moved by a number of bytes.
  package func moved(by distance: Int) -> LogRecord {
    func moved(_ position: Position) -> Position {
      Position(position.range.map { ($0.lowerBound + distance)..<($0.upperBound + distance) })
    }
    var record = self
    record.hostPosition = moved(hostPosition)
    record.timePosition = moved(timePosition)
    record.methodPosition = moved(methodPosition)
    record.targetPosition = moved(targetPosition)
    record.referrerPosition = moved(referrerPosition)
    record.agentPosition = moved(agentPosition)
    return record
  }

  /// The host that the server was asked for, if the line names one.
  @inlinable
  public var host: Range<Int>? {
    get { hostPosition.range }
    set { hostPosition = Position(newValue) }
  }

  /// The time between its brackets, or `nil` if there is none.
  @inlinable
  public var time: Range<Int>? {
    get { timePosition.range }
    set { timePosition = Position(newValue) }
  }

  /// The method, such as `GET`.
  @inlinable
  public var method: Range<Int> { methodPosition.range ?? 0..<0 }

  /// The request target as logged, with the log's own escapes.
  @inlinable
  public var target: Range<Int> { targetPosition.range ?? 0..<0 }

  /// The referrer as logged, or `nil` if it is absent or cut short.
  @inlinable
  public var referrer: Range<Int>? {
    get { referrerPosition.range }
    set { referrerPosition = Position(newValue) }
  }

  /// The user agent as logged, or `nil` if it is absent or cut short.
  @inlinable
  public var agent: Range<Int>? {
    get { agentPosition.range }
    set { agentPosition = Position(newValue) }
  }
}
