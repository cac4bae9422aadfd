internal import AccessLogs
internal import ArgumentParser
internal import Foundations
internal import Reporting

/// The message about a wrong command line: the problem, the remedy, and the usage.
struct UsageMessage {
  /// The lines, the first of which begins like every other message.
  let text: String

  /// Explains an error of the parser, or of a check while it parsed.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - words: The command line without the name of the program.
  init(_ error: any Error, words: [String]) {
    let message = LinkAudit.message(for: error)
    let rest = LinkAudit.fullMessage(for: error).split(
      separator: "\n", omittingEmptySubsequences: false)
    // After the message, which can have several lines, there are help of an option, and the usage.
    let usage = rest.drop { !$0.hasPrefix("Usage: ") }
    let help = rest.filter { $0.hasPrefix("Help:  ") }.map { line in
      line.filter { $0 != KnownOptions.usualMark }[...]
    }
    let answer = Self.answer(to: message, words)
    let command = LinkAudit.command(named: words)
    // A check of the words comes before the parser, which would know their command.
    let isOfTool = usage.first == Self.usage(of: LinkAudit.self).first
    self.init(
      answer ?? message.startingInLowerCase,
      (answer == nil ? help : []) + (isOfTool ? Self.usage(of: command) : Array(usage)))
  }

  /// Explains why arguments of a command don't fit together.
  ///
  /// - Parameters:
  ///   - message: The problem and the remedy.
  ///   - command: The command.
  init(_ message: String, of command: any ParsableCommand) {
    self.init(message.startingInLowerCase, Self.usage(of: type(of: command)))
  }

  /// The usage of a command, and where more is said.
  private static func usage(of command: any ParsableCommand.Type) -> [Substring] {
    let usage = LinkAudit.usageString(for: command)
    let name = usage.prefix { $0 != "[" && $0 != "<" && $0 != "\n" }.split(separator: " ")
    return [
      "Usage: \(usage.replacing("\n", with: "\n       "))",
      "  See '\(name.joined(separator: " ")) --help' for more information.",
    ].map { $0[...] }
  }

  private init(_ message: String, _ lines: [Substring]) {
    text = (["linkaudit: \(message)"] + lines.map(String.init)).joined(separator: "\n")
  }

  /// Returns a better answer to an error of the parser than the parser has, or `nil`.
  private static func answer(to message: String, _ words: [String]) -> String? {
    let command = LinkAudit.command(named: words)
    let name = (["linkaudit"] + LinkAudit.names(of: words)).joined(separator: " ")
    if let option = message.prefixMatch(of: /Unknown option '(-[^']*)'/)?.1 {
      let option = String(option)
      if command == LinkAudit.self { return CommandWords.answer(toOption: option, words) }
      let answer = ForeignOptions.answer(to: option, among: KnownOptions(of: command), of: name)
      return "unknown option '\(option)'"
        + (answer.map { "; \($0)" } ?? "; '\(name) --help' lists all options")
    }
    if let option = message.prefixMatch(of: /Missing value for '(--?[a-z-]+)/)?.1,
      let place = words.lastIndex(of: String(option)), words.indices.contains(place + 1)
    {
      // Times and numbers are ages and counts, never negative.
      let value = words[place + 1].drop { $0 == "-" }
      guard value.first?.isNumber ?? false else { return nil }
      return "'\(words[place + 1])' begins with a hyphen; write '\(option) \(value)'"
    }
    if let value = message.prefixMatch(of: /Unexpected argument '([^']*)'/)?.1,
      KnownOptions(of: command).takes("--store")
    {
      return "unexpected argument '\(value)'; did you mean '--store \(String(value).inCommand)'?"
    }
    let middle = "' is invalid for '"
    guard message.hasPrefix("The value '"), let range = message.ranges(of: middle).last
    else { return nil }
    let value = message[message.index(message.startIndex, offsetBy: 11)..<range.lowerBound]
    let option = message[range.upperBound...].prefix { $0 != " " && $0 != "'" }
    guard option.hasPrefix("-") else { return nil }
    return OptionValues(String(option), KnownOptions(of: command)).answer(
      to: String(value), of: name)
  }
}

extension String {
  /// The text with its first letter in lower case, as messages begin after the name of the program.
  fileprivate var startingInLowerCase: String {
    // An acronym stays as it is.
    guard let first, dropFirst().first?.isUppercase != true else { return self }
    return first.lowercased() + dropFirst()
  }
}
