/// What a line of a log is.
public enum LogLine: Hashable, Sendable {
  case request(LogRecord)
  case rejected(RejectionReason)
}
