internal import AccessLogs
internal import ArgumentParser
internal import FoundationSubset
internal import Foundations

/// The options of a command or of a group of options, as they are declared.
struct KnownOptions {
  struct Option {
    /// The names with their hyphens, such as `--format` and `-f`.
    var names: [String]

    /// The word for its value, or `nil` for a flag.
    var valueName: String?
    var isRepeatable: Bool

    /// The values that it takes; empty if it takes any text.
    var values: [String]
    var help: String

    /// Whether a report that repeats another one needs it.
    var changesFigures: Bool

    /// Whether `-h` shows it.
    var isUsual: Bool

    /// The long name, or the only one.
    var name: String { names.first { $0.hasPrefix("--") } ?? names[0] }
  }

  /// The invisible character at the end of the help of a usual option; it is never printed.
  static let usualMark: Character = "\u{2060}"

  private(set) var options: [Option] = []

  init(of type: any ParsableArguments.Type) {
    guard let tool = try? JSONDecoder().decode(Tool.self, from: Data(type._dumpHelp().utf8)) else {
      return
    }
    for declared in tool.command.arguments ?? [] where declared.shouldDisplay {
      let names = (declared.names ?? []).map { ($0.kind == "long" ? "--" : "-") + $0.name }
      guard !names.isEmpty else { continue }
      let help = declared.abstract ?? ""
      // What counts for stored figures does not count for the store.
      let isUsual = help.last == Self.usualMark && declared.sectionTitle != IngestCommand.figures
      let isOther = ["Report", "Rejected lines", "Resources"].contains(declared.sectionTitle)
      options.append(
        Option(
          names: names, valueName: declared.kind == "option" ? declared.valueName ?? "" : nil,
          isRepeatable: declared.isRepeating, values: declared.allValues ?? [],
          help: help.filter { $0 != Self.usualMark }, changesFigures: !isOther, isUsual: isUsual))
    }
  }

  func option(named name: String) -> Option? { options.first { $0.names.contains(name) } }

  static func typedCommandHas(_ name: String) -> Bool {
    Self(of: LinkAudit.command(named: TypedArguments().words)).option(named: name) != nil
  }

  func nearest(to option: String) -> String? {
    // The hyphens would make short names look alike.
    let names = options.flatMap(\.names).filter { $0.hasPrefix("--") }.map { $0.dropFirst(2) }
    let name = String(option.drop { $0 == "-" })
    return names.map(String.init).sorted().nearest(to: name).map { "--" + $0 }
  }

  // The parser describes declarations in JSON.
  private struct Tool: Decodable {
    struct Command: Decodable { var arguments: [Argument]? }

    struct Argument: Decodable {
      struct Name: Decodable { var kind, name: String }

      var kind: String
      var shouldDisplay, isRepeating: Bool
      var names: [Name]?
      var valueName, abstract, sectionTitle: String?
      var allValues: [String]?
    }

    var command: Command
  }
}

struct TypedArguments {
  let words: [String]

  /// The number of words before `--`, which can be options.
  private let optionCount: Int

  init(_ arguments: [String] = CommandLine.arguments) {
    let typed = Array(arguments.dropFirst())
    optionCount = typed.firstIndex(of: "--") ?? typed.count
    // The parser gives its own option for the version one name.
    words = typed.prefix(optionCount).map { $0 == "-V" ? "--version" : $0 } + typed[optionCount...]
  }

  var options: ArraySlice<String> { words.prefix(optionCount) }

  func completed(with added: [String]) -> [String] {
    let names = LinkAudit.names(of: words).count
    let options = added.prefix { $0 != "--" }
    let arguments = added.dropFirst(options.count)
    let rest = optionCount < words.count ? arguments.dropFirst() : arguments
    return Array([words[..<names], options, words[names...], rest].joined())
  }

  func gives(_ name: String) -> Bool {
    options.contains { word in
      word == name || word.hasPrefix(name.hasPrefix("--") ? name + "=" : name)
    }
  }

  func gives(_ option: KnownOptions.Option) -> Bool {
    options.contains { Self.value(in: $0, of: option) != nil }
  }

  /// Returns the value that a word has for an option: empty if the word is only its name, and `nil`
  /// if it is another word.
  private static func value(in word: String, of option: KnownOptions.Option) -> Substring? {
    for name in option.names where word.hasPrefix(name) {
      let rest = word.dropFirst(name.count)
      if rest.isEmpty || rest.first == "=" { return rest.dropFirst() }
      // '-j4' has its value without a space.
      if !name.hasPrefix("--") { return rest }
    }
    return nil
  }

  /// A word after the command, the option that it is, and its value: the next word, or a part of it.
  typealias Element = (word: String, option: KnownOptions.Option?, value: String?)

  func elements(_ known: KnownOptions) -> [Element] {
    var elements: [Element] = []
    var rest = options.dropFirst(LinkAudit.names(of: words).count)
    while let word = rest.popFirst() {
      let option = known.options.first { Self.value(in: word, of: $0) != nil }
      var value = option?.valueName == nil ? nil : option.flatMap { Self.value(in: word, of: $0) }
      if value != nil, option?.names.contains(word) ?? false { value = rest.popFirst()?[...] }
      elements.append((word, option, value.map(String.init)))
    }
    return elements + words.dropFirst(optionCount + 1).map { ($0, nil, nil) }
  }

  /// Whether an option may be there twice, or without its hyphens or its value.
  ///
  /// Reading the declarations takes longer than most checks of a command.
  private var needsCheck: Bool {
    let initials = options.filter { $0.hasPrefix("-") }.compactMap { word in
      word.first { $0 != "-" }
    }
    return Set(initials).count < initials.count
      || options.contains { word in
        word.isEmpty || word.hasPrefix("--") && word.hasSuffix("=")
          || word.hasPrefix("-") && !word.hasPrefix("--") && word.count > 2
      } || words.dropFirst(optionCount).first == ""
  }

  /// Checks that options with one value are there once, that no value is empty, and that long
  /// options have two hyphens.
  func check(for command: any ParsableCommand.Type) throws {
    guard needsCheck else { return }
    let known = KnownOptions(of: command)
    var seen: Set<String> = []
    for (word, option, value) in elements(known) {
      if word.hasPrefix("-") { try Self.checkHyphens(of: word, known) }
      guard let option, option.valueName != nil else { continue }
      try refuse(
        if: value == "", "'\(option.name)' is empty; a variable of the shell may be unset.")
      guard !option.isRepeatable, !seen.insert(option.name).inserted else { continue }
      let isOfSite =
        ["--host", "--aasa"].contains(option.name) && known.option(named: "--site") != nil
      throw ValidationError(
        "'\(option.name)' is there twice; pass it once"
          + (isOfSite ? ", or for several hosts, pass '--site HOST=FILE' for each." : "."))
    }
  }

  /// Refuses long options with a single hyphen, which the parser would read as several short options,
  /// such as `-h`, and values without a space.
  private static func checkHyphens(of word: String, _ known: KnownOptions) throws {
    guard !word.hasPrefix("--"), word.count > 2 else { return }
    if known.option(named: "-" + word.prefix { $0 != "=" }) != nil {
      throw ValidationError("'\(word)' needs two hyphens: '-\(word)'")
    }
    let (short, rest) = (String(word.prefix(2)), String(word.dropFirst(2)))
    // '-j4' is a number of workers.
    guard known.option(named: short)?.valueName != nil, !rest.utf8.allSatisfy(\.isDigit) else {
      return
    }
    throw ValidationError("'\(word)' needs a space: '\(short) \(rest.inCommand)'")
  }
}
