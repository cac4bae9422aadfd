internal import AccessLogs
internal import Foundations

/// The time field of the last line with one, and its meaning.
///
/// Consecutive lines mostly have the same time, to the second.
struct TimeMemo: ~Copyable {
  /// The lengths of times, from a number of seconds to nanoseconds and an offset.
  private static let lengths = 8...32

  /// The field: its first and its last two words, which are two words of a short field.
  private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

  /// The length of the field, or 0 if there is none of such a length.
  private var length = 0

  /// The time, or `nil` if there is none or it isn't readable.
  private(set) var time: LogTime?

  /// The packed day; see ``Dimensions``.
  private(set) var packedDay: UInt64 = 0

  /// The range of valid days, from 1970-01-01 to 2199-12-31.
  ///
  /// Other times are errors of a clock, and must not make counts by day grow.
  static let days = Day(daysSince1970: 0)...Day(daysSince1970: 84_005)

  /// The position of the month in a day such as `10/06/2000`, or `nil` if it isn't known.
  var dateOrder: DateOrder?

  /// The span of time whose requests are counted.
  private let span: TimeSpan

  /// Whether that is every time; asking the span would copy it for each new time.
  private let isUnlimited: Bool

  /// A Boolean value indicating whether the time is in the span.
  private(set) var isInSpan: Bool

  init(_ span: TimeSpan = TimeSpan()) {
    (self.span, isUnlimited) = (span, span.isUnlimited)
    isInSpan = isUnlimited
  }

  /// The current day, packed, and its requests since the last change of the day; see
  /// ``Dimensions``.
  private var day: UInt64 = 0
  private var share = RequestFigures()

  /// The days of the chunk before that, packed, and the requests on each.
  private var days = WordTable()
  private var shares: [RequestFigures] = []

  /// Counts requests that have the time that was read last, which is in the span.
  @inline(__always)
  mutating func count(_ requests: Int) {
    if packedDay != day { begin(day: packedDay) }
    share.requests += requests
  }

  /// Ends a chunk, and returns its requests in the span by day.
  mutating func takeShares() -> [Day?: RequestFigures] {
    begin(day: 0)
    var taken: [Day?: RequestFigures] = [:]
    for place in 0..<shares.count { taken[Dimensions(bits: days[place]).day] = shares[place] }
    days.removeAll()
    shares.removeAll()
    // Ensures that the next line's time is recorded even if it equals the last one.
    forget()
    return taken
  }

  /// Begins to count the requests of a day.
  @inline(never)
  private mutating func begin(day: UInt64) {
    if share.requests > 0 {
      let place = Int(days.insert(self.day))
      if place == shares.count { shares.append(RequestFigures()) }
      shares[place] += share
    }
    (share, self.day) = (RequestFigures(), day)
  }

  @inline(__always)
  mutating func read(_ range: Range<Int>?, in line: Span<UInt8>) {
    guard let range else { return forget() }
    guard Self.lengths.contains(range.count) else {
      length = 0
      return set(line, range)
    }
    let (start, end) = (range.lowerBound, range.upperBound)
    let field =
      range.count < 16
      ? (line.word(start), 0, 0, line.word(end - 8))
      : (line.word(start), line.word(start + 8), line.word(end - 16), line.word(end - 8))
    guard field != words || range.count != length else { return }
    (words, length) = (field, range.count)
    set(line, range)
  }

  @inline(never)
  private mutating func set(_ line: Span<UInt8>, _ range: Range<Int>) {
    time = LogTime(line.extracting(range), order: dateOrder)
      .flatMap { Self.days.contains($0.day) ? $0 : nil }
    packedDay = Dimensions.bits(time?.day)
    isInSpan = isUnlimited || span.contains(time)
    guard let time, isInSpan else { return }
    if packedDay != day { begin(day: packedDay) }
    share.times.widen(to: time...time)
  }

  /// Adds the times of the first and the last request of a row to its own time, which was read
  /// before.
  mutating func widen(to times: ClosedRange<LogTime>) {
    guard isInSpan else { return }
    share.times.widen(to: times)
  }

  private mutating func forget() {
    (time, packedDay) = (nil, 0)
    isInSpan = isUnlimited
    length = 0
  }
}

/// The times of the first and the last request of each day, each within its day.
extension [Day: ClosedRange<LogTime>] {
  /// The times of the first and the last request, or `nil` if there is none.
  var whole: ClosedRange<LogTime>? { values.reduce(into: nil) { $0.widen(to: $1) } }

  /// Adds the times of the first and the last of some requests of one day.
  mutating func add(_ times: ClosedRange<LogTime>) {
    self[times.lowerBound.day].widen(to: times)
  }

  mutating func add(_ other: Self) {
    for times in other.values { add(times) }
  }
}

extension Optional {
  /// Widens a range to the bounds of another one, if there is one.
  mutating func widen<Bound>(to other: ClosedRange<Bound>?) where Wrapped == ClosedRange<Bound> {
    guard let other else { return }
    self =
      map {
        min($0.lowerBound, other.lowerBound)...max($0.upperBound, other.upperBound)
      } ?? other
  }
}
