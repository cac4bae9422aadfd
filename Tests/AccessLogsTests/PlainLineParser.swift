@testable import AccessLogs
@testable import Foundations

struct RecordFields<Text: Equatable>: Equatable {
  var host: Text?
  var time: Text?
  var method: Text
  var target: Text
  var status: Int
  var referrer: Text?
  var agent: Text?
  var isSubresource = false
}

extension RecordFields {
  init(_ record: LogRecord, _ text: (Range<Int>) -> Text) {
    self.init(
      host: record.host.map(text), time: record.time.map(text), method: text(record.method),
      target: text(record.target), status: Int(record.status),
      referrer: record.referrer.map(text), agent: record.agent.map(text),
      isSubresource: record.isSubresource)
  }
}

/// The rules of the formats, written for clarity rather than speed.
struct PlainLineParser {
  typealias Fields = RecordFields<String>

  struct Rejection: Error, Equatable {
    var reason: RejectionReason
  }

  typealias Outcome = Result<Fields, Rejection>

  var format: LogLineParser

  func parse(_ text: String) -> Outcome {
    let whole = Array(text.utf8)
    guard !whole.isEmpty else { return .failure(Rejection(reason: .emptyLine)) }
    let line = Array(whole[whole.span.linePrefixEnd...])
    let text = string(line[...])
    guard let open = requestQuote(line),
      let firstClose = close(line, from: open + 1)
    else { return .failure(Rejection(reason: .noRequest)) }

    let request = string(line[(open + 1)..<firstClose])
    let words = request.split(separator: " ", omittingEmptySubsequences: false)
    let isToken = words[0].allSatisfy { character in
      character.isASCII && (character.isLetter || character.isNumber)
        || "!#$%&'*+-.^_`|~".contains(character)
    }
    guard words.count > 1, !words[0].isEmpty, isToken else {
      // Only a status after it shows that this is the place of the request.
      let isPlace = self.status(line, after: firstClose) != nil
      return .failure(Rejection(reason: isPlace ? .noTarget : .noRequest))
    }

    // A quote that isn't escaped ends the request only if a status follows.
    var closes = [firstClose]
    while let last = closes.last, let next = close(line, from: last + 1) { closes.append(next) }
    let end = closes.first { end in
      status(line, after: end) != nil
        && (end == firstClose || protocolWord(string(line[(open + 1)..<end])) != nil)
    }
    guard let end, let status = status(line, after: end) else {
      return .failure(Rejection(reason: .noStatus))
    }

    // An interleaved line has the time of the next line in it.
    let methodEnd = open + 1 + words[0].utf8.count
    let hasTime = (methodEnd..<max(methodEnd, end - 22)).contains { index in
      line[index] == UInt8(ascii: "[") && (0x30...0x39).contains(line[index + 1])
        && line[index + 3] == UInt8(ascii: "/") && ": ".utf8.contains(line[index + 12])
    }
    if end != firstClose, hasTime { return .failure(Rejection(reason: .noStatus)) }

    var target = string(line[(open + 1)..<end])
    if let word = protocolWord(target) { target.removeLast(word.count) }
    target = String(target.dropFirst(words[0].count)).replacing(/^ +| +$/, with: "")
    guard !target.isEmpty, target != "-" else { return .failure(Rejection(reason: .noTarget)) }

    var fields = Fields(method: String(words[0]), target: target, status: status)
    let before = string(line[..<open])
    let group = Array(before.utf8).suffix(29)
    if group.count == 29, group.first == UInt8(ascii: "["), before.hasSuffix("] ") {
      fields.time = String(decoding: group.dropFirst().dropLast(2), as: UTF8.self)
    } else if let bracket = before.dropFirst(bracketedWord(text).count).firstIndex(of: "[") {
      if let end = before[bracket...].firstIndex(of: "]") {
        fields.time = String(before[before.index(after: bracket)..<end])
      }
    } else if let word = before.split(separator: " ").last, word.utf8.count >= 19,
      word.wholeMatch(of: /[0-9].{3}-.{5}T.*/.dotMatchesNewlines()) != nil
    {
      fields.time = String(word)
    }
    let starts = before.split(separator: " ", omittingEmptySubsequences: false)
    if format.isHostSecond {
      if starts.count > 2, !starts[0].isEmpty, !starts[1].isEmpty, starts[1] != "-",
        !starts[1].hasPrefix("[")
      {
        fields.host = String(starts[1])
      }
    } else if format.namesHost, starts.count > 1 {
      let host = String(starts[0])
      // A host is followed by client, identity and user; a client's address by two words. A line
      // without its beginning has a user before its time.
      let user = starts.count > 3 ? starts[3] : "["
      let isClient =
        starts[1].hasPrefix("[")
        || starts[1] == "-" && (user.hasPrefix("[") || starts.count == 4 && user.isEmpty)
      if !host.isEmpty, host != "-", !isClient {
        let name = host.wholeMatch(of: /\[([^:]+)\]/.dotMatchesNewlines())
        fields.host = name.map { String($0.1) } ?? host
      }
    }
    if format.namesReferrer {
      var position = end + 1
      if let bare = bareReferrerEnd(line, after: end) {
        position = bare
        let rest = string(line[position...])
        let isBare = rest.drop { $0 == " " }.prefix { $0 != " " } == "-"
        fields.agent = isBare ? nil : field(line, from: &position)
        return .success(fields)
      }
      fields.referrer = field(line, from: &position)
      fields.agent = field(line, from: &position)
    }
    return .success(fields)
  }

