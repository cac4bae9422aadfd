internal import AccessLogs
internal import ArgumentParser
internal import Reporting

struct FormatOptions: ParsableArguments {
  @Option(
    help: .usual(
      "Read logs in this format: 'auto', a name that 'linkaudit formats' lists, or the text of an nginx log_format or Apache LogFormat. (default: auto)",
      "format"), completion: .list(["auto"] + LogFormat.named.map(\.name)))
  var logFormat: String?

  @Option(
    help: .rare(
      "Read these keys of JSON logs, such as 'target=req.uri,referrer=req.referer'; other fields have their usual names.",
      "field=key,..."))
  var jsonKeys: String?

  @Option(
    help: .rare("Stop at this decompression ratio. (default: 1000)", "ratio"),
    transform: number(1..., "must be at least 1"))
  var maxExpansion: Int?

  @Option(
    help: .rare("Refuse greater windows of zstd, up to 2G. (default: 128M)", "size"),
    transform: MemorySize.reading(1 << 20...ExpansionLimit.greatestWindow, "must be from 1M to 2G"))
  var maxWindow: Int?

  func validate() throws { _ = try chosen() }

  var expansion: ExpansionLimit {
    ExpansionLimit(
      ratio: maxExpansion ?? ExpansionLimit.defaultRatio,
      window: maxWindow ?? ExpansionLimit.defaultWindow)
  }

  /// Returns the chosen format, or `nil` to detect it from the first lines of each log.
  func chosen() throws -> LogFormat? {
    if let jsonKeys {
      guard logFormat == nil || logFormat?.lowercased() == "auto" else {
        throw ValidationError("'--json-keys' and '--log-format' exclude each other.")
      }
      return LogFormat(jsonKeys: try Self.keys(jsonKeys))
    }
    guard let logFormat, logFormat.lowercased() != "auto" else { return nil }
    if let format = LogFormat(named: logFormat.lowercased()) { return format }
    guard LogFormat.isDefinition(logFormat) else {
      let nearest = LogFormat.nearestName(to: logFormat)
      throw ValidationError(
        "'\(logFormat)' is not a known log format; "
          + (nearest.map { "did you mean '\($0)'?" } ?? "'linkaudit formats' lists them."))
    }
    do throws(FormatStringError) {
      return try LogFormat(definition: logFormat)
    } catch {
      let (line, carets) = error.excerpt(width: Style.fileWidth - 4)
      throw ValidationError(
        "'--log-format': \(error); \(error.remedy.endedAsSentence)\n    \(SafeText.escaped(line))\n    \(carets)"
      )
    }
  }

  /// The fields of `target=req.uri,referrer=req.referer`, and their keys.
  static func keys(_ text: String) throws -> [(field: LogField, key: String)] {
    let parts = text.split(separator: ",")
    try refuse(
      if: parts.count > keyLimit,
      "'--json-keys' names \(parts.count) keys; the limit is \(keyLimit).")
    return try parts.map { part in
      let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
      try refuse(
        if: pair.count != 2 || pair[1].isEmpty,
        "'\(part)' in '--json-keys' is not a field and a key; write it as 'target=req.uri'.")
      try refuse(
        if: pair[1].count(where: { $0 == "." }) >= keyDepthLimit,
        "the key of '\(pair[0])' in '--json-keys' is nested more than \(keyDepthLimit) objects deep."
      )
      guard let field = fields[pair[0]] else {
        let names = fieldNames.joined(separator: ", ")
        let nearest = fields.keys.nearest(to: pair[0])
        throw ValidationError(
          "'\(pair[0])' in '--json-keys' is not a field; "
            + (nearest.map { "did you mean '\($0)'? Fields are \(names)." }
              ?? "fields are \(names)."))
      }
      return (field, pair[1])
    }
  }

  static let fieldNames = [
    "target", "query", "request", "method", "status", "host", "referrer", "user-agent", "time",
  ]

  private static let keyLimit = 100
  private static let keyDepthLimit = 32
  private static let fields: [String: LogField] = [
    "target": .target, "uri": .target, "url": .target, "path": .target, "query": .query,
    "request": .request, "method": .method, "status": .status, "host": .host,
    "referrer": .referrer, "referer": .referrer, "user-agent": .agent, "agent": .agent,
    "user_agent": .agent, "time": .time, "date": .date, "message": .message,
  ]
}
