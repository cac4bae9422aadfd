internal import AccessLogs
internal import Foundations

/// The answer to a value that an option does not take.
struct OptionValues {
  private let option: String
  private let values: [String]

  /// - Parameters:
  ///   - option: The option, such as `--format`.
  ///   - known: The options of the command.
  init(_ option: String, _ known: KnownOptions) {
    (self.option, values) = (option, known.values(of: option))
  }

  /// Values of options that take any number, size or share, as people write them.
  private static let examples = [
    "--batch": "4G", "--deployed": "2026-11-19", "--fan-out": "100", "--jobs": "4",
    "--keep": "400d", "--least-share": "0.1%", "--lines": "5", "--max-expansion": "1000",
    "--max-rejects": "5", "--max-rules": "3", "--memory": "64M", "--max-window": "2G",
    "--timeout": "10",
    "--tolerance": "5%", "--top": "10", "--wait": "60", "-j": "4",
  ]

  /// The greatest number of values that a message lists.
  private static let listLimit = 12

  /// Returns the message about a value, or `nil` if only its rejection is known.
  ///
  /// - Parameters:
  ///   - value: The typed value.
  ///   - command: The words that name the command.
  /// - Returns: The message.
  func answer(to value: String, of command: String) -> String? {
    let mistake = "'\(value)' is not a value of '\(option)'; "
    // 'compile' has kinds of output; a name with an extension or a directory is a file.
    if option == "--output", value.contains("."), !values.isEmpty {
      return mistake + "to write to that file, use '-o \(value.inCommand)'"
    }
    if values.isEmpty {
      return Self.examples[option].map { mistake + "write it as '\(option) \($0)'" }
    }
    let nearest =
      nearest(to: value).map { "did you mean '\($0)'?" }
      // A table is often named by a word of its name.
      ?? values.first { value.count > 2 && $0.contains(value.lowercased()) }.map {
        "did you mean '\($0)'?"
      }
    guard values.count <= Self.listLimit else {
      return mistake + (nearest.map { "\($0) " } ?? "") + "'\(command) --help' lists all values"
    }
    let list = "it can be " + values.joined(separator: ", ")
    return mistake
      + (nearest.map { "\($0) \(list.capitalizedFirst)." } ?? list)
  }

  private func nearest(to value: String) -> String? {
    switch option {
    case "--format", "-f":
      if let name = OutputForm.name(ofExtension: value), values.contains(name) { return name }
    case "--os":
      // Each later version reads rules as iOS 13 does.
      return Int(value.lowercased().drop { !$0.isNumber }).map { $0 < 13 ? "ios12" : "ios13+" }
    case "--minimum-os":
      // Later versions have no feature of their own.
      if let major = Int(value.prefix { $0 != "." }), major > 14 { return "14" }
    default: break
    }
    return NearestName.find(value, among: values)
  }
}
