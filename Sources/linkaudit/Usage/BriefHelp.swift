internal import ArgumentParser
internal import Reporting

/// The help that `-h` prints: one screen with the options that people use most.
struct BriefHelp: Sendable {
  /// The usage after the name of the program and of the command.
  var usage: [String]

  /// Commands or options as they are typed, and what each does; an empty text begins a new group.
  var entries: [(label: String, text: String)]

  /// Arguments of the command.
  var examples: [String]

  /// The number of columns, which every terminal has.
  private static let width = 80

  /// Returns the brief help that a command line requests, or `nil` if it requests none.
  ///
  /// Commands with few options have no brief help; the parser shows their full help.
  static func asked(for arguments: TypedArguments) -> String? {
    let names = LinkAudit.names(of: arguments.words)
    guard arguments.words.isEmpty || arguments.options.contains("-h"),
      let help = all[names.joined(separator: " ")]
    else { return nil }
    return help.text(LinkAudit.command(named: arguments.words), names: names)
  }

  /// The text for a screen of 80 columns.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - names: The words that name it.
  /// - Returns: The lines.
  func text(_ command: any ParsableCommand.Type, names: [String]) -> String {
    let name = (["linkaudit"] + names).joined(separator: " ")
    var lines = command.configuration.abstract.broken(width: Self.width) + [""]
    for (index, usage) in usage.enumerated() {
      let start = (index == 0 ? "Usage: " : "       ") + name + " "
      let indent = String(repeating: " ", count: start.count)
      let rows = usage.broken(width: Self.width - start.count)
      lines += rows.enumerated().map { ($0 == 0 ? start : indent) + $1 }
    }
    lines.append("")
    let column = entries.map(\.label.count).max() ?? 0
    for (label, text) in entries {
      let padding = String(repeating: " ", count: column - label.count)
      lines.append(label.isEmpty ? "" : "  \(label)\(padding)  \(text)")
    }
    lines += ["", "Examples:"] + examples.map { "  \(name) \($0)" } + [""]
    lines.append(
      names.isEmpty
        ? "'linkaudit COMMAND -h' shows the usual options of a command, '--help' all."
        : "'\(name) --help' shows all options.")
    return lines.joined(separator: "\n")
  }
}

/// The help that `--help` prints, which the parser writes.
enum FullHelp {
  /// The help with the short names that the parser does not know, and what `-h` does.
  static func naming(_ text: String) -> String {
    text.replacing(
      "  -h, --help              Show help information.",
      with: """
          -h                      Show the usual options on one screen.
          --help                  Show all options.
        """
    ).replacing(
      "  --version               Show the version.",
      with: "  -V, --version           Show the version.")
  }
}
