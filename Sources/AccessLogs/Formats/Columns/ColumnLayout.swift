internal import Foundations

/// A format whose lines are columns.
struct ColumnLayout: Hashable, Sendable {
  enum Separator: Hashable, Sendable {
    /// Spaces and tabs, any number of them.
    case blanks

    /// Tabs, any number of them.
    case tabs

    /// Exactly one of a byte, so that columns can be empty, with any number of spaces around it.
    case exactly(UInt8)
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

  /// The field of each column, or `nil` if it is ignored, unless a heading names them.
  var columns: [LogField?] = []
  var minimumCount = 0
  var separator = Separator.blanks

  /// Whether a quote inside quotes is written twice (RFC 4180, 2), rather than with a backslash in
  /// front, or not at all.
  var doublesQuotes = false
  var heading = Heading.none

  /// Whether `[…]` is one column.
  var hasBrackets = false

  /// Whether a time of day after all columns, as `10:00:01`, shows that another line begins inside
  /// an interleaved one.
  var tearsAtTimeOfDay = false

  /// Whether a line's initial time in seconds since 1970, as `1700000000.123`, shows the same
  /// anywhere after the line's own.
  var tearsAtSeconds = false

  /// Whether each line begins with a time in seconds since 1970, which distinguishes it from
  /// another layout of the format.
  var beginsWithSeconds = false

  /// The column of the protocol, such as `HTTP/2.0`, or -1 if it isn't known.
  ///
  /// Without a protocol there, the columns before it are others.
  var protocolColumn = -1

  /// Whether lines have only the listed columns.
  var hasAllColumns = false

  /// Whether targets begin with a slash and the host; see ``ColumnHeading/targetsNameHosts``.
  var targetsNameHosts = false

  /// The extended log file format of the W3C, as IIS and others write it.
  static let w3c = ColumnLayout(doublesQuotes: true, heading: .directive)

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

/// Reading lines of columns.
extension ColumnLayout {
  /// Finds the fields of a line, which can also change the directives so far, or returns why it has
  /// none.
  func parse(
    _ line: Span<UInt8>, heading: inout ColumnHeading, into fields: inout LineFields
  ) -> RejectionReason? {
    if heading.read(line, as: self.heading) { return .heading }
    let isNamed = !heading.columns.isEmpty
    let count = isNamed ? heading.columns.count : columns.count
    var (separator, minimumCount) = (self.separator, self.minimumCount)
    switch self.heading {
    case .none:
      // Another layout of the format has a heading for the next lines.
      if isNamed || beginsWithSeconds && !line.beginsWithSeconds { return .noFields }
    case .directive:
      if count == 0 { return .noFields }
      separator = (isNamed ? heading.separator : nil) ?? line.blankSeparator
      if isNamed { minimumCount = 0 }
    case .names, .rowNames: break
    }
    var (position, column) = (0, 0)
    var marks = separator.marks
    // Lines have more columns than are needed.
    let needed = max(count, minimumCount, 1)
    while column < needed, let value = next(in: line, separator, &marks, &position) {
      let start = value.range.lowerBound
      if column < count, let field = isNamed ? heading.columns[column] : columns[column] {
        fields.set(field, start, value.range.upperBound, encoding(field, value.isQuoted))
      } else if column == protocolColumn, !line.begins(with: "HTTP/", at: start) {
        fields.failure = start
        return .noFields
      }
      column += 1
    }
    guard column >= minimumCount else {
      fields.failure = line.count
      return .noFields
    }
    // After a comma at the end, the position is one more.
    let end = min(position, line.count)
    let areAll = hasAllColumns || self.heading == .directive && isNamed
    if isInterleaved(line, separator, &marks, after: end, areAll: areAll) {
      fields.failure = end
      return .noFields
    }
    guard self.heading == .directive else { return nil }
    if heading.targetsNameHosts || targetsNameHosts { fields.takeHostFromTarget(of: line) }
    if heading.datesLines(of: self), fields.holds(.time) {
      heading.dateLine(line.extracting(fields[.time].range))
    }
    return nil
  }

  /// Returns whether a line is interleaved with the next one, which puts its columns at wrong
  /// positions.
  @inline(__always)
  private func isInterleaved(
    _ line: Span<UInt8>, _ separator: Separator, _ marks: inout ByteMarks,
    after position: Int, areAll: Bool
  ) -> Bool {
    var rest = position
    if areAll, position < line.count, next(in: line, separator, &marks, &rest) != nil {
      return true
    }
    return tearsAtTimeOfDay && line.holdsTimeOfDay(from: position, to: line.count)
      || tearsAtSeconds && line.holdsSecondsSince1970
  }

  /// A column, without its quotes or brackets.
  private typealias Value = (range: Range<Int>, isQuoted: Bool)

  private func encoding(_ field: LogField, _ isQuoted: Bool) -> FieldEncoding {
    guard doublesQuotes else { return .escaped }
    return isQuoted ? .doubledQuotes : field == .agent ? .encodedSpaces : .plain
  }

  @inline(__always)
  private func next(
    in line: Span<UInt8>, _ separator: Separator, _ marks: inout ByteMarks,
    _ position: inout Int
  ) -> Value? {
    if case .exactly(let delimiter) = separator {
      return line.nextValue(delimiter, doublesQuotes: doublesQuotes, &position)
    }
    while position < line.count, line.byte(position).isBlank { position += 1 }
    guard position < line.count else { return nil }
    let start = position
    let byte = line.byte(start)
    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "[") && hasBrackets {
      return enclosed(in: line, &position)
    }
    position = marks.next(from: start, in: line)
    return (start..<position, false)
  }

  /// The column whose quote or bracket is at `position`.
  @inline(never)
  private func enclosed(in line: Span<UInt8>, _ position: inout Int) -> Value {
    let start = position + 1
    let end =
      line.byte(position) == UInt8(ascii: "[")
      ? line.firstIndex(of: UInt8(ascii: "]"), from: start)
      : line.closingQuote(from: start, isDoubled: doublesQuotes) {
        $0 == line.count || line[$0].isBlank
      }
    position = (end ?? line.count) + 1
    return (start..<(end ?? line.count), true)
  }
}

extension LineFields {
  /// Divides a target that begins with a slash and a host.
  fileprivate mutating func takeHostFromTarget(of line: Span<UInt8>) {
    let (target, range) = (self[.target], self[.target].range)
    guard holds(.target), range.count > 1,
      line.byte(range.lowerBound) == UInt8(ascii: "/")
    else { return }
    let start = range.lowerBound + 1
    let slash = line.firstIndex(of: UInt8(ascii: "/"), from: start, to: range.upperBound)
    guard let slash, line.extracting(start..<slash).isHostName else { return }
    remove(.target)
    set(.target, slash, range.upperBound, target.encoding)
    set(.host, start, slash, .plain)
  }
}

extension ColumnLayout.Separator {
  /// The places where columns without quotes end.
  fileprivate var marks: ByteMarks {
    switch self {
    case .blanks: ByteMarks(of: UInt8(ascii: " "), 0x09)
    case .tabs: ByteMarks(of: 0x09)
    case .exactly(let delimiter): ByteMarks(of: delimiter)
    }
  }
}

extension Span<UInt8> {
  /// The separator of a line's columns: tabs if the first one ends with a tab.
  ///
  /// Some servers write spaces in columns without escapes.
  @inline(__always)
  fileprivate var blankSeparator: ColumnLayout.Separator {
    let position = firstBlank(from: 0)
    return position < count && byte(position) == 0x09 ? .tabs : .blanks
  }
}
