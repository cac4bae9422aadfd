internal import AccessLogs
internal import ArgumentParser
internal import AuditStore
internal import Foundations
internal import SystemPackage
internal import TrafficDigest

/// The words at the beginning of a command line, which name a command.
enum CommandWords {
  /// Verbs of other programs, and the command for each.
  private static let verbs = [
    "add": "ingest", "aggregate": "digest", "analyse": "report", "analyze": "report",
    "audit": "report", "check": "lint", "compare": "diff", "compress": "digest",
    "config": "init", "configure": "init", "curl": "fetch", "doctor": "lint", "download": "fetch",
    "evaluate": "match", "generate": "suggest", "get": "fetch", "help-format": "formats",
    "html": "report --format html", "import": "ingest", "json": "report --format json",
    "list": "store list", "list-formats": "formats", "load": "ingest", "log-formats": "formats",
    "open": "match", "parse": "formats test", "propose": "suggest", "read": "report",
    "recommend": "suggest", "reduce": "digest", "run": "report", "setup": "init", "show": "report",
    "sql": "compile", "stats": "report", "summary": "report", "test": "match", "tables": "report",
    "translate": "compile", "url": "match", "validate": "lint", "verify": "lint", "why": "explain",
  ]

  /// Words without a matching command, with the place where their meaning is documented.
  private static let remarks = [
    "/?": "'linkaudit -h' shows the commands", "/h": "'linkaudit -h' shows the commands",
    "completion": "'linkaudit --generate-completion-script bash' prints completions",
    "completions": "'linkaudit --generate-completion-script bash' prints completions",
    "examples": "'linkaudit COMMAND --help' shows examples",
    "man": "'man linkaudit' shows the manual, if it is installed",
    "usage": "'linkaudit -h' shows the commands",
  ]

  /// Endings of logs and association files, which could be those of hosts.
  private static let fileEndings = [
    "bz2", "csv", "digest", "gz", "json", "log", "ndjson", "plist", "txt", "xz", "yml", "zst",
  ]

  /// Returns a Boolean value indicating whether a word ends like the name of a log or an association
  /// file, not like that of a host.
  static func endsLikeFile(_ word: String) -> Bool {
    fileEndings.contains(FilePath(word).extension?.lowercased() ?? "")
  }

  /// Checks that the first words name a command, and that options are spelt with hyphens.
  ///
  /// - Parameter words: The command line without the name of the program.
  /// - Throws: `ValidationError` that says what to type instead.
  static func check(_ words: [String]) throws {
    let names = words.first == "help" ? Array(words.dropFirst()) : words
    try checkName(names.first, among: LinkAudit.configuration, besides: ["--version", "--help"])
    let outer = LinkAudit.configuration.subcommands.first {
      $0.configuration.commandName == names.first
    }
    if let outer, !outer.configuration.subcommands.isEmpty {
      try checkName(
        names.dropFirst().first, among: outer.configuration, of: " of 'linkaudit \(names[0])'")
    }
    for word in words.prefix(while: { $0 != "--" }) { try checkHyphens(of: word, in: words) }
  }

  private static func checkName(
    _ name: String?, among configuration: CommandConfiguration, besides options: [String] = [],
    of command: String = ""
  ) throws {
    let commands = configuration.subcommands.map { $0.configuration }
    let known = commands.filter(\.shouldDisplay).compactMap(\.commandName)
    guard let name, !name.hasPrefix("-"), name != "help",
      !commands.contains(where: { $0.commandName == name })
    else { return }
    if command.isEmpty, let answer = answer(to: name) { throw ValidationError(answer) }
    if let answer = nestedAnswer(to: name, among: known) { throw ValidationError(answer) }
    throw ValidationError(
      "'\(name)' is not a command\(command). "
        + (NearestName.find(name, among: known + options).map { "Did you mean '\($0)'?" }
          ?? "Commands are \(known.joined(separator: ", "))."))
  }

  /// Verbs of other programs for what commands within others do.
  private static let nestedVerbs = [
    "delete": "remove-day", "fix": "rebuild", "ls": "list", "migrate": "rebuild",
    "recompute": "rebuild", "rename": "rename-host", "repair": "rebuild", "rm": "remove-day",
    "show": "list", "status": "list", "validate": "check", "verify": "check",
  ]

  /// Returns what to type for a word that is no command within 'store' or 'formats', or `nil`.
  private static func nestedAnswer(to word: String, among known: [String]) -> String? {
    if let verb = nestedVerbs[word.lowercased()], known.contains(verb) {
      return "'\(word)' is not a command of 'linkaudit store'; did you mean '\(verb)'?"
    }
    let isThere = InputFile.type(at: word) != nil
    if known.contains("test"), isThere || endsLikeFile(word) {
      return
        "'\(word)' is a file, not a command; to see how it is read, use 'linkaudit formats test "
        + "\(word.inCommand)'"
    }
    if known.contains("remove-day"), isThere {
      return
        "'\(word)' is not a command; to list its contents, use 'linkaudit store list --store \(word.inCommand)'"
    }
    return nil
  }

