internal import ArgumentParser
internal import FoundationSubset
internal import Foundations
internal import Reporting
internal import SystemPackage

struct InitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Write a configuration file with every key explained.",
    usage: "linkaudit init [<options>] [<log> ...]",
    discussion: """
      EXAMPLES
        linkaudit init
        linkaudit init --host www.example.com --aasa aasa.json /var/log/nginx
        linkaudit init -o - | less
      """)

  @Argument(help: .rare("Name these access logs in the file.", "log"), completion: .file())
  var logs: [String] = []

  @Option(help: .rare("Name this host.", "host"), transform: HostArgument.pattern)
  var host: String?

  @Option(
    name: .customLong("aasa"), help: .rare("Name this association file.", "file"),
    completion: .file())
  var associationFile = "aasa.json"

  @Option(help: .rare("Name this file of routes.", "file"), completion: .file())
  var routes: String?

  @Option(
    name: .shortAndLong, help: .rare("Write to this file; '-' for standard output.", "file"),
    completion: .file())
  var output = Configuration.usualPath

  @Flag(help: "Replace an existing file.")
  var force = false

  /// A path as the configuration needs it, in which paths are relative to itself.
  private func path(_ path: String) -> String {
    guard output != "-", FilePath(output).removingLastComponent() != FilePath(""),
      FilePath(path).isRelative, path != "-"
    else { return path }
    return FilePath(FileManager.default.currentDirectoryPath).pushing(FilePath(path)).string
  }

  func run() throws {
    if output != "-", !force, InputFile.type(at: output) != nil {
      throw Complaint("'\(output)' exists; to replace it, use '--force'")
    }
    let template = ConfigurationTemplate(
      host: host, associationFile: path(associationFile), routes: routes.map(path),
      logs: logs.map(path))
    try OutputFile(output).write(template.text)
    guard output != "-" else { return }
    let task =
      host == nil ? "Fill in its 'sites'" : logs.isEmpty ? "Fill in its logs" : "Check it"
    try StandardStreams.write(
      "Wrote \(SafeText.escaped(output)). \(task), then run 'linkaudit report'.\n")
  }
}

/// The configuration that `linkaudit init` writes: every key, with its purpose.
struct ConfigurationTemplate {
  /// The host, or `nil` if it isn't known: the site is then in comments, so that no command answers
  /// for another host.
  var host: String? = "www.example.com"
  var associationFile = "aasa.json"
  var routes: String?
  var logs: [String] = []

  private var site: [String] {
    let lines = [
      "sites:",
      "  - hosts: [\(quoted(host ?? "www.example.com"))]   # \"*.example.com\" means all hosts below",
      "    aasa: \(quoted(associationFile))",
      "    \(routes.map { "routes: \(quoted($0))" } ?? "# routes: routes.txt")   # the routes of the app, one a line",
      "    # route-syntax: colon   # detected by default",
      "    # apps: [ABCDE12345.com.example.app]   # audit these apps only; all by default",
    ]
    return host == nil ? lines.map { "# " + $0 } : lines
  }

  var text: String {
    var lines = [
      "# The configuration of linkaudit. Options on the command line take precedence.",
      "# Paths are relative to this file. Instead of a list, you can write a single value.", "",
      "# The association file of each host.",
    ]
    lines += site
    let (report, ingest) = (
      KnownOptions(of: ReportCommand.self), KnownOptions(of: IngestCommand.self)
    )
    var section: String?
    for setting in Setting.all {
      if setting.section == nil || setting.section != section { lines.append("") }
      if let name = setting.section, name != section { lines.append(name + ":") }
      section = setting.section
      let margin = section == nil ? "" : "  "
      let option = (setting.part == .store ? ingest : report).option(named: setting.option)
      let purpose = option?.help ?? "Files, directories, and patterns."
      lines += purpose.broken(width: 98).map { "\(margin)# \($0)" }
      let isLogs = setting.option.isEmpty && !logs.isEmpty
      let example = isLogs ? "[\(logs.map(quoted).joined(separator: ", "))]" : setting.example
      lines.append("\(margin)\(isLogs ? "" : "# ")\(setting.name): \(example)")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The name of a file as YAML has it, in double quotes where it needs them.
  private func quoted(_ name: String) -> String {
    // A mark of byte order at the start of a text is dropped when that is read.
    let text = name.unicodeScalars.first == "\u{FEFF}" ? "./" + name : name
    // Without quotes, 'null' is not a text.
    if text.wholeMatch(of: /[A-Za-z0-9._\/][A-Za-z0-9._\/-]*/) != nil, text != "null" {
      return text
    }
    var output = "\""
    var reader = SafeText.Reader()
    for scalar in text.unicodeScalars {
      let isUnsafe = reader.isUnsafe(scalar)
      switch scalar {
      case "\"", "\\": output += "\\" + String(scalar)
      // YAML reads some of these as ends of lines and rejects others.
      case _ where isUnsafe:
        let digits = String(scalar.value, radix: 16)
        output += "\\U" + String(repeating: "0", count: 8 - digits.utf8.count) + digits
      default: output.unicodeScalars.append(scalar)
      }
    }
    return output + "\""
  }
}
