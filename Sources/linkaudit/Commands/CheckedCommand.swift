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