  /// The word in brackets at the beginning of a line, perhaps with a port, except a time.
  private func bracketedWord(_ line: String) -> Substring {
    let word = line.prefixMatch(of: /\[[^\]"\x00-\x20]+\](:[0-9]*)?(?= )/)?.0 ?? ""
    let time = /\[([0-9]{2}\/.{7}|[0-9]{4}-[0-9]{2}-[0-9]{2})/.dotMatchesNewlines()
    return line.prefixMatch(of: time) == nil ? word : ""
  }

  /// The quote before the request, which is not the first one if that is before the time.
  private func requestQuote(_ line: [UInt8]) -> Int? {
    guard let first = line.firstIndex(of: UInt8(ascii: "\"")) else { return nil }
    let start = bracketedWord(string(line[...])).utf8.count
    guard start >= first || !line[start..<first].contains(UInt8(ascii: "[")),
      let bracket = line.firstIndex(of: UInt8(ascii: "[")), line.count - bracket > 22,
      (0x30...0x39).contains(line[bracket + 1]), line[bracket + 3] == UInt8(ascii: "/"),
      line[bracket + 12] == UInt8(ascii: ":"),
      let end = line[bracket...].firstIndex(of: UInt8(ascii: "]")),
      line[end...].starts(with: "] \"".utf8)
    else { return first }
    return end + 2
  }

  /// The end of the unquoted dash that replaces the referrer, before another one or a last field.
  private func bareReferrerEnd(_ line: [UInt8], after end: Int) -> Int? {
    let fields = /[ ]*[^ ]+ +[^ ]+ +-(?= +-(?: |\z)| "(?:[^"\\]|\\.)*"(?! "))/
    let found = string(line[(end + 1)...]).prefixMatch(of: fields.dotMatchesNewlines())
    return found.map { end + 1 + $0.output.utf8.count }
  }

  private func string(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }

  private func close(_ line: [UInt8], from start: Int) -> Int? {
    (start..<max(start, line.count)).first { index in
      line[index] == UInt8(ascii: "\"")
        && line[start..<index].reversed().prefix { $0 == UInt8(ascii: "\\") }.count % 2 == 0
    }
  }

  private func status(_ line: [UInt8], after end: Int) -> Int? {
    let rest = string(line[(end + 1)...])
    let word = rest.drop { $0 == " " }.prefix { $0 != " " }
    guard rest.first == " ", word.count == 3, word.utf8.count == 3 else { return nil }
    return word.allSatisfy { ("0"..."9").contains($0) } ? Int(word) : nil
  }

  /// The protocol with the space before it, if the request ends with one.
  private func protocolWord(_ request: String) -> String? {
    guard let space = request.lastIndex(of: " ") else { return nil }
    let word = request[request.index(after: space)...]
    return word.hasPrefix("HTTP/") && word.utf8.count <= 12 ? " " + word : nil
  }

  private func field(_ line: [UInt8], from position: inout Int) -> String? {
    guard position <= line.count,
      let open = line[position...].firstIndex(of: UInt8(ascii: "\"")),
      let end = close(line, from: open + 1)
    else {
      position = line.count
      return nil
    }
    position = end + 1
    let text = string(line[(open + 1)..<end])
    return text.isEmpty || text == "-" ? nil : text
  }
}

extension LogRecord {
  var ranges: [Range<Int>] {
    [method, target] + [host, time, referrer, agent].compactMap(\.self)
  }
}

extension PlainLineParser.Outcome {
  /// The result of a parser whose positions are in `text`, with or without the log's escapes.
  init(_ line: LogLine, in text: [UInt8], undoesEscapes: Bool = false) {
    func field(_ range: Range<Int>) -> String {
      guard undoesEscapes else { return String(decoding: text[range], as: UTF8.self) }
      var bytes: [UInt8] = []
      LogEscapes.append(undoing: text.span.extracting(range), to: &bytes)
      return String(decoding: bytes, as: UTF8.self)
    }
    switch line {
    case .rejected(let reason): self = .failure(PlainLineParser.Rejection(reason: reason))
    case .request(let record): self = .success(PlainLineParser.Fields(record, field))
    }
  }
}
