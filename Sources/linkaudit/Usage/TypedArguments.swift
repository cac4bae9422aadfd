internal import ArgumentParser

/// The command line as it was typed.
struct TypedArguments {
  /// The arguments without the name of the program.
  let words: [String]

  /// The number of words before `--`, which can be options.
  private let optionCount: Int

  /// Reads a command line.
  ///
  /// - Parameter arguments: The arguments, the first of which is the name of the program.
  init(_ arguments: [String] = CommandLine.arguments) {
    let typed = Array(arguments.dropFirst())
    optionCount = typed.firstIndex(of: "--") ?? typed.count
    // The parser gives its own option for the version one name.
    words = typed.prefix(optionCount).map { $0 == "-V" ? "--version" : $0 } + typed[optionCount...]
  }

  /// The words before `--`, which can be options.
  var options: ArraySlice<String> { words.prefix(optionCount) }

  /// Returns a Boolean value indicating whether one of the names of an option is typed.
  func gives(_ option: KnownOptions.Option) -> Bool {
    options.contains { word in option.names.contains { Self.value(in: word, of: $0) != nil } }
  }

  /// Returns the value that a word has for an option: empty if the word is only its name, and `nil`
  /// if it is another word.
  private static func value(in word: String, of name: String) -> Substring? {
    guard word.hasPrefix(name) else { return nil }
    let rest = word.dropFirst(name.count)
    if rest.isEmpty || rest.first == "=" { return rest.dropFirst() }
    // '-j4' has its value without a space.
    return name.hasPrefix("--") ? nil : rest
  }

  /// A Boolean value indicating whether an option may be there twice, or a value may be empty.
  ///
  /// Reading the declarations takes longer than most checks of a command.
  private var needsCheck: Bool {
    let initials = options.filter { $0.hasPrefix("-") }.compactMap { word in
      word.first { $0 != "-" }
    }
    return Set(initials).count < initials.count
      || options.contains { $0.isEmpty || $0.hasPrefix("--") && $0.hasSuffix("=") }
      || words.dropFirst(optionCount).first == ""
  }

  /// Returns the option of a word and the value that the word has for it, or `nil` if there is none.
  private static func read(
    _ word: String, _ known: KnownOptions
  ) -> (option: KnownOptions.Option, value: Substring)? {
    for option in known.options {
      for name in option.names {
        if let value = value(in: word, of: name) { return (option, value) }
      }
    }
    return nil
  }

  /// Checks that options with one value are there once, and that no value is empty.
  ///
  /// - Parameter command: The command.
  /// - Throws: `ValidationError` for the first option that is not.
  func check(for command: any ParsableCommand.Type) throws {
    guard needsCheck else { return }
    let known = KnownOptions(of: command)
    var seen: Set<String> = []
    for (index, word) in options.enumerated() where word.hasPrefix("-") {
      guard let (option, value) = Self.read(word, known), option.valueName != nil else { continue }
      let isEmpty =
        option.names.contains(word) ? words.dropFirst(index + 1).first == "" : value.isEmpty
      if isEmpty {
        throw ValidationError("'\(option.name)' is empty; a variable of the shell may be unset.")
      }
      guard !option.isRepeatable, !seen.insert(option.name).inserted else { continue }
      let isOfSite = ["--host", "--aasa"].contains(option.name) && known.takes("--site")
      throw ValidationError(
        "'\(option.name)' is there twice; pass it once"
          + (isOfSite ? ", or for several hosts, pass '--site HOST=FILE' for each." : "."))
    }
  }
}
