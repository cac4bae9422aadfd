internal import Foundations

/// A server's error log, which is in the directory of its access logs.
public enum ErrorLog {
  /// Returns a Boolean value indicating whether a log begins as nginx's or Apache's log of
  /// errors: `2026/11/21 10:00:00 [error] …`, `[Sat Nov 21 … 2026] [`.
  ///
  /// - Parameter start: The first bytes of the log.
  /// - Returns: Whether it does.
  public static func isStart(_ start: [UInt8]) -> Bool {
    // In the patterns, a digit matches any digit, and an 'a' any letter.
    ["0000/00/00 00:00:00 [", "[aaa aaa 00 00:00:00"].contains { shape in
      start.count > shape.utf8.count
        && zip(shape.utf8, start).allSatisfy { shape, byte in
          switch shape {
          case UInt8(ascii: "0"): byte.isDigit
          case UInt8(ascii: "a"): byte.isLetter
          default: byte == shape
          }
        }
    }
  }
}
