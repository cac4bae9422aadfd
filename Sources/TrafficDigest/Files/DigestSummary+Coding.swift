internal import AccessLogs
internal import Foundations

// The order of the values in a summary, which is the same for writing and reading.

extension DigestSummary {
  /// Upper bound for numbers in a digest; sums of all numbers in a file don't overflow.
  static let countLimit = 0...RowParser.countLimit

  /// Returns the summary, and the days of all requests, ascending, as the payload of a block.
  func payload(days: [Int]) -> [UInt8] {
    var (summary, days, coder) = (self, days, SummaryCoder())
    summary.code(&coder, days: &days)
    return coder.bytes
  }

  /// Reads the first bytes of an array as such a payload, or returns `nil` if it is damaged.
  static func read(
    _ payload: [UInt8], count: Int
  ) -> (summary: DigestSummary, days: [Int])? {
    var (summary, days) = (DigestSummary(), [Int]())
    var coder = SummaryCoder(reading: payload, count: count)
    summary.code(&coder, days: &days)
    return coder.isComplete && summary.hasPlausibleSums ? (summary, days) : nil
  }

  /// Encodes the clients and the numbers of fetches, with their days.
  ///
  /// The counts of targets don't contain them.
  func forEachDay(_ body: (_ day: Day?, _ bytes: Span<UInt8>) -> Void) {
    func encode(_ record: some SummaryRecord, of day: Day?) {
      var (record, coder) = (record, SummaryCoder())
      record.code(&coder)
      body(day, coder.bytes.span)
    }
    for daily in dailyClients { encode(daily, of: daily.day) }
    for daily in dailyFetches { encode(daily.withoutTimesAndSizes, of: daily.day) }
  }

  /// Writes or reads all values in their order.
  private mutating func code(_ coder: inout SummaryCoder, days: inout [Int]) {
    inputs.code(&coder)
    days.code(&coder)
    coder.require(days.allSatisfy(Self.days.contains) && days.isStrictlyAscending)
    for reason in RejectionReason.allCases {
      var lines = rejections[reason] ?? 0
      lines.code(&coder)
      rejections[reason] = lines > 0 ? lines : nil
    }
    rejectedLines.code(&coder)
    var times = dayTimes.sorted { $0.key < $1.key }.map(\.value)
    times.code(&coder)
    coder.require(
      times.allSatisfy { $0.lowerBound.day == $0.upperBound.day }
        && times.map(\.lowerBound.day.number).isStrictlyAscending)
    dayTimes = [:]
    for times in times { dayTimes.add(times) }
    dailyFetches.code(&coder)
    coder.require(dailyFetches.map { $0.day?.number ?? 0 }.isStrictlyAscending)
    firstUnlistedFetchHost.code(&coder)
    dailyClients.code(&coder)
    coder.require(dailyClients.map { $0.day?.number ?? 0 }.isStrictlyAscending)
    referringHosts.code(&coder)
  }

  /// The numbers of days; 0 means none.
  fileprivate static let days = 0...((1 << 24) - 1)

  /// A Boolean value indicating whether sums of all counts are counts.
  private var hasPlausibleSums: Bool {
    var sum = inputs.reduce(0) { max($0, $0 &+ $1.tally.lines) }
    for daily in dailyFetches { sum = daily.counts.reduce(sum) { max($0, $0 &+ $1.requests) } }
    for daily in dailyClients { sum = daily.counts.reduce(sum) { max($0, $0 &+ $1.requests) } }
    sum = referringHosts.reduce(sum) { max($0, $0 &+ $1.requests) }
    return Self.countLimit.contains(sum)
  }
}

extension [Int] {
  fileprivate var isStrictlyAscending: Bool { zip(self, dropFirst()).allSatisfy { $0 < $1 } }
}

extension RejectedLine: SummaryRecord {
  static var blank: Self { Self(reason: .emptyLine, path: "", line: 0, offset: 0) }

  mutating func code(_ coder: inout SummaryCoder) {
    reason.code(&coder)
    path.code(&coder)
    line.code(&coder)
    coder.code(&offset, in: 0...Int.max)
  }
}

extension LogTime: SummaryRecord {
  static var blank: Self { Self(secondsSince1970: 0, offsetInMinutes: 0) }

  /// The seconds of the years from 0 to 9999, and the offsets of all clocks.
  private static let seconds = -62_167_305_600...253_402_387_199
  private static let offsets = -greatestOffset...greatestOffset

  mutating func code(_ coder: inout SummaryCoder) {
    coder.code(&secondsSince1970, in: Self.seconds)
    coder.code(&offsetInMinutes, in: Self.offsets)
  }
}

extension TrafficDigest.Daily: SummaryRecord where Count: SummaryRecord {
  static var blank: Self { Self(day: nil, counts: []) }

