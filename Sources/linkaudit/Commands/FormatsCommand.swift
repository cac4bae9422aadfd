internal import AccessLogs
internal import ArgumentParser
internal import Reporting
internal import SystemPackage
internal import TrafficDigest

struct FormatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "formats",
    abstract: "List the supported log formats, or test how a log is read.",
    discussion: """
      linkaudit detects the format from the first lines of each log. '--log-format' takes one of the \
      names, or the text of an nginx log_format or Apache LogFormat as the server's \
      configuration has it.

      EXAMPLES
        linkaudit formats
        linkaudit formats test access.log
        linkaudit formats test access.log --log-format \\
            '$remote_addr [$time_local] "$request" $status "$http_user_agent"'
        linkaudit formats test app.ndjson --json-keys target=req.uri,status=res.code
      """,
    subcommands: [ListFormatsCommand.self, TestFormatCommand.self],
    defaultSubcommand: ListFormatsCommand.self
  )
}

struct ListFormatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the supported log formats.")

  @OptionGroup var styleOptions: StyleOptions

  func run() throws {
    let style = styleOptions.style(for: OutputFile(nil))
    let rows = LogFormat.named.map { format in
      [
        format.name, held(.host, format), held(.referrer, format), held(.agent, format),
        format.summary,
      ]
    }
    let heads = ["NAME", "HOST", "REFERRER", "AGENT", "WRITTEN BY"]
    var lines = ([heads] + rows).lines(flexible: 4) + [""]
    lines[0] = style.bold(lines[0])
    lines +=
      ("'?': the heading of the log names its fields. '--log-format' also accepts the text of an nginx "
      + "log_format, an Apache LogFormat, or a '#Fields:' line. For other logs in JSON, name the "
      + "keys with '--json-keys'.")
      .wrapped(width: Style.fileWidth, indent: "  ")
    try StandardStreams.write(lines.joined(separator: "\n") + "\n")
  }

  private func held(_ field: LogField, _ format: LogFormat) -> String {
    guard let fields = format.fields else { return "?" }
    return fields.contains(field) ? "yes" : "-"
  }
}

struct TestFormatCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test", abstract: "Show the fields of the first lines of a log.",
    usage: "linkaudit formats test [<options>] <log> ...",
    discussion: """
      EXAMPLES
        linkaudit formats test access.log.gz
        linkaudit formats test access.log --log-format vcombined --lines 3
        head -n 100 access.log | linkaudit formats test -
      """)

  @Argument(help: .rare("Access logs; '-' for standard input.", "log"), completion: .file())
  var logs: [String]

  @OptionGroup(title: "Format options") var formatOptions: FormatOptions

  @Option(
    help: .rare("Show this many lines. (default: 5)", "n"),
    transform: number(1..., "must be at least 1"))
  var lines = 5

  @OptionGroup var styleOptions: StyleOptions

  func run() throws {
    var isFailed = false
    for (index, path) in logs.enumerated() {
      if index > 0 { try StandardStreams.write("\n") }
      if try !test(path) { isFailed = true }
    }
    if isFailed { throw ExitStatus.failure }
  }

  private func test(_ path: String) throws -> Bool {
    var reader = LogReader(
      path == "-" ? .standardInput() : LogInput(path: path), expansion: formatOptions.expansion)
    var chunk = LineChunk()
    guard reader.next(into: &chunk) else {
      let name = InputFile.name(of: path)
      if let damage = reader.damage {
        damage.complain(about: name, lines: 0)
      } else {
        warn("\(name): the log is empty")
      }
      return false
    }
    let named = try formatOptions.chosen()?.unwrapping(chunk)
    guard let format = named ?? LogFormat.detect(in: chunk).format,
      named == nil || format.fits(chunk)
    else {
      UnreadLog(path: path, start: chunk.start(upTo: 1 << 14), named: named, showsLine: true)
        .complain()
      if let named { try show(path, chunk, named, isTold: false) }
      return false
    }
    try show(path, chunk, format, isTold: named == nil)
    return true
  }

  private func show(_ path: String, _ chunk: LineChunk, _ format: LogFormat, isTold: Bool) throws {
    let how = isTold ? "detected from its first lines" : "as named"
    let section = Document.Section(
      reading: chunk, as: format, title: path == "-" ? "standard input" : path,
      about: "\(format.name), \(format.summary) (\(how))", shownLines: lines)
    try StandardStreams.write(section.text(style: styleOptions.style(for: OutputFile(nil))))
  }
}
