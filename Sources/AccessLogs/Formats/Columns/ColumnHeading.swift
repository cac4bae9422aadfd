internal import Foundations

/// The state that the directives of a log have set so far: the columns of its lines, and the day.
package struct ColumnHeading: Hashable, Sendable {
  /// The field of each column; empty until a directive names them.
  private(set) var columns: [LogField?] = []

  /// The current day, such as `2026-11-19`, for lines that have only the time of day.
  private var day: [UInt8] = []

  /// The day of the last line.
  private(set) var lineDay: [UInt8] = []

  /// The day before the last midnight since `#Date:`, or empty if there was none.
  private var dayBefore: [UInt8] = []

  /// The latest time of day since `#Date:` or midnight, in seconds, or -1 if there was none.
  private var latestSecond = -1

  /// The separator of columns, where the heading shows it.
  private(set) var separator: ColumnLayout.Separator?

  /// Whether rows have begun without a heading.
  private var lacksNames = false

  /// The line that named the columns of rows.
  private var nameLine: [UInt8] = []
  private(set) var isCloudFront = false

  /// Whether targets begin with a slash and the host, as Akamai's do
  /// (https://techdocs.akamai.com/log-delivery/docs/w3c-log-format): `/www.example.com/a`.
  private(set) var targetsNameHosts = false

  package init() {}

  /// Reads a line if it describes the columns, and returns whether it does, or is a comment.
  mutating func read(_ line: Span<UInt8>, as kind: ColumnLayout.Heading) -> Bool {
    switch kind {
    case .none: false
    case .directive: readDirective(line)
    case .names: readNames(line)
    case .rowNames: readRowNames(line)
    }
  }

  /// Reads a line if it is a directive of the W3C's format, and returns whether it is or a comment.
  mutating func readDirective(_ line: Span<UInt8>) -> Bool {
    guard line.count > 0 else { return false }
    guard line[0] == UInt8(ascii: "#") else { return columns.isEmpty && readPlainNames(line) }
    if line.begins(with: "#fields\t") {
      // Zeek's times include the day.
      setNames(line.extracting(8..<line.count))
    } else if line.begins(with: "#Fields:") {
      setNames(line.extracting(8..<line.count))
      isCloudFront = line.contains("x-edge-location")
      // Only Akamai calls the client so.
      targetsNameHosts =
        line.contains("cs-ip") && line.contains("cs-uri") && !line.contains("cs-uri-stem")
        && !columns.contains(.host)
    } else if line.begins(with: "#Date:") {
      let words = line.extracting(6..<line.count).words { $0.isBlank }
      // It becomes part of each line, so keep no more bytes than a day can have.
      day = words.first.flatMap { $0.count <= 32 ? $0 : nil } ?? []
      (lineDay, dayBefore, latestSecond) = (day, [], -1)
    }
    return true
  }

  /// Returns whether the day of a line depends on the lines before it.
  func datesLines(of layout: ColumnLayout) -> Bool {
    guard !day.isEmpty else { return false }
    let columns = columns.isEmpty ? layout.columns : columns
    return columns.contains(.time) && !columns.contains(.date)
  }

  /// The number of seconds by which a time of day must go back to belong to the next day.
  ///
  /// Servers write lines in the order in which responses end, and clocks are set back by an hour.
  private static let fallback = 2 * 3_600

  /// The distance from midnight, in seconds, within which lines can be in another order across it.
  private static let midnightSpan = 600

  /// Dates a line by its time of day, such as `08:00:01`.
  mutating func dateLine(_ text: Span<UInt8>) {
    lineDay = day
    guard let second = text.secondOfDay else { return }
    if latestSecond - second > Self.fallback {
      dayBefore = day
      day =
        Day(String(decoding: day, as: UTF8.self))
        .map { Array(Day(number: $0.number + 1).description.utf8) } ?? []
      (lineDay, latestSecond) = (day, second)
    } else if !dayBefore.isEmpty, latestSecond < Self.midnightSpan,
      second >= 86_400 - Self.midnightSpan
    {
      lineDay = dayBefore
    } else {
      latestSecond = max(latestSecond, second)
    }
  }

  /// Reads a line if it is a heading without a mark, which CloudFront writes in its "plain" format.
  private mutating func readPlainNames(_ line: Span<UInt8>) -> Bool {
    guard line.begins(with: "date\t") || line.begins(with: "timestamp"),
      line.contains("\tcs-uri-stem"), line.contains("\tsc-status")
    else { return false }
    setNames(line)
    isCloudFront = true
    return true
  }

  /// Sets the columns to those of a heading.
  ///
  /// Exchange writes commas between names as between values, and Forefront tabs, as its
  /// names hold spaces.
  private mutating func setNames(_ text: Span<UInt8>) {
    var start = 0
    while start < text.count, text[start].isBlank { start += 1 }
    let names = text.extracting(start..<text.count)
    let isComma = names.firstIndex(of: UInt8(ascii: ",")) != nil
    let isTabs = names.firstIndex(of: 0x09) != nil
    separator = isComma ? .exactly(UInt8(ascii: ",")) : nil
    setColumns(
      names.words { byte in
        isComma && byte == UInt8(ascii: ",") || (isTabs ? byte == 0x09 : byte.isBlank)
      })
  }

  /// Reads a line if it holds the names of columns rather than their values.
  private mutating func readNames(_ line: Span<UInt8>) -> Bool {
    guard line.begins(with: "time_micros,") || line.begins(with: "\"time_micros\",") else {
      return false
    }
    // Concatenated files repeat it.
    if columns.isEmpty { setColumns(line.words { ",\" \t".utf8.contains($0) }) }
    return true
  }

  /// Reads the first of some rows if it holds the names of their columns; later ones can repeat
  /// them, as in concatenated files.
  private mutating func readRowNames(_ line: Span<UInt8>) -> Bool {
    guard !lacksNames else { return false }
    if !columns.isEmpty { return line.isEqual(to: nameLine.span) }
    // Editors and spreadsheets put a byte order mark in front.
    let hasMark = line.begins(with: "\u{FEFF}")
    var (position, names) = (hasMark ? 3 : 0, [[UInt8]]())
    while let name = line.nextCSVValue(&position) {
      names.append(line.extracting(name.range).array)
    }
    setColumns(names, of: .rowNames)
    // A line that begins with a brace is JSON, whatever it contains.
    guard line[0] != UInt8(ascii: "{"), columns.contains(.status) else {
      (columns, lacksNames) = ([], true)
      return false
    }
    nameLine = line.array
    return true
  }

  /// Reads the descriptions of columns in a chunk, with the same result as line by line.
  ///
  /// - Parameters:
  ///   - chunk: The chunk.
  ///   - count: The number of its bytes to read, up to the end of a line.
  ///   - format: The format of the log.
  ///   - lineLimit: The greatest number of bytes in a line; longer ones are ignored.
  package mutating func advance(
    over chunk: LineChunk, upTo count: Int, in format: LogFormat, lineLimit: Int
  ) {
    guard let layout = format.headingLayout else { return }
    var parser = LogParser(format.withoutOtherLayouts, lineLimit: lineLimit)
    parser.heading = self
    chunk.withBytes { bytes in
      let bytes = bytes.extracting(0..<count)
      var position = 0
      // Until something has named columns, any line can; and each line can be the first of its day.
      while position < bytes.count, !parser.heading.lacksNames {
        if !parser.heading.columns.isEmpty, !parser.heading.datesLines(of: layout) {
          // Names are read once; directives have a mark, and most marks are inside lines.
          guard layout.heading == .directive,
            let mark = bytes.firstIndex(of: UInt8(ascii: "#"), from: position)
          else { return }
          // Only a collector's prefix may be in front.
          guard let start = bytes.lineStart(near: mark) else {
            position = mark + 1
            continue
          }
          position = start
        }
        guard let range = bytes.nextLine(&position) else { return }
        if range.isEmpty { _ = bytes.skipEmptyLines(&position) }
        parser.reset()
        _ = parser.parse(bytes.extracting(range))
      }
    }
    self = parser.heading
  }

  private static let columnLimit = 1_000

  private mutating func setColumns(_ names: [[UInt8]], of tree: JSONKeyTree = names) {
    columns = tree.fields(of: Array(names.prefix(Self.columnLimit)))
  }

  private static let names = JSONKeyTree([
    .date: ["date", "date-local"],
    .time: [
      "time", "time_micros", "time-local", "timestamp", "timestamp(ms)", "x-timestamp",
      "c-timestamp", "cs-start", "datetime", "ts",
    ],
    .method: ["cs-method", "sc-method", "s-operation", "method"],
    .target: ["cs-uri-stem", "cs-uri", "x-uri", "cs-uri-path", "urlstem", "uri"],
    .query: ["cs-uri-query", "urlquery"],
    .status: [
      "sc-status", "c-status", "cs-status", "x-cf-status", "s-status", "httpstatus", "status_code",
    ],
    .size: ["sc-bytes", "bytes", "response_body_len"],
    .referrer: [
      "cs(referer)", "cs(referrer)", "c-referrer", "cs-referer", "cs-referrer", "cs-referred",
      "referrer",
    ],
    .agent: [
      "cs(user-agent)", "c-user-agent", "cs-user-agent", "c-agent", "useragent", "user_agent",
    ],
    .fetchMetadata: ["cs(sec-fetch-dest)", "cs(sec-fetch-mode)"],
    // CloudFront has its own name in `cs(Host)`, and the requested one in `x-host-header`.
    .host: [
      "x-host-header", "cs(host)", "cs-host", "cs(x-forwarded-host)", "r-host", "urlhost", "host",
    ],
  ])
}

extension Span<UInt8> {
  /// The start of the line that contains a position, or `nil` if it is farther away than a
  /// collector's prefix may reach.
  fileprivate func lineStart(near position: Int) -> Int? {
    let limit = Swift.max(0, position - 160 - Self.headerLimit)
    if let lineFeed = lastIndex(of: UInt8(ascii: "\n"), from: limit, to: position) {
      return lineFeed + 1
    }
    return limit == 0 ? 0 : nil
  }

  /// The seconds since midnight of a time such as `08:00:01`, or `nil` if these bytes are something
  /// else.
  var secondOfDay: Int? {
    guard let colon = firstIndex(of: UInt8(ascii: ":")), colon <= 2, count >= colon + 6,
      self[colon + 3] == UInt8(ascii: ":"), let hour = decimal(0..<colon), hour < 24,
      let minute = decimal((colon + 1)..<(colon + 3)), minute < 60,
      let second = decimal((colon + 4)..<(colon + 6)), second <= 60
    else { return nil }
    return hour * 3_600 + minute * 60 + second
  }

  fileprivate func words(separatedBy isSeparator: (UInt8) -> Bool) -> [[UInt8]] {
    array.split(whereSeparator: isSeparator).map { Array($0) }
  }
}
