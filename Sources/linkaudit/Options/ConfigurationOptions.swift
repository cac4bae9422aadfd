internal import ArgumentParser
internal import Reporting

struct ConfigurationOptions: ParsableArguments {
  /// The title of the options that a command can't do without, which come first in the help.
  static let mainTitle = "Main options, also in linkaudit.yml"

  @Option(
    help: .rare(
      "Read this configuration; 'linkaudit init' writes one. Command-line options take precedence. (default: linkaudit.yml, if it exists)",
      "file"), completion: .file(extensions: ["yml", "yaml"]))
  var config: String?

  @Flag(help: "Ignore 'linkaudit.yml'.")
  var noConfig = false

  func validate() throws {
    try refuse(if: noConfig && config != nil, "'--config' and '--no-config' exclude each other.")
    if config == "-" { throw ValidationError("'--config' can't be '-'; pass a file.") }
  }

  var paths: [String] { noConfig ? [] : [config ?? Configuration.usualPath] }

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
  mutating func check() throws
}

protocol ConfiguredCommand: CheckedCommand {
  var configurationOptions: ConfigurationOptions { get }

  /// Returns the options, and after `--` the logs, that a configuration adds to those typed.
  func arguments(from configuration: Configuration) throws -> [String]
}

extension ConfiguredCommand {
  func configured(_ typed: TypedArguments) throws -> (any ParsableCommand, added: [String]) {
    let added = try arguments(from: try configurationOptions.load())
    guard !added.isEmpty else { return (self, []) }
    do {
      return (try LinkAudit.parseAsRoot(typed.completed(with: added)), added)
    } catch  where LinkAudit.exitCode(for: error) == .validationFailure {
      let message = LinkAudit.message(for: error)
      throw ValidationError(message.endedAsSentence + origin)
    }
  }

  /// Returns a sentence that names the configuration if it has added the option at the beginning of a
  /// complaint, such as `'--output x' is a directory.`; else an empty text.
  func origin(of complaint: String, added: [String]) -> String {
    let option = complaint.dropFirst().prefix { $0 == "-" || $0.isLetter }
    return option.hasPrefix("--") && added.contains { $0.hasPrefix(option + "=") }
      ? origin : ""
  }

  private var origin: String {
    " It is set in '\(configurationOptions.paths.first ?? Configuration.usualPath)'."
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
  /// Of the keys of the configuration, those that select what counts are named, as others may be
  /// there for other commands.
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

  init(_ names: [String]) {
    options = names.filter(TypedArguments().gives)
    (keys, path) = ([], "")
  }

  func refuse(because reason: String) throws {
    if !options.isEmpty {
      throw ValidationError(
        "\(options.haveNoEffect): \(reason); leave \(options.count == 1 ? "it" : "them") out.")
    }
    complain(because: reason)
  }

  func complain(because reason: String) {
    if !options.isEmpty { warn("\(options.haveNoEffect): \(reason)") }
    if !keys.isEmpty { warn("'\(path)': \(keys.haveNoEffect): \(reason)") }
  }
}

extension [String] {
  fileprivate var haveNoEffect: String {
    "\(map { "'\($0)'" }.joined(separator: ", ")) \(count == 1 ? "has" : "have") no effect"
  }
}
