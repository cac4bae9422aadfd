internal import AccessLogs
internal import Foundations

// The summary of a digest as a value with names. Zero counts are omitted.

extension DigestSummary {
  /// Upper bound for numbers in a digest; sums of all numbers in a file don't overflow.
  static let countLimit = 0...RowFigures.countLimit

  /// The numbers of days; 0 means none.
  fileprivate static let days = 0...((1 << 24) - 1)

  /// The summary as a value.
  ///
  /// - Parameter days: The days of all requests.
  /// - Returns: The value.
  func value(days: [Int]) -> NamedValue {
    let otherFetches = fetches { !$0.fetcher.isApple }
    return .members([
      "inputs": .list(inputs.map(\.value)),
      "days": .list(days.map { .number($0) }),
      "rejected": .list(
        RejectionReason.allCases.compactMap { reason in
          rejections[reason].map {
            .members(["reason": .text(reason.rawValue), "lines": .number($0)])
          }
        }),
      "rejectedLines": .list(rejectedLines.map(\.value)),
      "times": .list(dayTimes.ranges.sorted { $0.key < $1.key }.map { $0.value.value }),
      "fetches": .list(fetches { $0.fetcher.isApple }),
      "clients": .list(dailyClients.map(\.value)),
      // Separate, because earlier versions know only Apple's fetchers.
      "otherFetches": otherFetches.isEmpty ? nil : .list(otherFetches),
      "firstUnlistedFetchHost": firstUnlistedFetchHost.map { .text($0) },
      "referringHosts": referringHosts.isEmpty
        ? nil : .list(referringHosts.map(\.value)),
    ])
  }

  /// The clients and the numbers of fetches as values, with their days.
  ///
  /// The counts of targets don't contain them.
  var valuesByDay: [(day: Day?, value: NamedValue)] {
    dailyClients.map { ($0.day, $0.value) }
      + dailyFetches.map { ($0.day, $0.withoutTimesAndSizes.value) }
  }

  /// Some of the fetches by day as values.
  private func fetches(where isChosen: (TrafficDigest.Fetch) -> Bool) -> [NamedValue] {
    dailyFetches.compactMap { daily in
      var chosen = daily
      chosen.counts = daily.counts.filter(isChosen)
      return chosen.counts.isEmpty ? nil : chosen.value
    }
  }

  /// Decodes a value.
  ///
  /// - Returns: The summary, and the days of all requests.
  static func read(
    _ value: NamedValue
  ) throws(NamedValue.Mismatch) -> (summary: DigestSummary, days: [Int]) {
    var summary = DigestSummary()
    summary.inputs = try value.records("inputs")
    var days: [Int] = []
    for day in try value.elements("days") {
      guard case .number(let number) = day, Self.days.contains(number),
        number > days.last ?? -1
      else { throw NamedValue.Mismatch() }
      days.append(number)
    }
    for element in try value.elements("rejected") {
      let reason: RejectionReason = try element.choice("reason")
      summary.rejections[reason] = try element.number("lines", in: countLimit)
    }
    summary.rejectedLines = try value.records("rejectedLines")
    for times: ClosedRange<LogTime> in try value.records("times") {
      let day = times.lowerBound.day
      guard times.upperBound.day == day, summary.dayTimes.ranges[day] == nil else {
        throw NamedValue.Mismatch()
      }
      summary.dayTimes.add(times)
    }
    var dailyFetches: [TrafficDigest.Daily<TrafficDigest.Fetch>] = try value.days("fetches")
    dailyFetches += try value.days("otherFetches")
    summary.firstUnlistedFetchHost = try value.text("firstUnlistedFetchHost")
    summary.dailyClients = try value.days("clients")
    summary.referringHosts = try value.records("referringHosts")

    var sum = 0
    for input in summary.inputs { sum = max(sum, sum &+ input.tally.lines) }
    let fetches = dailyFetches.lazy.flatMap(\.counts).map(\.requests)
    let clients = summary.dailyClients.lazy.flatMap(\.counts).map(\.requests)
    let referring = summary.referringHosts.map(\.requests)
    for count in Array(fetches) + Array(clients) + referring {
      sum = max(sum, sum &+ count)
    }
    guard countLimit.contains(sum) else { throw NamedValue.Mismatch() }
    // Their sums are known to be valid only now.
    summary.dailyFetches =
      value["otherFetches"] == nil
      ? dailyFetches : TrafficDigest.Daily.sums(dailyFetches.flatMap(\.numbered))
    return (summary, days)
  }

  fileprivate static func count(
    _ value: NamedValue, _ name: String
  ) throws(NamedValue.Mismatch) -> Int {
    try value.number(name, in: countLimit)
  }
}

extension LogTime: NamedRecord {
  var value: NamedValue {
    .members(["seconds": .number(secondsSince1970), "offset": .number(offsetInMinutes)])
  }

  /// The seconds of the years from 0 to 9999, and the offsets of all clocks.
  private static let seconds = -62_167_305_600...253_402_387_199
  private static let offsets = -greatestOffset...greatestOffset