  mutating func code(_ coder: inout SummaryCoder) {
    // Requests without a time have the day 0.
    var number = day?.number ?? 0
    coder.code(&number, in: DigestSummary.days)
    day = Day.numbered(number)
    counts.code(&coder)
  }
}

extension TrafficDigest.Fetch: SummaryRecord {
  static var blank: Self {
    Self(host: "", path: "", fetcher: .other, status: 0, figures: FetchFigures())
  }

  mutating func code(_ coder: inout SummaryCoder) {
    host.code(&coder)
    path.code(&coder)
    fetcher.code(&coder)
    var number = Int(status)
    coder.code(&number, in: 0...999)
    status = UInt16(truncatingIfNeeded: number)
    figures.requests.code(&coder)
    figures.times.code(&coder)
    figures.sizes.code(&coder)
  }
}

extension TrafficDigest.ClientCount: SummaryRecord {
  static var blank: Self { Self(platform: .other, client: .other, requests: 0) }

  mutating func code(_ coder: inout SummaryCoder) {
    coder.code(&platform, named: platform.name) { name in
      Platform.allCases.first { $0.name == name }
    }
    coder.code(&client, named: client.name) { Client(named: $0) }
    systemVersion.code(&coder)
    coder.require((1...255).contains(systemVersion ?? 1))
    requests.code(&coder)
  }
}

extension TrafficDigest.ReferringHost: SummaryRecord {
  static var blank: Self { Self(host: "", referrer: "", requests: 0) }

  mutating func code(_ coder: inout SummaryCoder) {
    host.code(&coder)
    referrer.code(&coder)
    requests.code(&coder)
  }
}

// MARK: - Inputs

extension TrafficDigest.Input: SummaryRecord {
  static var blank: Self { Self(path: "") }

  mutating func code(_ coder: inout SummaryCoder) {
    path.code(&coder)
    damage.code(&coder)
    format.code(&coder)
    settings.code(&coder)
    tally.lines.code(&coder)
    tally.requests.code(&coder)
    tally.outside.code(&coder)
    tally.misplacedAgents.code(&coder)
    tally.unreadTimes.code(&coder)
    tally.rejectedAppleLines.code(&coder)
    coder.require(tally.rejected >= 0)
    doubts.code(&coder)
    times.code(&coder)
    fingerprint.code(&coder)
  }
}

extension ContentFingerprint: SummaryRecord {
  static var blank: Self { Self(length: 0, first: 0, second: 0) }

  mutating func code(_ coder: inout SummaryCoder) {
    coder.code(&length, in: 0...Int.max)
    var words = (Int(bitPattern: UInt(first)), Int(bitPattern: UInt(second)))
    coder.code(&words.0, in: Int.min...Int.max)
    coder.code(&words.1, in: Int.min...Int.max)
    (first, second) = (UInt64(UInt(bitPattern: words.0)), UInt64(UInt(bitPattern: words.1)))
  }
}

extension FormatReview.Doubt: SummaryRecord {
  static var blank: Self { Self(oddity: .agent) }

  mutating func code(_ coder: inout SummaryCoder) {
    oddity.code(&coder)
    count.code(&coder)
    total.code(&coder)
    example.code(&coder)
  }
}

extension TrafficDigest.InputFormat: SummaryRecord {
  static var blank: Self { Self(name: "") }

  mutating func code(_ coder: inout SummaryCoder) {
    name.code(&coder)
    fields.code(&coder)
  }
}

extension TrafficDigest.InputSettings: SummaryRecord {
  static var blank: Self { Self() }

  mutating func code(_ coder: inout SummaryCoder) {
    defaultHost.code(&coder)
    var isNamed = namesFormat ? 1 : 0
    coder.code(&isNamed, in: 0...1)
    namesFormat = isNamed == 1
    since.code(&coder)
    until.code(&coder)
    coder.code(&lineLimit, in: 0...Int.max)
  }
}

extension LogDamage: SummaryRecord {
  static var blank: Self { Self(.truncated, offset: 0) }

  mutating func code(_ coder: inout SummaryCoder) {
    coder.code(&self, named: code) { LogDamage(code: $0) }
  }
}

// MARK: - Coder

/// A writer or reader of values in their order, so that one function describes both.
///
/// Numbers have variable length, with the sign in the lowest bit. A text is its length and its
/// bytes. A list is the number of its elements and the elements. An optional value is 0, or 1 and
/// the value. Reading gives anything in place of missing and invalid values, and ``isValid`` becomes
/// false.
struct SummaryCoder {
  /// The bytes that are written or read.
  private(set) var bytes: [UInt8]

  /// The place in the bytes, or `nil` for a writer.
  private var reader: PayloadReader?

  /// A Boolean value indicating whether all values so far could be read.
  private(set) var isValid = true

  private var elementCount = 0

  /// The maximum number of elements in lists.
  ///
  /// They take more memory than their bytes. A summary of ten years with hundreds of kinds of
  /// clients on each day has a million.
  private static let elementLimit = 1 << 22

