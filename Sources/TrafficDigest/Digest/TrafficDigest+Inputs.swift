public import AccessLogs
public import Foundations

extension TrafficDigest {
  /// An input and what was found in it.
  public struct Input: Codable, Hashable, Sendable {
    private enum CodingKeys: CodingKey {
      case path, damage, format, settings, tally, times, fingerprint, doubts
    }

    /// The path to show.
    public var path: String

    /// The path of the digest that contains it, or `nil` if it was read as a log.
    public var digest: String?

    /// The damage that ended its reading early, or `nil`.
    public var damage: LogDamage?

    /// The format of its lines, or `nil` if its first lines had none.
    public var format: InputFormat?

    /// How it was read.
    public var settings: InputSettings

    /// Its lines.
    public var tally = LineTally()

    /// The times of the first and the last request, or `nil` if no request has one.
    public var times: ClosedRange<LogTime>?

    /// The fingerprint of its decompressed content, or `nil` if it wasn't requested.
    public var fingerprint: ContentFingerprint?

    /// The first lines of the log if no format fits them, or the named one doesn't; else empty.
    ///
    /// Digest files don't store it.
    public var unreadStart: [UInt8] = []

    /// A Boolean value indicating whether requests have no time because the order of day and month
    /// is ambiguous.
    ///
    /// Digest files don't store it.
    public var hasAmbiguousDates = false

    /// The fields of the first line that contradicts the format, in a fixed order, if many lines do.
    ///
    /// Digest files don't store it.
    public var doubtfulLine: [DoubtfulField]?

    /// The oddities of its first lines in the format, and those that later lines have.
    public var doubts: [FormatReview.Doubt] = []

    /// Creates an input from the values that a store has, too.
    public init(
      path: String, damage: LogDamage? = nil, format: InputFormat? = nil,
      settings: InputSettings = InputSettings(), tally: LineTally = LineTally(),
      times: ClosedRange<LogTime>? = nil
    ) {
      (self.path, self.damage, self.format) = (path, damage, format)
      (self.settings, self.tally, self.times) = (settings, tally, times)
    }

    /// A Boolean value indicating whether the format is probably another one.
    public var isMisread: Bool { tally.isMisread || !doubts.isEmpty }

    /// The maximum number of requests that leave an inferred format uncertain.
    public static let fewRequests = 7

    /// A Boolean value indicating whether the format was inferred from too few requests to be certain.
    public var hasUncertainFormat: Bool {
      format?.name == LogFormat.templateName && !settings.namesFormat && !isMisread
        && (1...Self.fewRequests).contains(tally.requests + tally.outside)
    }
  }

  /// The format of an input.
  public struct InputFormat: Codable, Hashable, Sendable {
    /// The name; see ``LogFormat/name``.
    public var name: String

    /// The fields that its lines can hold; see ``LogFormat/fields``.
    public var fields: [LogField]?

    /// Creates a format.
    public init(name: String, fields: [LogField]? = nil) {
      (self.name, self.fields) = (name, fields)
    }
  }

  /// The options that an input was read with.
  public struct InputSettings: Codable, Hashable, Sendable {
    /// The host of lines that name none, or `nil` if it wasn't known.
    public var defaultHost: String?

    /// A Boolean value indicating whether the format was named rather than detected from the
    /// lines.
    public var namesFormat = false

    /// The span of time whose requests count, in words, or `nil` for all.
    public var since: String?
    public var until: String?

    /// The greatest number of bytes in a line.
    public var lineLimit = LogReader.defaultLineLimit

    /// Creates settings.
    public init(defaultHost: String? = nil) { self.defaultHost = defaultHost }

    public static func == (one: Self, other: Self) -> Bool {
      // Hosts that only look alike are different.
      one.defaultHost.map { Array($0.utf8) } == other.defaultHost.map { Array($0.utf8) }
        && one.namesFormat == other.namesFormat && one.lineLimit == other.lineLimit
        && (one.since, one.until) == (other.since, other.until)
    }
  }
}

extension TrafficDigest.Input {
  /// The order of inputs: by path, then by the values that differ between equal paths.
  static func precedes(_ one: Self, _ other: Self) -> Bool {
    if one.path != other.path { return one.path.precedesByBytes(other.path) }
    let (first, second) = (one.orderWords, other.orderWords)
    return first != second
      ? first.lexicographicallyPrecedes(second) : (one.digest ?? "") < (other.digest ?? "")
  }

  private var orderWords: [UInt64] {
    [
      fingerprint?.first ?? 0, fingerprint?.second ?? 0, UInt64(tally.lines),
      UInt64(tally.requests), UInt64(tally.outside),
    ]
  }
}

