internal import AccessLogs
internal import ArgumentParser
internal import AuditStore
internal import Foundations
internal import SystemPackage
internal import TrafficDigest

/// The words at the beginning of a command line, which name a command.
enum CommandWords {
  /// Returns a Boolean value indicating whether a word ends like the name of a log or an association
  /// file, not like that of a host.
  private static func endsLikeFile(_ word: String) -> Bool {
    [
      "bz2", "csv", "digest", "gz", "json", "log", "ndjson", "plist", "txt", "xz", "yml", "zst",
    ].contains(FilePath(word).extension?.lowercased() ?? "")
  }

  /// Checks that the first words name a command.
  ///
  /// - Parameter words: The command line without the name of the program.
  /// - Throws: `ValidationError` that says what to type instead.
  static func check(_ words: [String]) throws {
    let words = words.first == "help" ? Array(words.dropFirst()) : words
    let names = LinkAudit.names(of: words)
    let outer = LinkAudit.configuration.subcommands.first {
      $0.configuration.commandName == names.first
    }
    let commands = (outer ?? LinkAudit.self).configuration.subcommands
    guard names.count < (outer == nil ? 1 : 2), !commands.isEmpty,
      let word = words.dropFirst(names.count).first, !word.hasPrefix("-"), word != "help"
    else { return }
    if let answer = answer(to: word, in: names.first) { throw ValidationError(answer) }
    let known = commands.compactMap { $0.configuration.commandName }
    throw ValidationError(
      "'\(word)' is not a command\(names.first.map { " of 'linkaudit \($0)'" } ?? ""). "
        + (NearestName.find(word, among: known).map { "Did you mean '\($0)'?" }
          ?? "Commands are \(known.joined(separator: ", "))."))
  }

  /// Returns the command to type for a file in the place of a command, or `nil` for another word.
  private static func answer(to word: String, in outer: String?) -> String? {
    let type = InputFile.type(at: word)
    guard type != nil || endsLikeFile(word) else { return nil }
    if outer == "formats" {
      return
        "'\(word)' is a file, not a command; to see how it is read, use 'linkaudit formats test "
        + "\(word.inCommand)'"
    }
    if outer != nil {
      return
        "'\(word)' is not a command; to list its contents, use 'linkaudit store list --store \(word.inCommand)'"
    }
    if type == .directory, AuditStore.isStore(word) {
      return
        "'\(word)' is a store, not a command; to report on it, use 'linkaudit report --store \(word.inCommand)'"
    }
    if LogRecognition.isAssociationFile(word) {
      return
        "'\(word)' is an association file, not a command; to check it, use 'linkaudit lint \(word.inCommand)', "
        + "and pass it to other commands with '--aasa \(word.inCommand)'"
    }
    return
      "'\(word)' is a file, not a command; to report on its traffic, use 'linkaudit report \(word.inCommand) "
      + "--aasa FILE --host HOST'"
  }
}

extension LinkAudit {
  /// The command that words name: one within another, or the tool itself if they name none.
  static func command(named words: [String]) -> any ParsableCommand.Type {
    let command = commands(named: words).last ?? LinkAudit.self
    return command.configuration.defaultSubcommand ?? command
  }

  /// The words that name a command.
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
