internal import ArgumentParser

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
    let option = complaint.dropFirst().prefix { $0 == "-" || $0.isLetter }
    return isGiven(option, in: arguments) ? "" : " It is set in '\(path)'."
  }

  /// Returns a Boolean value indicating whether an option is on the command line.
  func isGiven(
    _ option: some StringProtocol, in arguments: [String] = CommandLine.arguments
  ) -> Bool {
    let short = ["--format": "-f", "--jobs": "-j", "--output": "-o"][String(option)]
    return TypedArguments(arguments).words.contains { word in
      word == option || word.hasPrefix(option + "=") || short.map(word.hasPrefix) ?? false
    }
  }
}
