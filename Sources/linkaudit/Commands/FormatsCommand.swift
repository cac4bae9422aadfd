internal import AccessLogs
internal import ArgumentParser
internal import Reporting
internal import SystemPackage

/// Lists and tries the formats of logs.
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

/// Lists the formats.
struct ListFormatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the supported log formats.")

  @OptionGroup
  var styleOptions: StyleOptions

  func run() throws {
    let style = styleOptions.style(for: OutputFile(nil))
    var table = TextTable([.left, .left, .left, .left, .left])
    table.add(["NAME", "HOST", "REFERRER", "AGENT", "WRITTEN BY"])
    for format in LogFormat.named {
      table.add([
        format.name, held(.host, format), held(.referrer, format), held(.agent, format),
        format.summary,
      ])
    }
    var lines = table.lines(flexible: 4)
    lines[0] = style.bold(lines[0])
    lines += [""]
    lines +=
      ("'?': the heading of the log names its fields. '--log-format' also accepts the text of an nginx "
      + "log_format, an Apache LogFormat, or a '#Fields:' line. For other logs in JSON, name the "
      + "keys with '--json-keys'.")
      .wrapped(width: TextTable.width, indent: "  ")
    try StandardStreams.write(lines.joined(separator: "\n") + "\n")
  }

  private func held(_ field: LogField, _ format: LogFormat) -> String {
    guard let fields = format.fields else { return "?" }
    return fields.contains(field) ? "yes" : "-"
  }
}
