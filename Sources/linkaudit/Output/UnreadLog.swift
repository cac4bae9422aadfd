internal import AccessLogs
internal import FoundationSubset
internal import Foundations
internal import LinkAuditing
internal import Reporting
internal import SystemPackage
internal import TrafficDigest
internal import UniversalLinks

struct UnreadLog {
  let path: String
  let start: [UInt8]
  let named: LogFormat?
  var showsLine = false

  /// Whether a file is no access log at all, by its beginning, or by a name that no log has.
  static func isForeign(_ start: [UInt8], path: String) -> Bool {
    LogFormat.isErrorLog(start) || AssociationFile.isStart(start)
      || otherExtensions.contains { path.lowercased().hasSuffix("." + $0) }
  }

  private static let otherExtensions = [
    "md", "markdown", "rst", "html", "htm", "css", "js", "yml", "yaml", "toml", "conf", "cfg",
    "ini", "sh", "py", "rb", "pdf", "png", "svg", "pem", "crt", "key",
  ]

  /// Reports the problem, in one line if other logs were read, because this is probably no log then.
  func complain(isAmongLogs: Bool = false) {
    let (name, path) = (InputFile.name(of: path), path.inCommand)
    if AssociationFile.isStart(start) {
      let advice = showsLine ? "check it with 'linkaudit lint " : "pass it with '--site HOST="
      let remedy = isAmongLogs && named == nil ? "" : "; \(advice)\(path)'"
      warn(
        "\(name)\(remedy.isEmpty ? " is skipped: it" : "") looks like an association file, not like a log\(remedy)"
      )
    } else if named == nil, LogFormat.isErrorLog(start) {
      warn(
        "\(name) is an error log, not an access log; pass access logs only, such as "
          + "'\(FilePath(self.path).removingLastComponent().appending("*access*"))'")
    } else if named == nil, isAmongLogs {
      warn(
        "\(name) is skipped: no log format fits its first lines; to see why, use 'linkaudit formats "
          + "test \(path)'")
    } else {
      let (problem, details) = explanation(test: "'linkaudit formats test \(path)'")
      warn("\(name): \(problem)")
      for detail in details {
        let indent = detail.hasPrefix("  ") ? "    " : "  "
        for line in detail.wrapped(width: Style.fileWidth, indent: indent, keepsWords: true) {
          StandardStreams.note(line)
        }
      }
    }
  }

  private func explanation(test: String) -> (problem: String, details: [String]) {
    let (firstLine, count) = (start.firstLine, LogFormat.detectionLineCount.grouped)
    // Lines name clients, and complaints end up in mails and journals.
    let text = String(decoding: firstLine.prefix(1_000), as: UTF8.self)
    let shown = "  " + SafeText.escaped(text).shortened(to: Style.fileWidth - 6)
    let lines = showsLine ? ["the first line is:", shown] : []
    if named == .rows {
      var chunk = LineChunk()
      chunk.append(start.span)
      return (
        "no usable row in its first \(count) lines",
        lines + [
          LogFormat.detect(in: chunk).format != nil
            ? "it looks like an access log; to read it, leave out '--from-rows'"
            : "rows are CSV whose first line names the columns, or one JSON object a line; each needs "
              + "'target', 'status', and 'count', a whole number above 0"
        ]
      )
    }
    if let named {
      return (
        "the format '\(named.name)' fits none of the first \(count) lines",
        lines + [
          "choose another format, or leave out '\(named.option)' to detect it; to see how lines are "
            + "read, use \(test)"
        ]
      )
    }
    // Name the obstacles; only if none is known, name the nearest formats.
    let obstacles = LogFormat.obstacles(in: start)
    let advice = advice(
      firstLine, hasSeveralRequests: obstacles.contains { $0.reason == .severalRequests })
    return (
      "no log format fits its first lines",
      lines + (advice.isEmpty ? obstacles.prefix(1).compactMap(Self.nearestFormats) : advice)
        // `formats test` must not suggest itself.
        + [
          showsLine
            ? "pass the server's log_format or LogFormat with '--log-format', such as '$host "
              + #"[$time_local] "$request" $status "$http_user_agent"', or JSON keys with '--json-keys'"#
            : "pass the server's log_format or LogFormat with '--log-format', or JSON keys with "
              + "'--json-keys'; to see how lines are read, use \(test)"
        ]
    )
  }

  private func advice(_ firstLine: [UInt8], hasSeveralRequests: Bool) -> [String] {
    var advice = [FormatAdvice.advice(onFirstLine: firstLine, path: path)].compactMap(\.self)
    if firstLine.first != UInt8(ascii: "["), hasSeveralRequests {
      advice.append(
        "write one request a line, for example with 'jq -c' and the path of the list ('.records[]')"
      )
    }
    if String(decoding: firstLine, as: UTF8.self).contains(/Started [A-Z]+ "\//) {
      advice.append(
        "Rails writes a request on several lines, none with both path and status; use the gem lograge "
          + "to write one line")
    }
    if LogFormat.isRow(firstLine.span) {
      advice.append(
        "it looks like rows of a warehouse; to make a digest of them, use 'linkaudit digest "
          + "--from-rows \(path.inCommand) -o rows.digest'")
    }
    return advice
  }