  init(_ value: NamedValue) throws(NamedValue.Mismatch) {
    self.init(
      secondsSince1970: try value.number("seconds", in: Self.seconds),
      offsetInMinutes: try value.number("offset", in: Self.offsets))
  }
}

extension ClosedRange: NamedRecord where Bound == LogTime {
  var value: NamedValue {
    .members(["first": lowerBound.value, "last": upperBound.value])
  }

  init(_ value: NamedValue) throws(NamedValue.Mismatch) {
    guard let first = value["first"], let last = value["last"] else { throw NamedValue.Mismatch() }
    let (lower, upper) = (try LogTime(first), try LogTime(last))
    guard lower <= upper else { throw NamedValue.Mismatch() }
    self = lower...upper
  }
}

extension TrafficDigest.Daily: NamedRecord where Count: NamedRecord {
  /// The day and its counts; requests without a time have no day.
  var value: NamedValue {
    .members(["day": day.map { .number($0.number) }, "counts": .list(counts.map(\.value))])
  }

  init(_ value: NamedValue) throws(NamedValue.Mismatch) {
    day = Day.numbered(try value.optionalNumber("day", in: DigestSummary.days) ?? 0)
    counts = try value.records("counts")
  }
}

extension NamedValue {
  /// The counts by day in a list, in ascending order of days.
  fileprivate func days<Count: NamedRecord & Hashable & Sendable>(
    _ name: String
  ) throws(Mismatch) -> [TrafficDigest.Daily<Count>] {
    let days: [TrafficDigest.Daily<Count>] = try records(name)
    let numbers = days.map { $0.day?.number ?? 0 }
    guard zip(numbers, numbers.dropFirst()).allSatisfy({ $0 < $1 }) else { throw Mismatch() }
    return days
  }
}

extension RejectedLine: NamedRecord {
  var value: NamedValue {
    .members([
      "reason": .text(reason.rawValue), "path": .text(path), "line": .number(line),
      "offset": .number(offset),
    ])
  }

  init(_ value: NamedValue) throws(NamedValue.Mismatch) {
    self.init(
      reason: try value.choice("reason"), path: try value.requiredText("path"),
      line: try DigestSummary.count(value, "line"),
      offset: try value.number("offset", in: 0...Int.max))
  }
}

extension TrafficDigest.Fetch: NamedRecord {
  var value: NamedValue {
    .members([
      "host": .text(host), "path": .text(path), "fetcher": .text(fetcher.rawValue),
      "status": .number(Int(status)), "requests": .number(requests), "last": last?.value,
      "first": first?.value, "smallest": sizes.map { .number($0.lowerBound) },
      "largest": sizes.map { .number($0.upperBound) },
    ])
  }

  init(_ value: NamedValue) throws(NamedValue.Mismatch) {
    var figures = FetchFigures(requests: try DigestSummary.count(value, "requests"))
    if let time = value["last"] { figures.last = try LogTime(time) }
    if let time = value["first"] {
      figures.first = try LogTime(time)
    } else if figures.requests == 1 {
      figures.first = figures.last
    }
    if let smallest = try value.optionalNumber("smallest", in: DigestSummary.countLimit) {
      let largest = try DigestSummary.count(value, "largest")
      guard smallest <= largest else { throw NamedValue.Mismatch() }
      figures.sizes = smallest...largest
    }
    if let first = figures.first {
      guard let last = figures.last, first <= last else { throw NamedValue.Mismatch() }
    }
    self.init(
      host: try value.requiredText("host"), path: try value.requiredText("path"),
      fetcher: try value.choice("fetcher"), status: UInt16(try value.number("status", in: 0...999)),
      figures: figures)
  }
}

extension TrafficDigest.ClientCount: NamedRecord {
  var value: NamedValue {
    .members([
      "platform": .text(platform.name), "client": .text(client.name),
      "version": systemVersion.map { .number($0) }, "requests": .number(requests),
    ])
  }

  init(_ value: NamedValue) throws(NamedValue.Mismatch) {
    let name = try value.requiredText("platform")
    guard let platform = Platform.allCases.first(where: { $0.name == name }) else {
      throw NamedValue.Mismatch()
    }
    self.init(
      platform: platform, client: Client(named: try value.requiredText("client")),
      systemVersion: try value.optionalNumber("version", in: 1...255),
      requests: try DigestSummary.count(value, "requests"))
  }
}

extension TrafficDigest.ReferringHost: NamedRecord {
  var value: NamedValue {
    .members(["host": .text(host), "referrer": .text(referrer), "requests": .number(requests)])
  }

  init(_ value: NamedValue) throws(NamedValue.Mismatch) {
    self.init(
      host: try value.requiredText("host"), referrer: try value.requiredText("referrer"),
      requests: try DigestSummary.count(value, "requests"))
  }
}

// MARK: - Inputs

