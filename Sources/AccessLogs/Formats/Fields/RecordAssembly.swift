internal import Foundations

extension LineFields {
  /// Makes a record from the fields of a line.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - day: The day of lines that have only the time of day, such as `2026-11-19`.
  ///   - text: Where the fields go, one after another, with the escapes of ``LogEscapes``; the
  ///     record's positions are positions in it.
  ///   - wrappers: The number of lines that this one is wrapped in.
  /// - Returns: The record, or the reason why there is none.
  func record(
    in line: Span<UInt8>, day: [UInt8] = [], into text: inout [UInt8], wrappers: Int = 0
  ) -> LogLine {
    if let record = recordInPlace(in: line, into: &text) { return .request(record) }
    return rewrittenRecord(in: line, day: day, into: &text, wrappers: wrappers)
  }

  /// Makes the same record by copying each field.
  @inline(never)
  func rewrittenRecord(
    in line: Span<UInt8>, day: [UInt8] = [], into text: inout [UInt8], wrappers: Int = 0
  ) -> LogLine {
    let foundStatus = status(in: line)
    // Next to a complete line, a path is that of the log.
    if self[.message].isPresent,
      foundStatus == nil || !self[.target].isPresent && !self[.request].isPresent
    {
      return wrappedRecord(in: line, into: &text, wrappers: wrappers)
    }
    guard let status = foundStatus else {
      let hasTarget = self[.target].isPresent && !line.isAbsent(self[.target].range)
      return .rejected(hasTarget || hasRequestLine(line) ? .noStatus : .noRequest)
    }
    guard let (foundMethod, targetRange) = request(line, into: &text) else {
      return .rejected(.noTarget)
    }
    guard !targetRange.isEmpty, !(targetRange.count == 1 && text[targetRange.lowerBound] == 0x2D)
    else { return .rejected(.noTarget) }
    var methodRange = foundMethod
    if methodRange == nil {
      // A format without methods logs pages and files, which are requested by GET.
      let start = text.count
      text.append(contentsOf: [0x47, 0x45, 0x54])
      methodRange = start..<text.count
    }
    var record = LogRecord(method: methodRange ?? 0..<0, target: targetRange, status: status)
    record.time = appendTime(line, day: day, to: &text)
    record.host = appendOptional(.host, line, to: &text)
    record.referrer = appendOptional(.referrer, line, to: &text)
    record.agent = appendOptional(.agent, line, to: &text)
    if self[.fetchMetadata].isPresent {
      record.isSubresource = FetchMetadata.isSubresource(
        line.extracting(self[.fetchMetadata].range))
    }
    return .request(record)
  }

  /// Appends method and target.
  ///
  /// A request line has what was requested; a path next to it can be rewritten by the server.
  private func request(
    _ line: Span<UInt8>, into text: inout [UInt8]
  ) -> (method: Range<Int>?, target: Range<Int>)? {
    let hasTarget = self[.target].isPresent
    var request: Range<Int>?
    if self[.request].isPresent {
      let range = append(.request, line.extracting(self[.request].range), to: &text)
      if let parts = Self.requestLine(text, from: range.lowerBound),
        !hasTarget || text.span.endsWithProtocol(parts.method.upperBound, range.upperBound)
      {
        return parts
      }
      request = range
    }
    // Some call the target alone the request, and others the method.
    let path = request.flatMap { text.span.isPath($0) ? $0 : nil }
    var method: Range<Int>?
    if self[.method].isPresent {
      guard line.isMethod(self[.method].range) else { return nil }
      method = append(.method, line.extracting(self[.method].range), to: &text)
    }
    if let path { return (method, path) }
    guard hasTarget else { return nil }
    if method == nil, let request, text.span.isMethod(request) { method = request }
    return (method, appendTarget(line, to: &text))
  }

  private func hasRequestLine(_ line: Span<UInt8>) -> Bool {
    guard self[.request].isPresent else { return false }
    let range = self[.request].range
    guard let end = line.methodEnd(range.lowerBound, range.upperBound) else { return false }
    return line.isMethod(range.lowerBound..<end)
  }

  /// The method and the target of a request line that goes from `start` to the end
  /// of `text`.
  private static func requestLine(
    _ text: [UInt8], from start: Int
  ) -> (method: Range<Int>, target: Range<Int>)? {
    let span = text.span
    guard let end = span.methodEnd(start, text.count), span.isMethod(start..<end) else {
      return nil
    }
    return (start..<end, span.target(end, text.count))
  }

  /// The maximum number of wrappers: each collector on the way can wrap a line.
  private static let wrapperLimit = 4

  /// Reads JSON that a field holds as text.
  private static let wrappedScanner = JSONLineScanner(.usualNames)

  /// A record of the line that a field holds, which is one of the common formats, or of
  /// JSON under usual names.
  private func wrappedRecord(
    in line: Span<UInt8>, into text: inout [UInt8], wrappers: Int
  ) -> LogLine {
    guard wrappers < Self.wrapperLimit else { return .rejected(.noRequest) }
    let start = text.count
    FieldText.append(line.extracting(self[.message].range), self[.message].encoding, to: &text)
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
    if let reason = Self.wrappedScanner.scan(inner.span, into: &fields) {
      return .rejected(reason == .severalRequests ? reason : .noRequest)
    }
    return fields.record(in: inner.span, into: &text, wrappers: wrappers + 1)
  }