  private static func nearestFormats(
    _ nearest: (reason: RejectionReason, names: [String])
  ) -> String? {
    guard let found = nearest.reason.found else { return nil }
    let limit = 4
    let names = nearest.names.prefix(limit).joined(separator: ", ")
    let others = nearest.names.count - limit
    return "the nearest " + (nearest.names.count == 1 ? "format finds" : "formats find")
      + " \(found): \(names)" + (others > 0 ? " and \(others.counted("other"))" : "")
  }
}

extension RejectionReason {
  /// The content that a format finds in the lines, or `nil` if it is nothing of a request.
  fileprivate var found: String? {
    switch self {
    case .emptyLine, .lineTooLong, .noFields: nil
    case .heading: "only headings"
    case .noRequest: "no request that a status follows"
    case .noTarget: "no method and target in the field of the request"
    case .noStatus: "a target, but no status"
    case .partialLine: "a line that a collector has truncated"
    case .severalRequests: "several requests in one line"
    case .noCount: "a request, but no count"
    }
  }
}

enum FormatAdvice {
  private static let blanks: Set<UInt8> = [0x20, 0x09, 0x0D]

  static func advice(onFirstLine firstLine: [UInt8], path: String) -> String? {
    if firstLine.contains(0) { return "it is a program or another binary file, not a log" }
    let line = firstLine.drop { blanks.contains($0) }
    let text = String(decoding: line, as: UTF8.self)
    let isJSON = line.first == UInt8(ascii: "{")
    if let column = columnOfLines(in: text) {
      let origin = column == "@message" ? "CloudWatch Logs Insights" : "a search in logs"
      return
        "it looks like results of \(origin); write the column '\(column)' alone, one line for each "
        + "result, and pass that file"
    }
    let names = text.split { ",\":{} \r".contains($0) }
    if names.contains("_raw") || text.hasPrefix("<results") {
      return "it looks like an export of Splunk; export the raw events, or write the field '_raw' "
        + "alone, such as with 'jq -r .result._raw', and pass that file"
    }
    if line.contains(0x1B) {
      return "a terminal's colors are inside the lines; remove them, such as with "
        + "'sed \"s/\\x1b\\[[0-9;]*m//g\" \(path.inCommand)', and pass the result"
    }
    if isJSON, isOpen(line) {
      return
        "a JSON object seems to take several lines; write one a line, with 'jq -c . \(path.inCommand)', "
        + "and pass that file"
    }
    if line.first == UInt8(ascii: "["),
      line.dropFirst().first(where: { !blanks.contains($0) }) ?? 0x7B == UInt8(ascii: "{")
    {
      return
        "it looks like a JSON list; write one object a line, with \"jq -c '.[]' \(path.inCommand)\", and "
        + "pass that file"
    }
    guard isJSON else { return nil }
    guard let object = try? JSONDecoder().decode(JSONKeys.self, from: Data(line)) else {
      return "the first line is not correct JSON: something in it is not escaped, or its end is "
        + "missing; nginx escapes values with 'log_format NAME escape=json'"
    }
    let keys = object.paths.filter { isPlain($0) }
    guard !keys.isEmpty else { return nil }
    return "it is JSON under other keys than the usual ones: "
      + keys.prefix(16).joined(separator: ", ")
      + "; name those of target and status with '--json-keys "
      + (option(for: keys) ?? "target=KEY,status=KEY") + "'"
  }

  private static func columnOfLines(in heading: String) -> String? {
    if heading.contains("@message") || heading.hasPrefix("@timestamp") { return "@message" }
    let names = heading.split { ",\t".contains($0) }.map { $0.filter { !"\" \r".contains($0) } }
    guard names.count > 1, names.allSatisfy({ isPlain($0) }) else { return nil }
    return names.first { ["message", "line", "textpayload"].contains($0.lowercased()) }
  }

  private struct JSONKeys: Decodable {
    let paths: [String]

    init(from decoder: any Decoder) throws {
      let members = (try? decoder.singleValueContainer().decode([String: JSONKeys].self)) ?? [:]
      paths = members.sorted { $0.key < $1.key }.flatMap { key, value in
        value.paths.isEmpty ? [key] : value.paths.map { key + "." + $0 }
      }
    }
  }

  /// Returns the value of `--json-keys` that names the fields of a log by the ends of its keys, or
  /// `nil` if they don't tell target and status.
  private static func option(for keys: [String]) -> String? {
    let likely = LogFormat.likelyFields(ofKeys: keys).filter { field, _ in
      FormatOptions.fieldNames.contains(field.name)
    }
    let fields = Set(likely.map(\.field))
    guard fields.contains(.status), fields.contains(.target) || fields.contains(.request) else {
      return nil
    }
    // A target says more than a line with it.
    return likely.filter { $0.field != .request || !fields.contains(.target) }
      .map { "\($0.field.name)=\($0.key)" }.joined(separator: ",")
  }

  private static func isPlain(_ key: String) -> Bool {
    !key.isEmpty && key.utf8.count <= 64
      && key.utf8.allSatisfy { $0.isLetter || $0.isDigit || "_-.@$".utf8.contains($0) }
  }

  /// Whether a line is only the beginning of an object: it ends after a brace or a comma.
  private static func isOpen(_ line: ArraySlice<UInt8>) -> Bool {
    line.last { !blanks.contains($0) }.map { "{[,".utf8.contains($0) } ?? false
  }
}
