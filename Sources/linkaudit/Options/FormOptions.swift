internal import ArgumentParser
internal import Foundations
internal import Reporting
internal import SystemPackage

struct FormOptions<Form>: ParsableArguments
where
  Form: ExpressibleByArgument & RawRepresentable & CaseIterable & Sendable,
  Form.RawValue == String
{
  @Option(
    name: [.customShort("f"), .long],
    help: .usual("Write this format. (default: from the extension of '--output', else text)"))
  var format: Form?

  @Option(
    name: .shortAndLong, help: .usual("Write to this file; '-' for standard output.", "file"),
    completion: .file())
  var output: String?

  @OptionGroup var styleOptions: StyleOptions

  /// Takes the format as ``takeFormat()`` does, and checks the name of the file.
  mutating func check() throws {
    try takeFormat()
    try OutputForm.check(output, as: format)
  }

  /// Takes the format from the name of the file, unless one is named.
  mutating func takeFormat() throws {
    if format == nil { format = try OutputForm.named(output) }
  }

  var file: OutputFile { OutputFile(output) }
  var style: Style { styleOptions.style(for: file) }
  var place: OutputFile.Place? { OutputFile.Place("--output", output) }
}

struct CommentOptions: ParsableArguments {
  @Option(
    help: .rare("Also write Markdown to this file, for a comment.", "file"), completion: .file())
  var comment: String?

  func validate() throws {
    try refuse(
      if: comment == "-", "'--comment' can't be '-'; for Markdown alone, use '--format markdown'.")
  }

  var place: OutputFile.Place? { OutputFile.Place("--comment", comment) }

  func write(_ text: () -> String) throws {
    if let comment { try OutputFile(comment, option: "--comment").write(text()) }
  }
}

struct StyleOptions: ParsableArguments {
  @Option(help: .rare("Use colors. 'auto' means on terminals, unless NO_COLOR is set.", "when"))
  var color: Style.Coloring = .auto

  func style(isTerminal: Bool) -> Style { Style(isTerminal: isTerminal, coloring: color) }

  func style(for file: OutputFile) -> Style { style(isTerminal: file.isTerminal) }
}

extension Style.Coloring: ExpressibleByArgument {}

struct ExtentOptions: ParsableArguments {
  @Option(
    help: .usual("Show this many rows per table. (default: 10 in text, all in other formats)", "n"),
    transform: number(1..., "must be at least 1"))
  var top: Int?

  @Flag(help: .usual("Show all tables in text, not only the start. Other formats always have all."))
  var full = false
}

/// The format of an output, derived from its name.
enum OutputForm {
  /// Returns the format for the name of a file, such as `html` for `page.html`, or `nil` if the name
  /// has no ending of a format.
  ///
  /// - Throws: `ValidationError` for the ending of a format that the command doesn't have.
  static func named<Form>(_ output: String?) throws -> Form?
  where Form: ExpressibleByArgument & RawRepresentable, Form.RawValue == String {
    guard let output, let ending = ending(of: output), let name = names[ending] else { return nil }
    if let form = Form(rawValue: name) { return form }
    throw mistake(output, ending, Form.allValueStrings)
  }

  /// Checks that a file without a known format does not have the ending of another program's
  /// format, and is not a directory.
  static func check<Form: ExpressibleByArgument>(_ output: String?, as form: Form?) throws {
    guard let output else { return }
    try refuse(
      if: output.hasSuffix("/"), "'--output \(output)' is a directory; name a file in it.")
    // Other endings are part of a name, such as that of a host or of a temporary file.
    guard form == nil, let ending = ending(of: output), names[ending] == nil,
      compressions.contains(ending)
        || (3...5).contains(ending.count) && output.hasSuffix(ending)
          && ending.utf8.allSatisfy(\.isLetter) && !neutralEndings.contains(ending)
    else { return }
    throw mistake(output, ending, Form.allValueStrings)
  }

  static func isNamed(_ path: String) -> Bool { ending(of: path).map { names[$0] != nil } ?? false }

  private static func mistake(
    _ output: String, _ ending: String, _ formats: [String]
  ) -> ValidationError {
    ValidationError(
      "'--output \(output)': "
        + (compressions.contains(ending)
          ? "linkaudit doesn't compress its output; use a pipe, as in '--format "
            + "\(formats.last ?? "json") | gzip >\(output.inCommand)'."
          : "'.\(ending)' is not a format of this command; choose one with '--format': "
            + "\(formats.joined(separator: ", "))."))
  }

  /// Returns the ending of a file's name in lower case, or `nil` if it has none; numbers after the
  /// last full stop of a date or a version aren't one.
  private static func ending(of path: String) -> String? {
    FilePath(path).extension?.lowercased().wholeMatch(of: /\p{L}[\p{L}\p{N}]*/).map { String($0.0) }
  }

  /// The endings of the names of files by format, the usual one first.
  static let endings: KeyValuePairs<String, [String]> = [
    "text": ["txt", "text", "log"], "json": ["json"], "csv": ["csv"], "html": ["html", "htm"],
    "ndjson": ["ndjson", "jsonl"], "openmetrics": ["prom"], "sarif": ["sarif"],
    "markdown": ["md", "markdown"],
  ]

  /// The formats by ending.
  private static let names = Dictionary(
    uniqueKeysWithValues: endings.flatMap { form, endings in endings.map { ($0, form) } })

  private static let compressions: Set = ["bz2", "gz", "gzip", "xz", "zip", "zst"]

  private static let neutralEndings: Set = [
    "app", "back", "bak", "com", "data", "dev", "file", "info", "net", "new", "old", "org", "out",
    "part", "shop", "site", "store", "temp", "test", "tmp",
  ]
}
