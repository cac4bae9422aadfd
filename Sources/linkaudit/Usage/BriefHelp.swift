internal import ArgumentParser
internal import Foundations
internal import Reporting

/// The help that `-h` prints: one screen with the options that people use most.
struct BriefHelp {
  private let command: any ParsableCommand.Type

  /// The words that name the command; none for the tool itself.
  private let names: [String]

  /// The number of columns, which every terminal has.
  private static let width = 80

  /// The number of usual options from which on a command has brief help.
  private static let leastOptions = 3

  /// The number of examples.
  private static let exampleCount = 2

  /// Returns the brief help that a command line requests, or `nil` if it requests none.
  ///
  /// Commands with few options have no brief help; the parser shows their full help.
  static func asked(for arguments: TypedArguments) -> String? {
    guard arguments.words.isEmpty || arguments.options.contains("-h") else { return nil }
    let help = BriefHelp(
      command: LinkAudit.command(named: arguments.words),
      names: LinkAudit.names(of: arguments.words))
    let entries = help.entries
    return entries.count < leastOptions ? nil : help.text(entries)
  }

  /// A command or an option as it is typed, and its help.
  private struct Entry {
    var label: String
    var help: String

    /// The values that it takes; empty if it takes any text.
    var values: [String] = []
  }

  private var entries: [Entry] {
    guard names.isEmpty else {
      return KnownOptions(of: command).options.filter(\.isUsual).map { option in
        let value = option.valueName.map { " <\($0)>" } ?? ""
        return Entry(
          label: (option.names.filter { $0.count == 2 } + option.names.filter { $0.count > 2 })
            .joined(separator: ", ") + value, help: option.help,
          values: option.values)
      }
    }
    var entries: [Entry] = []
    for subcommand in command.configuration.subcommands {
      let configuration = subcommand.configuration
      guard let name = configuration.commandName, configuration.shouldDisplay else { continue }
      entries.append(Entry(label: name, help: configuration.abstract))
    }
    return entries + [Entry(label: "-V, --version", help: "Show the version.")]
  }

  private func text(_ entries: [Entry]) -> String {
    let name = (["linkaudit"] + names).joined(separator: " ")
    var lines = command.configuration.abstract.broken(width: Self.width) + [""]
    for (index, usage) in LinkAudit.usageString(for: command).split(separator: "\n").enumerated() {
      lines.append((index == 0 ? "Usage: " : "       ") + usage)
    }
    lines.append("")
    let column = entries.map(\.label.count).max() ?? 0
    let margin = String(repeating: " ", count: column + 4)
    for entry in entries {
      let label = "  " + entry.label + String(repeating: " ", count: column - entry.label.count + 2)
      let rows = Self.brief(entry, width: Self.width - margin.count)
      lines += rows.enumerated().map { ($0 == 0 ? label : margin) + $1 }
    }
    lines += ["", "Examples:"] + examples + [""]
    lines.append(
      names.isEmpty
        ? "'linkaudit COMMAND -h' shows the usual options of a command, '--help' all."
        : "'\(name) --help' shows all options.")
    return lines.joined(separator: "\n")
  }

  /// The first examples of the full help.
  private var examples: [String] {
    let lines = command.configuration.discussion.split(
      separator: "\n", omittingEmptySubsequences: false)
    let all = lines.drop { $0 != "EXAMPLES" }.dropFirst().prefix { !$0.isEmpty }
    var count = 0
    return all.prefix { line in
      if !line.hasPrefix("   ") { count += 1 }
      return count <= Self.exampleCount
    }.map(String.init)
  }

  /// Returns the beginning of a help that fits a line, with the values of the option.
  ///
  /// It ends with a clause. If none fits, the first one takes several lines.
  private static func brief(_ entry: Entry, width: Int) -> [String] {
    let list = entry.values.isEmpty ? "" : ": " + entry.values.joined(separator: ", ")
    let clause = entry.help.prefix(upToFirst: [". ", ".", "; ", ": ", " ("])
    let parts = clause.components(separatedBy: ", ")
    for count in parts.indices.reversed() {
      let start = parts[...count].joined(separator: ", ") + list
      if start.count <= width { return [start] }
    }
    return (clause + list).broken(width: width)
  }
}

extension String {
  /// The text before the first of some separators that ends a clause.
  fileprivate func prefix(upToFirst separators: [String]) -> String {
    let ends = separators.compactMap { separator -> Index? in
      guard let range = firstRange(of: separator) else { return nil }
      // A full stop within a word, as in 'linkaudit.yml', ends nothing.
      return separator == "." && range.upperBound != endIndex ? nil : range.lowerBound
    }
    return String(self[..<(ends.min() ?? endIndex)])
  }

  fileprivate func components(separatedBy separator: String) -> [String] {
    split(separator: separator).map(String.init)
  }
}

// MARK: - Usual options

extension ArgumentHelp {
  /// Returns the help of a usual option, which `-h` shows, too.
  static func usual(_ abstract: String, valueName: String? = nil) -> ArgumentHelp {
    ArgumentHelp("\(abstract)\(KnownOptions.usualMark)", valueName: valueName)
  }
}

extension KnownOptions {
  /// The invisible character at the end of the help of a usual option; it is never printed.
  static let usualMark: Character = "\u{2060}"
}

/// The help that `--help` prints, which the parser writes.
enum FullHelp {
  /// The help with the short names that the parser does not know, and what `-h` does.
  static func naming(_ text: String) -> String {
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
}
