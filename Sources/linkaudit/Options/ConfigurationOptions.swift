internal import ArgumentParser
internal import Reporting

/// The options that select the configuration, which completes the command line.
struct ConfigurationOptions: ParsableArguments {
  @Option(
    help: .rare(
      "Read this configuration; 'linkaudit init' writes one. Command-line options take precedence. (default: linkaudit.yml, if it exists)",
      "file"), completion: .file(extensions: ["yml", "yaml"]))
  var config: String?

  @Flag(help: "Ignore 'linkaudit.yml'.")
  var noConfig = false

  func validate() throws {
    if noConfig, config != nil {
      throw ValidationError("'--config' and '--no-config' exclude each other.")
    }
    if config == "-" { throw ValidationError("'--config' can't be '-'; pass a file.") }
  }

  /// The path of the configuration that is read if it is there.
  var paths: [String] { noConfig ? [] : [config ?? Configuration.usualPath] }

  /// Returns the configuration, which is empty if there is no file.
  func load() throws -> Configuration {
    do {
      return noConfig ? Configuration() : try Configuration.load(config)
    } catch let error as Complaint {
      throw ValidationError("\(error)".endedAsSentence)
    }
  }
}

/// A command whose arguments must fit together.
///
/// The parser would ask before it has seen all arguments, and so complain of an option that is
/// missing where another one is misspelt.
protocol CheckedCommand: ParsableCommand {
  /// Checks the arguments, which a configuration has completed.
  mutating func check() throws
}

extension CheckedCommand {
  /// The command with arguments that fit together.
  func checked() throws -> any ParsableCommand {
    var command = self
    try command.check()
    return command
  }
}

/// A command that takes from a configuration what its command line leaves out.
protocol ConfiguredCommand: CheckedCommand {
  var configurationOptions: ConfigurationOptions { get }

  /// Returns the options, and after `--` the logs, that a configuration adds to those typed.
  func arguments(from configuration: Configuration) throws -> [String]
}

extension ConfiguredCommand {
  /// Returns the command with the arguments of its configuration, and those.
  func configured(_ typed: TypedArguments) throws -> (any ParsableCommand, added: [String]) {
    let added = try arguments(from: try configurationOptions.load())
    guard !added.isEmpty else { return (self, []) }
    do {
      return (try LinkAudit.parseAsRoot(typed.completed(with: added)), added)
    } catch  where LinkAudit.exitCode(for: error) == .validationFailure {
      let message = LinkAudit.message(for: error)
      throw ValidationError("\(message.endedAsSentence)\(Self.origin(configurationOptions.paths))")
    }
  }

  /// Returns a sentence that names the configuration if it has added the option at the beginning of a
  /// complaint, such as `'--output x' is a directory.`; else an empty text.
  func origin(of complaint: String, added: [String]) -> String {
    let option = complaint.dropFirst().prefix { $0 == "-" || $0.isLetter }
    return option.hasPrefix("--") && added.contains { $0.hasPrefix(option + "=") }
      ? Self.origin(configurationOptions.paths) : ""
  }

  private static func origin(_ paths: [String]) -> String {
    " It is set in '\(paths.first ?? Configuration.usualPath)'."
  }
}

// MARK: - Options without effect

/// The options of some groups that the command line has, and the keys that the configuration has in
/// their place.
struct IdleOptions {
  private let options: [String]
  private let keys: [String]
  private let path: String

  /// Finds the options of groups.
  ///
  /// - Parameters:
  ///   - groups: The groups.
  ///   - configuration: The configuration; of its keys, those that select what counts are named,
  ///     as others may be there for other commands.
  ///   - used: The options that have an effect all the same.
  init(
    _ groups: [any ParsableArguments.Type], _ configuration: Configuration = Configuration(),
    except used: Set<String> = []
  ) {
    let known = groups.flatMap { KnownOptions(of: $0).options }.filter { !used.contains($0.name) }
    options = known.filter(TypedArguments().gives).map(\.name)
    keys = Setting.all.filter { setting in
      setting.part == .selection && configuration.values[setting.key] != nil
        && known.contains { $0.name == setting.option }
    }.map(\.key)
    path = configuration.path
  }

  /// Finds options by their names, also short ones.
  init(_ names: [String]) {
    options = names.filter(TypedArguments().gives)
    (keys, path) = ([], "")
  }

  /// Refuses options on the command line, and complains about keys of the configuration.
  func refuse(because reason: String) throws {
    if !options.isEmpty {
      throw ValidationError(
        "\(options.haveNoEffect): \(reason); leave \(options.count == 1 ? "it" : "them") out.")
    }
    complain(because: reason)
  }

  /// Complains about the options on the command line, and about the keys of the configuration.
  func complain(because reason: String) {
    if !options.isEmpty { warn("\(options.haveNoEffect): \(reason)") }
    if !keys.isEmpty { warn("'\(path)': \(keys.haveNoEffect): \(reason)") }
  }
}

extension [String] {
  /// These options or keys as the beginning of a sentence.
  fileprivate var haveNoEffect: String {
    "\(map { "'\($0)'" }.joined(separator: ", ")) \(count == 1 ? "has" : "have") no effect"
  }
}
