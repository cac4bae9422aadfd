internal import AccessLogs
internal import Foundations

// The order of the values in a summary, which is the same for writing and reading.

extension DigestSummary {
  /// Upper bound for numbers in a digest; sums of all numbers in a file don't overflow.
  static let countLimit = 0...RowFigures.countLimit

  /// Returns the summary as the payload of a block.
  ///
  /// - Parameter days: The numbers of the days of all requests, ascending; 0 means none.
  /// - Returns: The bytes.
  func payload(days: [Int]) -> [UInt8] {
    var (summary, days, coder) = (self, days, SummaryCoder())
    summary.code(&coder, days: &days)
    return coder.bytes
  }

  /// Reads the payload of a block, or returns `nil` if it is damaged.
  ///
  /// - Parameters:
  ///   - payload: An array that begins with the payload.
  ///   - count: The length of the payload.
  /// - Returns: The summary, and the numbers of the days of all requests.
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

extension TrafficDigest.FormatDoubt: SummaryRecord {
  static var blank: Self { Self(oddity: .agent, count: 0, total: 0, example: "") }

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
