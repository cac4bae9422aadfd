extension LogFormat {
  /// The number of lines that detection looks at, if there is a request among
  /// them.
  public static let detectionLineCount = 1_000

  /// The number of requests that are enough if all of them have the same format.
  private static let unanimousCount = 64

  /// Tells the format of a log from its first lines.
  ///
  /// - Parameter chunk: The first chunk of the log, or the next one if there is
  ///   no request in those before.
  /// - Returns: The format that most of the requests have, or `nil` if there is
  ///   none.
  public static func detect(in chunk: LineChunk) -> LogFormat? {
    chunk.withBytes { bytes in
      var votes: [LogFormat: Int] = [:]
      let parser = LogLineParser(format: .combined)
      var (position, seen, requests) = (0, 0, 0)
      while seen < detectionLineCount || votes.isEmpty, let range = bytes.nextLine(&position) {
        seen += 1
        let line = bytes.extracting(range)
        guard case .request(let record) = parser.parse(line) else { continue }
        votes[Self.format(of: line, record), default: 0] += 1
        requests += 1
        if requests == unanimousCount, votes.count == 1 { break }
      }
      // A log with some lines that lack their end is still combined.
      if let combined = votes[.combined] {
        votes[.combined] = combined + (votes.removeValue(forKey: .common) ?? 0)
      }
      return LogFormat.allCases.filter { votes[$0] != nil }
        .max { votes[$0, default: 0] < votes[$1, default: 0] }
    }
  }

  private static func format(of line: Span<UInt8>, _ record: LogRecord) -> LogFormat {
    if beginsWithHost(line) { return .vcombined }
    guard record.referrer == nil, record.agent == nil else { return .combined }
    let quote = UInt8(ascii: "\"")
    let requestEnd = line.firstIndex(of: quote, from: record.target.upperBound) ?? line.count
    return line.firstIndex(of: quote, from: requestEnd + 1) == nil ? .common : .combined
  }

  /// Returns a Boolean value indicating whether a line begins with a host in
  /// front of the client's address.
  private static func beginsWithHost(_ line: Span<UInt8>) -> Bool {
    let quote = line.firstIndex(of: UInt8(ascii: "\"")) ?? line.count
    let bracket = line.firstIndex(of: UInt8(ascii: "["), from: 0, to: quote) ?? quote
    guard let first = line.word(from: 0, to: bracket),
      let second = line.word(from: first.upperBound, to: bracket),
      line[first.upperBound - 1] != UInt8(ascii: ",")
    else {
      // `203.0.113.9, 192.0.2.1 - -`: the addresses that a proxy forwarded.
      return false
    }
    func isDash(_ word: Range<Int>) -> Bool {
      word.count == 1 && line[word.lowerBound] == UInt8(ascii: "-")
    }
    if line.extracting(second).isAddress { return true }
    // Client names that were looked up: `www.example.com client.isp.net - -`.
    guard let third = line.word(from: second.upperBound, to: bracket),
      line.word(from: third.upperBound, to: bracket) != nil
    else { return false }
    return !isDash(second) && isDash(third)
  }
}

extension Span<UInt8> {
  /// Returns the next bytes between spaces from `start` on, or `nil` if there are
  /// none.
  fileprivate func word(from start: Int, to end: Int) -> Range<Int>? {
    var first = start
    while first < end, self[first] == UInt8(ascii: " ") { first += 1 }
    guard first < end else { return nil }
    return first..<(firstIndex(of: UInt8(ascii: " "), from: first, to: end) ?? end)
  }

  /// A Boolean value indicating whether these bytes read as an IP address.
  fileprivate var isAddress: Bool {
    var (stops, colons) = (0, 0)
    for index in indices {
      switch self[index] {
      case UInt8(ascii: "."): stops += 1
      case UInt8(ascii: ":"): colons += 1
      case UInt8(ascii: "0")...UInt8(ascii: "9"): break
      case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"):
        if stops > 0, colons == 0 { return false }
      default: return false
      }
    }
    return stops == 3 && colons == 0 || colons >= 2
  }
}
