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

/// A command whose arguments must fit together.
///
/// The parser would ask before it has seen all arguments, and so complain of an option that is
/// missing where another one is misspelt.
protocol CheckedCommand: ParsableCommand {
  /// Completes the arguments, also from the configuration, and checks them.
  ///
  /// - Throws: `ValidationError` if they don't fit together.
  mutating func check() throws
}

extension CheckedCommand {
  /// The command with complete arguments that fit together.
  ///
  /// - Throws: `ValidationError` if they don't.
  func checked() throws -> any ParsableCommand {
    var command = self
    try command.check()
    return command
  }
}

/// A command that takes from a configuration what its command line leaves out.
protocol ConfiguredCommand: CheckedCommand {
  var configurationOptions: ConfigurationOptions { get }
}

extension ConfiguredCommand {
  /// Returns a sentence that names the place of the option at the beginning of a complaint.
  ///
  /// It is empty for an option on the command line.
  ///
  /// - Parameters:
  ///   - complaint: The complaint, such as `'--top' must be at least 1.`
  ///   - arguments: The command line.
  /// - Returns: The sentence, with a space in front.
  func origin(of complaint: String, arguments: [String] = CommandLine.arguments) -> String {
    guard let path = configurationOptions.paths.first, complaint.hasPrefix("'--"),
      InputFile.type(at: path) != nil
    else { return "" }
    let option = String(complaint.dropFirst().prefix { $0 == "-" || $0.isLetter })
    let known = KnownOptions(of: Self.self).option(named: option)
    let isGiven = known.map(TypedArguments(arguments).gives) ?? false
    return isGiven ? "" : " It is set in '\(path)'."
  }
}

// MARK: - Options without effect

/// The options of some groups that the command line has, and the keys that the configuration has in
/// their place.
struct IdleOptions {
  /// The options on the command line.
  private let options: [String]

  private let keys: [String]
  private let path: String

  /// The keys that select what counts, by their options; others may be there for other commands.
  private static let keys = [
    "--since": "logs.since", "--until": "logs.until", "--max-rejects": "logs.max-rejects",
    "--rejects": "report.rejects",
  ]

  /// Finds the options of groups.
  ///
  /// - Parameters:
  ///   - groups: The groups.
  ///   - configuration: The configuration.
  ///   - used: The options that have an effect all the same.
  init(
    _ groups: [any ParsableArguments.Type], _ configuration: Configuration,
    except used: Set<String> = []
  ) {
    let known = groups.flatMap { KnownOptions(of: $0).options }.filter { !used.contains($0.name) }
    options = known.filter(TypedArguments().gives).map(\.name)
    keys = known.compactMap { Self.keys[$0.name] }.filter(configuration.keys.contains)
    path = configuration.path
  }

  /// Refuses options on the command line, and complains about keys of the configuration that would
  /// select what counts, but don't.
  ///
  /// - Parameter reason: The reason why they have no effect, as the end of a sentence.
  /// - Throws: `ValidationError` if one of the options is on the command line.
  func refuse(because reason: String) throws {
    if !options.isEmpty {
      throw ValidationError(
        "\(options.haveNoEffect): \(reason); leave \(options.count == 1 ? "it" : "them") out.")
    }
    complainOfKeys(because: reason)
  }

  /// Complains about the keys of the configuration.
  private func complainOfKeys(because reason: String) {
    guard !keys.isEmpty else { return }
    StandardStreams.complain("'\(path)': \(keys.haveNoEffect): \(reason)")
  }

  /// Complains about the options on the command line, and about the keys of the configuration.
  func complain(because reason: String) {
    if !options.isEmpty { StandardStreams.complain("\(options.haveNoEffect): \(reason)") }
    complainOfKeys(because: reason)
  }
}

extension [String] {
  /// These options or keys as the beginning of a sentence.
  fileprivate var haveNoEffect: String {
    "\(map { "'\($0)'" }.joined(separator: ", ")) \(count == 1 ? "has" : "have") no effect"
  }
}
