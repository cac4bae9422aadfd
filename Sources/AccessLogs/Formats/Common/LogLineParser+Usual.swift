internal import Foundations

/// The words that usual lines have at fixed places, as ``Span/word(_:)`` reads them.
enum UsualWord {
  /// `GET `, `POST` and `HEAD`.
  static let get: UInt32 = 0x2054_4547
  static let post: UInt32 = 0x5453_4F50
  static let head: UInt32 = 0x4441_4548

  /// `HTTP`, and the same with a slash and a version.
  static let http: UInt32 = 0x5054_5448
  static let version11: UInt64 = 0x312E_312F_5054_5448
  static let version10: UInt64 = 0x302E_312F_5054_5448
  static let version20: UInt64 = 0x302E_322F_5054_5448
}

/// A line that looks as almost all do, in as few words as a function returns in registers.
///
/// Writing memory in pieces and reading it at once makes the processor wait.
public struct UsualLine: BitwiseCopyable {
  /// The position of method and target.
  @usableFromInline
  var request = LogRecord.Position(nil)

  @usableFromInline
  var referrer = LogRecord.Position(nil)

  @usableFromInline
  var agent = LogRecord.Position(nil)

  /// The length of the method in the upper half, the status in the lower.
  @usableFromInline
  var methodAndStatus: UInt64 = 0

  /// The value for a line that looks different.
  init() {}

  init(
    request: LogRecord.Position, referrer: LogRecord.Position, agent: LogRecord.Position,
    methodLength: Int, status: UInt16
  ) {
    (self.request, self.referrer, self.agent) = (request, referrer, agent)
    methodAndStatus = UInt64(methodLength) << 32 | UInt64(status)
  }

  /// The status, or 0 if the line looks otherwise.
  @inlinable @inline(__always)
  public var status: UInt16 { UInt16(truncatingIfNeeded: methodAndStatus) }

  /// The record of the line, without a host.
  @inlinable @inline(__always)
  public var record: LogRecord {
    let start = request.bits & 0xFFFF_FFFF
    let methodEnd = start + (methodAndStatus >> 32)
    var record = LogRecord()
    record.methodPosition.bits = start | methodEnd << 32
    record.targetPosition.bits = (methodEnd + 1) | (request.bits >> 32) << 32
    record.timePosition.bits = (start - 29) | (start - 3) << 32
    record.referrerPosition = referrer
    record.agentPosition = agent
    record.status = status
    return record
  }
}

extension LogLineParser {
  /// Parses a line if it looks as almost all lines of logs do.
  ///
  /// That is a GET, POST or HEAD request for a path, with nothing escaped, no quotes in fields, and
  /// nothing missing.
  ///
  ///     192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 5 "-" "curl"
  ///
  /// - Parameters:
  ///   - bytes: The text that has the line.
  ///   - start: The position of the line.
  ///   - delimiters: The delimiters of the text.
  ///   - place: The place of the first delimiter of the line; if the line is parsed, it becomes
  ///     that of the line's end.
  /// - Returns: The result of ``parse(_:)``, with positions in `bytes`, or one whose status is 0 if
  ///   the line may look otherwise.
  package func parseUsual(
    _ bytes: Span<UInt8>, from start: Int, _ delimiters: borrowing DelimiterIndex,
    at place: inout Int
  ) -> UsualLine {
    let (quote, space) = (UInt8(ascii: "\""), UInt8(ascii: " "))
    let (open, close) = (delimiters[place], delimiters[place + 1])
    // The time and its brackets; then, at the least, `"GET / HTTP/1.1" 200 `.
    guard namesReferrer, delimiters[place + 5] < bytes.count,
      open - start >= 29, bytes.byte(open) == quote,
      bytes.byte(open - 29) == UInt8(ascii: "["), bytes.byte(open - 2) == UInt8(ascii: "]"),
      bytes.byte(open - 1) == space,
      close - open >= 15, bytes.byte(close) == quote,
      bytes.byte(close - 9) == space, bytes.byte(close - 10) != space,
      bytes.byte(close + 1) == space, bytes.byte(close + 5) == space
    else { return UsualLine() }
    let method = bytes.halfWord(open + 1)
    let methodLength = method == UsualWord.get ? 3 : 4
    guard method == UsualWord.get || method == UsualWord.post || method == UsualWord.head,
      bytes.byte(open + 1 + methodLength) == space,
      bytes.byte(open + 2 + methodLength) == UInt8(ascii: "/"), close - open >= 12 + methodLength
    else { return UsualLine() }
    let version = bytes.word(close - 8)
    guard
      version == UsualWord.version11 || version == UsualWord.version20
        || version == UsualWord.version10,
      let status = bytes.threeDigits(at: close + 2)
    else { return UsualLine() }

    let (referrer, referrerEnd) = (delimiters[place + 2] + 1, delimiters[place + 3])
    let (agent, agentEnd) = (delimiters[place + 4] + 1, delimiters[place + 5])
    guard bytes.byte(referrer - 1) == quote, bytes.byte(referrerEnd) == quote,
      agent == referrerEnd + 3, bytes.byte(referrerEnd + 1) == space,
      bytes.byte(agent - 1) == quote, bytes.byte(agentEnd) == quote
    else { return UsualLine() }
    // Whatever follows is ignored.
    var last = place + 6
    var end = delimiters[last]
    while end < bytes.count, bytes.byte(end) != UInt8(ascii: "\n") {
      last += 1
      end = delimiters[last]
    }
    guard end - start <= lineLimit else { return UsualLine() }
    // The size has few digits, or is a dash; any other dash can be the referrer.
    var size = close + 6
    if bytes.byte(size) == UInt8(ascii: "-") { size += 1 }
    while size < referrer - 1 {
      if bytes.byte(size) == UInt8(ascii: "-") { return UsualLine() }
      size += 1
    }

    place = last
    return UsualLine(
      request: LogRecord.Position(start: open + 1, end: close - 9),
      referrer: bytes.isAbsent(referrer..<referrerEnd)
        ? LogRecord.Position(nil) : LogRecord.Position(start: referrer, end: referrerEnd),
      agent: bytes.isAbsent(agent..<agentEnd)
        ? LogRecord.Position(nil) : LogRecord.Position(start: agent, end: agentEnd),
      methodLength: methodLength, status: status)
  }

  /// Finds the host of a usual line.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - range: Its position in `bytes`.
  ///   - bytes: The text that has the line.
  /// - Returns: The position of the host, or `nil` if the line names none.
  package func host(of line: UsualLine, at range: Range<Int>, in bytes: Span<UInt8>) -> Range<Int>?
  {
    guard namesHost else { return nil }
    let open = (line.request.range?.lowerBound ?? 1) - 1 - range.lowerBound
    let text = bytes.extracting(range)
    return host(of: text, from: text.linePrefixEnd, before: open)
      .map { ($0.lowerBound + range.lowerBound)..<($0.upperBound + range.lowerBound) }
  }
}
