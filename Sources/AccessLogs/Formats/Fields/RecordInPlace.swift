internal import Foundations

extension LineFields {
  /// Makes the record of a line by copying the line as a whole, and changing single bytes of it.
  ///
  /// In almost all lines, fields are verbatim, and those that belong together are next to each other:
  /// a path and its query, a day and its time of day. Copying each of them takes longer.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - text: Where the line goes.
  /// - Returns: A record of the same fields as ``rewrittenRecord(in:day:into:wrappers:)``, or `nil`
  ///   if the line is no request or a field has to be rewritten, which leaves `text` unchanged.
  @inline(never)
  borrowing func recordInPlace(
    in line: Span<UInt8>, into text: inout [UInt8]
  ) -> LogRecord? {
    guard holds(.status), !holds(.message),
      let status = line.extracting(self[.status].range).status
    else { return nil }
    let mayHoldEscapes = mayHoldEscapes && line.firstIndex(of: UInt8(ascii: "\\")) != nil
    guard let request = requestInPlace(of: line, mayHoldEscapes),
      let time = timeInPlace(of: line, mayHoldEscapes),
      let host = optionalInPlace(.host, of: line, mayHoldEscapes),
      let referrer = optionalInPlace(.referrer, of: line, mayHoldEscapes),
      let agent = optionalInPlace(.agent, of: line, mayHoldEscapes)
    else { return nil }

    let start = text.count
    line.append(to: &text)
    if request.queryMark >= 0 { text[start + request.queryMark] = UInt8(ascii: "?") }
    if time.blank >= 0 { text[start + time.blank] = UInt8(ascii: " ") }
    if agent.holdsPluses {
      FieldText.replacePluses(
        &text, (start + agent.range.lowerBound)..<(start + agent.range.upperBound))
    }
    var record = LogRecord(
      method: request.method.moved(by: start), target: request.target.moved(by: start),
      status: status)
    if request.method.isEmpty {
      // A format without methods logs pages and files, which are requested by GET.
      let method = text.count
      text.append(UInt8(ascii: "G"))
      text.append(UInt8(ascii: "E"))
      text.append(UInt8(ascii: "T"))
      record.methodPosition = LogRecord.Position(method..<text.count)
    }
    if let clock {
      let clockStart = text.count
      clock.append(to: &text)
      record.time = clockStart..<text.count
    } else if !time.range.isEmpty {
      record.time = time.range.moved(by: start)
    }
    if !host.range.isEmpty { record.host = host.range.moved(by: start) }
    if !referrer.range.isEmpty { record.referrer = referrer.range.moved(by: start) }
    if !agent.range.isEmpty { record.agent = agent.range.moved(by: start) }
    if holds(.fetchMetadata) {
      record.isSubresource = FetchMetadata.isSubresource(
        line.extracting(self[.fetchMetadata].range))
    }
    return record
  }

  /// Returns a Boolean value indicating whether a field's bytes are its text with the escapes of
  /// ``LogEscapes``.
  @inline(__always)
  private borrowing func isVerbatim(
    _ field: Field, _ line: Span<UInt8>, _ mayHoldEscapes: Bool
  ) -> Bool {
    switch field.encoding {
    case .escaped: return true
    case .doubledQuotes:
      guard
        line.firstIndex(of: UInt8(ascii: "\""), from: Int(field.start), to: Int(field.end)) == nil
      else { return false }
    case .plain: break
    case .json, .encodedSpaces, .percent: return false
    }
    return !mayHoldEscapes
      || line.firstIndex(of: UInt8(ascii: "\\"), from: Int(field.start), to: Int(field.end)) == nil
  }

