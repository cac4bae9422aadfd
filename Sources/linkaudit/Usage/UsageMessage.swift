internal import AccessLogs
internal import ArgumentParser

/// The message about a wrong command line: the problem, the remedy, and the usage.
struct UsageMessage {
  /// The lines, the first of which begins like every other message.
  let text: String

  /// Explains an error of the parser, or of a check while it parsed.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - words: The command line without the name of the program.
  init(_ error: any Error, words: [String]) {
    let message = LinkAudit.message(for: error)
    let rest = LinkAudit.fullMessage(for: error).split(
      separator: "\n", omittingEmptySubsequences: false)
    // After the message, which can have several lines, there are help of an option, and the usage.
    let usage = rest.drop { !$0.hasPrefix("Usage: ") }.map(String.init)
    let help = rest.filter { $0.hasPrefix("Help:  ") }.map { line in
      line.filter { $0 != KnownOptions.usualMark }
    }
    let command = LinkAudit.command(named: words)
    // A check of the words comes before the parser, which would know their command.
    let isOfTool = usage.first == Self.usage(of: LinkAudit.self).first
    self.init(
      Self.unknownOption(in: message, of: command) ?? message,
      help + (isOfTool ? Self.usage(of: command) : usage))
  }

  /// Explains why arguments of a command don't fit together.
  ///
  /// - Parameters:
  ///   - message: The problem and the remedy.
  ///   - command: The command.
  init(_ message: String, of command: any ParsableCommand) {
    self.init(message, Self.usage(of: type(of: command)))
  }

  private init(_ message: String, _ lines: [String]) {
    // The first letter is small after the name of the program, unless it begins an acronym.
    let isAcronym = message.dropFirst().first?.isUppercase ?? true
    let start = isAcronym ? message : message.prefix(1).lowercased() + message.dropFirst()
    text = (["linkaudit: \(start)"] + lines).joined(separator: "\n")
  }

  /// The usage of a command, and where more is said.
  private static func usage(of command: any ParsableCommand.Type) -> [String] {
    let usage = LinkAudit.usageString(for: command)
    let name = usage.prefix { $0 != "[" && $0 != "<" && $0 != "\n" }.split(separator: " ")
    return [
      "Usage: \(usage.replacing("\n", with: "\n       "))",
      "  See '\(name.joined(separator: " ")) --help' for more information.",
    ]
  }

  /// Returns the message about an unknown option with the nearest known one, or `nil` for another
  /// message; the parser also offers options that are not near.
  private static func unknownOption(
    in message: String, of command: any ParsableCommand.Type
  ) -> String? {
    guard let option = message.prefixMatch(of: /Unknown option '(-[^']*)'/)?.1 else { return nil }
    let nearest = KnownOptions(of: command).nearest(to: String(option))
    return "unknown option '\(option)'" + (nearest.map { "; did you mean '\($0)'?" } ?? "")
  }
}
