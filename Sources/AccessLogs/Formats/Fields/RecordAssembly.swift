internal import Foundations

/// The copy of a line in the text of records.
private struct LineCopy {
  let start: Int

  /// Whether fields may hold backslashes.
  let mayHoldEscapes: Bool

  @inline(__always)
  func position(of range: Range<Int>) -> Range<Int> {
    (range.lowerBound + start)..<(range.upperBound + start)
  }

  /// Returns whether the bytes of a field are its text with the escapes of ``LogEscapes``.
  @inline(__always)
  func isVerbatim(_ field: LineFields.Field, of line: Span<UInt8>) -> Bool {
    switch field.encoding {
    case .escaped: return true
    case .plain: break
    case .doubledQuotes: if line.holds(UInt8(ascii: "\""), in: field.range) { return false }
    case .json, .encodedSpaces, .percent, .members: return false
    }
    return !mayHoldEscapes || !line.holds(UInt8(ascii: "\\"), in: field.range)
  }
}

extension LineFields {
  /// Makes a record from the fields of a line.
  ///
  /// The text gets a copy of the line: in almost all lines, fields are verbatim, and those that
  /// belong together are next to each other, as a path and its query. Copying each field takes
  /// longer. Fields that must be rewritten follow the copy.
  ///
  /// The record's positions are positions in the text, whose fields have the escapes of
  /// ``LogEscapes``. The day is that of lines that have only the time of day, such as `2026-11-19`.
  func record(
    in line: Span<UInt8>, day: [UInt8] = [], into text: inout [UInt8], wrappers: Int = 0
  ) -> LogLine {
    let foundStatus = status(in: line)
    // Next to a complete line, a path is that of the log.
    if holds(.message), foundStatus == nil || !holds(.target) && !holds(.request) {
      return wrappedRecord(in: line, into: &text, wrappers: wrappers)
    }
    guard let status = foundStatus else {
      let hasTarget = holds(.target) && !line.isAbsent(self[.target].range)
      let hasRequest = holds(.request) && line.requestLine(self[.request].range) != nil
      return .rejected(hasTarget || hasRequest ? .noStatus : .noRequest)
    }
    let copy = LineCopy(
      start: text.count,
      mayHoldEscapes: mayHoldEscapes && line.firstIndex(of: UInt8(ascii: "\\")) != nil)
    line.append(to: &text)
    guard let (foundMethod, target) = placeRequest(of: line, copy, in: &text),
      !text.span.isAbsent(target)
    else { return .rejected(.noTarget) }
    // A format without methods logs pages and files, which are requested by GET.
    let method = foundMethod ?? text.count..<(text.count + 3)
    if foundMethod == nil { text.append(contentsOf: "GET".utf8) }
    var record = LogRecord(method: method, target: target, status: status)
    record.time = placeTime(of: line, day: day, copy, in: &text)
    record.host = placeOptional(.host, of: line, copy, in: &text)
    record.referrer = placeOptional(.referrer, of: line, copy, in: &text)
    record.agent = placeOptional(.agent, of: line, copy, in: &text)
    record.isSubresource = isSubresource(in: line)
    return .request(record)
  }

  // MARK: - Fields in the copy

  @inline(__always)
  private borrowing func place(
    _ field: Field, of line: Span<UInt8>, _ copy: LineCopy, in text: inout [UInt8]
  ) -> Range<Int> {
    copy.isVerbatim(field, of: line)
      ? copy.position(of: field.range) : Self.rewrite(field, of: line, copy, in: &text)
  }

  /// Appends a field that must be rewritten, unless it can be changed in the copy.
  @inline(never)
  private static func rewrite(
    _ field: Field, of line: Span<UInt8>, _ copy: LineCopy, in text: inout [UInt8]
  ) -> Range<Int> {
    if field.encoding == .encodedSpaces {
      var marks = ByteMarks(of: UInt8(ascii: "%"), UInt8(ascii: " "))
      var plain = field
      plain.encoding = .plain
      if marks.next(from: Int(field.start), in: line) >= Int(field.end),
        copy.isVerbatim(plain, of: line)
      {
        FieldEncoding.replacePluses(&text, copy.position(of: field.range))
        return copy.position(of: field.range)
      }
    }
    let start = text.count
    field.encoding.append(line.extracting(field.range), to: &text)
    return start..<text.count
  }