extension TrafficDigest.Input: NamedRecord {
  var value: NamedValue {
    .members([
      "path": .text(path),
      "damage": damage?.value,
      "format": format?.value,
      "settings": settings.value,
      "lines": .number(tally.lines),
      "requests": .number(tally.requests),
      "outside": .number(tally.outside),
      "misplacedAgents": tally.misplacedAgents > 0 ? .number(tally.misplacedAgents) : nil,
      "unreadTimes": tally.unreadTimes > 0 ? .number(tally.unreadTimes) : nil,
      "rejectedAppleLines": tally.rejectedAppleLines > 0
        ? .number(tally.rejectedAppleLines) : nil,
      "doubts": doubts.isEmpty ? nil : .list(doubts.map(\.value)),
      "first": times?.lowerBound.value,
      "last": times?.upperBound.value,
      "fingerprint": fingerprint.map {
        .members([
          "length": .number($0.length), "first": .number(Int(bitPattern: UInt($0.first))),
          "second": .number(Int(bitPattern: UInt($0.second))),
        ])
      },
    ])
  }

  init(_ value: NamedValue) throws(NamedValue.Mismatch) {
    path = try value.requiredText("path")
    if let damage = value["damage"] { self.damage = try LogDamage(damage) }
    if let format = value["format"] { self.format = try .init(format) }
    settings = try .init(value["settings"] ?? .members([]))
    tally.lines = try DigestSummary.count(value, "lines")
    tally.requests = try DigestSummary.count(value, "requests")
    tally.outside = try DigestSummary.count(value, "outside")
    let limit = DigestSummary.countLimit
    tally.misplacedAgents = try value.optionalNumber("misplacedAgents", in: limit) ?? 0
    tally.unreadTimes = try value.optionalNumber("unreadTimes", in: limit) ?? 0
    tally.rejectedAppleLines = try value.optionalNumber("rejectedAppleLines", in: limit) ?? 0
    guard tally.rejected >= 0 else { throw NamedValue.Mismatch() }
    if value["doubts"] != nil { doubts = try value.records("doubts") }
    if value["first"] != nil { times = try ClosedRange<LogTime>(value) }
    if let fingerprint = value["fingerprint"] {
      let words = (
        try fingerprint.number("first", in: Int.min...Int.max),
        try fingerprint.number("second", in: Int.min...Int.max)
      )
      self.fingerprint = ContentFingerprint(
        length: try fingerprint.number("length", in: 0...Int.max),
        first: UInt64(UInt(bitPattern: words.0)), second: UInt64(UInt(bitPattern: words.1)))
    }
  }
}

extension TrafficDigest.FormatDoubt: NamedRecord {
  var value: NamedValue {
    .members([
      "oddity": .text(oddity.rawValue), "count": .number(count), "total": .number(total),
      "example": .text(example),
    ])
  }

  init(_ value: NamedValue) throws(NamedValue.Mismatch) {
    self.init(
      oddity: try value.choice("oddity"), count: try DigestSummary.count(value, "count"),
      total: try DigestSummary.count(value, "total"), example: try value.requiredText("example"))
  }
}

extension TrafficDigest.InputFormat: NamedRecord {
  var value: NamedValue {
    .members([
      "name": .text(name),
      "fields": fields.map { .list($0.map { .text(String(describing: $0)) }) },
    ])
  }

  init(_ value: NamedValue) throws(NamedValue.Mismatch) {
    name = try value.requiredText("name")
    guard value["fields"] != nil else { return }
    var known: [LogField] = []
    for field in try value.elements("fields") {
      let name = try field.text
      // Fields of later versions are ignored.
      if let field = LogField.allCases.first(where: { String(describing: $0) == name }) {
        known.append(field)
      }
    }
    fields = known
  }
}

extension TrafficDigest.InputSettings: NamedRecord {
  var value: NamedValue {
    .members([
      "host": defaultHost.map { .text($0) }, "namesFormat": namesFormat ? .number(1) : nil,
      "since": since.map { .text($0) }, "until": until.map { .text($0) },
      "lineLimit": .number(lineLimit),
    ])
  }

  init(_ value: NamedValue) throws(NamedValue.Mismatch) {
    defaultHost = try value.text("host")
    namesFormat = value["namesFormat"] != nil
    (since, until) = (try value.text("since"), try value.text("until"))
    lineLimit = try value.optionalNumber("lineLimit", in: 0...Int.max) ?? lineLimit
  }
}

extension LogDamage: NamedRecord {
  /// The damage as a value with names.
  var value: NamedValue {
    let kind = kind.code
    return .members([
      "kind": .text(kind.name), "offset": .number(offset),
      "compression": kind.compression.map { .text($0.rawValue) },
      "numbers": kind.numbers.isEmpty ? nil : .list(kind.numbers.map { .number($0) }),
    ])
  }

  init(_ value: NamedValue) throws(NamedValue.Mismatch) {
    var numbers: [Int] = []
    for element in try value.elements("numbers") {
      guard case .number(let number) = element else { throw NamedValue.Mismatch() }
      numbers.append(number)
    }
    let compression = try value.text("compression").flatMap { Compression(rawValue: $0) }
    let offset = try value.number("offset", in: 0...Int.max)
    let name = try value.requiredText("kind")
    guard let kind = Kind(KindCode(name, compression, numbers: numbers)) else {
      throw NamedValue.Mismatch()
    }
    self.init(kind, offset: offset)
  }
}
