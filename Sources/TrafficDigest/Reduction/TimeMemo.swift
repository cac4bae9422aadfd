internal import AccessLogs
internal import Foundations

/// The time field of the last line with one, and its meaning.
///
/// Consecutive lines mostly have the same time, to the second.
struct TimeMemo: ~Copyable {
  /// The lengths of most times, from `2000-10-10T13:55` to nanoseconds and an offset.
  private static let usualLengths = 16...32

  /// The field, if it has such a length: its first and its last two words.
  private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

  /// The length of that field, or 0 if the last field has another length.
  private var length = 0

  /// The field, if it has another length.
  private var other: [UInt8] = []

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
  private var share = DayRequests()

  /// The days of the chunk before that, packed, and the requests on each.
  private var days = WordTable()
  private var shares = Buffer<DayRequests>()

  /// Counts requests that have the time that was read last, which is in the span.
  @inline(__always)
  mutating func count(_ requests: Int) {
    if packedDay != day { begin(day: packedDay) }
    share.requests += requests
  }

  /// Ends a chunk, and returns its requests in the span by day.
  mutating func takeShares() -> [Day?: DayRequests] {
    begin(day: 0)
    var taken: [Day?: DayRequests] = [:]
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
      if place == shares.count { shares.append(DayRequests()) }
      shares[place] = shares[place] + share
    }
    (share, self.day) = (DayRequests(), day)
  }

  @inline(__always)
  mutating func read(_ range: Range<Int>?, in line: Span<UInt8>) {
    guard let range else { return forget() }
    guard Self.usualLengths.contains(range.count) else { return readOther(line, range) }
    let (start, end) = (range.lowerBound, range.upperBound)
    let field = (
      line.word(start), line.word(start + 8), line.word(end - 16), line.word(end - 8)
    )
    guard field != words || range.count != length else { return }
    (words, length) = (field, range.count)
    set(line, range)
  }

  /// Reads a time of another length.
  @inline(never)
  private mutating func readOther(_ line: Span<UInt8>, _ range: Range<Int>) {
    let field = line.extracting(range)
    guard length > 0 || !field.isEqual(to: other.span) else { return }
    length = 0
    other.removeAll(keepingCapacity: true)
    field.append(to: &other)
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
    share.widen(to: time, time)
  }

  /// Adds the times of the first and the last request of a row to its own time, which was read
  /// before.
  mutating func widen(to times: ClosedRange<LogTime>) {
    guard isInSpan else { return }
    share.widen(to: times.lowerBound, times.upperBound)
  }

  private mutating func forget() {
    (time, packedDay) = (nil, 0)
    isInSpan = isUnlimited
    length = 0
    if !other.isEmpty { other.removeAll(keepingCapacity: true) }
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

  mutating func add(_ other: Self) { merge(other) { $0.union($1) } }
}

extension ClosedRange {
  /// Returns the smallest range with the bounds of both.
  fileprivate func union(_ other: ClosedRange) -> ClosedRange {
    Swift.min(lowerBound, other.lowerBound)...Swift.max(upperBound, other.upperBound)
  }
}

extension Optional {
  /// Widens a range to the bounds of another one, if there is one.
  mutating func widen<Bound>(to other: ClosedRange<Bound>?) where Wrapped == ClosedRange<Bound> {
    guard let other else { return }
    self = map { $0.union(other) } ?? other
  }
}