  /// Finds method and target; the method is `nil` if the line names none.
  ///
  /// A request line has what was requested; a path next to it can be rewritten by the server.
  @inline(__always)
  private borrowing func placeRequest(
    of line: Span<UInt8>, _ copy: LineCopy, in text: inout [UInt8]
  ) -> (method: Range<Int>?, target: Range<Int>)? {
    var request: Range<Int>?
    if holds(.request) {
      let range = place(self[.request], of: line, copy, in: &text)
      if let parts = text.span.requestLine(range) {
        // A server's own request line has its query; one that is put together need not, and Apache
        // writes the query with its mark.
        let isWhole = text.span.protocolStart(parts.method.upperBound, range.upperBound) != nil
        if isWhole {
          guard holds(.query) else { return parts }
          if !line.holdsMark(at: self[.query].range) { return parts }
        }
        let lacksTarget = !holds(.target)
        if isWhole || lacksTarget {
          return (parts.method, joinQuery(to: parts.target, of: line, in: &text))
        }
      }
      request = range
    }
    var method: Range<Int>?
    if holds(.method) {
      guard line.isMethod(self[.method].range) else { return nil }
      method = place(self[.method], of: line, copy, in: &text)
    }
    // Some call the target alone the request, and others the method.
    if let request {
      if text.span.isPath(request) {
        return (method, joinQuery(to: request, of: line, in: &text))
      }
      if method == nil, text.span.isMethod(request) { method = request }
    }
    guard holds(.target) else { return nil }
    return (method, placeTarget(of: line, copy, in: &text))
  }

  /// Finds the target, and the query after it if that is a separate field.
  @inline(__always)
  private borrowing func placeTarget(
    of line: Span<UInt8>, _ copy: LineCopy, in text: inout [UInt8]
  ) -> Range<Int> {
    let (target, query) = (self[.target], self[.query])
    let range = target.range
    // A target with a query has its own, and one that is absent has none.
    let hasQuery =
      holds(.query) && !line.isAbsent(query.range) && !line.holds(UInt8(ascii: "?"), in: range)
      && !line.isAbsent(range)
    let lacksScheme = !holds(.host) && line.extracting(range).lacksScheme
    if !lacksScheme, copy.isVerbatim(target, of: line) {
      if !hasQuery { return copy.position(of: range) }
      if query.start == target.end + 1, line.byte(Int(query.start)) != UInt8(ascii: "?"),
        copy.isVerbatim(query, of: line)
      {
        text[copy.start + range.upperBound] = UInt8(ascii: "?")
        return copy.position(of: range.lowerBound..<Int(query.end))
      }
    }
    return appendTarget(line, lacksScheme: lacksScheme, hasQuery: hasQuery, to: &text)
  }

  /// Finds the time, with its day if that is a separate field, or `nil` if there is none.
  @inline(__always)
  private borrowing func placeTime(
    of line: Span<UInt8>, day: [UInt8], _ copy: LineCopy, in text: inout [UInt8]
  ) -> Range<Int>? {
    let (time, date) = (wholeTime(in: line), self[.date])
    guard clock == nil, holds(.time) else { return appendTime(line, day: day, to: &text) }
    guard line.isTimeOfDay(time.range) else {
      let range = place(time, of: line, copy, in: &text)
      return range.isEmpty ? nil : range
    }
    guard holds(.date), date.start < date.end, date.end + 1 == time.start,
      copy.isVerbatim(date, of: line), copy.isVerbatim(time, of: line)
    else { return appendTime(line, day: day, to: &text) }
    text[copy.start + Int(date.end)] = UInt8(ascii: " ")
    return copy.position(of: Int(date.start)..<Int(time.end))
  }

