public import AccessLogs
public import Foundations

extension TrafficDigest {
  /// An input and what was found in it.
  public struct Input: Hashable, Sendable {
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

    /// The reading of the first line that contradicts the format, if many lines do.
    ///
    /// Digest files don't store it.
    public var doubtfulLine: DoubtfulLine?

    /// The oddities of its first lines in the format.
    public var doubts: [FormatDoubt] = []

    /// Creates an input from all its values.
    public init(
      path: String, digest: String? = nil, damage: LogDamage? = nil, format: InputFormat? = nil,
      settings: InputSettings = InputSettings(), tally: LineTally = LineTally(),
      times: ClosedRange<LogTime>? = nil, fingerprint: ContentFingerprint? = nil,
      unreadStart: [UInt8] = [], hasAmbiguousDates: Bool = false
    ) {
      (self.path, self.digest, self.damage) = (path, digest, damage)
      (self.format, self.settings, self.tally) = (format, settings, tally)
      (self.times, self.fingerprint, self.unreadStart) = (times, fingerprint, unreadStart)
      self.hasAmbiguousDates = hasAmbiguousDates
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
  public struct InputFormat: Hashable, Sendable {
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
  public struct InputSettings: Hashable, Sendable {
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
      (one.defaultHost ?? "").hasSameBytes(as: other.defaultHost ?? "")
        && (one.defaultHost == nil) == (other.defaultHost == nil)
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

extension TrafficDigest.InputFormat {
  init(_ format: LogFormat) { self.init(name: format.name, fields: format.fields) }
}

/// The format of the last log, because most logs have the same one.
struct InputFormatMemo {
  private var last: (format: LogFormat, input: TrafficDigest.InputFormat)?

  /// Returns what a digest records of a format.
  mutating func input(of format: LogFormat) -> TrafficDigest.InputFormat {
    if let last, last.format == format { return last.input }
    let input = TrafficDigest.InputFormat(format)
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
