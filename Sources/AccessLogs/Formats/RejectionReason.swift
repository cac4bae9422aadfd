/// The result of parsing a line of a log.
public enum LogLine: Hashable, Sendable {
  case request(LogRecord)
  case rejected(RejectionReason)
}

/// Why a line is not a request.
public enum RejectionReason: String, CaseIterable, Hashable, Sendable {
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
