/// The fields of a log line that an audit needs, as positions in the line.
public struct LogRecord: Hashable, Sendable {
  /// The host that the server was asked for, if the line names one.
  public var host: Range<Int>?

  /// The time between its brackets, or `nil` if there is none.
  public var time: Range<Int>?

  /// The method, such as `GET`.
  public var method: Range<Int>

  /// The request target as logged, with the log's own escapes.
  public var target: Range<Int>

  /// The status of the response, three digits.
  public var status: UInt16

  /// The referrer as logged, or `nil` if it is absent or cut short.
  public var referrer: Range<Int>?

  /// The user agent as logged, or `nil` if it is absent or cut short.
  public var agent: Range<Int>?
}
