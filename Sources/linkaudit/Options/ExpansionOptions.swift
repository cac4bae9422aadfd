internal import AccessLogs
internal import ArgumentParser

/// The limit of the expansion of compressed logs.
struct ExpansionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Stop reading a log beyond this decompression ratio. (default: 1000)",
      valueName: "ratio"))
  var maxExpansion: Int?

  /// Checks the options after a configuration has completed them.
  ///
  /// - Throws: `ValidationError` if an option is invalid.
  func check() throws {
    if let maxExpansion, maxExpansion < 1 {
      throw ValidationError("'--max-expansion' must be at least 1, but it is \(maxExpansion).")
    }
  }

  /// The limit.
  var limit: ExpansionLimit {
    ExpansionLimit(ratio: maxExpansion ?? ExpansionLimit.defaultRatio)
  }
}
