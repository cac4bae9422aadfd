import Foundation
import TestSupport

@testable import AccessLogs

extension FuzzTarget {
  static let logs = [
    logLines, commonLines, detection, logReader, pathPatterns, formatStrings, jsonKeys,
  ]

  static let logWords =
    [
      "GET ", " HTTP/1.1", "\" 200 ", "\"-\"", "\\x22", "\\\"", "\\u00e9", "\\ud83d",
      "[10/Oct/2000:13:55:36 -0700]", "2026-11-19T08:00:01Z", "1693840791.75", "https://",
      "www.example.com", "#Fields: ", "#Date: ", "cs-uri-stem", "cs-uri-query", "sc-status", "time",
      "date", "cs(Host)", "cs(User-Agent)", "\t", "{", "}", "null", "status", "request", "uri",
      "request_uri", "timestamp", "message", "log", "<134>", "stdout F ", "haproxy[1]: ", "%2520",
      "\"\"", " - ", "x-host-header", "records", "logEvents", "proxy", "},{", "method=GET ",
      "path=\"/", "status=200", "req:GET /\t", "status:200\t", "|200|", "%2F",
    ]

  /// The number of a format, then lines.
  ///
  /// Fields are in the parser's text, and depend on earlier lines only through headings.
  private static let logLines = FuzzTarget(
    "log-lines", words: logWords,
    seeds: { sources in
      let seeds = FormatExample.all.compactMap { example in
        LogFormat.named.firstIndex { $0.name == example.format }.map { number in
          [UInt8(number)] + Array((example.heading + example.line + "\n").utf8)
        }
      }
      return try seeds + sources.logLines.map { [0] + $0 }
    },
    run: { try use($0.choose(LogFormat.named), on: $0.bytes) })

  static func use(_ format: LogFormat, on text: [UInt8]) throws(FuzzFailure) {
    var parser = LogParser(format)
    var position = 0
    while let range = text.span.nextLine(&position) {
      let line = Array(text[range])
      parser.reset()
      let heading = parser.heading
      let parsed = parser.parse(line.span)
      try require((0...line.count).contains(parser.failurePosition), "failure behind the line")
      guard case .request(let record) = parsed else { continue }
      let limit = parser.text.count
      for range in record.ranges {
        try require(range.upperBound <= limit, "\(format.name): \(range) of \(limit)")
        var plain: [UInt8] = []
        LogEscapes.append(undoing: parser.text.span.extracting(range), to: &plain)
        try require(plain.count <= range.count, "escapes that grow")
      }
      try require(!record.target.isEmpty && !record.method.isEmpty, "\(format.name): empty")
      try require((0...999).contains(record.status), "\(format.name): status \(record.status)")
      if let size = parser.size(of: record, in: line.span) { try require(size >= 0, "size") }
      // After earlier text, a record has the same fields.
      var other = LogParser(format)
      other.heading = heading
      let again = other.parse(line.span)
      try requireEqual(parsed, again, "\(format.name), parsed twice")
      try requireEqual(parser.text, other.text, "\(format.name), text of the second time")
    }
  }

  /// The number of a layout, then lines in Apache's notation.
  ///
  /// The parser agrees with the plain rules, and its fast path with its slow one.
  private static let commonLines = FuzzTarget(
    "common-lines",
    words: logWords + ["\"", "\\\\", "[x]", "[h] ", "h:443 ", "[::1]:443 ", "404 ", "é"],
    seeds: { sources in
      try sources.logLines.enumerated().map { [UInt8($0.offset % 4)] + $0.element }
        + RandomLog.lines(40, seed: 20, host: true).map { [2] + Array($0.utf8) }
    },
    run: { input in
      let layout = input.choose(Array(LogLineParser.allCases))
      for slice in input.rest.split(separator: UInt8(ascii: "\n")).prefix(8) {
        let line = Array(slice)
        let parser = layout.limited(to: 1 << 20)
        let parsed = parser.parse(line.span)
        var delimiters = DelimiterIndex.ofCommonLines()
        var place = 0
        delimiters.find(in: line.span)
        let usual = parser.parseUsual(line.span, from: 0, delimiters, at: &place)
        if usual.status != 0 {
          var record = usual.record
          record.host = parser.host(of: usual, at: 0..<line.count, in: line.span)
          try requireEqual(parsed, .request(record), "\(layout): \(line.text)")
        }
        // The plain rules count characters.
        guard line.allSatisfy({ $0 < 0x80 && $0 != 0x0D }) else { continue }
        let plain = PlainLineParser(format: layout).parse(line.text)
        try requireEqual(
          PlainLineParser.Outcome(parsed, in: line), plain, "\(layout): \(line.text)")
      }
    })

  private static let detection = FuzzTarget(
    "format-detection", words: logWords,
    seeds: { sources in
      try FormatExample.all.map { Array(($0.heading + $0.line + "\n" + $0.line).utf8) }
        + [Array(sources.logLines.prefix(9).joined(separator: [UInt8(ascii: "\n")]))]
    },
    run: { input in
      let chunk = LineChunk(input.rest)
      if let format = LogFormat.detect(in: chunk).format {
        try require(format.fits(chunk), "\(format.name) was told, but doesn't fit")
      }
      let obstacles = LogFormat.obstacles(in: input.bytes)
      try requireEqual(
        obstacles.reduce(0) { $0 + $1.names.count }, LogFormat.named.count, "formats tried")
    })

