internal import AccessLogs
internal import ArgumentParser

/// The options of a command, as its help lists them.
struct KnownOptions {
  /// The values of options by name, such as `--format`; empty for options that take any text.
  private var values: [String: [String]] = [:]

  /// The options that take a value.
  private var valued: Set<String> = []

  /// The word for the first argument, such as `host`; `nil` if the command takes none.
  private(set) var argument: String?

  /// Reads the help of a command.
  init(of command: any ParsableCommand.Type) {
    var names: [String] = []
    // The help is wide enough that no list of values is broken.
    for line in LinkAudit.helpMessage(for: command, columns: 100_000).split(separator: "\n") {
      if argument == nil, line.hasPrefix("  <") {
        argument = String(line.dropFirst(3).prefix { $0 != ">" })
      }
      if line.hasPrefix("  -") {
        names = line.split(separator: " ").prefix { $0.hasPrefix("-") }.map { name in
          name.hasSuffix(",") ? String(name.dropLast()) : String(name)
        }
        for name in names { values[name] = [] }
        let label = line.dropFirst(2).split(separator: "  ").first ?? ""
        if label.hasSuffix(">") { valued.formUnion(names) }
      }
      guard let list = line.firstMatch(of: /\(values: ([^;)]*)/) else { continue }
      let found = list.1.split(separator: ", ").map(String.init)
      for name in names { values[name] = found }
    }
  }

  /// The values of an option, or none if any text can be one.
  func values(of option: String) -> [String] { values[option] ?? [] }

  /// Returns a Boolean value indicating whether the command accepts a typed option, such as
  /// `--format json`.
  func takes(_ typed: String) -> Bool {
    let words = typed.split(separator: " ", maxSplits: 1).map(String.init)
    guard let option = words.first, let values = values[option] else { return false }
    return words.count == 1 || values.isEmpty || values.contains(words[1])
  }

  /// Returns a Boolean value indicating whether the command has an option, and it takes a value.
  func takesValue(of option: String) -> Bool { valued.contains(option) }

  /// Returns the option whose name is nearest to another one, or `nil` if none is near.
  func nearest(to option: String) -> String? {
    // The hyphens would make short names look alike.
    let names = values.keys.filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2)) }
    let name = String(option.drop { $0 == "-" })
    return NearestName.find(name, among: names.sorted()).map { "--" + $0 }
  }
}
