internal import ArgumentParser
internal import FoundationSubset
internal import Reporting
internal import SystemPackage

/// Writes a configuration.
struct InitCommand: CheckedCommand {
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

  @Argument(
    help: ArgumentHelp("Name these access logs in the file.", valueName: "log"), completion: .file()
  )
  var logs: [String] = []

  @Option(help: ArgumentHelp("Name this host.", valueName: "host"))
  var host: String?

  @Option(
    name: .customLong("aasa"),
    help: ArgumentHelp("Name this association file.", valueName: "file"),
    completion: .file())
  var associationFile = "aasa.json"

  @Option(
    help: ArgumentHelp("Name this file of routes.", valueName: "file"),
    completion: .file())
  var routes: String?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write to this file; '-' for standard output.", valueName: "file"),
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

  func check() throws {
    if let host { _ = try HostArgument.validated(host, allowsWildcard: true) }
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
