// Sizes of responses matter for few requests, so that no record has them: who needs one looks
// for it in the line again.

internal import Foundations

extension LogLineParser {
  /// The number of bytes of the response, as the line of a record tells it after the
  /// status, or `nil` if it doesn't.
  package func size(of record: LogRecord, in line: Span<UInt8>) -> Int? {
    line.size(of: record)
  }
}

extension LogParser {
  /// The number of bytes of the response of the request that was parsed last, or `nil` if
  /// its line doesn't tell.
  ///
  /// - Parameters:
  ///   - record: The request.
  ///   - line: Its line.
  /// - Returns: The number of bytes.
  package func size(of record: LogRecord, in line: Span<UInt8>) -> Int? {
    if hasSize { return withSize(in: line) { $0.size } }
    return hasOwnStatus ? nil : text.span.size(of: record)
  }
}

extension Span<UInt8> {
  /// Sizes have fewer digits; what has more is none.
  private static let digitLimit = 13

  /// The size that these bytes spell, and nothing else.
  fileprivate var size: Int? {
    guard count > 0, count <= Self.digitLimit else { return nil }
    var value = 0
    for index in indices {
      guard self[index].isDigit else { return nil }
      value = value * 10 + Int(self[index] &- 0x30)
    }
    return value
  }

  /// The size after the status of a record in one of the common formats.
  fileprivate func size(of record: LogRecord) -> Int? {
    var search = record.target.upperBound
    while let quote = firstIndex(of: UInt8(ascii: "\""), from: search) {
      search = quote + 1
      guard status(after: search) == record.status else { continue }
      var start = search
      while start < count, self[start] == UInt8(ascii: " ") { start += 1 }
      start += 3
      while start < count, self[start] == UInt8(ascii: " ") { start += 1 }
      var end = start
      while end < count, self[end] != UInt8(ascii: " ") { end += 1 }
      return extracting(start..<end).size
    }
    return nil
  }
}
