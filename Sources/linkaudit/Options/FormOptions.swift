internal import ArgumentParser
internal import Reporting

/// The format of what a command writes, its place, and its style if it is text.
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
    name: .shortAndLong,
    help: .usual("Write to this file; '-' for standard output.", valueName: "file"),
    completion: .file())
  var output: String?

  @OptionGroup
  var styleOptions: StyleOptions

  /// Takes the format as ``takeFormat()`` does, and checks the name of the file.
  ///
  /// - Throws: `ValidationError` if the name has the ending of a format that the command doesn't
  ///   have, or is that of a directory.
  mutating func check() throws {
    try takeFormat()
    try OutputForm.check(output, as: format)
  }

  /// Takes the format from the name of the file, unless one is named.
  ///
  /// - Throws: `ValidationError` if it is a format that the command doesn't have.
  mutating func takeFormat() throws {
    if format == nil { format = try OutputForm.named(output) }
  }

  /// The file that is written, or standard output.
  var file: OutputFile { OutputFile(output) }

  /// The style of text in it.
  var style: Style { styleOptions.style(for: file) }

  /// The place of the file, or `nil` for standard output.
  var place: OutputFile.Place? { OutputFile.Place("--output", output) }
}

/// The file for a comment on a change.
struct CommentOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Also write the result in Markdown to this file, for a comment on a change.",
      valueName: "file"),
    completion: .file())
  var comment: String?

  func validate() throws {
    if comment == "-" {
      throw ValidationError(
        "'--comment' can't be '-'; for Markdown alone, use '--format markdown'.")
    }
  }

  /// The place of the file, or `nil` if it is not written.
  var place: OutputFile.Place? { OutputFile.Place("--comment", comment) }

  /// Writes the file, if it is named.
  func write(_ text: () -> String) throws {
    if let comment { try OutputFile(comment, option: "--comment").write(text()) }
  }
}

/// The options for the style of text.
struct StyleOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Use colors. 'auto' means on terminals, unless NO_COLOR is set.", valueName: "when"))
  var color: Style.Coloring = .auto

  /// Returns the style of text.
  ///
  /// - Parameter isTerminal: Whether it goes to a terminal.
  /// - Returns: The style.
  func style(isTerminal: Bool) -> Style { Style(isTerminal: isTerminal, coloring: color) }

  /// Returns the style of text for a file or standard output.
  func style(for file: OutputFile) -> Style { style(isTerminal: file.isTerminal) }
}

extension Style.Coloring: ExpressibleByArgument {}

/// The options for the rows of tables in a report or a comparison.
struct ExtentOptions: ParsableArguments {
  @Option(
    help: .usual(
      "Show this many rows per table. (default: 10 in text, all in other formats)", valueName: "n"))
  var top: Int?

  @Flag(
    help: .usual("Show all tables in text, not only the start. Other formats always have all."))
  var full = false

  /// Completes missing options from a configuration.
  mutating func apply(_ configuration: Configuration) {
    fill(&top, configuration.top)
    full = full || configuration.isFull
  }

  /// Checks the options after a configuration has completed them.
  ///
  /// - Throws: `ValidationError` if an option is invalid.
  func check() throws {
    if let top, top < 1 { throw ValidationError("'--top' must be at least 1, but it is \(top).") }
  }
}
