internal import AccessLogs
internal import ArgumentParser
internal import Foundations
internal import Reporting

extension ArgumentHelp {
  /// Returns the help of an option that `-h` doesn't show.
  static func rare(_ abstract: String, _ valueName: String? = nil) -> ArgumentHelp {
    ArgumentHelp(abstract, valueName: valueName)
  }

  /// Returns the help of a usual option, which `-h` shows, too.
  static func usual(_ abstract: String, _ valueName: String? = nil) -> ArgumentHelp {
    ArgumentHelp("\(abstract)\(KnownOptions.usualMark)", valueName: valueName)
  }
}

enum Help {
  private static let width = 80

  /// Returns the help of the parser with the short names that it does not know, and what `-h` does.
  static func full(_ text: String) -> String {
    text.filter { $0 != KnownOptions.usualMark }.replacing(
      "  -h, --help              Show help information.",
      with: """
          -h                      Show the usual options on one screen.
          --help                  Show all options.
        """
    ).replacing(
      "  --version               Show the version.",
      with: "  -V, --version           Show the version.")
  }

  /// Returns the help that fits a screen, if a command line requests it, or `nil`.
  ///
  /// Commands with fewer than three usual options have none; the parser shows their full help.
  static func brief(for arguments: TypedArguments) -> String? {
    guard arguments.words.isEmpty || arguments.options.contains("-h") else { return nil }
    let command = LinkAudit.command(named: arguments.words)
    let names = LinkAudit.names(of: arguments.words)
    let entries = names.isEmpty ? commands : usualOptions(of: command)
    guard entries.count >= 3 else { return nil }
    let usage = LinkAudit.usageString(for: command).replacing("\n", with: "\n       ")
    var lines = command.configuration.abstract.broken(width: width) + ["", "Usage: \(usage)", ""]
    let column = entries.map(\.label.count).max() ?? 0
    let margin = String(repeating: " ", count: column + 4)
    for (label, help) in entries {
      let padding = String(repeating: " ", count: column - label.count + 2)
      let rows = help.broken(width: width - margin.count)
      lines += rows.enumerated().map { ($0 == 0 ? "  " + label + padding : margin) + $1 }
    }
    lines += ["", "Examples:"] + examples(of: command) + [""]
    lines.append(
      names.isEmpty
        ? "'linkaudit COMMAND -h' shows the usual options of a command, '--help' all."
        : "'linkaudit \(names.joined(separator: " ")) --help' shows all options.")
    return lines.joined(separator: "\n")
  }

  private static var commands: [(label: String, help: String)] {
    LinkAudit.configuration.subcommands.map { command in
      (command.configuration.commandName ?? "", firstClause(of: command.configuration.abstract))
    } + [("-V, --version", "Show the version")]
  }

  /// The usual options of a command, each with the first clause of its help and its values.
  private static func usualOptions(
    of command: any ParsableCommand.Type
  ) -> [(label: String, help: String)] {
    KnownOptions(of: command).options.filter(\.isUsual).map { option in
      let names = option.names.sorted { $0.count < $1.count }.joined(separator: ", ")
      let values = option.values.isEmpty ? "" : ": " + option.values.joined(separator: ", ")
      return (
        names + (option.valueName.map { " <\($0)>" } ?? ""), firstClause(of: option.help) + values
      )
    }
  }

  /// Returns the first clause of a text, which a comma of a list does not end.
  private static func firstClause(of help: String) -> String {
    let clause = help.prefixMatch(of: /.*?(?=\.(?: |$)|[;:] |, (?!\w+ (?:and|or) )| \()/)
    return clause.map { String($0.output) } ?? help
  }

  private static func examples(of command: any ParsableCommand.Type) -> [String] {
    let lines = command.configuration.discussion.split(
      separator: "\n", omittingEmptySubsequences: false)
    let all = lines.drop { $0 != "EXAMPLES" }.dropFirst().prefix { !$0.isEmpty }
    // An example can go on in indented lines.
    let starts = all.indices.filter { !all[$0].hasPrefix("   ") }
    return all[..<(starts.dropFirst(2).first ?? all.endIndex)].map(String.init)
  }
}