/// The format of the last log, because most logs have the same one.
struct InputFormatMemo {
  private var last: (format: LogFormat, input: TrafficDigest.InputFormat)?

  /// Returns what a digest records of a format.
  mutating func input(of format: LogFormat) -> TrafficDigest.InputFormat {
    if let last, last.format == format { return last.input }
    let input = TrafficDigest.InputFormat(name: format.name, fields: format.fields)
    last = (format, input)
    return input
  }
}

extension TrafficDigest.InputSettings {
  /// Creates the settings of a log whose lines name their hosts.
  init(_ options: ReductionOptions) {
    namesFormat = options.format != nil
    since = options.timeSpan.since?.description
    until = options.timeSpan.until?.description
    lineLimit = options.lineLimit
  }
}

extension TimeBound: CustomStringConvertible {
  /// The bound in words: a time as in RFC 3339, without an offset if it is on the log's own clock.
  public var description: String {
    func text(_ seconds: Int) -> String {
      LogTime(secondsSince1970: seconds, offsetInMinutes: 0).description
    }
    switch self {
    case .moment(let moment): return text(moment)
    case .clock(let shown): return String(text(shown).dropLast(6))
    case .day(let before, let now, let atEnd):
      return "the \(atEnd ? "end" : "beginning") of the day \(before) days before \(text(now))"
    }
  }
}

// MARK: - Lines

/// The lines of an input, or of a part of it.
public struct LineTally: Codable, Hashable, Sendable {
  /// The number of lines.
  public var lines = 0

  /// The number of requests in the requested span of time.
  public var requests = 0

  /// The number of requests outside the requested span of time.
  public var outside = 0

  /// The number of requests whose user agent seems to be in another field than the one that was
  /// read.
  ///
  /// In these, the line contains `Mozilla/`, with which browsers' agents begin, but the field
  /// doesn't.
  public var misplacedAgents = 0

  /// The number of requests, in or outside the span of time, with an unreadable time.
  ///
  /// In these, the line or its format has a time.
  public var unreadTimes = 0

  /// The number of lines that aren't requests but name a browser on a device of Apple.
  public var rejectedAppleLines = 0

  /// Creates an empty tally.
  public init() {}

  /// The number of lines that aren't requests.
  public var rejected: Int { lines - requests - outside }

  /// A Boolean value indicating whether so many user agents seem to be in other fields that the
  /// format is probably another one.
  ///
  /// A few don't count, because scanners send similar lines.
  public var hasMisplacedAgents: Bool { misplacedAgents * 8 > requests }

  /// The minimum number of requests for conclusions from unreadable times.
  public static let timedRequests = 10

  /// A Boolean value indicating whether (nearly) all times are unreadable, so that the format is
  /// probably another one.
  public var lacksTimes: Bool {
    let requests = requests + outside
    return requests >= Self.timedRequests && unreadTimes * 8 > requests * 7
  }

  /// A Boolean value indicating whether the format is probably another one.
  public var isMisread: Bool { hasMisplacedAgents || lacksTimes }

  /// Adds lines.
  public static func += (sum: inout LineTally, tally: LineTally) {
    sum.lines += tally.lines
    sum.requests += tally.requests
    sum.outside += tally.outside
    sum.misplacedAgents += tally.misplacedAgents
    sum.unreadTimes += tally.unreadTimes
    sum.rejectedAppleLines += tally.rejectedAppleLines
  }
}

// MARK: - Doubts

extension TrafficDigest {
  /// A field of a line that was probably read wrongly.
  ///
  /// Reports show it, so it has no control bytes, no client address, and only the first word of a
  /// user agent.
  public struct DoubtfulField: Hashable, Sendable {
    /// The name of the field.
    public var name: String

    /// The value, or `nil` if it is absent.
    public var value: String?
  }
}

extension TrafficDigest.DoubtfulField {
  /// The fields of a line that are shown, in a fixed order.
  static func all(of record: LogRecord, in line: Span<UInt8>) -> [Self] {
    func field(_ name: String, _ range: Range<Int>?, upTo end: UInt8? = nil) -> Self {
      Self(name: name, value: range.map { line.extracting($0).shown(upTo: end) })
    }
    return [
      field("target", record.target, upTo: UInt8(ascii: "?")),
      Self(name: "status", value: String(record.status)),
      field("host", record.host),
      field("user agent", record.agent, upTo: UInt8(ascii: " ")),
      field("referrer", record.referrer, upTo: UInt8(ascii: "?")),
      field("time", record.time),
    ]
  }
}

/// The first line of each input that contradicts how it was read, by the input's number.
typealias DoubtfulLines = [Int: (place: RejectionTally.Place, line: [TrafficDigest.DoubtfulField])]
