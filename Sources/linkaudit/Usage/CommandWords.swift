internal import AccessLogs
internal import ArgumentParser
internal import AuditStore
internal import Foundations
internal import SystemPackage
internal import TrafficDigest

extension LinkAudit {
  /// Checks that the first words name a command.
  static func checkCommand(in words: [String]) throws {
    let words = words.first == "help" ? Array(words.dropFirst()) : words
    let names = LinkAudit.names(of: words)
    let outer = LinkAudit.commands(named: words).first
    let commands = (outer ?? LinkAudit.self).configuration.subcommands
    guard names.count < (outer == nil ? 1 : 2), !commands.isEmpty,
      let word = words.dropFirst(names.count).first, !word.hasPrefix("-"), word != "help"
    else { return }
    if let answer = answer(to: word, in: names.first) { throw ValidationError(answer) }
    let known = commands.compactMap { $0.configuration.commandName }
    let nearest = known.nearest(to: word).map { (names + [$0]).joined(separator: " ") }
    throw ValidationError(
      "'\(word)' is not a command\(names.first.map { " of 'linkaudit \($0)'" } ?? ""). "
        + (nearest.map { "Did you mean '\($0)'?" }
          ?? "Commands are \(known.joined(separator: ", "))."))
  }

  /// Returns the command to type for a file in the place of a command, or `nil` for another word.
  private static func answer(to word: String, in outer: String?) -> String? {
    let type = InputFile.type(at: word)
    // Logs and association files end so, and hosts don't.
    let endings = [
      "bz2", "csv", "digest", "gz", "json", "log", "ndjson", "plist", "txt", "xz", "yml", "zst",
    ]
    guard type != nil || endings.contains(FilePath(word).extension?.lowercased() ?? "") else {
      return nil
    }
    let path = word.inCommand
    let file = type == .directory ? "a directory" : "a file"
    let (kind, aim, command) =
      if outer == "formats" {
        (file, "see how it is read", "formats test \(path)")
      } else if outer != nil {
        (file, "list the contents of a store", "store list --store \(path)")
      } else if type == .directory, AuditStore.isStore(word) {
        ("a store", "report on it", "report --store \(path)")
      } else if LogRecognition.isAssociationFile(word) {
        (
          "an association file", "check it",
          "lint \(path)', and pass it to other commands with '--aasa \(path)"
        )
      } else {
        (file, "report on its traffic", "report \(path) --aasa FILE --host HOST")
      }
    return "'\(word)' is \(kind), not a command; to \(aim), use 'linkaudit \(command)'"
  }

  static func command(named words: [String]) -> any ParsableCommand.Type {
    let commands = commands(named: words)
    let command = commands.last ?? LinkAudit.self
    // Another word may be a misspelt command.
    guard words.dropFirst(commands.count).first?.hasPrefix("-") ?? true else { return command }
    return command.configuration.defaultSubcommand ?? command
  }

  static func names(of words: [String]) -> [String] {
    commands(named: words).compactMap { $0.configuration.commandName }
  }

  /// The command that the first word names, and the one within it that the second word names.
  private static func commands(named words: [String]) -> [any ParsableCommand.Type] {
    var commands: [any ParsableCommand.Type] = []
    for word in words {
      let outer = commands.last ?? LinkAudit.self
      guard
        let next = outer.configuration.subcommands.first(where: {
          $0.configuration.commandName == word
        })
      else { break }
      commands.append(next)
    }
    return commands
  }
}

/// The message about a wrong command line: the problem, the remedy, and the usage.
enum UsageMessage {
  /// Explains an error of the parser, or of a check while it parsed.
  static func show(_ error: any Error, words: [String]) {
    let message = LinkAudit.message(for: error)
    // After the message, which can have several lines, there is help of an option.
    let help = LinkAudit.fullMessage(for: error).split(separator: "\n")
      .filter { $0.hasPrefix("Help:  ") }.map { $0.filter { $0 != KnownOptions.usualMark } }
    let command = LinkAudit.command(named: words)
    show(unknownOption(in: message, words, of: command) ?? message, help + usage(of: command))
  }

  static func show(_ message: String, of command: any ParsableCommand) {
    show(message, usage(of: type(of: command)))
  }

  private static func show(_ message: String, _ lines: [String]) {
    // The first letter is small after the name of the program, unless it begins an acronym.
    let isAcronym = message.dropFirst().first?.isUppercase ?? true
    let start = isAcronym ? message : message.prefix(1).lowercased() + message.dropFirst()
    // A line feed of an argument must not begin a line of its own; those of messages are indented.
    // The parser writes more than five values in lines of their own.
    let listed = start.replacing(" the following:\n  - ", with: " ").replacing("\n  - ", with: ", ")
    let parts = listed.replacing(/\n(?!    )/, with: "\\u{A}").split(separator: "\n")
    warn(String(parts.first ?? ""))
    for line in parts.dropFirst().map(String.init) + lines { StandardStreams.note(line) }
  }

  private static func usage(of command: any ParsableCommand.Type) -> [String] {
    let usage = LinkAudit.usageString(for: command)
    let name = usage.prefix { $0 != "[" && $0 != "<" && $0 != "\n" }.split(separator: " ")
    let lines = usage.split(separator: "\n")
    return lines.enumerated().map { ($0 == 0 ? "Usage: " : "       ") + $1 }
      + ["  See '\(name.joined(separator: " ")) --help' for more information."]
  }

  /// Returns the message about an unknown option with the nearest known one, or `nil` if there is none;
  /// the parser also offers options that are not near, and checks values before it looks for some.
  private static func unknownOption(
    in message: String, _ words: [String], of command: any ParsableCommand.Type
  ) -> String? {
    let known = KnownOptions(of: command)
    let names = command.configuration.subcommands.isEmpty ? words.prefix { $0 != "--" } : []
    let option =
      message.prefixMatch(of: /Unknown option '(-[^']*)'/)?.1
      ?? names.map { $0.prefix { $0 != "=" } }
      .first { $0.hasPrefix("--") && known.option(named: String($0)) == nil }
    guard let option else { return nil }
    let nearest = known.nearest(to: String(option))
    return "unknown option '\(option)'" + (nearest.map { "; did you mean '\($0)'?" } ?? "")
  }
}