  private static func wrappedRecord(_ text: [UInt8], from start: Int) -> LogLine {
    let parser = LogLineParser(format: .combined, lineLimit: .max)
    let parsed = parser.parse(text.span.extracting(start..<text.count))
    guard case .request(let record) = parsed else { return parsed }
    return .request(record.moved(by: start))
  }

  private func append(
    _ field: LogField, _ bytes: Span<UInt8>, to text: inout [UInt8]
  ) -> Range<Int> {
    let start = text.count
    FieldText.append(bytes, self[field].encoding, to: &text)
    return start..<text.count
  }

  /// Appends the target, and the query after it if that is a separate field.
  private func appendTarget(_ line: Span<UInt8>, to text: inout [UInt8]) -> Range<Int> {
    let target = line.extracting(self[.target].range)
    let start = text.count
    if !self[.host].isPresent, target.lacksScheme {
      text.append(contentsOf: [0x68, 0x74, 0x74, 0x70, 0x3A, 0x2F, 0x2F])
    }
    FieldText.append(target, self[.target].encoding, to: &text)
    let range = start..<text.count
    // A target with a query has its own.
    guard self[.query].isPresent, !line.isAbsent(self[.query].range),
      target.firstIndex(of: UInt8(ascii: "?")) == nil
    else { return range }
    var query = line.extracting(self[.query].range)
    if query[0] == UInt8(ascii: "?") { query = query.extracting(1..<query.count) }
    text.append(UInt8(ascii: "?"))
    _ = append(.query, query, to: &text)
    return range.lowerBound..<text.count
  }

  private func appendOptional(
    _ field: LogField, _ line: Span<UInt8>, to text: inout [UInt8]
  ) -> Range<Int>? {
    guard self[field].isPresent, !line.isAbsent(self[field].range) else { return nil }
    var value = line.extracting(self[field].range)
    guard field == .agent || field == .referrer else { return append(field, value, to: &text) }
    if self[field].encoding == .json, value.isQuotedAgain {
      value = value.extracting(2..<(value.count - 2))
      guard !value.isAbsent(value.indices) else { return nil }
    }
    guard self[field].encoding == .plain,
      field == .agent ? value.contains("%20") : value.isEncodedURL
    else { return append(field, value, to: &text) }
    let start = text.count
    FieldText.append(value, field == .agent ? .encodedSpaces : .percent, to: &text)
    return start..<text.count
  }

  private func appendTime(
    _ line: Span<UInt8>, day: [UInt8], to text: inout [UInt8]
  ) -> Range<Int>? {
    let start = text.count
    if let clock {
      clock.append(to: &text)
      return start..<text.count
    }
    let time = self[.time].range
    let isTimeOfDay =
      self[.time].isPresent && time.count >= 3
      && (line[time.lowerBound + 1] == UInt8(ascii: ":")
        || line[time.lowerBound + 2] == UInt8(ascii: ":"))
    if !self[.time].isPresent || isTimeOfDay {
      if self[.date].isPresent {
        _ = append(.date, line.extracting(self[.date].range), to: &text)
      } else {
        text.append(contentsOf: day)
      }
      if text.count > start, isTimeOfDay { text.append(UInt8(ascii: " ")) }
    }
    if self[.time].isPresent { _ = append(.time, line.extracting(time), to: &text) }
    return text.count > start ? start..<text.count : nil
  }

  private func status(in line: Span<UInt8>) -> UInt16? {
    if self[.status].isPresent { return line.extracting(self[.status].range).status }
    guard self[.resultAndStatus].isPresent else { return nil }
    let field = line.extracting(self[.resultAndStatus].range)
    guard let slash = field.lastIndex(of: UInt8(ascii: "/"), from: 0, to: field.count) else {
      return nil
    }
    return field.extracting((slash + 1)..<field.count).status
  }
}

extension Span<UInt8> {
  /// A status (RFC 9110, 15), or 0 where there was no response; `nil` for other bytes.
  var status: UInt16? {
    guard (1...3).contains(count), let value = decimal(indices).map({ UInt16($0) }) else {
      return nil
    }
    return value == 0 || value >= 100 ? value : nil
  }

  /// A Boolean value indicating whether a string of JSON holds quotation marks around its text,
  /// as Logstash's patterns leave them: `"\"curl/8\""`.
  fileprivate var isQuotedAgain: Bool {
    count >= 4 && begins(with: #"\""#) && begins(with: #"\""#, at: count - 2)
  }

  /// A Boolean value indicating whether these bytes are a completely percent-encoded URL, as Akamai
  /// writes referrers.
  var isEncodedURL: Bool {
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

  /// Returns a Boolean value indicating whether a path begins at a position.
  fileprivate func isPath(_ range: Range<Int>) -> Bool {
    !range.isEmpty && self[range.lowerBound] == UInt8(ascii: "/")
      && firstIndex(of: UInt8(ascii: " "), from: range.lowerBound, to: range.upperBound) == nil
  }

  /// Returns a Boolean value indicating whether a method is at a position.
  ///
  /// A method is a token (RFC 9110, 5.6.2), but not a number or a date, which can be in columns
  /// next to it.
  func isMethod(_ range: Range<Int>) -> Bool {
    guard !range.isEmpty, !isAbsent(range), !self[range.lowerBound].isDigit else { return false }
    // Most methods are `GET`.
    if range.count == 3, range.upperBound < count,
      halfWord(range.lowerBound) & 0xFF_FFFF == 0x54_4547
    {
      return true
    }
    for index in range where !self[index].isTokenByte { return false }
    return true
  }
}
