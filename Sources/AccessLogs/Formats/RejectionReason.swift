/// Why a line is not a request.
public enum RejectionReason: String, CaseIterable, Hashable, Sendable {
  /// The line is empty.
  case emptyLine

  /// The line is longer than the limit.
  case lineTooLong

  /// The line is a directive or a heading, such as `#Fields:`.
  case heading

  /// The line is not what the format calls for: no JSON object, or one that is cut
  /// short; no fields in the places of its pattern; columns whose heading is
  /// missing.
  case noFields

  /// There is no request in quotes, or its end is missing; or no field tells a
  /// target.
  case noRequest

  /// The request is not a method and a target: `-`, the bytes of a TLS handshake, and the like.
  case noTarget

  /// No status follows the request, or the field of the status holds no number of
  /// up to three digits.
  case noStatus

  /// The line is a part of one that a collector has cut.
  case partialLine

  /// The line holds several requests, of which none counts: a list of records, or objects that
  /// follow one another.
  case severalRequests

  /// The row has no number of requests: its count is missing, zero, or no whole number.
  case noCount
}
