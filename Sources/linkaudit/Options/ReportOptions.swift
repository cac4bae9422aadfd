internal import ArgumentParser
internal import Foundations
internal import LinkAuditing
internal import Reporting
internal import SystemPackage
internal import UniversalLinks

struct ReportOptions: ParsableArguments {
  @OptionGroup var formOptions: FormOptions<ReportFormat>

  @Option(
    help: .rare("Write files to this directory: in CSV, one a table.", "directory"),
    completion: .directory)
  var outputDirectory: String?

  @Option(help: "Write this table in CSV. (default: rules)")
  var table: TableOption<Report>?

  @OptionGroup var extentOptions: ExtentOptions

  @Option(help: .usual("Fail from this severity on, with status 1. (default: never)", "severity"))
  var failOn: Severity?

  var format: ReportFormat? { formOptions.format }
  var output: String? { formOptions.output }

  /// The place in a configuration that has no effect beside these options, which they name in place
  /// of it.
  func ignoredKeys(of configuration: Configuration) throws -> Set<String> {
    func value(_ key: String) -> String? { configuration.values["report." + key]?.first }
    let configuredFormat = value("format")?.lowercased()
    let format = try self.format ?? OutputForm.named(output)
    // A place on the command line wins, of whichever kind it is, and so does the form in its name.
    var ignored: Set = format == nil ? [] : ["report.format"]
    var place = output ?? value("output")
    if output != nil || outputDirectory != nil {
      ignored.formUnion(["report.output", "report.output-directory"])
      place = output
    } else if let format, let configured = place {
      let form =
        try configuredFormat ?? (OutputForm.named(configured) ?? ReportFormat.text).rawValue
      if form != format.rawValue {
        warn(
          "'\(configuration.path)': 'report.output' has no effect: '\(configured)' is for the format "
            + "\(form), and '--format \(format.rawValue)' goes to standard output; to write it to a "
            + "file, add '-o FILE'")
        ignored.insert("report.output")
        place = nil
      }
    }
    // A directory gets all formats, unless the command line names one.
    if (outputDirectory ?? value("output-directory")) != nil, output == nil {
      return ignored.union(["report.format", "report.table"])
    }
    // Only CSV has a single table.
    let form =
      try format?.rawValue ?? configuredFormat
      ?? OutputForm.named(place).map(\ReportFormat.rawValue)
    return form == "csv" ? ignored : ignored.union(["report.table"])
  }

  mutating func check() throws {
    if let outputDirectory {
      try check(outputDirectory)
    } else if let output, InputFile.type(at: output) == .directory {
      throw ValidationError(
        "'--output \(output)' is a directory; to write files in it, use '--output-directory "
          + "\(output.inCommand)'.")
    } else {
      try formOptions.check()
    }
    try refuse(if: table != nil && format != .csv, "'--table' needs '--format csv'.")
  }

  private func check(_ directory: String) throws {
    try refuse(
      if: output != nil,
      "'--output' and '--output-directory' exclude each other; pass one of them.")
    try refuse(if: directory == "-", "'--output-directory' must be the path of a directory.")
    let type = InputFile.type(at: directory)
    try refuse(
      if: type == nil ? OutputForm.isNamed(directory) : type != .directory,
      "'--output-directory \(directory)' is \(type == nil ? "named like " : "")a file; to write one, "
        + "use '--output \(directory.inCommand)'.")
  }
}

/// The formats of a report; ``OutputForm`` has their endings.
enum ReportFormat: String, CaseIterable, ExpressibleByArgument {
  case text, json, csv, html, ndjson, openmetrics, markdown

  var filenameExtension: String {
    OutputForm.endings.first { $0.key == rawValue }?.value.first ?? rawValue
  }
}

struct TableOption<Source: TableSource>: ExpressibleByArgument {
  let table: Table<Source>

  init?(argument: String) {
    guard let table = Source.table(argument.lowercased()) else { return nil }
    self.table = table
  }

  static var allValueStrings: [String] { Source.tables.map(\.name) }
  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}
