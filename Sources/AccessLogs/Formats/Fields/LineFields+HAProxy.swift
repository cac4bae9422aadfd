internal import Foundations

/// HAProxy's HTTP log (https://docs.haproxy.org/dev/configuration.html#8.2.3).
///
///     192.0.2.1:5000 [10/Oct/2000:13:55:36.123] web~ app/a1 0/0/1/2/3 200 5 - - ---- 1/1/0/0/0 0/0 {www.example.com|curl} "GET /a HTTP/1.1"
///
/// A syslog header in front is ignored. Captured headers are in braces without their names, so they
/// are detected from their values.
extension LineFields {
  /// Finds the fields of a line of HAProxy's.
  ///
  /// - Returns: Why the line has none, or `nil` if it has.
  mutating func readHAProxy(_ line: Span<UInt8>) -> RejectionReason? {
    guard let bracket = line.haproxyTimeStart,
      let end = line.firstIndex(of: UInt8(ascii: "]"), from: bracket)
    else { return .noFields }
    set(.time, bracket, end, .plain)
    guard let open = line.firstIndex(of: UInt8(ascii: "\""), from: end),
      let close = line.firstIndex(of: UInt8(ascii: "\""), from: open + 1)
    else {
      failure = end + 1
      return .noRequest
    }

    guard let status = Self.haproxyStatus(in: line, end + 1, open) else { return .noFields }
    // A list of lines, as Grafana exports them.
    guard line.extracting((close + 1)..<line.count).haproxyTimeStart == nil else {
      return .severalRequests
    }
    set(.status, status.lowerBound, status.upperBound, .plain)
    set(.request, open + 1, close, .plain)
    if let size = line.word(from: status.upperBound, to: open) {
      set(.size, size.lowerBound, size.upperBound, .plain)
    }
    readCaptures(line, status.upperBound, open)
    readServerName(line, close + 1)
    return nil
  }

  /// The position of the status after the time: frontend, backend and server, perhaps a custom
  /// word, timers, status.
  ///
  /// Without timers, it is the first number of three digits.
  private static func haproxyStatus(in line: Span<UInt8>, _ start: Int, _ end: Int) -> Range<Int>? {
    var position = start
    var candidate: Range<Int>?
    while let word = line.word(from: position, to: end) {
      position = word.upperBound
      if line.isTimers(word) { return line.word(from: position, to: end) }
      if candidate == nil, word.count == 3, line.decimal(word) != nil { candidate = word }
    }
    return candidate
  }

  /// Reads the name that the client asked for in its handshake, from the last word of
  /// HAProxy's HTTPS log: `www.example.com/TLSv1.3/TLS_AES_128_GCM_SHA256`.
  private mutating func readServerName(_ line: Span<UInt8>, _ start: Int) {
    guard let end = line.position(of: "/TLSv1", from: start),
      let space = line.lastIndex(of: UInt8(ascii: " "), from: start, to: end),
      line.extracting((space + 1)..<end).isHostName
    else { return }
    set(.host, space + 1, end, .plain, rank: 1)
  }

  private mutating func readCaptures(_ line: Span<UInt8>, _ start: Int, _ end: Int) {
    var position = start
    while let open = line.firstIndex(of: UInt8(ascii: "{"), from: position, to: end),
      let close = line.firstIndex(of: UInt8(ascii: "}"), from: open, to: end)
    {
      position = open + 1
      while position <= close {
        let stop = line.firstIndex(of: UInt8(ascii: "|"), from: position, to: close) ?? close
        readCapture(line, position..<stop)
        position = stop + 1
      }
    }
  }

  private mutating func readCapture(_ line: Span<UInt8>, _ range: Range<Int>) {
    guard !line.isAbsent(range) else { return }
    let value = line.extracting(range)
    if value.begins(with: "http://") || value.begins(with: "https://")
      || value.begins(with: "android-app://")
    {
      set(.referrer, range.lowerBound, range.upperBound, .plain)
    } else if value.isHostName {
      set(.host, range.lowerBound, range.upperBound, .plain)
    } else if value.begins(with: "Mozilla/") {
      set(.agent, range.lowerBound, range.upperBound, .plain)
    } else if value.firstIndex(of: UInt8(ascii: "/")) != nil {
      // `curl/8.5.0`, unless something looks more like an agent.
      set(.agent, range.lowerBound, range.upperBound, .plain, rank: 1)
    }
  }
}

extension Span<UInt8> {
  /// The position after the bracket of a time such as `10/Oct/2000:13:55:36.123`, or `nil` if there
  /// is none.
  var haproxyTimeStart: Int? {
    var search = 0
    while let bracket = firstIndex(of: UInt8(ascii: "["), from: search) {
      search = bracket + 1
      if hasShape("0?/???/????:????????", at: search) { return search }
    }
    return nil
  }

  /// Returns whether timers are at a position: at least four numbers with slashes between them.
  ///
  /// A value that was cut short has a minus or plus sign.
  ///
  ///     0/0/0/72/+72
  func isTimers(_ range: Range<Int>) -> Bool {
    var slashes = 0
    for index in range {
      switch byte(index) {
      case UInt8(ascii: "/"): slashes += 1
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"): break
      default: return false
      }
    }
    return slashes >= 3
  }
}
