internal import ArgumentParser
internal import Foundations
internal import LinkAuditing
internal import Reporting
internal import SystemPackage
internal import UniversalLinks

/// The format and the output of a report.
struct ReportOptions: ParsableArguments {
  @Option(
    name: [.customShort("f"), .long],
    help: .usual(
      "Write this format. (default: from the extension of '--output', such as '.html', else text; with '--output-directory', CSV, JSON and HTML)",
      valueName: "format"))
  var format: ReportFormat?

  @Option(
    name: .shortAndLong,
    help: .usual(
      "Write the report to this file; '-' for standard output.", valueName: "file"),
    completion: .file())
  var output: String?

  @Option(
    help: ArgumentHelp(
      "Write the report to files in this directory: in CSV, one for each table.",
      valueName: "directory"),
    completion: .directory)
  var outputDirectory: String?

  @Option(help: "Write this table in CSV. (default: rules)")
  var table: TableOption<Report>?

  @OptionGroup
  var extentOptions: ExtentOptions

  @Option(
    help: .usual(
      "Fail from this severity on, with status 1. (default: never)",
      valueName: "severity"))
  var failOn: Severity?

  @OptionGroup
  var styleOptions: StyleOptions

  /// Completes missing options from a configuration.
  ///
  /// - Throws: `ValidationError` for a value that the option would not accept.
  mutating func apply(_ configuration: Configuration) throws {
    let configuredFormat: ReportFormat? = try configuration.value(\.format, "report.format")
    // A place on the command line wins, of whichever kind it is, and so does the form in its name.
    if format == nil { format = try OutputForm.named(output) }
    if output == nil, outputDirectory == nil {
      try takePlace(of: configuration, format: configuredFormat)
    }
    let configuredTable: TableOption<Report>? = try configuration.value(\.table, "report.table")
    // A directory gets all formats, unless the command line names one.
    if outputDirectory == nil {
      fill(&format, configuredFormat)
      if format == nil { format = try OutputForm.named(output) }
      // Only CSV has a single table.
      if format == .csv { fill(&table, configuredTable) }
    }
    if outputDirectory == nil, !(output.map(Self.isDirectory) ?? false) {
      try OutputForm.check(output, as: format)
    }
    fill(&failOn, try configuration.value(\.failOn, "report.fail-on"))
    extentOptions.apply(configuration)
  }

  /// Takes the place of the report from a configuration, unless its file is of another format than
  /// the command line asks for.
  private mutating func takePlace(
    of configuration: Configuration, format configured: ReportFormat?
  ) throws {
    outputDirectory = configuration.outputDirectory
    guard let place = configuration.output else { return }
    let placeFormat = try configured ?? OutputForm.named(place) ?? .text
    guard let format, format != placeFormat else {
      output = place
      return
    }
    StandardStreams.complain(
      "'\(configuration.path)': 'report.output' has no effect: '\(place)' is for the format "
        + "\(placeFormat.rawValue), and '--format \(format.rawValue)' goes to standard output; to write "
        + "it to a file, add '-o FILE'")
  }

  /// Checks the options after a configuration has completed them.
  ///
  /// - Throws: `ValidationError` if an option is invalid.
  func check() throws {
    try extentOptions.check()
    if table != nil, format != .csv {
      throw ValidationError("'--table' needs '--format csv'.")
    }
    try checkDirectory()
  }

  /// Refuses a directory that can't be one, or that contradicts another option.
  private func checkDirectory() throws {
    guard let outputDirectory else {
      if let output, Self.isDirectory(output) {
        throw ValidationError(
          "'--output \(output)' is a directory; to write files in it, use '--output-directory "
            + "\(output.inCommand)'.")
      }
      return
    }
    if output != nil {
      throw ValidationError(
        "'--output' and '--output-directory' exclude each other; pass one of them.")
    }
    if outputDirectory.isEmpty || outputDirectory == "-" {
      throw ValidationError("'--output-directory' must be the path of a directory.")
    }
    if let type = InputFile.type(at: outputDirectory), type != .directory {
      throw ValidationError(
        "'--output-directory \(outputDirectory)' is a file; choose another name.")
    }
    if OutputForm.isNamed(outputDirectory), !Self.isDirectory(outputDirectory) {
      throw ValidationError(
        "'--output-directory \(outputDirectory)' looks like a file; to write one, use '--output "
          + "\(outputDirectory.inCommand)'.")
    }
  }

  private static func isDirectory(_ path: String) -> Bool {
    InputFile.type(at: path) == .directory
  }
}

/// The formats of a report.
enum ReportFormat: String, CaseIterable, ExpressibleByArgument {
  case text
  case json
  case csv
  case html
  case ndjson
  case openmetrics
  case markdown

  /// The extension of a file in this format, without the full stop.
  var filenameExtension: String {
    switch self {
    case .text: "txt"
    case .openmetrics: "prom"
    case .markdown: "md"
    default: rawValue
    }
  }
}

/// The name of a table, as an option takes it.
struct TableOption<Source: TableSource>: ExpressibleByArgument {
  /// The table.
  let table: Table<Source>

  var name: String { table.name }

  init?(argument: String) {
    guard let table = Source.table(argument.lowercased()) else { return nil }
    self.table = table
  }

  static var allValueStrings: [String] { Source.tables.map(\.name) }

  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }

  var defaultValueDescription: String { name }
}