  /// Returns the time with the half of the day after it, as in `1:55:36 PM`.
  @inline(__always)
  private borrowing func wholeTime(in line: Span<UInt8>) -> Field {
    var time = self[.time]
    if let half = line.halfOfDay(at: time.range.upperBound) {
      time.end = Int32(truncatingIfNeeded: half.end)
    }
    return time
  }

  /// Finds a field that may be absent.
  @inline(__always)
  private borrowing func placeOptional(
    _ name: LogField, of line: Span<UInt8>, _ copy: LineCopy, in text: inout [UInt8]
  ) -> Range<Int>? {
    guard holds(name), case var field = self[name], !line.isAbsent(field.range) else { return nil }
    let value = line.extracting(field.range)
    switch (name, field.encoding) {
    case (.agent, .json) where value.hasEncodedBlanks: field.encoding = .percent
    case (.agent, .json), (.referrer, .json):
      guard value.isQuotedAgain else { break }
      (field.start, field.end) = (field.start + 2, field.end - 2)
      guard !line.isAbsent(field.range) else { return nil }
    case (.agent, .plain) where value.contains("%20") || value.hasEncodedMarks:
      field.encoding = .encodedSpaces
    case (.referrer, .plain) where value.isEncodedURL: field.encoding = .percent
    default: break
    }
    return place(field, of: line, copy, in: &text)
  }

  // MARK: - Fields in several pieces

  /// Appends the target, and the query after it if that is a separate field.
  @inline(never)
  private borrowing func appendTarget(
    _ line: Span<UInt8>, lacksScheme: Bool, hasQuery: Bool, to text: inout [UInt8]
  ) -> Range<Int> {
    let target = self[.target]
    let start = text.count
    if lacksScheme { text.append(contentsOf: "http://".utf8) }
    target.encoding.append(line.extracting(target.range), to: &text)
    if hasQuery { appendQuery(of: line, to: &text) }
    return start..<text.count
  }

  /// Appends a target that is in the text already, and the query after it if that is a separate
  /// field.
  ///
  /// - Returns: The position of both, or that of the target if there is no query, or the target has
  ///   its own.
  @inline(never)
  private borrowing func joinQuery(
    to target: Range<Int>, of line: Span<UInt8>, in text: inout [UInt8]
  ) -> Range<Int> {
    let query = self[.query]
    guard holds(.query), !line.isAbsent(query.range),
      !text.span.holds(UInt8(ascii: "?"), in: target)
    else { return target }
    let start = text.count
    for index in target { text.append(text[index]) }
    appendQuery(of: line, to: &text)
    return start..<text.count
  }

  private borrowing func appendQuery(of line: Span<UInt8>, to text: inout [UInt8]) {
    let query = self[.query]
    text.append(UInt8(ascii: "?"))
    let hasMark = line.holdsMark(at: query.range)
    query.encoding.append(line.extracting(query.range.dropFirst(hasMark ? 1 : 0)), to: &text)
  }

  /// Appends the parts of the time, if there are any.
  @inline(never)
  private borrowing func appendTime(
    _ line: Span<UInt8>, day: [UInt8], to text: inout [UInt8]
  ) -> Range<Int>? {
    let (time, date) = (wholeTime(in: line), self[.date])
    let start = text.count
    if let clock {
      clock.append(to: &text)
      return start..<text.count
    }
    if holds(.date) {
      date.encoding.append(line.extracting(date.range), to: &text)
    } else {
      text.append(contentsOf: day)
    }
    if holds(.time) {
      if text.count > start { text.append(UInt8(ascii: " ")) }
      time.encoding.append(line.extracting(time.range), to: &text)
    }
    return text.count > start ? start..<text.count : nil
  }

  // MARK: - Wrapped lines

  /// The maximum number of wrappers: each collector on the way can wrap a line.
  private static let wrapperLimit = 4

