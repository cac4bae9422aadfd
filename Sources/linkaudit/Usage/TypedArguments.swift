/// The command line as it was typed, and as the parser reads it.
///
/// The parser knows one spelling of each option. Spellings of earlier versions work for one more
/// version, with a notice.
struct TypedArguments {
  /// The arguments without the name of the program, in present spellings.
  private(set) var words: [String] = []

  /// A line for each former spelling.
  private(set) var notices: [String] = []

  /// An option that was renamed.
  private struct Renaming {
    var former: String
    var present: String

    /// The command that it was renamed in, or `nil` for all commands.
    var command: String?
  }

  private static let renamings = [
    Renaming(former: "--by", present: "--sort"),
    Renaming(former: "--top", present: "--max-rules", command: "suggest"),
  ]

  /// Reads a command line.
  ///
  /// - Parameter arguments: The arguments, the first of which is the name of the program.
  init(_ arguments: [String]) {
    let typed = Array(arguments.dropFirst())
    let end = typed.firstIndex(of: "--") ?? typed.endIndex
    for (index, word) in typed.enumerated() {
      // Values can't begin with a hyphen, so each word that does is an option.
      guard index < end, word.hasPrefix("-") else {
        words.append(word)
        continue
      }
      let option = word.prefix { $0 != "=" }
      let renaming = Self.renamings.first { renaming in
        renaming.former == option && (renaming.command == nil || renaming.command == typed.first)
      }
      guard let renaming else {
        words.append(word == "-V" ? "--version" : word)
        continue
      }
      words.append(renaming.present + word.dropFirst(option.count))
      let notice = FormerName(former: renaming.former, present: renaming.present).notice
      if !notices.contains(notice) { notices.append(notice) }
    }
  }

  /// The words before `--`, which can be options.
  var options: ArraySlice<String> { words.prefix { $0 != "--" } }
}
