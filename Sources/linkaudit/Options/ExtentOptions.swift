internal import ArgumentParser

/// How much of its tables a report or a comparison shows.
struct ExtentOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Rows per table. (default: 10 in text, all in other formats)", valueName: "n"))
  var top: Int?

  @Flag(
    help: "Show all tables in text, not only the start. Other formats always have all.")
  var full = false

  /// Takes from a configuration what the command line leaves out.
  mutating func apply(_ configuration: Configuration) {
    fill(&top, configuration.top)
    full = full || configuration.isFull
  }

  /// Checks what holds also where a configuration has filled in values.
  ///
  /// - Throws: `ValidationError` if something doesn't hold.
  func check() throws {
    if let top, top < 1 { throw ValidationError("'--top' must be at least 1, but it is \(top).") }
  }
}