  /// A record of the line that a field holds, which is one of the common formats, or of
  /// JSON under usual names.
  private func wrappedRecord(
    in line: Span<UInt8>, into text: inout [UInt8], wrappers: Int
  ) -> LogLine {
    guard wrappers < Self.wrapperLimit else { return .rejected(.noRequest) }
    let start = text.count
    self[.message].encoding.append(line.extracting(self[.message].range), to: &text)
    // Collectors keep the line feed of a line that they wrap, and don't double backslashes.
    while text.count > start, let last = text.last, last == 0x0A || last == 0x0D {
      text.removeLast()
    }
    guard text.count > start, text[start] == UInt8(ascii: "{") else {
      return Self.wrappedRecord(text, from: start)
    }
    var inner: [UInt8] = []
    LogEscapes.append(undoing: text.span.extracting(start..<text.count), to: &inner)
    text.removeLast(text.count - start)
    var fields = LineFields()
    if let reason = JSONKeyTree.usualNames.scan(inner.span, into: &fields) {
      return .rejected(reason == .severalRequests ? reason : .noRequest)
    }
    return fields.record(in: inner.span, into: &text, wrappers: wrappers + 1)
  }

  private static func wrappedRecord(_ text: [UInt8], from start: Int) -> LogLine {
    let parser = LogLineParser.combined.limited(to: .max)
    let line = text.span.extracting(start..<text.count)
    var parsed = parser.parse(line)
    guard case .request(let found) = parsed else { return parsed }
    // The line can name its host, as in `vcombined`.
    let own = line.extracting(line.linePrefixEnd..<line.count)
    let format = own.commonFormat(of: found.moved(by: -line.linePrefixEnd))
    if let layout = format?.commonLayout, layout.namesHost {
      parsed = layout.limited(to: .max).parse(line)
    }
    guard case .request(let record) = parsed else { return parsed }
    return .request(record.moved(by: start))
  }

  private func status(in line: Span<UInt8>) -> UInt16? {
    if holds(.status) { return line.extracting(self[.status].range).status }
    guard holds(.resultAndStatus) else { return nil }
    let field = line.extracting(self[.resultAndStatus].range)
    guard let slash = field.lastIndex(of: UInt8(ascii: "/"), from: 0, to: field.count) else {
      return nil
    }
    return field.extracting((slash + 1)..<field.count).status
  }
}

extension Span<UInt8> {
  @inline(__always)
  fileprivate func holdsMark(at query: Range<Int>) -> Bool {
    !query.isEmpty && byte(query.lowerBound) == UInt8(ascii: "?")
  }

  /// A status (RFC 9110, 15), or 0 where there was no response; `nil` for other bytes.
  var status: UInt16? {
    guard (1...3).contains(count), let value = decimal(indices).map({ UInt16($0) }) else {
      return nil
    }
    return value == 0 || value >= 100 ? value : nil
  }

  /// A Boolean value indicating whether all blanks of a browser's name are percent-encoded, as
  /// CloudFront writes them, and nothing has the escapes of JSON.
  fileprivate var hasEncodedBlanks: Bool {
    begins(with: "Mozilla/") && contains("%20") && firstIndex(of: UInt8(ascii: " ")) == nil
      && firstIndex(of: UInt8(ascii: "\\")) == nil
  }

  /// A Boolean value indicating whether a browser's name is form-encoded, as Akamai writes it, or
  /// has plus signs for blanks, as Azure writes it.
  fileprivate var hasEncodedMarks: Bool {
    guard count > 16, self[7] == UInt8(ascii: "%") || self[11] == UInt8(ascii: "+") else {
      return false
    }
    return begins(with: "Mozilla%2F") || begins(with: "Mozilla/5.0+(")
  }

