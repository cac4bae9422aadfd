internal import Foundations

extension LogFormat {
  /// The number of lines that detection looks at, if there is a request among
  /// them.
  public static let detectionLineCount = 1_000

  /// Detects the format of a log from its first lines.
  ///
  /// - Parameters:
  ///   - chunk: The first chunk of the log, or the next one if there is no request in those before.
  ///   - knowsPlainLines: Whether to count lines that are certainly in the combined format without
  ///     trying other formats, which changes no result.
  /// - Returns: The format of most requests; without requests, the one that most lines look like;
  ///   or `nil`. It is settled if more lines can't change it.
  public static func detect(
    in chunk: LineChunk, knowsPlainLines: Bool = true
  ) -> (format: LogFormat?, isSettled: Bool) {
    chunk.withBytes { bytes in
      var detector = FormatDetector(knowsPlainLines: knowsPlainLines)
      var (position, seen) = (0, 0)
      while seen < detectionLineCount || !detector.hasRequests,
        let range = bytes.nextLine(&position)
      {
        seen += 1
        if range.isEmpty { seen += bytes.skipEmptyLines(&position) }
        detector.look(at: bytes.extracting(range))
        if detector.isCertain { break }
      }
      let format = detector.format
      let isSettled =
        detector.isCertain
        || seen >= detectionLineCount && (detector.hasRequests || format != nil)
      return (format, isSettled)
    }
  }

  /// Returns a Boolean value indicating whether this format fits any of the lines of a chunk.
  public func fits(_ chunk: LineChunk) -> Bool {
    chunk.withBytes { bytes in
      var parser = LogParser(self)
      var position = 0
      while let range = bytes.nextLine(&position) {
        if range.isEmpty { _ = bytes.skipEmptyLines(&position) }
        parser.reset()
        switch parser.parse(bytes.extracting(range)) {
        // There is a status, and something in the place of the request.
        case .request, .rejected(.noTarget), .rejected(.severalRequests): return true
        case .rejected(.heading) where !parser.heading.columns.isEmpty: return true
        case .rejected: continue
        }
      }
      return bytes.count == 0
    }
  }

  /// Whether lines of other formats fit this one, too.
  var hasLooseLines: Bool {
    layouts.allSatisfy { layout in
      switch layout {
      case .common, .template, .haproxy, .rows: true
      case .columns(let columns): columns.heading == .none
      case .json, .pairs: false
      }
    }
  }

  func requestCount(of lines: [[UInt8]]) -> Int {
    var parser = LogParser(self)
    return lines.count { line in
      parser.reset()
      if case .request = parser.parse(line.span) { return true }
      return false
    }
  }

  /// Returns whether this format finds exactly what another one finds in some lines.
  func reads(_ lines: [[UInt8]], asWellAs other: LogFormat) -> Bool {
    var (own, others) = (LogParser(self), LogParser(other))
    for line in lines.prefix(Self.comparedLines) {
      own.reset()
      others.reset()
      guard case .request(let theirs) = others.parse(line.span) else { continue }
      guard case .request(let ours) = own.parse(line.span), ours.status == theirs.status,
        theirs.time == nil || ours.time != nil
      else { return false }
      let fields: [(LogRecord) -> Range<Int>?] = [
        { $0.target }, { $0.host }, { $0.referrer }, { $0.agent },
      ]
      for field in fields {
        guard let range = field(theirs) else { continue }
        guard let place = field(ours), own.text[place] == others.text[range] else { return false }
      }
    }
    return true
  }

  /// The number of lines that are enough to compare two formats.
  private static let comparedLines = 100
}

extension LogFormat {
  /// Tries all formats that have names on the first lines of a log that none of them fits.
  ///
  /// - Parameter lines: The lines.
  /// - Returns: The reasons why the lines are no requests, the nearest first, each with the names of
  ///   its formats in the order of the catalog.
  public static func obstacles(
    in lines: [UInt8]
  ) -> [(reason: RejectionReason, names: [String])] {
    let formats = Dictionary(grouping: named) { $0.nearestReason(in: lines.span) }
    return RejectionReason.allCases
      .compactMap { reason in formats[reason].map { (reason, $0.map(\.name)) } }
      .sorted { $0.reason.nearness > $1.reason.nearness }
  }

  private static let triedLineCount = 50

  private func nearestReason(in bytes: Span<UInt8>) -> RejectionReason {
    var parser = LogParser(self)
    var (position, seen) = (0, 0)
    var nearest = RejectionReason.noFields
    while seen < Self.triedLineCount, let range = bytes.nextLine(&position) {
      seen += 1
      parser.reset()
      if case .rejected(let reason) = parser.parse(bytes.extracting(range)),
        reason.nearness > nearest.nearness
      {
        nearest = reason
      }
    }
    return nearest
  }

  /// Returns a Boolean value indicating whether a log begins as nginx's or Apache's log of errors,
  /// which is in the directory of the access logs.
  ///
  ///     2026/11/21 10:00:00 [error] …
  ///     [Sat Nov 21 … 2026] [
  ///
  /// - Parameter start: The first bytes of the log.
  /// - Returns: Whether it does.
  public static func isErrorLog(_ start: [UInt8]) -> Bool {
    ["0000/00/00 00:00:00 [?", "[aaa aaa 00 00:00:00?"].contains { start.span.hasShape($0) }
  }
}

extension [UInt8] {
  /// The first line that isn't empty; empty if there is none.
  package var firstLine: [UInt8] {
    var position = 0
    while let range = span.nextLine(&position) {
      if !range.isEmpty { return Array(self[range]) }
    }
    return []
  }
}