  /// Creates a writer.
  init() { bytes = [] }

  /// Creates a reader of the first of some bytes.
  init(reading bytes: [UInt8], count: Int) {
    self.bytes = bytes
    reader = PayloadReader(0..<count)
  }

  /// A Boolean value indicating whether all bytes were read, and all values are valid.
  var isComplete: Bool { isValid && reader?.isAtEnd ?? true }

  /// Rejects what was read unless a condition holds.
  mutating func require(_ condition: Bool) {
    if !condition { isValid = false }
  }

  /// Writes or reads a number.
  mutating func code(_ number: inout Int, in range: ClosedRange<Int>) {
    if reader == nil {
      bytes.append(variableLength: UInt64(bitPattern: Int64((number << 1) ^ (number >> 63))))
    } else {
      let bytes = bytes
      let word = reader?.number(bytes.span) ?? 0
      require(reader?.isValid ?? false)
      number = Int(word >> 1) ^ -Int(word & 1)
      if !range.contains(number) { (number, isValid) = (range.lowerBound, false) }
    }
  }

  /// Writes or reads a text.
  fileprivate mutating func code(text: inout String) {
    var count = text.utf8.count
    code(length: &count)
    if reader == nil {
      bytes += text.utf8
    } else {
      let range = reader?.range(count: count) ?? 0..<0
      text = String(decoding: bytes[range], as: UTF8.self)
    }
  }

  /// Writes or reads a value by its name; `find` returns the value with a name, if there is one.
  mutating func code<Value>(_ value: inout Value, named name: String, find: (String) -> Value?) {
    var name = name
    code(text: &name)
    let found = find(name)
    require(found != nil)
    value = found ?? value
  }

  /// Writes or reads the number of elements in a list.
  fileprivate mutating func code(count: inout Int) {
    code(length: &count)
    if reader != nil {
      elementCount += count
      require(elementCount <= Self.elementLimit)
    }
  }

  /// Writes or reads a number of bytes, or of elements of at least one byte, which follow.
  private mutating func code(length: inout Int) {
    if reader == nil {
      bytes.append(variableLength: UInt64(length))
    } else {
      let bytes = bytes
      length = reader?.count(bytes.span) ?? 0
      require(reader?.isValid ?? false)
    }
  }
}

/// A type whose values the summary of a digest contains.
protocol SummaryRecord {
  /// A value that is replaced when one is read.
  static var blank: Self { get }

  /// Writes or reads all values of the record in their order.
  mutating func code(_ coder: inout SummaryCoder)
}

extension String: SummaryRecord {
  static var blank: String { "" }

  mutating func code(_ coder: inout SummaryCoder) { coder.code(text: &self) }
}

/// A number that counts something.
extension Int: SummaryRecord {
  static var blank: Int { 0 }

  mutating func code(_ coder: inout SummaryCoder) {
    coder.code(&self, in: DigestSummary.countLimit)
  }
}

extension Array: SummaryRecord where Element: SummaryRecord {
  static var blank: [Element] { [] }

  mutating func code(_ coder: inout SummaryCoder) {
    var count = count
    coder.code(count: &count)
    if count != self.count { self = Array(repeating: .blank, count: coder.isValid ? count : 0) }
    for index in indices where coder.isValid { self[index].code(&coder) }
  }
}

extension Optional: SummaryRecord where Wrapped: SummaryRecord {
  static var blank: Wrapped? { nil }

  mutating func code(_ coder: inout SummaryCoder) {
    var count = self == nil ? 0 : 1
    coder.code(&count, in: 0...1)
    guard count == 1 else { return self = nil }
    var value: Wrapped = self ?? Wrapped.blank
    value.code(&coder)
    self = value
  }
}

extension ClosedRange: SummaryRecord where Bound: SummaryRecord {
  static var blank: Self { .blank ... .blank }

  mutating func code(_ coder: inout SummaryCoder) {
    var (first, last) = (lowerBound, upperBound)
    first.code(&coder)
    last.code(&coder)
    coder.require(first <= last)
    if first <= last { self = first...last }
  }
}

/// A value with a name.
extension SummaryRecord where Self: RawRepresentable<String> {
  mutating func code(_ coder: inout SummaryCoder) {
    coder.code(&self, named: rawValue) { Self(rawValue: $0) }
  }
}

extension LogField: SummaryRecord {
  static var blank: Self { .host }

  mutating func code(_ coder: inout SummaryCoder) {
    coder.code(&self, named: String(describing: self)) { name in
      Self.allCases.first { String(describing: $0) == name }
    }
  }
}

extension RejectionReason: SummaryRecord { static var blank: Self { .emptyLine } }
extension Fetcher: SummaryRecord { static var blank: Self { .other } }
extension FormatReview.Oddity: SummaryRecord { static var blank: Self { .agent } }
