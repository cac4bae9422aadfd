internal import AccessLogs
internal import ArgumentParser
internal import FoundationSubset

/// The options of a command or of a group of options, as they are declared.
struct KnownOptions {
  /// A declared option.
  struct Option {
    /// The names with their hyphens, such as `--format` and `-f`.
    var names: [String]

    /// The word for its value, or `nil` for a flag.
    var valueName: String?

    /// Whether each use adds a value.
    var isRepeatable: Bool

    /// The values that it takes; empty if it takes any text.
    var values: [String]

    /// The text of the help.
    var help: String

    /// Whether `-h` shows it.
    var isUsual: Bool

    /// The long name, or the only one.
    var name: String { names.first { $0.hasPrefix("--") } ?? names[0] }
  }

  /// The options that the help shows, in its order.
  private(set) var options: [Option] = []

  /// The word for the first argument, such as `host`; `nil` if the command takes none.
  private(set) var argument: String?

  /// Reads the declarations of a command or of a group of options.
  init(of type: any ParsableArguments.Type) {
    guard let tool = try? JSONDecoder().decode(Tool.self, from: Data(type._dumpHelp().utf8)) else {
      return
    }
    for declared in tool.command.arguments ?? [] where declared.shouldDisplay {
      if declared.kind == "positional" { argument = argument ?? declared.valueName }
      let names = (declared.names ?? []).map { ($0.kind == "long" ? "--" : "-") + $0.name }
      guard !names.isEmpty else { continue }
      let help = declared.abstract ?? ""
      // What counts for stored figures does not count for the store.
      let isUsual = help.last == Self.usualMark && declared.sectionTitle != IngestCommand.figures
      options.append(
        Option(
          names: names, valueName: declared.kind == "option" ? declared.valueName ?? "" : nil,
          isRepeatable: declared.isRepeating, values: declared.allValues ?? [],
          help: help.filter { $0 != Self.usualMark }, isUsual: isUsual))
    }
  }

  /// Returns the option with a name, or `nil`.
  func option(named name: String) -> Option? { options.first { $0.names.contains(name) } }

  /// The values of an option, or none if any text can be one.
  func values(of option: String) -> [String] { self.option(named: option)?.values ?? [] }

  /// Returns a Boolean value indicating whether the command accepts a typed option, such as
  /// `--format json`.
  func takes(_ typed: String) -> Bool {
    let words = typed.split(separator: " ", maxSplits: 1).map(String.init)
    guard let name = words.first, let option = option(named: name) else { return false }
    return words.count == 1 || option.values.isEmpty || option.values.contains(words[1])
  }

  /// Returns a Boolean value indicating whether the command has an option, and it takes a value.
  func takesValue(of option: String) -> Bool { self.option(named: option)?.valueName != nil }

  /// Returns the option whose name is nearest to another one, or `nil` if none is near.
  func nearest(to option: String) -> String? {
    // The hyphens would make short names look alike.
    let names = options.flatMap(\.names).filter { $0.hasPrefix("--") }.map {
      String($0.dropFirst(2))
    }
    let name = String(option.drop { $0 == "-" })
    return NearestName.find(name, among: names.sorted()).map { "--" + $0 }
  }
}

// The parser describes declarations in JSON.
extension KnownOptions {
  private struct Tool: Decodable {
    var command: Command
  }

  private struct Command: Decodable {
    var arguments: [Argument]?
  }

  private struct Argument: Decodable {
    var kind: String
    var shouldDisplay: Bool
    var isRepeating: Bool
    var names: [Name]?
    var valueName: String?
    var allValues: [String]?
    var abstract: String?
    var sectionTitle: String?
  }

  private struct Name: Decodable {
    var kind: String
    var name: String
  }
}
