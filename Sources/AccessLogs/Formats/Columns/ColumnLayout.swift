/// A format whose lines are columns.
struct ColumnLayout: Hashable, Sendable {
  /// The separator of columns.
  enum Separator: Hashable, Sendable {
    /// Spaces and tabs, any number of them.
    case blanks

    /// Tabs, any number of them.
    case tabs

    /// Exactly one of a byte, so that columns can be empty, with any number of spaces around it.
    case exactly(UInt8)
  }

  /// The notation of a quote inside quotes.
  enum Quoting: Hashable, Sendable {
    /// With a backslash in front, or not at all.
    case backslash

    /// Twice (RFC 4180, 2).
    case doubled
  }

  /// Which lines say what the columns are.
  enum Heading: Hashable, Sendable {
    /// None: they are always the same.
    case none

    /// `#Fields:` (https://www.w3.org/TR/WD-logfile).
    case directive

    /// A line of names in front.
    case names

    /// The same of rows, whose first line can also be one of JSON.
    case rowNames
  }

  /// A sign that another line begins inside an interleaved one, besides too many columns.
  enum TearMark: Hashable, Sendable {
    /// A time of day after all columns, as `10:00:01`.
    case timeOfDay

    /// A line's initial time in seconds since 1970, as `1700000000.123`, anywhere after the line's
    /// own.
    case secondsSince1970
  }

  var separator: Separator
  var quoting: Quoting
  var heading: Heading

  /// A Boolean value indicating whether `[…]` is one column.
  var hasBrackets: Bool

  /// Whether each line begins with a time in seconds since 1970, which distinguishes it from
  /// another layout of the format.
  var beginsWithSeconds: Bool

  /// The column of the protocol, such as `HTTP/2.0`, or -1 if it isn't known.
  ///
  /// Without a protocol there, the columns before it are others.
  var protocolColumn: Int

  /// The sign of an interleaved line, or `nil` if none is known.
  var tearMark: TearMark?

  /// The field of each column, or `nil` if it is ignored, unless a heading names them.
  var columns: [LogField?] = []

  /// The least number of columns of a line.
  var minimumCount: Int

  /// A Boolean value indicating whether lines have only the listed columns.
  var hasAllColumns = false

  /// Whether targets begin with a slash and the host; see ``ColumnHeading/targetsNameHosts``.
  var targetsNameHosts = false

  /// Creates a layout whose columns, from 0, are fields.
  init(
    _ fields: KeyValuePairs<Int, LogField> = [:], minimumCount: Int = 0,
    separator: Separator = .blanks, quoting: Quoting = .backslash, heading: Heading = .none,
    hasBrackets: Bool = false, tearMark: TearMark? = nil, beginsWithSeconds: Bool = false,
    protocolColumn: Int = -1
  ) {
    self.minimumCount = minimumCount
    (self.separator, self.quoting, self.heading) = (separator, quoting, heading)
    (self.hasBrackets, self.tearMark) = (hasBrackets, tearMark)
    (self.beginsWithSeconds, self.protocolColumn) = (beginsWithSeconds, protocolColumn)
    for (column, field) in fields {
      while columns.count <= column { columns.append(nil) }
      columns[column] = field
    }
  }
}

extension ColumnLayout {
  /// The extended log file format of the W3C, as IIS and others write it.
  static let w3c = ColumnLayout(quoting: .doubled, heading: .directive)

  /// CloudFront's standard logs, which have these columns even without a heading
  /// (https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/standard-logs-reference.html).
  static let cloudFront = ColumnLayout(
    [
      0: .date, 1: .time, 3: .size, 5: .method, 7: .target, 8: .status, 9: .referrer, 10: .agent,
      11: .query, 15: .host,
    ], minimumCount: 12, quoting: .doubled, heading: .directive)

  /// CloudFront's real-time logs, which have no heading, with all fields
  /// (https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/real-time-logs.html).
  static let cloudFrontRealTime = realTime(shift: 0)

  /// The same with the server's address after the client's.
  static let cloudFrontRealTimeWithServer = realTime(shift: 1)

  private static func realTime(shift: Int) -> ColumnLayout {
    ColumnLayout(
      [
        0: .time, 3 + shift: .status, 4 + shift: .size, 5 + shift: .method, 8 + shift: .target,
        12 + shift: .host, 16 + shift: .agent, 17 + shift: .referrer, 19 + shift: .query,
      ], minimumCount: 20, separator: .tabs, quoting: .doubled, tearMark: .secondsSince1970,
      beginsWithSeconds: true, protocolColumn: 14 + shift)
  }

  /// Application Load Balancers of AWS
  /// (https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-access-logs.html).
  static let applicationLoadBalancer = ColumnLayout(
    [1: .time, 8: .status, 11: .size, 12: .request, 13: .agent, 18: .host], minimumCount: 17)

  /// Classic Load Balancers of AWS
  /// (https://docs.aws.amazon.com/elasticloadbalancing/latest/classic/access-log-collection.html).
  static let classicLoadBalancer = ColumnLayout(
    [0: .time, 7: .status, 10: .size, 11: .request, 12: .agent], minimumCount: 12)

  /// Server access logs of Amazon S3
  /// (https://docs.aws.amazon.com/AmazonS3/latest/userguide/LogFormat.html).
  static let simpleStorage = ColumnLayout(
    [2: .time, 8: .request, 9: .status, 11: .size, 15: .referrer, 16: .agent, 22: .host],
    minimumCount: 10, hasBrackets: true)

  /// Usage logs of Google Cloud Storage
  /// (https://cloud.google.com/storage/docs/access-logs).
  static let cloudStorage = ColumnLayout(
    [
      0: .time, 4: .method, 5: .target, 6: .status, 8: .size, 10: .host, 11: .referrer, 12: .agent,
    ], minimumCount: 7, separator: .exactly(UInt8(ascii: ",")), quoting: .doubled, heading: .names)

  /// Squid's own format
  /// (https://wiki.squid-cache.org/Features/LogFormat#squid-result-codes).
  static let squid = ColumnLayout(
    [0: .time, 3: .resultAndStatus, 4: .size, 5: .method, 6: .target], minimumCount: 7,
    tearMark: .secondsSince1970)

  /// IIS's own format, with commas
  /// (https://learn.microsoft.com/windows/win32/http/iis-logging).
  static let iis = ColumnLayout(
    [2: .date, 3: .time, 9: .size, 10: .status, 12: .method, 13: .target, 14: .query],
    minimumCount: 14, separator: .exactly(UInt8(ascii: ",")), tearMark: .timeOfDay)
}

extension ColumnLayout {
  /// Returns where a line begins after a timestamp or a syslog header.
  ///
  /// It is 0 if there is none, or if the time can be that of the first column.
  func lineStart(in line: Span<UInt8>, _ heading: ColumnHeading) -> Int {
    guard let end = line.lineHeaderEnd else { return 0 }
    if line[end] == UInt8(ascii: "#"), self.heading == .directive { return end }
    let columns =
      self.heading == .none || heading.columns.isEmpty ? self.columns : heading.columns
    guard columns.first == .time else { return end }
    return line.extracting(end..<line.count).beginsWithOwnTime ? end : 0
  }
}
