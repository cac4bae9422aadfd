internal import ArgumentParser
internal import FoundationSubset
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
    let isThere = InputFile.type(at: output) != nil
    if output != "-", !force, isThere {
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
