/// The result of parsing a line of a log.
public enum LogLine: Hashable, Sendable {
  case request(LogRecord)
  case rejected(RejectionReason)
}
