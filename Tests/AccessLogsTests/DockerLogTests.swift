import Testing

@testable import AccessLogs

/// Lines that Docker has wrapped in JSON can have any format.
@Suite struct DockerLogTests {
  static func wrapped(_ line: Substring, end: String = "\\n") -> String {
    var text = ""
    for scalar in line.unicodeScalars {
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)"
      case "\t": text += "\\t"
      case "<", ">", "&": text += "\\u00" + String(scalar.value, radix: 16)
      default: text.unicodeScalars.append(scalar)
      }
    }
    return #"{"log":"\#(text)\#(end)","stream":"stdout","time":"2026-11-19T08:00:01.5Z"}"#
  }

  static let examples = FormatExample.all.filter { !$0.line.contains(#""stream":"#) }

  @Test(arguments: examples)
  func anyFormatIsUnwrapped(example: FormatExample) throws {
    let text = (example.heading + example.line).split(separator: "\n").map { Self.wrapped($0) }
      .joined(separator: "\n")
    var chunk = LineChunk(capacity: 16)
    chunk.append(Array((text + "\n").utf8).span)
    let format = try #require(LogFormat.detect(in: chunk).format)
    #expect(format.name == example.format && format.isDockerLog && format.commonLayout == nil)
    try LogFormatTests.expect(example, in: text, format)
    // A named format.
    let named = try #require(LogFormat(named: example.format)).unwrapping(chunk)
    #expect(named.fits(chunk))
    try LogFormatTests.expect(example, in: text, named)
  }

  @Test func lineEndsAndSizesAreThoseOfTheInnerLine() throws {
    let line =
      #"www.example.com 192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 512"#
    let json = #"{"status":200,"request_uri":"/a","bytes_sent":512}"#
    for (format, line) in [(LogFormat.vcommon, line), (.nginxJSON, json)] {
      for end in ["\\n", "\\r\\n", ""] {
        let text = Array(Self.wrapped(line[...], end: end).utf8)
        var parser = LogParser(format.inDockerLog)
        guard case .request(let record) = parser.parse(text.span) else {
          Issue.record("\(line)")
          continue
        }
        #expect(LogFormatTests.field(record.target, parser.text) == "/a")
        #expect(parser.size(of: record, in: text.span) == 512)
      }
    }
  }

  /// Docker cuts lines after 16 KiB; neither part is a request.
  @Test func partsOfLinesAreNoRequests() throws {
    let start =
      #"192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 512 "-" "curl/8" "#
    let first = start + String(repeating: "x", count: 16_384 - start.utf8.count)
    let lines = [
      Self.wrapped(first[...], end: ""), Self.wrapped(start[...]), Self.wrapped(start[...]),
    ]
    var parser = LogParser(.combined.inDockerLog)
    let outcomes = lines.map { parser.parse(Array($0.utf8).span) }
    #expect(outcomes[0] == .rejected(.partialLine) && outcomes[1] == .rejected(.partialLine))
    guard case .request = outcomes[2] else {
      Issue.record("\(outcomes[2])")
      return
    }
  }

  /// Kubernetes marks parts, by stream.
  @Test(arguments: [LogFormat.combined, .nginxJSON])
  func markedPartsAreNoRequests(format: LogFormat) throws {
    let json = #"{"method":"GET","path":"/a","status":200}"#
    let line =
      format == .combined
      ? #"192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 512"# : json
    var parser = LogParser(format)
    let time = "2026-11-19T12:00:00.123456789Z "
    let outcomes = [
      "stdout P ", "stderr F ", "stdout P ", "stdout F ", "stdout F ",
    ].map { tag in
      if case .request = parser.parse(Array((time + tag + line).utf8).span) { return true }
      return false
    }
    #expect(outcomes == [false, true, false, false, true])
    // The fastest parser doesn't use previous lines, and reads nothing of a line that ends too
    // early.
    let cut = time + "stdout P " + line
    #expect(LogLineParser(format: .common).parse(Array(cut.utf8).span) == .rejected(.partialLine))
  }

  /// Unwrapped lines are read directly.
  @Test func otherLinesStay() throws {
    let line = #"192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 512"#
    for text in [line, #"{"log":"x","stream":"x"}"#, #"{"log":""#, ""] {
      var (one, other) = (LogParser(.common.inDockerLog), LogParser(.common))
      #expect(one.parse(Array(text.utf8).span) == other.parse(Array(text.utf8).span))
    }
  }
}
