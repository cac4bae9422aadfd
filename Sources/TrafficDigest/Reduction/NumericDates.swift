internal import AccessLogs
internal import Foundations

/// The numeric dates of a log, such as `10/06/2000`, in which either number can be the month.
///
/// A day above 12 shows the order of a log. The log is read up to there before its lines count. Of
/// standard input, only the first chunk is examined.
struct NumericDates: Sendable {
  /// The order of day and month, or `nil` if it isn't known.
  private(set) var order: DateOrder?

  /// A Boolean value indicating whether there are ambiguous days and nothing shows the right order.
  private(set) var areAmbiguous = false

  /// The number of requests that show whether a log has such days.
  private static let sampleCount = 50

  /// Examines the first chunk for which a format is known, after some directives.
  mutating func begin(
    _ chunk: LineChunk, _ format: LogFormat, _ heading: ColumnHeading, of input: LogInput
  ) {
    guard !areAmbiguous, order == nil else { return }
    var parser = LogParser(format)
    parser.heading = heading
    guard look(at: chunk, &parser, upTo: Self.sampleCount), order == nil else { return }
    parser.heading = heading
    _ = look(at: chunk, &parser, upTo: .max)
    if order == nil { search(input, format) }
    // Microsoft documents the month first for IIS's own format.
    if order == nil, format.name == LogFormat.iis.name { order = .monthFirst }
    areAmbiguous = order == nil
  }

  /// Searches a complete log for a day above 12.
  private mutating func search(_ input: LogInput, _ format: LogFormat) {
    guard input.size != nil, !input.isStandardInput else { return }
    var reader = LogReader(input)
    var chunk = LineChunk()
    var parser = LogParser(format)
    while order == nil, reader.next(into: &chunk) { _ = look(at: chunk, &parser, upTo: .max) }
  }

  /// Examines the days of the first requests of a chunk, and returns whether some are numeric.
  private mutating func look(
    at chunk: LineChunk, _ parser: inout LogParser, upTo limit: Int
  ) -> Bool {
    chunk.withBytes { bytes in
      var (position, requests, hasDates) = (0, 0, false)
      let isSample = limit < .max
      while requests < limit, order == nil, let range = bytes.nextLine(&position) {
        parser.reset()
        guard case .request(let record) = parser.parse(bytes.extracting(range)),
          let time = record.time
        else { continue }
        requests += 1
        let text = parser.text.span
        guard let date = NumericDate(text.extracting(time)) else {
          // All lines of a log have the same kind of times, except lines without a time.
          if isSample, LogTime(text.extracting(time)) != nil { return hasDates }
          continue
        }
        hasDates = hasDates || !date.isSymmetric
        order = date.ownOrder
      }
      return hasDates
    }
  }
}

/// The position of the month in a day such as `10/06/2000`.
enum DateOrder: Sendable {
  case monthFirst
  case dayFirst
}

/// A day in numbers with slashes, hyphens or full stops between them, the year last.
struct NumericDate {
  private let first: Int
  private let second: Int
  private let year: Int

  /// Whether full stops are between the numbers; where people write these, the day comes first.
  private let hasStops: Bool

  /// Where the time of day begins.
  let end: Int

  /// Reads the day at the beginning of a time, or returns `nil` if there is something else.
  init?(_ text: Span<UInt8>) {
    guard text.count > 2, case let firstEnd = text[1].isDigit ? 2 : 1,
      case let separator = text[firstEnd], "/.-".utf8.contains(separator),
      let secondEnd = text.firstIndex(of: separator, from: firstEnd + 1),
      let first = text.decimal(0..<firstEnd),
      let second = text.decimal((firstEnd + 1)..<secondEnd),
      (1...2).contains(secondEnd - firstEnd - 1)
    else { return nil }
    var yearEnd = secondEnd + 1
    while yearEnd < text.count, text[yearEnd].isDigit { yearEnd += 1 }
    guard yearEnd < text.count, text[yearEnd] == UInt8(ascii: " ") || text[yearEnd] == 0x3A,
      let year = text.decimal((secondEnd + 1)..<yearEnd)
    else { return nil }
    switch yearEnd - secondEnd - 1 {
    // The POSIX rule for two digits.
    case 2 where separator != UInt8(ascii: "-"): self.year = year + (year < 69 ? 2000 : 1900)
    case 4: self.year = year
    default: return nil
    }
    (self.first, self.second) = (first, second)
    (end, hasStops) = (yearEnd + 1, separator == UInt8(ascii: "."))
  }

  /// The order that the numbers imply, because no month is above 12, or `nil`.
  var ownOrder: DateOrder? {
    if hasStops || first > 12 && second <= 12 { return .dayFirst }
    return second > 12 && first <= 12 ? .monthFirst : nil
  }

  /// A Boolean value indicating whether both orders give the same day.
  var isSymmetric: Bool { first == second }

  /// Returns the day, or `nil` if there is none or the order isn't known.
  func day(_ order: DateOrder?) -> Day? {
    switch order {
    case nil: nil
    case .monthFirst: Day(year: year, month: first, day: second)
    case .dayFirst: Day(year: year, month: second, day: first)
    }
  }
}
