/// Why a line is not a request.
public enum RejectionReason: String, CaseIterable, Hashable, Sendable {
  /// The line is empty.
  case emptyLine

  /// The line is longer than the limit.
  case lineTooLong

  /// There is no request in quotes, or its end is missing.
  case noRequest

  /// What stands in the place of the request is not a method and a target: `-`,
  /// the bytes of a TLS handshake, and the like.
  case noTarget

  /// No status of three digits follows the request.
  case noStatus
}
