@testable import AccessLogs
@testable import Foundations

extension RecordFields<[UInt8]> {
  /// Copies each of the fields of a line, which wraps no other line, on its own.
  init(_ fields: LineFields, of line: [UInt8], day: [UInt8]) throws(PlainLineParser.Rejection) {
    func raw(_ field: LogField) -> [UInt8]? {
      fields.holds(field) ? Array(line[fields[field].range]) : nil
    }
    func text(_ field: LogField) -> [UInt8]? {
      raw(field).map { Self.text($0, fields[field].encoding) }
    }
    func present(_ field: LogField) -> [UInt8]? {
      raw(field).flatMap { Self.isAbsent($0) ? nil : $0 }
    }

    let result = raw(.resultAndStatus)?.split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let word = raw(.status) ?? result?.dropFirst().last.map { Array($0) }
    guard let status = word?.span.status else {
      let isRequest =
        present(.target) != nil || raw(.request).flatMap { Self.requestLine($0) } != nil
      throw PlainLineParser.Rejection(reason: isRequest ? .noStatus : .noRequest)
    }
    self.status = Int(status)

    func joined(_ target: [UInt8], onlyMarked: Bool = false) -> [UInt8] {
      guard let query = present(.query), !target.contains(UInt8(ascii: "?")) else { return target }
      let isMarked = query.first == UInt8(ascii: "?")
      if onlyMarked, !isMarked { return target }
      let bare = isMarked ? Array(query.dropFirst()) : query
      return target + Array("?".utf8) + Self.text(bare, fields[.query].encoding)
    }
    let request = text(.request)
    var (foundMethod, foundTarget): ([UInt8]?, [UInt8]?) = (nil, nil)
    if let request, let (method, target) = Self.requestLine(request),
      raw(.target) == nil || request.span.protocolStart(method.count, request.count) != nil
    {
      let isWhole = request.span.protocolStart(method.count, request.count) != nil
      (foundMethod, foundTarget) = (method, joined(target, onlyMarked: isWhole))
    } else {
      if let method = raw(.method) {
        guard Self.isMethod(method) else { throw PlainLineParser.Rejection(reason: .noTarget) }
        foundMethod = text(.method)
      }
      if let request, request.first == UInt8(ascii: "/"), !request.contains(UInt8(ascii: " ")) {
        foundTarget = request
      } else {
        if foundMethod == nil, let request, Self.isMethod(request) { foundMethod = request }
        foundTarget = text(.target)
        if let target = raw(.target) {
          if raw(.host) == nil, Self.lacksScheme(target) {
            foundTarget = Array("http://".utf8) + (foundTarget ?? [])
          }
          if !target.contains(UInt8(ascii: "?")) { foundTarget = joined(foundTarget ?? []) }
        }
      }
    }
    guard let foundTarget, !Self.isAbsent(foundTarget) else {
      throw PlainLineParser.Rejection(reason: .noTarget)
    }
    (method, target) = (foundMethod ?? Array("GET".utf8), foundTarget)

    host = present(.host) == nil ? nil : text(.host)
    referrer = present(.referrer).flatMap { value in
      let isURL = ["https%3A%2F%2F", "http%3A%2F%2F"].contains { value.starts(with: $0.utf8) }
      let isPercent = fields[.referrer].encoding == .plain && value.count > 12 && isURL
      return Self.header(value, isPercent ? .percent : fields[.referrer].encoding)
    }
    agent = present(.agent).flatMap { value in
      let isEncoded = ["Mozilla%2F", "Mozilla/5.0+("].contains { value.starts(with: $0.utf8) }
      let hasSpaces =
        fields[.agent].encoding == .plain
        && (value.span.contains("%20") || value.count > 16 && isEncoded)
      return Self.header(value, hasSpaces ? .encodedSpaces : fields[.agent].encoding)
    }
    isSubresource = raw(.fetchMetadata).map { LineFields.isSubresource($0.span) } ?? false

    var time: [UInt8] = []
    if let clock = fields.clock {
      clock.append(to: &time)
    } else if let own = raw(.time) {
      let isTimeOfDay = own.count >= 3 && own[1...2].contains(UInt8(ascii: ":"))
      if isTimeOfDay { time = text(.date) ?? day }
      if !time.isEmpty { time.append(UInt8(ascii: " ")) }
      let end = fields[.time].range.upperBound
      let half = line.span.halfOfDay(at: end).map { line[end..<$0.end] } ?? []
      time += Self.text(own + half, fields[.time].encoding)
    } else {
      time = text(.date) ?? day
    }
    self.time = time.isEmpty ? nil : time
  }

  private static func text(_ bytes: [UInt8], _ encoding: FieldEncoding) -> [UInt8] {
    var text: [UInt8] = []
    encoding.append(bytes.span, to: &text)
    return text
  }

  /// The text of a header, without the quotation marks that some strings of JSON have in them.
  private static func header(_ value: [UInt8], _ encoding: FieldEncoding) -> [UInt8]? {
    let quote = Array(#"\""#.utf8)
    guard encoding == .json, value.count >= 4, value.starts(with: quote),
      value.suffix(2) == quote[...]
    else { return text(value, encoding) }
    let inner = Array(value.dropFirst(2).dropLast(2))
    return isAbsent(inner) ? nil : text(inner, encoding)
  }

  private static func isAbsent(_ bytes: [UInt8]) -> Bool {
    bytes.isEmpty || bytes == Array("-".utf8)
  }

  private static func isMethod(_ bytes: [UInt8]) -> Bool {
    guard let first = bytes.first, !isAbsent(bytes), !first.isDigit else { return false }
    return bytes.allSatisfy(\.isTokenByte)
  }

  private static func requestLine(_ bytes: [UInt8]) -> (method: [UInt8], target: [UInt8])? {
    guard let end = bytes.firstIndex(of: UInt8(ascii: " ")), isMethod(Array(bytes[..<end])) else {
      return nil
    }
    return (Array(bytes[..<end]), Array(bytes[bytes.span.target(end, bytes.count)]))
  }

  private static func lacksScheme(_ target: [UInt8]) -> Bool {
    guard target.first != UInt8(ascii: "/"), let slash = target.firstIndex(of: UInt8(ascii: "/"))
    else { return false }
    let name = target[..<slash]
    return name.contains(UInt8(ascii: ".")) && !name.contains(UInt8(ascii: ":"))
  }
}
