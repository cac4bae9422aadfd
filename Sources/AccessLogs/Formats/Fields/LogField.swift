/// The meaning of a part of a log line.
public enum LogField: UInt8, CaseIterable, Hashable, Sendable {
  /// The host that the server was asked for.
  case host

  /// The day, where a format separates day and time of day.
  case date

  /// The time, or the time of day after a ``date``.
  case time

  /// The method, such as `GET`.
  case method

  /// The target, with or without its query.
  case target

  /// The query, where a format separates it from the target.
  case query

  /// The request line: method, target, and protocol.
  case request

  /// The status of the response.
  case status

  /// The result of a proxy and the status after a slash, such as `TCP_MISS/200`.
  case resultAndStatus

  /// The number of bytes of the response, which is read for a few requests only.
  case size

  /// The referrer.
  case referrer

  /// The user agent.
  case agent

  /// The purpose for which the browser wants the response: the header `Sec-Fetch-Dest`, or, if the line has
  /// only that, `Sec-Fetch-Mode` (https://www.w3.org/TR/fetch-metadata/).
  case fetchMetadata

  /// A complete line of another log, wrapped by a log collector.
  case message

  /// The number of requests that a row represents.
  case count

  /// The time of the last request of a row.
  case lastTime

  /// The name by which people name the field.
  public var name: String {
    switch self {
    case .agent: "user-agent"
    case .fetchMetadata: "sec-fetch"
    case .resultAndStatus: "status"
    default: String(describing: self)
    }
  }
}

/// The encoding of a field's text in its line.
enum FieldEncoding: UInt8, Hashable, Sendable {
  /// With the escapes of ``LogEscapes``.
  case escaped

  /// Verbatim; a backslash is a backslash.
  case plain

  /// A string of JSON (RFC 8259, 7) with escapes.
  case json

  /// With each quote doubled (RFC 4180, 2).
  case doubledQuotes

  /// With plus signs or percent-encoding for bytes that would end a column.
  case encodedSpaces

  /// Percent-encoded completely, once.
  case percent

  /// An object of JSON whose members are the items of a query.
  case members
}
