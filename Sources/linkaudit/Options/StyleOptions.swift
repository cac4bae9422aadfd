internal import ArgumentParser
internal import Reporting

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
