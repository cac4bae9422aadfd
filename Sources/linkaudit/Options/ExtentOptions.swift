internal import ArgumentParser

/// The options for the rows of tables in a report or a comparison.
struct ExtentOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Show this many rows per table. (default: 10 in text, all in other formats)", valueName: "n"))
  var top: Int?

  @Flag(
    help: "Show all tables in text, not only the start. Other formats always have all.")
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
