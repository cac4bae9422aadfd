internal import Foundations

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
  var methodPosition = Position(nil)
  @usableFromInline
  var targetPosition = Position(nil)
  @usableFromInline
  var referrerPosition = Position(nil)
  @usableFromInline
  var agentPosition = Position(nil)

  /// The status of the response, three digits.
  public var status: UInt16 = 0

  /// A Boolean value indicating whether the browser asked for something other than a page to show.
  ///
  /// The line has ``LogField/fetchMetadata``, and it names another purpose, such as a script's own
  /// request.
  public var isSubresource = false

  @inlinable
  init() {}

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

extension LogRecord {
  /// Returns why this is no request, or `nil` if it can be one.
  ///
  /// Text that names a client in the next line can't be part of a target or a host: no host has a
  /// blank, and no URL has a blank next to a time of day.
  func tear(in text: Span<UInt8>) -> RejectionReason? {
    if let host, text.hasBlank(host) { return .noFields }
    return text.holdsTimeBesideBlank(target) ? .noStatus : nil
  }

  /// Returns a Boolean value indicating whether the target has the form of one (RFC 9112, 3.2),
  /// unlike columns at wrong positions.
  func hasTargetForm(in text: Span<UInt8>) -> Bool {
    let target = text.extracting(target)
    switch target[0] {
    case UInt8(ascii: "/"), UInt8(ascii: "*"): return true
    default: return target.beginsWithScheme || text.extracting(method).begins(with: "CONNECT")
    }
  }
}

extension Span<UInt8> {
  /// A Boolean value indicating whether these bytes begin as `https://` does.
  fileprivate var beginsWithScheme: Bool {
    guard let colon = firstIndex(of: UInt8(ascii: ":"), from: 0, to: count), colon > 0,
      begins(with: "://", at: colon)
    else { return false }
    return (0..<colon).allSatisfy { self[$0].isLetter }
  }

  func hasBlank(_ range: Range<Int>) -> Bool {
    firstIndex(of: UInt8(ascii: " "), from: range.lowerBound, to: range.upperBound) != nil
      || firstIndex(of: 0x09, from: range.lowerBound, to: range.upperBound) != nil
  }

  /// Returns a Boolean value indicating whether a time of day and a blank are in a part.
  package func holdsTimeBesideBlank(_ range: Range<Int>) -> Bool {
    hasBlank(range) && holdsTimeOfDay(from: range.lowerBound, to: range.upperBound)
  }
}

/// The result of parsing a line of a log.
public enum LogLine: Hashable, Sendable {
  case request(LogRecord)
  case rejected(RejectionReason)
}

/// Why a line is not a request.
public enum RejectionReason: String, CaseIterable, Codable, CodingKeyRepresentable, Hashable,
  Sendable
{
  /// The line is empty.
  case emptyLine

  /// The line is longer than the limit.
  case lineTooLong

  /// The line is a directive or a heading, such as `#Fields:`.
  case heading

  /// The line doesn't have the structure of the format.
  ///
  /// There is no JSON object, or it is cut short; fields are missing in the pattern; or the heading
  /// of columns is missing.
  case noFields

  /// There is no request in quotes, or its end is missing, or no field holds a target.
  case noRequest

  /// The request is not a method and a target: `-`, the bytes of a TLS handshake, and the like.
  case noTarget

  /// No status follows the request, or the status field holds no number of up to three digits.
  case noStatus

  /// The line is a part of one that a collector has cut up.
  case partialLine

  /// The line holds several requests, none of which counts: a list of records, or consecutive
  /// objects.
  case severalRequests

  /// The row has no number of requests: its count is missing, zero, or not an integer.
  case noCount

  /// The similarity of a rejected line to a request.
  var nearness: Int {
    switch self {
    case .emptyLine, .lineTooLong, .noFields: 0
    case .heading, .partialLine: 1
    case .noRequest: 2
    case .noTarget: 3
    case .noStatus: 4
    case .severalRequests, .noCount: 5
    }
  }
}
