internal import Foundations

/// A server's error log, which is in the directory of its access logs.
public enum ErrorLog {
  /// Returns a Boolean value indicating whether a log begins as nginx's or Apache's log of
  /// errors: `2026/11/21 10:00:00 [error] …`, `[Sat Nov 21 … 2026] [`.
  ///
  /// - Parameter start: The first bytes of the log.
  /// - Returns: Whether it does.
  public static func isStart(_ start: [UInt8]) -> Bool {
    ["0000/00/00 00:00:00 [?", "[aaa aaa 00 00:00:00?"].contains { start.span.hasShape($0) }
  }
}