  /// A Boolean value indicating whether a string of JSON holds quotation marks around its text,
  /// as Logstash's patterns leave them: `"\"curl/8\""`.
  fileprivate var isQuotedAgain: Bool {
    count >= 4 && begins(with: #"\""#) && begins(with: #"\""#, at: count - 2)
  }

  /// Whether these bytes are a completely percent-encoded URL, as Akamai writes referrers.
  fileprivate var isEncodedURL: Bool {
    // In most referrers, these bytes are `:` and `/`.
    guard count > 12, self[4] == UInt8(ascii: "%") || self[5] == UInt8(ascii: "%") else {
      return false
    }
    return begins(with: "https%3A%2F%2F") || begins(with: "http%3A%2F%2F")
  }

  /// A Boolean value indicating whether these bytes are a URL without `http://`, as some
  /// write it: a name with a full stop, and a slash.
  fileprivate var lacksScheme: Bool {
    guard count > 0, self[0] != UInt8(ascii: "/"), let slash = firstIndex(of: UInt8(ascii: "/")),
      firstIndex(of: UInt8(ascii: "."), from: 0, to: slash) != nil
    else { return false }
    return firstIndex(of: UInt8(ascii: ":"), from: 0, to: slash) == nil
  }

  @inline(__always)
  fileprivate func holds(_ byte: UInt8, in range: Range<Int>) -> Bool {
    firstIndex(of: byte, from: range.lowerBound, to: range.upperBound) != nil
  }

  /// Returns a Boolean value indicating whether a time without a day, as `8:00:01`, is at a position.
  @inline(__always)
  fileprivate func isTimeOfDay(_ range: Range<Int>) -> Bool {
    range.count >= 3
      && (byte(range.lowerBound + 1) == UInt8(ascii: ":")
        || byte(range.lowerBound + 2) == UInt8(ascii: ":"))
  }

  /// Returns the method and the target of the request line at a position, or `nil` if it isn't one.
  @inline(__always)
  fileprivate func requestLine(
    _ range: Range<Int>
  ) -> (method: Range<Int>, target: Range<Int>)? {
    guard let end = methodEnd(range.lowerBound, range.upperBound),
      isMethod(range.lowerBound..<end)
    else { return nil }
    return (range.lowerBound..<end, target(end, range.upperBound))
  }

  fileprivate func isPath(_ range: Range<Int>) -> Bool {
    !range.isEmpty && self[range.lowerBound] == UInt8(ascii: "/")
      && !holds(UInt8(ascii: " "), in: range)
  }

  /// Returns a Boolean value indicating whether a method is at a position.
  ///
  /// A method is a token (RFC 9110, 5.6.2), but not a number or a date, which can be in columns
  /// next to it.
  func isMethod(_ range: Range<Int>) -> Bool {
    guard !range.isEmpty, !isAbsent(range), !self[range.lowerBound].isDigit else { return false }
    // Most methods are `GET`.
    let isUsual =
      range.count == 3 && range.upperBound < count
      && halfWord(range.lowerBound) & 0xFF_FFFF == UsualWord.get & 0xFF_FFFF
    return isUsual || range.allSatisfy { self[$0].isTokenByte }
  }
}

extension LineFields {
  /// The destinations of the Fetch standard (https://fetch.spec.whatwg.org/#destination-table)
  /// except `document`, and its modes except `navigate`.
  private static let subresources: [StaticString] = [
    "empty", "cors", "no-cors", "same-origin", "image", "script", "style", "iframe", "font",
    "json", "audio", "video", "track", "manifest", "object", "embed", "frame", "fencedframe",
    "report", "text", "worker", "serviceworker", "sharedworker", "audioworklet", "paintworklet",
    "webidentity", "websocket", "xslt",
  ]

  @inline(__always)
  func isSubresource(in line: Span<UInt8>) -> Bool {
    holds(.fetchMetadata) && Self.isSubresource(line.extracting(self[.fetchMetadata].range))
  }

  /// Returns a Boolean value indicating whether a value of `Sec-Fetch-Dest` or `Sec-Fetch-Mode`
  /// names anything but a page to show.
  ///
  /// Values that no browser sends are ignored.
  static func isSubresource(_ value: Span<UInt8>) -> Bool {
    value.isOne(of: subresources)
  }
}