  /// Returns the command to type for a word that is not a command, or `nil`.
  ///
  /// The word can be a file, a host, a URL, or another program's name for a command.
  private static func answer(to word: String) -> String? {
    let lowercased = word.lowercased()
    if let remark = remarks[lowercased] { return "'\(word)' is not a command; \(remark)" }
    if let command = verbs[lowercased] {
      return "'\(word)' is not a command; did you mean 'linkaudit \(command)'?"
    }
    if lowercased.hasPrefix("https://") || lowercased.hasPrefix("http://") {
      let rest = word.split(separator: "/", omittingEmptySubsequences: true).dropFirst()
      if let host = rest.first, rest.last == "apple-app-site-association" {
        return
          "'\(word)' is a URL, not a command; to download that file, use 'linkaudit fetch \(String(host).inCommand)'"
      }
      return
        "'\(word)' is a URL, not a command; to see which rule decides it, use 'linkaudit match --aasa "
        + "FILE \(word.inCommand)'"
    }
    let type = InputFile.type(at: word)
    guard type != nil || endsLikeFile(word) else {
      guard word.contains("."), (try? HostArgument.validated(word, allowsWildcard: false)) != nil
      else { return nil }
      return
        "'\(word)' is not a command; to check the file of a host, use 'linkaudit fetch \(word.inCommand)'"
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
    let kind =
      switch type {
      case .directory: "a directory"
      case nil: "a file name"
      default: DigestFile.isDigest(word) ? "a digest" : "a file"
      }
    return
      "'\(word)' is \(kind), not a command; to report on its traffic, use 'linkaudit report \(word.inCommand) "
      + "--aasa FILE --host HOST'"
  }

  /// Refuses hyphens that a text processor replaced, and long options with a single one, which the
  /// parser would read as several short options.
  private static func checkHyphens(of word: String, in words: [String]) throws {
    if let first = word.unicodeScalars.first, ["\u{2013}", "\u{2014}", "\u{2212}"].contains(first) {
      let name = String(word.drop { !$0.isLetter })
      throw ValidationError(
        "'\(word)' begins with a dash, not with hyphens; type '\(name.count == 1 ? "-" : "--")\(name)'"
      )
    }
    guard word.hasPrefix("-"), !word.hasPrefix("--"), word.count > 2 else { return }
    let name = word.dropFirst().prefix { $0 != "=" }
    let isName = name.utf8.allSatisfy { $0.isLetter || $0 == UInt8(ascii: "-") }
    // '-j4' is a number of workers.
    if isName ? name.count < 3 : word.dropFirst(2).utf8.allSatisfy(\.isDigit) { return }
    let known = KnownOptions(of: LinkAudit.command(named: words))
    let (long, short) = ("--" + name, String(word.prefix(2)))
    if isName, !known.takes(long), let nearest = known.nearest(to: long) {
      throw ValidationError("unknown option '\(word)'; did you mean '\(nearest)'?")
    }
    // The parser would read letters of the value as options, such as `-h`.
    if known.takesValue(of: short), !(isName && known.takes(long)) {
      throw ValidationError(
        "'\(word)' needs a space: '\(short) \(String(word.dropFirst(2)).inCommand)'")
    }
    if isName { throw ValidationError("'\(word)' needs two hyphens: '-\(word)'") }
  }

  /// Returns the answer to an option in front of the command.
  static func answer(toOption option: String, _ words: [String]) -> String {
    let known = LinkAudit.configuration.subcommands.compactMap { $0.configuration.commandName }
    if option == "-v" { return "unknown option '-v'; did you mean '-V', '--version'?" }
    if ["-?", "-H"].contains(option) {
      return "unknown option '\(option)'; 'linkaudit -h' shows the commands"
    }
    if let name = NearestName.find(option, among: ["--help", "--version"]) {
      return "unknown option '\(option)'; did you mean '\(name)'?"
    }
    if let command = words.first(where: { known.contains($0) }) {
      return "'\(option)' is before the command; write it after the command: 'linkaudit "
        + "\(command) \(option)'"
    }
    return
      "'\(option)' needs a command before it, such as 'linkaudit report'; 'linkaudit -h' lists "
      + "all commands"
  }
}

extension LinkAudit {
  /// The command that words name: one within another, or the tool itself if they name none.
  static func command(named words: [String]) -> any ParsableCommand.Type {
    var command: any ParsableCommand.Type = LinkAudit.self
    for name in names(of: words) {
      command =
        command.configuration.subcommands.first { $0.configuration.commandName == name } ?? command
    }
    return command.configuration.defaultSubcommand ?? command
  }

  /// The words that name a command.
  static func names(of words: [String]) -> [String] {
    var names: [String] = []
    var command: any ParsableCommand.Type = LinkAudit.self
    for word in words {
      guard
        let next = command.configuration.subcommands.first(where: {
          $0.configuration.commandName == word
        })
      else { break }
      names.append(word)
      command = next
    }
    return names
  }
}
