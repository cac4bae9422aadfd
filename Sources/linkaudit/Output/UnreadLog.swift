internal import AccessLogs
internal import Foundations
internal import LinkAuditing
internal import Reporting
internal import SystemPackage
internal import TrafficDigest
internal import UniversalLinks

/// The message about a log whose first lines no format fits.
struct UnreadLog {
  let path: String
  let trial: FormatTrial

  /// The format that was named, if one was.
  let named: LogFormat?

  private let isErrorLog: Bool
  private let isAssociationFile: Bool

  /// Whether a format of logs fits a file that should hold rows.
  private let isAccessLog: Bool

  /// Whether to show the first line, because lines were requested.
  private let showsLine: Bool

  init(path: String, start: [UInt8], named: LogFormat?, showsLine: Bool = false) {
    self.path = path
    self.showsLine = showsLine
    self.named = named
    isErrorLog = ErrorLog.isStart(start)
    isAssociationFile = AssociationFile.isStart(start)
    trial = FormatTrial(start)
    var chunk = LineChunk()
    chunk.append(start.span)
    isAccessLog = named == .rows && LogFormat.detect(in: chunk).format != nil
  }

  /// Returns a Boolean value indicating whether a file is no access log at all, by its beginning, or
  /// by a name that no log has.
  static func isForeign(_ start: [UInt8], path: String) -> Bool {
    ErrorLog.isStart(start) || AssociationFile.isStart(start)
      || otherExtensions.contains { path.lowercased().hasSuffix("." + $0) }
  }

  /// Extensions of files that people keep beside logs.
  private static let otherExtensions = [
    "md", "markdown", "rst", "html", "htm", "css", "js", "yml", "yaml", "toml", "conf", "cfg",
    "ini", "sh", "py", "rb", "pdf", "png", "svg", "pem", "crt", "key",
  ]

  /// The message, and the lines that go with it.
  var message: (summary: String, details: [String]) {
    let name = shownName
    // Lines name clients, and complaints end up in mails and journals.
    var details = showsLine ? ["the first line is:", "  " + shownLine] : []
    if let named, named == .rows {
      details.append(
        isAccessLog
          ? "it looks like an access log; to read it, leave out '--from-rows'"
          : "rows are CSV whose first line names the columns, or one JSON object a line; each needs "
            + "'target', 'status', and 'count', a whole number above 0")
      return (
        "\(name): no usable row in its first \(LogFormat.detectionLineCount.grouped) lines",
        details
      )
    }
    if let named {
      details.append(
        "choose another format, or leave out '--log-format' to detect it; to see how lines are read, "
          + "use 'linkaudit formats test \(path.inCommand)'")
      return (
        "\(name): the format '\(named.name)' fits none of the first "
          + "\(LogFormat.detectionLineCount.grouped) lines", details
      )
    }
    // What is in the way; only if nothing is known, what comes near.
    let advice = advice
    details += advice.isEmpty ? [nearestFormats].compactMap(\.self) : advice
    details.append(
      // `formats test` must not suggest itself.
      showsLine
        ? "pass the server's log_format or LogFormat with '--log-format', such as '$host "
          + #"[$time_local] "$request" $status "$http_user_agent"', or JSON keys with '--json-keys'"#
        : "pass the server's log_format or LogFormat with '--log-format', or JSON keys with "
          + "'--json-keys'; to see how lines are read, use 'linkaudit formats test \(path.inCommand)'"
    )
    return ("\(name): no log format fits its first lines", details)
  }

  /// The obstacles to reading the log, each with its remedy.
  private var advice: [String] {
    var advice = [FormatAdvice.advice(onFirstLine: trial.firstLine, path: path)].compactMap(\.self)
    if trial.groups.contains(where: { $0.reason == .severalRequests }) {
      advice.append(
        "write one request a line, for example with 'jq -c' and the path of the list ('.records[]')"
      )
    }
    if String(decoding: trial.firstLine, as: UTF8.self).contains(/Started [A-Z]+ "\//) {
      advice.append(
        "Rails writes a request on several lines, none with both path and status; use the gem lograge "
          + "to write one line")
    }
    if RowLayout.isRow(trial.firstLine.span) {
      advice.append(
        "it looks like rows of a warehouse; to make a digest of them, use 'linkaudit digest "
          + "--from-rows \(path.inCommand) -o rows.digest'")
    }
    return advice
  }

  /// The formats that come nearest to the lines, or `nil` if none finds anything of a request.
  private var nearestFormats: String? {
    guard let nearest = trial.groups.first, let found = nearest.reason.found else { return nil }
    let names = nearest.names.prefix(Self.nearestLimit).joined(separator: ", ")
    let others = nearest.names.count - Self.nearestLimit
    return "the nearest " + (nearest.names.count == 1 ? "format finds" : "formats find")
      + " \(found): \(names)" + (others > 0 ? " and \(others.counted("other"))" : "")
  }

  /// Upper bound for the number of formats that a message names.
  private static let nearestLimit = 4

  private var shownName: String { InputFile.name(of: path) }

  private var shownLine: String {
    let text = String(decoding: trial.firstLine.prefix(1_000), as: UTF8.self)
    return SafeText.escaped(text).shortened(to: TextTable.width - 6)
  }

  /// Reports the problem of the log.
  ///
  /// - Parameter isAmongLogs: Whether other logs were read. Then it is probably not a log, and one
  ///   line is enough.
  func complain(isAmongLogs: Bool = false) {
    if isAmongLogs, named == nil, !isErrorLog {
      StandardStreams.complain(
        "\(shownName) is skipped: "
          + (isAssociationFile
            ? "it looks like an association file, not like a log"
            : "no log format fits its first lines; to see why, use 'linkaudit formats test \(path.inCommand)'")
      )
      return
    }
    if isAssociationFile {
      StandardStreams.complain(
        "\(shownName) looks like an association file, not like a log; pass it with '--site "
          + "HOST=\(path.inCommand)'")
      return
    }
    if named == nil, isErrorLog {
      StandardStreams.complain(
        "'\(path)' is an error log, not an access log; pass access logs only, such as "
          + "'\(FilePath(path).removingLastComponent().appending("*access*"))'")
      return
    }
    let (summary, details) = message
    StandardStreams.complain(summary)
    for detail in details {
      let isIndented = detail.hasPrefix("  ")
      for line in detail.wrapped(width: TextTable.width, indent: isIndented ? "    " : "  ") {
        StandardStreams.note(line)
      }
    }
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
