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
      "clients": .list(dailyClients.map { $0.value(\.value) }),
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
    dailyClients.map { ($0.day, $0.value(\.value)) }
      + dailyFetches.map { daily in (daily.day, daily.withoutTimesAndSizes.value(\.value)) }
  }

  /// Some of the fetches by day as values.
  private func fetches(where isChosen: (TrafficDigest.Fetch) -> Bool) -> [NamedValue] {
    dailyFetches.compactMap { daily in
      var chosen = daily
      chosen.counts = daily.counts.filter(isChosen)
      return chosen.counts.isEmpty ? nil : chosen.value(\.value)
    }
  }

  /// Decodes a value.
  ///
  /// - Returns: The summary, and the days of all requests.
  static func read(
    _ value: NamedValue
  ) throws(NamedValue.Mismatch) -> (summary: DigestSummary, days: [Int]) {
    var summary = DigestSummary()
    for input in try value.elements("inputs") { summary.inputs.append(try .init(input)) }
    var days: [Int] = []
    for day in try value.elements("days") {
      guard case .number(let number) = day, Self.days.contains(number),
        number > days.last ?? -1
      else { throw NamedValue.Mismatch() }
      days.append(number)
    }
    for element in try value.elements("rejected") {
      let reason = try RejectionReason(element)
      summary.rejections[reason] = try element.number("lines", in: countLimit)
    }
    for line in try value.elements("rejectedLines") {
      summary.rejectedLines.append(try .init(line))
    }
    for element in try value.elements("times") {
      let times = try ClosedRange<LogTime>(element)
      let day = times.lowerBound.day
      guard times.upperBound.day == day, summary.dayTimes.ranges[day] == nil else {
        throw NamedValue.Mismatch()
      }
      summary.dayTimes.add(times)
    }
    var dailyFetches = try TrafficDigest.Daily.read(value, "fetches") {
      element throws(NamedValue.Mismatch) in try TrafficDigest.Fetch(element)
    }
    let hasOthers = value["otherFetches"] != nil
    if hasOthers {
      dailyFetches += try TrafficDigest.Daily.read(value, "otherFetches") {
        element throws(NamedValue.Mismatch) in try TrafficDigest.Fetch(element)
      }
    }
    summary.firstUnlistedFetchHost = try value.text("firstUnlistedFetchHost")
    summary.dailyClients = try TrafficDigest.Daily.read(value, "clients") {
      element throws(NamedValue.Mismatch) in try TrafficDigest.ClientCount(element)
    }
    if value["referringHosts"] != nil {
      for element in try value.elements("referringHosts") {
        summary.referringHosts.append(try TrafficDigest.ReferringHost(element))
      }
    }

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
      hasOthers
      ? TrafficDigest.Daily.sums(dailyFetches.flatMap(\.numbered)) : dailyFetches
    return (summary, days)
  }

  fileprivate static func count(
    _ value: NamedValue, _ name: String
  ) throws(NamedValue.Mismatch) -> Int {
    try value.number(name, in: countLimit)
  }
}

extension RejectionReason {
  fileprivate init(_ value: NamedValue) throws(NamedValue.Mismatch) {
    guard let reason = RejectionReason(rawValue: try value.requiredText("reason")) else {
      throw NamedValue.Mismatch()
    }
    self = reason
  }
}

extension LogTime {
  fileprivate var value: NamedValue {
    .members(["seconds": .number(secondsSince1970), "offset": .number(offsetInMinutes)])
  }

  /// The seconds of the years from 0 to 9999, and the offsets of all clocks.
  private static let seconds = -62_167_305_600...253_402_387_199
  private static let offsets = -greatestOffset...greatestOffset

  fileprivate init(_ value: NamedValue) throws(NamedValue.Mismatch) {
    self.init(
      secondsSince1970: try value.number("seconds", in: Self.seconds),
      offsetInMinutes: try value.number("offset", in: Self.offsets))
  }
}

extension ClosedRange<LogTime> {
  fileprivate var value: NamedValue {
    .members(["first": lowerBound.value, "last": upperBound.value])
  }

  fileprivate init(_ value: NamedValue) throws(NamedValue.Mismatch) {
    guard let first = value["first"], let last = value["last"] else { throw NamedValue.Mismatch() }
    let (lower, upper) = (try LogTime(first), try LogTime(last))
    guard lower <= upper else { throw NamedValue.Mismatch() }
    self = lower...upper
  }
}

extension TrafficDigest.Daily {
  /// The day and its counts; requests without a time have no day.
  fileprivate func value(_ count: (Count) -> NamedValue) -> NamedValue {
    .members(["day": day.map { .number($0.number) }, "counts": .list(counts.map(count))])
  }

  /// Reads the member of a summary with counts by day, in ascending order of days.
  fileprivate static func read(
    _ summary: NamedValue, _ name: String,
    _ count: (NamedValue) throws(NamedValue.Mismatch) -> Count
  ) throws(NamedValue.Mismatch) -> [Self] {
    var (days, last): ([Self], Int) = ([], -1)
    for element in try summary.elements(name) {
      let number = element["day"] == nil ? 0 : try element.number("day", in: DigestSummary.days)
      guard number > last else { throw NamedValue.Mismatch() }
      last = number
      var counts: [Count] = []
      for value in try element.elements("counts") { counts.append(try count(value)) }
      days.append(Self(day: Day.numbered(number), counts: counts))
    }
    return days
  }
}

