// Only a few requests need the size of the response, so records don't have it. Those callers search
// the line again.

internal import Foundations

extension LogLineParser {
  /// The number of bytes of the response, which the line of a record has after the status, or `nil`
  /// if it doesn't.
  package func size(of record: LogRecord, in line: Span<UInt8>) -> Int? {
    line.size(of: record)
  }
}

extension LogParser {
  /// The number of bytes of the response of the request that was parsed last, or `nil` if its line
  /// doesn't have it.
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
  /// Sizes have fewer digits; a number with more isn't a size.
  private static let digitLimit = 13

  /// Returns the size if these bytes are exactly a size.
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
      guard let status = word(from: search, to: count),
        let size = word(from: status.upperBound, to: count)
      else { return nil }
      return extracting(size).size
    }
    return nil
  }
}
