internal import ArgumentParser
internal import Reporting

/// The options that select the configuration, which completes the command line.
struct ConfigurationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Read this configuration; 'linkaudit init' writes one. Command-line options take precedence. (default: linkaudit.yml, if it exists)",
      valueName: "file"),
    completion: .file(extensions: ["yml", "yaml"]))
  var config: String?

  @Flag(help: "Ignore 'linkaudit.yml'.")
  var noConfig = false

  /// The path of the configuration that is read if it is there.
  var paths: [String] { noConfig ? [] : [config ?? Configuration.usualPath] }

  /// Returns the configuration, which is empty if there is no file.
  ///
  /// - Throws: `ValidationError` if it can't be read or understood.
  func load() throws -> Configuration {
    if noConfig {
      guard config == nil else {
        throw ValidationError("'--config' and '--no-config' exclude each other.")
      }
      return Configuration(path: Configuration.usualPath)
    }
    if config == "-" {
      throw ValidationError("'--config' can't be '-'; pass a file.")
    }
    do {
      return try Configuration.load(config)
    } catch let error as Complaint {
      throw ValidationError("\(error)".endedAsSentence)
    }
  }
}
