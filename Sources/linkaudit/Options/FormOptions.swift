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
    help: "Write this format. (default: from the extension of '--output', else text)")
  var format: Form?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write to this file; '-' for standard output.", valueName: "file"),
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