  /// Finds method and target, and the position of a separator that becomes a question mark, or -1.
  ///
  /// The method is empty if the line names none.
  @inline(__always)
  private borrowing func requestInPlace(
    of line: Span<UInt8>, _ mayHoldEscapes: Bool
  ) -> (method: Range<Int>, target: Range<Int>, queryMark: Int)? {
    var method = 0..<0
    var target: Range<Int>
    var queryMark = -1
    if holds(.request) {
      let request = self[.request]
      let range = request.range
      guard isVerbatim(request, line, mayHoldEscapes),
        let end = line.methodEnd(range.lowerBound, range.upperBound),
        line.isMethod(range.lowerBound..<end),
        !holds(.target) || line.endsWithProtocol(end, range.upperBound)
      else { return nil }
      (method, target) = (range.lowerBound..<end, line.target(end, range.upperBound))
    } else {
      if holds(.method) {
        let field = self[.method]
        method = field.range
        guard isVerbatim(field, line, mayHoldEscapes), line.isMethod(method) else { return nil }
      }
      guard holds(.target) else { return nil }
      let field = self[.target]
      target = field.range
      // Other targets without a host may lack their scheme.
      guard !target.isEmpty, isVerbatim(field, line, mayHoldEscapes),
        holds(.host) || line.byte(target.lowerBound) == UInt8(ascii: "/")
      else { return nil }
      if holds(.query), !line.isAbsent(self[.query].range),
        line.firstIndex(
          of: UInt8(ascii: "?"), from: target.lowerBound, to: target.upperBound) == nil
      {
        let query = self[.query]
        guard Int(query.start) == target.upperBound + 1,
          line.byte(Int(query.start)) != UInt8(ascii: "?"),
          isVerbatim(query, line, mayHoldEscapes)
        else { return nil }
        queryMark = target.upperBound
        target = target.lowerBound..<Int(query.end)
      }
    }
    guard !line.isAbsent(target) else { return nil }
    return (method, target, queryMark)
  }

  /// Finds the time, and the position of a separator that becomes a space, or -1.
  ///
  /// The time is empty if the line has none, or only parts of one.
  @inline(__always)
  private borrowing func timeInPlace(
    of line: Span<UInt8>, _ mayHoldEscapes: Bool
  ) -> (range: Range<Int>, blank: Int)? {
    if clock != nil { return (0..<0, -1) }
    let time = self[.time]
    let range = time.range
    guard holds(.time), range.count >= 3, isVerbatim(time, line, mayHoldEscapes) else {
      return nil
    }
    let isTimeOfDay =
      line.byte(range.lowerBound + 1) == UInt8(ascii: ":")
      || line.byte(range.lowerBound + 2) == UInt8(ascii: ":")
    guard isTimeOfDay else { return (range, -1) }
    let date = self[.date]
    guard holds(.date), date.start < date.end, date.end + 1 == time.start,
      isVerbatim(date, line, mayHoldEscapes)
    else { return nil }
    return (Int(date.start)..<range.upperBound, Int(date.end))
  }

  /// Finds a field that may be absent, whose range is then empty, and whether plus signs in it are
  /// spaces.
  @inline(__always)
  private borrowing func optionalInPlace(
    _ name: LogField, of line: Span<UInt8>, _ mayHoldEscapes: Bool
  ) -> (range: Range<Int>, holdsPluses: Bool)? {
    let field = self[name]
    guard holds(name), !line.isAbsent(field.range) else { return (0..<0, false) }
    let range = field.range
    func hasByte(_ byte: UInt8) -> Bool {
      line.firstIndex(of: byte, from: range.lowerBound, to: range.upperBound) != nil
    }
    if field.encoding == .encodedSpaces {
      var marks = ByteMarks(of: UInt8(ascii: "%"), UInt8(ascii: " "))
      guard marks.next(from: range.lowerBound, in: line) >= range.upperBound,
        !mayHoldEscapes || !hasByte(UInt8(ascii: "\\"))
      else { return nil }
      return (range, true)
    }
    guard isVerbatim(field, line, mayHoldEscapes) else { return nil }
    if field.encoding == .plain {
      if name == .agent, hasByte(UInt8(ascii: "%")) { return nil }
      if name == .referrer, line.extracting(range).isEncodedURL { return nil }
    }
    return (range, false)
  }
}

extension Range<Int> {
  /// Returns this range at positions that are greater by a distance.
  @inline(__always)
  fileprivate func moved(by distance: Int) -> Range<Int> {
    (lowerBound + distance)..<(upperBound + distance)
  }
}
