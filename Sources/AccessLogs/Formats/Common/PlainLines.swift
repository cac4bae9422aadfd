internal import Foundations

/// The lines at the beginning of a log that are certainly requests in the combined format.
///
/// Detecting the format of a line tries many formats. For a line that is found here, it would count
/// one request in the combined format without a doubt; every condition below rules out something
/// else.
struct PlainLines: ~Copyable {
  private var delimiters = DelimiterIndex.ofCommonLines()
  private let parser = LogLineParser(format: .combined)

  /// The number of bytes that are searched; detection mostly looks at 16 lines.
  private static let length = 1 << 14

  /// The place of the first delimiter that isn't before the next line.
  private var next = 0

  /// Whether any line has a mark of another format; most logs have none.
  private let haveMarks: Bool

  /// Creates the plain lines at the beginning of some bytes.
  init(_ bytes: Span<UInt8>) {
    let start = bytes.extracting(first: Self.length)
    delimiters.find(in: start)
    haveMarks = start.hasMarkOfOtherFormat
  }

  /// Checks whether a line, such as this one, is one of them.
  ///
  ///     192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 5 "-" "Mozilla/5.0"
  ///
  /// - Parameters:
  ///   - range: The position of the line, after those of earlier calls.
  ///   - bytes: The bytes that this value was created with.
  /// - Returns: Whether it is; `false` for lines that are too far from the beginning.
  mutating func contain(_ range: Range<Int>, of bytes: Span<UInt8>) -> Bool {
    let bytes = bytes.extracting(first: Self.length)
    guard range.upperBound <= bytes.count else { return false }
    while delimiters[next] < range.lowerBound { next += 1 }
    let first = next
    let line = parser.parseUsual(bytes, from: range.lowerBound, delimiters, at: &next)
    // Six quotation marks, of which the last one ends the line.
    guard line.status != 0, next == first + 6, delimiters[next] == range.upperBound,
      delimiters[first + 5] == range.upperBound - 1
    else { return false }
    let record = line.record
    return bytes.isClient(range.lowerBound..<(delimiters[first] - 29))
      && bytes.isUsualTime(from: delimiters[first] - 28)
      && bytes.isSize((delimiters[first + 1] + 6)..<delimiters[first + 2])
      && areExpected(record, of: bytes.extracting(range), in: bytes)
      && !(haveMarks && bytes.extracting(range).hasMarkOfOtherFormat)
  }

  /// Returns a Boolean value indicating whether the fields hold nothing else than they should.
  private func areExpected(
    _ record: LogRecord, of line: Span<UInt8>, in bytes: Span<UInt8>
  ) -> Bool {
    if let agent = record.agent, bytes.begins(with: "Mozilla/", at: agent.lowerBound),
      record.referrer.map({ bytes.extracting($0).beginsAsURL }) ?? true
    {
      return ValueLooks.isKnown(status: Int(record.status))
    }
    return !line.contradicts(record, in: bytes)
  }
}

extension Span<UInt8> {
  /// Returns a Boolean value indicating whether an IP address and two dashes are at a position.
  fileprivate func isClient(_ range: Range<Int>) -> Bool {
    let end = range.upperBound - 5
    // A shorter one could be read as a collector's time.
    return end - range.lowerBound >= 7 && byte(range.lowerBound).isDigit
      && begins(with: " - - ", at: end) && extracting(range.lowerBound..<end).isAddress
  }

  /// Returns a Boolean value indicating whether a number or a dash, and a space, are at a position.
  fileprivate func isSize(_ range: Range<Int>) -> Bool {
    let size = range.dropLast()
    return !size.isEmpty && byte(size.upperBound) == UInt8(ascii: " ")
      && (isAbsent(size) || decimal(size) != nil)
  }

  /// Returns a Boolean value indicating whether a time such as `10/Oct/2000:13:55:36 -0700` is at a
  /// position.
  fileprivate func isUsualTime(from start: Int) -> Bool {
    hasShape("00/aaa/0000:00:00:00 ?0000", at: start) && isCommonTime(from: start)
      && (byte(start + 21) == UInt8(ascii: "+") || byte(start + 21) == UInt8(ascii: "-"))
  }

  /// A Boolean value indicating whether a line, or one of some lines, may be JSON, or in a format
  /// that is tried before the combined one and reads such lines.
  ///
  /// Amazon S3's format doesn't: it has more columns.
  fileprivate var hasMarkOfOtherFormat: Bool {
    firstIndex(of: UInt8(ascii: "{")) != nil || firstIndex(of: UInt8(ascii: "|")) != nil
      || firstIndex(of: 0x09) != nil
  }
}
