internal import AccessLogs
internal import ArgumentParser
internal import LinkAuditing
internal import SystemPackage
internal import TrafficDigest

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension ReportCommand {
  /// Writes the report in the form, or the forms, that were asked for.
  func write(_ audit: Audit, _ digest: TrafficDigest) throws {
    guard let outputDirectory else {
      return try write(format ?? .text, table, audit, digest, to: OutputFile(output))
    }
    do {
      try FileManager.default.createDirectory(
        atPath: outputDirectory, withIntermediateDirectories: true)
    } catch {
      throw Complaint("cannot make the directory '\(outputDirectory)'; choose another place")
    }
    for file in directoryFiles {
      try write(
        file.format, file.table, audit, digest, to: OutputFile(file.name, in: outputDirectory))
    }
  }

  private func write(
    _ format: ReportFormat, _ table: ReportTable?, _ audit: Audit, _ digest: TrafficDigest,
    to file: OutputFile
  ) throws {
    switch format {
    case .text:
      let report = TextReport(
        audit: audit, digest: digest, top: top ?? 10,
        style: Style(isTerminal: file.isTerminal))
      try file.write(report.text())
    case .json: try file.write(JSONReport(audit: audit, digest: digest, top: top).write)
    case .csv:
      let report = CSVReport(audit: audit, digest: digest, top: top)
      try file.write { try report.write(table ?? .rules, to: $0) }
    case .html:
      try file.write(HTMLReport(audit: audit, digest: digest, top: top).text())
    case .ndjson: try file.write(NDJSONReport(audit: audit, digest: digest, top: top).write)
    case .openmetrics:
      try file.write(OpenMetricsReport(audit: audit, digest: digest, top: top).write)
    }
  }

  /// The forms that a directory gets unless one is asked for.
  private static let directoryFormats = [ReportFormat.csv, .json, .html]

  /// The files of a report in a directory.
  private var directoryFiles: [(name: String, format: ReportFormat, table: ReportTable?)] {
    (format.map { [$0] } ?? Self.directoryFormats).flatMap { format in
      format == .csv
        ? (table.map { [$0] } ?? ReportTable.allCases).map {
          ($0.rawValue + "." + format.filenameExtension, format, $0)
        } : [("report." + format.filenameExtension, format, nil)]
    }
  }
}

// MARK: - Places

extension ReportCommand {
  /// Refuses a directory that can't be one, or that contradicts another option.
  func checkOutputDirectory() throws {
    guard let outputDirectory else { return }
    if output != nil {
      throw ValidationError(
        "'--output' and '--output-directory' exclude one another: the report goes to one place.")
    }
    if outputDirectory.isEmpty || outputDirectory == "-" {
      throw ValidationError("'--output-directory' must be the path of a directory.")
    }
    if let status = try? Stat(FilePath(outputDirectory), followTargetSymlink: true),
      status.type != .directory
    {
      throw ValidationError(
        "'--output-directory \(outputDirectory)' is not a directory; choose another place.")
    }
  }

  /// Refuses to write over what the report is made from.
  func checkOutput(_ inputs: [LogInput]) throws {
    var places: [OutputFile.Place] = []
    if let output, output != "-" {
      places.append(OutputFile.Place(path: output, option: "--output \(output)"))
    }
    if let outputDirectory {
      places += directoryFiles.map {
        OutputFile.Place(
          path: OutputFile.path(of: $0.name, in: outputDirectory),
          option: "--output-directory \(outputDirectory)")
      }
    }
    let files = try loader().definitions.map(\.path) + (try loader().routesFiles.map(\.path))
    try OutputFile.check(
      places, rejects: readingOptions.rejectOptions.rejects,
      among: inputs.map(\.path) + files + readingOptions.inputOptions.lists
        + configurationOptions.paths)
  }
}
