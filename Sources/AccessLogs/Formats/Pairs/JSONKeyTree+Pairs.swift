internal import Foundations

extension LogFormat.Layout {
  /// `name=value`, with spaces between pairs, and quotation marks around values with spaces, as
  /// Heroku's router (https://devcenter.heroku.com/articles/http-routing) and servers write it.
  static let logfmt = pairs(usualNames + [path("req", .request), path("t", .time)])

  /// `name:value`, with tabs between pairs, and the labels that http://ltsv.org recommends.
  ///
  /// There, `host` is the client and `vhost` the host that it asked for.
  static let ltsv = pairs(
    usualNames.filter { !["host", "hostname"].contains($0.keys[0]) }
      + [path("req", .request), path("servername", .host)], areLabels: true)

  private static func pairs(_ names: [JSONKeyTree.Path], areLabels: Bool = false) -> Self {
    .pairs(JSONKeyTree(names), areLabels: areLabels)
  }

  private static func path(_ name: String, _ field: LogField) -> JSONKeyTree.Path {
    JSONKeyTree.Path(keys: [name], field: field, rank: .max)
  }

  /// The names that fields have in JSON, without those of whole lines.
  private static let usualNames = JSONKeyTree.usualNames.paths.filter {
    $0.keys.count == 1 && $0.field != .message
  }
}

/// Parsing lines that are pairs of a name and a value, for the fields of a tree without objects.
///
/// A line with anything else between two pairs is rejected, because an unquoted value that
/// continues after a space would be cut short. A line that repeats a name is rejected, too, because
/// it may be interleaved with the next one.
extension JSONKeyTree {
  /// Finds the fields of a line, or returns why it has none.
  func parsePairs(
    _ line: Span<UInt8>, areLabels: Bool, into fields: inout LineFields
  ) -> RejectionReason? {
    let failure =
      areLabels ? parseLabels(line, into: &fields) : parseEqualsSigns(line, into: &fields)
    guard let failure else { return nil }
    fields.failure = min(failure, line.count)
    return .noFields
  }

  /// - Returns: The position of a syntax error, or `nil`.
  private func parseEqualsSigns(_ line: Span<UInt8>, into fields: inout LineFields) -> Int? {
    // A header can hold pairs of its own, and Heroku's lines have their time in it.
    let headerEnd = line.lineHeaderEnd ?? 0
    var position = 0
    var leadingTime: Range<Int>?
    var hasPairs = false
    while true {
      while position < line.count, line.byte(position).isBlank { position += 1 }
      guard position < line.count else { break }
      let start = position
      while position < line.count, line.byte(position).isInPairName { position += 1 }
      let nameEnd = position
      guard start >= headerEnd, nameEnd > start, position < line.count,
        line.byte(position) == UInt8(ascii: "=")
      else {
        // A collector's prefix: a time, a host, the name of a process.
        if hasPairs { return start }
        position = line.firstBlank(from: position)
        // Ruby's Logger writes a bracket before it.
        let timeStart = line.byte(start) == UInt8(ascii: "[") ? start + 1 : start
        if leadingTime == nil, line.beginsWithISODay(at: timeStart), position - timeStart >= 19 {
          leadingTime = timeStart..<position
        } else if leadingTime == nil, line.isCommonTime(from: timeStart) {
          let hasOffset = line.hasShape(" ?0000", at: timeStart + 20)
          leadingTime = timeStart..<(timeStart + (hasOffset ? 26 : 20))
        }
        continue
      }
      hasPairs = true
      position += 1
      guard let value = value(in: line, &position) else { return position }
      guard
        set(nameOf: line.extracting(start..<nameEnd), value.range, value.encoding, line, &fields)
      else { return start }
    }
    guard hasPairs else { return 0 }
    if let leadingTime, !fields.holds(.time) {
      fields.set(.time, leadingTime.lowerBound, leadingTime.upperBound, .plain)
    }
    return nil
  }

  /// Finds the value at a position, in quotation marks, brackets, or neither, and moves the
  /// position after it.
  private func value(
    in line: Span<UInt8>, _ position: inout Int
  ) -> (range: Range<Int>, encoding: FieldEncoding)? {
    let start = position
    guard start < line.count else { return (start..<start, .plain) }
    let isQuoted = line.byte(start) == UInt8(ascii: "\"")
    guard isQuoted || line.byte(start) == UInt8(ascii: "[") else {
      position = line.firstBlank(from: start)
      return (start..<position, .plain)
    }
    let end =
      isQuoted
      ? line.closingQuote(from: start + 1) : line.firstIndex(of: UInt8(ascii: "]"), from: start)
    guard let end else { return nil }
    position = end + 1
    guard position == line.count || line.byte(position).isBlank else { return nil }
    let hasEscapes =
      isQuoted && line.firstIndex(of: UInt8(ascii: "\\"), from: start + 1, to: end) != nil
    return ((start + 1)..<end, hasEscapes ? .json : .plain)
  }

  /// - Returns: The position of a syntax error, or `nil`.
  private func parseLabels(_ line: Span<UInt8>, into fields: inout LineFields) -> Int? {
    var start = line.lineHeaderEnd ?? 0
    while start < line.count {
      let end = line.firstIndex(of: 0x09, from: start) ?? line.count
      var nameEnd = start
      while nameEnd < end, line.byte(nameEnd).isInPairName { nameEnd += 1 }
      guard nameEnd > start, nameEnd < end, line.byte(nameEnd) == UInt8(ascii: ":") else {
        return start
      }
      var value = (nameEnd + 1)..<end
      if value.count >= 2,
        line.isBetween(UInt8(ascii: "["), UInt8(ascii: "]"), value)
          || line.isBetween(UInt8(ascii: "\""), UInt8(ascii: "\""), value)
      {
        value = (value.lowerBound + 1)..<(value.upperBound - 1)
      }
      guard set(nameOf: line.extracting(start..<nameEnd), value, .escaped, line, &fields) else {
        return start
      }
      start = end + 1
    }
    return nil
  }

  /// Records the field of a name, and returns whether the name is new in this line.
  private func set(
    nameOf name: Span<UInt8>, _ value: Range<Int>, _ encoding: FieldEncoding,
    _ line: Span<UInt8>, _ fields: inout LineFields
  ) -> Bool {
    let entry = find(name, at: 0)
    guard entry >= 0, let (field, rank) = self.field(of: entry) else { return true }
    if fields.holds(field), fields[field].rank == rank { return false }
    // An empty value leaves the field to another name.
    if line.isAbsent(value) { return true }
    fields.set(field, value.lowerBound, value.upperBound, encoding, rank: rank)
    return true
  }
}

extension UInt8 {
  fileprivate var isInPairName: Bool { isInHostName || self == UInt8(ascii: "@") }
}

extension Span<UInt8> {
  /// Returns whether a part begins with one byte and ends with another.
  fileprivate func isBetween(_ first: UInt8, _ last: UInt8, _ range: Range<Int>) -> Bool {
    self[range.lowerBound] == first && self[range.upperBound - 1] == last
  }
}
