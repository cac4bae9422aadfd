internal import Foundations

extension Span<UInt8> {
  /// The end of the prefix that Kubernetes writes before a line, or `nil` if there is none.
  ///
  /// The prefix is that of its log files
  /// (https://kubernetes.io/docs/concepts/cluster-administration/logging), or that of `kubectl logs
  /// --prefix`.
  ///
  ///     2026-11-19T12:00:00.123456789+00:00 stdout F
  ///     [pod/web-7d4b9/nginx]
  ///
  /// A byte order mark counts as a prefix, too; some editors and servers write it before a file.
  package var collectorPrefixEnd: Int? {
    if count > 3, self[0] == 0xEF, self[1] == 0xBB, self[2] == 0xBF { return 3 }
    if count > 8, self[0] == UInt8(ascii: "["), begins(with: "[pod/") {
      guard let end = firstIndex(of: UInt8(ascii: "]"), from: 5), end + 1 < count,
        self[end + 1] == UInt8(ascii: " ")
      else { return nil }
      return end + 2
    }
    guard count > 40, hasShape("0???-?????T"),
      let space = firstIndex(of: UInt8(ascii: " "), from: 19, to: 40), count >= space + 10,
      begins(with: " stdout ", at: space) || begins(with: " stderr ", at: space),
      self[space + 9] == UInt8(ascii: " "),
      self[space + 8] == UInt8(ascii: "F") || self[space + 8] == UInt8(ascii: "P")
    else { return nil }
    return space + 10
  }

  /// The stream of a container that a line belongs to, and whether the next line of the stream
  /// continues it.
  ///
  /// `nil` if the line has no prefix of Kubernetes.
  ///
  /// Lines of more than 16 KiB are split into parts; all but the last have a `P`.
  var collectorPart: (isError: Bool, isPartial: Bool)? {
    guard let end = collectorPrefixEnd, end >= 29, self[0].isDigit else { return nil }
    return (self[end - 6] == UInt8(ascii: "e"), self[end - 2] == UInt8(ascii: "P"))
  }

  /// The end of a word in brackets at the beginning of a line, or 0 if there is none.
  ///
  /// The word can be a host, or an address with its port.
  ///
  /// A time in brackets is not such a word.
  ///
  ///     [2001:db8::1]:443 203.0.113.9 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 5
  var bracketedWordEnd: Int {
    guard count > 2, self[0] == UInt8(ascii: "["), !beginsWithTime(at: 1),
      let close = firstIndex(of: UInt8(ascii: "]"), from: 1), close > 1
    else { return 0 }
    for index in 1..<close
    where self[index] <= UInt8(ascii: " ") || self[index] == UInt8(ascii: "\"") {
      return 0
    }
    var end = close + 1
    if end < count, self[end] == UInt8(ascii: ":") {
      repeat { end += 1 } while end < count && self[end].isDigit
    }
    return end < count && self[end] == UInt8(ascii: " ") ? end : 0
  }
}

extension Span<UInt8> {
  /// Appends the line that Docker has wrapped in JSON, without its line terminator
  /// (https://docs.docker.com/engine/logging/drivers/json-file).
  ///
  ///     {"log":"192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] …\n","stream":"stdout","time":"…"}
  ///
  /// - Parameters:
  ///   - output: Where the line goes.
  ///   - escaped: Scratch space.
  /// - Returns: Whether this is such a line.
  func appendDockerLine(to output: inout [UInt8], _ escaped: inout [UInt8]) -> Bool {
    guard isDockerLine(), let end = dockerTextEnd else { return false }
    escaped.removeAll(keepingCapacity: true)
    FieldText.append(extracting(Self.dockerStart..<end), .json, to: &escaped)
    while let last = escaped.last, last == 0x0A || last == 0x0D { escaped.removeLast() }
    LogEscapes.append(undoing: escaped.span, to: &output)
    return true
  }

  /// Returns a Boolean value indicating whether Docker has cut a line.
  ///
  /// It does so after 16 KiB; only the last part ends in a line feed.
  ///
  /// - Parameter length: The length of the part.
  /// - Returns: Whether the line continues.
  func isPartialDockerLine(_ length: Int) -> Bool {
    guard length >= 16_000, let end = dockerTextEnd else { return false }
    return !begins(with: "\\n", at: end - 2)
  }

  private static var dockerStart: Int { 8 }

  /// Returns a Boolean value indicating whether a line begins as Docker's do.
  func isDockerLine() -> Bool { begins(with: "{\"log\":\"") }

  /// The position of the quote after the text, or `nil` if the line isn't Docker's.
  private var dockerTextEnd: Int? {
    closingQuote(from: Self.dockerStart)
      .flatMap { begins(with: "\",\"stream\":\"std", at: $0) ? $0 : nil }
  }
}

extension LineChunk {
  /// A Boolean value indicating whether the first line that isn't empty is Docker's.
  var isDockerLog: Bool {
    withBytes { bytes in
      var position = 0
      while let range = bytes.nextLine(&position) {
        guard !range.isEmpty else { continue }
        return bytes.extracting(range).isDockerLine()
      }
      return false
    }
  }
}