  /// The capacity of chunks and the maximum length of lines, then a log, whose lines are those
  /// between its line feeds.
  private static let logReader = FuzzTarget(
    "log-reader", words: ["\r\n", "\n\n", "\r"],
    seeds: { _ in
      [[7, 20], [1, 3], [64, 0]].map { $0 + Array("one\ntwo\r\n\nfour is longer\nfive\r".utf8) }
    },
    run: { input in
      let (capacity, lineLimit) = (input.byte() + 1, input.byte() + 16)
      let text = input.bytes
      guard !text.isEmpty, Compression(ofInputBeginningWith: text.span) == nil else { return }
      let file = try ScratchFile(text)
      let log = LogContents(
        file.input, capacity: capacity, lineLimit: lineLimit, engine: .preferred)
      let ends = [0] + log.chunks.map(\.contentEnd)
      try requireEqual(log.chunks.map(\.offset), Array(ends.dropLast()), "where chunks begin")
      try require(log.damage == nil, "\(String(describing: log.damage))")
      try requireEqual(ends.last, text.count, "the bytes of all chunks")
      var expected: [[UInt8]] = text.split(
        separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
      ).map { line in
        // Zeros before a line are a hole in the file.
        Array((line.last == UInt8(ascii: "\r") ? line.dropLast() : line).drop { $0 == 0 })
      }
      if text.last == UInt8(ascii: "\n") { expected.removeLast() }
      let found = log.lines
      try requireEqual(found.count, expected.count, "lines")
      for (line, plain) in zip(found, expected) {
        // A line that is too long is cut, but stays too long.
        if plain.count < lineLimit {
          try requireEqual(line, plain, "a line")
        } else {
          try require(line.count >= lineLimit, "a long line has become short")
          try require(zip(line, plain).count { $0 != $1 } <= 1, "a long line has changed")
        }
      }
    })

  /// Patterns of paths, and of hosts in paths, with a path as the last line.
  private static let pathPatterns = FuzzTarget(
    "path-patterns", words: ["{host}", "*", "**", "[a-z]", "[!", "?", "/", ".gz"],
    texts: [
      "{host}-access\n/var/log/www.example.com-access.log", "/var/*/[a-c]?g/**/x\nlog",
      "*/{host}/*.log\na/b.example/c.log",
    ],
    run: { input in
      let path = input.lastLine().text
      let pattern = input.bytes.text
      if let host = HostPattern(pattern)?.host(of: path) {
        // A mark after it belongs to its last character, but not to the host.
        try require(
          Array(path.lowercased().utf8).contains(Array(host.utf8)), "'\(host)' isn't in '\(path)'")
      }
      for segment in PathPattern(pattern)?.segments ?? [] { _ = segment.matches(path) }
    })

  /// A definition before the last line, which is read with it.
  private static let formatStrings = FuzzTarget(
    "format-strings",
    words: [
      "log_format ", "escape=json", "escape=none", "escape=default", "LogFormat ", "#Fields: ",
      "$request", "$status", "$time_local", "$time_iso8601", "$msec", "$http_referer",
      "$http_user_agent", "$host", "$request_uri", "$uri", "$is_args", "$args", "${request}",
      "$request_method", "$ignored", "%h", "%r", "%>s", "%s", "%{Referer}i", "%{%Y-%m-%d}t",
      "%{sec}t", "%{msec_frac}t", "%U%q", "%!200{", "%v", "%t", "\\\"", "';", "GET / HTTP/1.1",
      "cs-uri-stem", "sc-status",
    ],
    texts: ["$request$status\nx", "%{x\nx"],
    seeds: { _ in
      FormatExample.definitions.map { $0.heading + $0.line }
        .filter { $0.contains(/^(log_format|LogFormat|#Fields|%\{%|\$host \$http)/) }
        .map { Array($0.utf8) }
    },
    run: { input in
      let line = input.lastLine()
      let definition = input.bytes.text
      do {
        let format = try LogFormat(definition: definition)
        _ = format.fields
        try use(format, on: line)
      } catch let error as FormatStringError {
        try require(
          error.range.upperBound <= error.text.utf8.count,
          "\(error.message): \(error.range) of \(error.text.utf8.count)")
        let excerpt = error.excerpt(width: 80)
        try require(!excerpt.carets.isEmpty, "nothing is marked")
      }
    })

  /// Keys, `field=key` a line, in front of the last line, which is read with them.
  private static let jsonKeys = FuzzTarget(
    "json-keys", words: logWords + ["target=", "status=", "request.", "headers", "[0]"],
    texts: [
      "target=req.uri\nstatus=res.status\nreferrer=req.headers.referer\n"
        + #"{"req":{"uri":"/a?b","headers":{"referer":["x"]}},"res":{"status":200}}"#,
      "request=r\n" + #"{"r":"GET /\u00e9 HTTP/1.1","status":404,"n":[1,{"a":{}}],}"#,
    ],
    run: { input in
      let line = input.lastLine()
      let keys = input.bytes.text.split(separator: "\n").prefix(20).compactMap { pair in
        let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
        let field = LogField.allCases.first { $0.name == parts.first }
        return field.flatMap { field in parts.count == 2 ? (field, parts[1]) : nil }
      }
      try use(LogFormat(jsonKeys: keys.map { (field: $0.0, key: $0.1) }), on: line)
    })
}