extension RejectedLine {
  fileprivate var value: NamedValue {
    .members([
      "reason": .text(reason.rawValue), "path": .text(path), "line": .number(line),
      "offset": .number(offset),
    ])
  }

  fileprivate init(_ value: NamedValue) throws(NamedValue.Mismatch) {
    self.init(
      reason: try RejectionReason(value), path: try value.requiredText("path"),
      line: try DigestSummary.count(value, "line"),
      offset: try value.number("offset", in: 0...Int.max))
  }
}

extension TrafficDigest.Fetch {
  fileprivate var value: NamedValue {
    .members([
      "host": .text(host), "path": .text(path), "fetcher": .text(fetcher.rawValue),
      "status": .number(Int(status)), "requests": .number(requests), "last": last?.value,
      "first": first?.value, "smallest": sizes.map { .number($0.lowerBound) },
      "largest": sizes.map { .number($0.upperBound) },
    ])
  }

  fileprivate init(_ value: NamedValue) throws(NamedValue.Mismatch) {
    guard let fetcher = Fetcher(rawValue: try value.requiredText("fetcher")) else {
      throw NamedValue.Mismatch()
    }
    var figures = FetchFigures(requests: try DigestSummary.count(value, "requests"))
    if let time = value["last"] { figures.last = try LogTime(time) }
    if let time = value["first"] {
      figures.first = try LogTime(time)
    } else if figures.requests == 1 {
      figures.first = figures.last
    }
    if value["smallest"] != nil {
      let smallest = try DigestSummary.count(value, "smallest")
      let largest = try DigestSummary.count(value, "largest")
      guard smallest <= largest else { throw NamedValue.Mismatch() }
      figures.sizes = smallest...largest
    }
    if let first = figures.first {
      guard let last = figures.last, first <= last else { throw NamedValue.Mismatch() }
    }
    self.init(
      host: try value.requiredText("host"), path: try value.requiredText("path"),
      fetcher: fetcher, status: UInt16(try value.number("status", in: 0...999)),
      figures: figures)
  }
}

extension TrafficDigest.ClientCount {
  fileprivate var value: NamedValue {
    .members([
      "platform": .text(platform.name), "client": .text(client.name),
      "version": systemVersion.map { .number($0) }, "requests": .number(requests),
    ])
  }

  fileprivate init(_ value: NamedValue) throws(NamedValue.Mismatch) {
    let name = try value.requiredText("platform")
    guard let platform = Platform.allCases.first(where: { $0.name == name }) else {
      throw NamedValue.Mismatch()
    }
    var version: Int?
    if value["version"] != nil { version = try value.number("version", in: 1...255) }
    self.init(
      platform: platform, client: Client(named: try value.requiredText("client")),
      systemVersion: version, requests: try DigestSummary.count(value, "requests"))
  }
}

extension TrafficDigest.ReferringHost {
  fileprivate var value: NamedValue {
    .members(["host": .text(host), "referrer": .text(referrer), "requests": .number(requests)])
  }

  fileprivate init(_ value: NamedValue) throws(NamedValue.Mismatch) {
    self.init(
      host: try value.requiredText("host"), referrer: try value.requiredText("referrer"),
      requests: try DigestSummary.count(value, "requests"))
  }
}

// MARK: - Inputs

extension TrafficDigest.Input {
  fileprivate var value: NamedValue {
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

  fileprivate init(_ value: NamedValue) throws(NamedValue.Mismatch) {
    path = try value.requiredText("path")
    if let damage = value["damage"] { self.damage = try LogDamage(damage) }
    if let format = value["format"] { self.format = try .init(format) }
    settings = try .init(value["settings"] ?? .members([]))
    tally.lines = try DigestSummary.count(value, "lines")
    tally.requests = try DigestSummary.count(value, "requests")
    tally.outside = try DigestSummary.count(value, "outside")
    if value["misplacedAgents"] != nil {
      tally.misplacedAgents = try DigestSummary.count(value, "misplacedAgents")
    }
    if value["unreadTimes"] != nil {
      tally.unreadTimes = try DigestSummary.count(value, "unreadTimes")
    }
    guard tally.rejected >= 0 else { throw NamedValue.Mismatch() }
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

extension TrafficDigest.InputFormat {
  fileprivate var value: NamedValue {
    .members([
      "name": .text(name),
      "fields": fields.map { .list($0.map { .text(String(describing: $0)) }) },
    ])
  }

  fileprivate init(_ value: NamedValue) throws(NamedValue.Mismatch) {
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

extension TrafficDigest.InputSettings {
  fileprivate var value: NamedValue {
    .members([
      "host": defaultHost.map { .text($0) }, "namesFormat": namesFormat ? .number(1) : nil,
      "since": since.map { .text($0) }, "until": until.map { .text($0) },
      "lineLimit": .number(lineLimit),
    ])
  }

  fileprivate init(_ value: NamedValue) throws(NamedValue.Mismatch) {
    defaultHost = try value.text("host")
    namesFormat = value["namesFormat"] != nil
    (since, until) = (try value.text("since"), try value.text("until"))
    if value["lineLimit"] != nil { lineLimit = try value.number("lineLimit", in: 0...Int.max) }
  }
}

extension LogDamage {
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
