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
    case .ndjson: try file.write(NDJSONReport(audit: audit, digest: digest, top: top).write)
    case .openmetrics:
      try file.write(OpenMetricsReport(audit: audit, digest: digest, top: top).write)
    }
  }

  /// The forms that a directory gets unless one is asked for.
  private static let directoryFormats = [ReportFormat.csv, .json]

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

  /// Refuses to write the report over what it is made from.
  func checkOutput(_ inputs: [LogInput]) throws {
    var places: [(path: String, option: String)] = []
    if let output, output != "-" { places.append((output, "--output \(output)")) }
    if let outputDirectory {
      places += directoryFiles.map {
        (
          OutputFile.path(of: $0.name, in: outputDirectory),
          "--output-directory \(outputDirectory)"
        )
      }
    }
    if let rejects = rejectOptions.rejects {
      if let place = places.first(where: { OutputFile.isSamePlace(rejects, $0.path) }) {
        let option = place.option.prefix { $0 != " " }
        throw ValidationError("'--rejects' and '\(option)' name the same file, '\(place.path)'.")
      }
      places.append((rejects, "--rejects \(rejects)"))
    }
    let targets = places.compactMap { place in
      OutputFile.Identity(place.path).map { (identity: $0, option: place.option) }
    }
    // Asking for the identity of each log takes a while, if there are many.
    if targets.isEmpty { return }
    let definitions = try siteOptions.definitions(needsHost: true)
    let files = definitions.map(\.path) + routesFiles(of: definitions).map(\.path)
    for path in inputs.map(\.path) + files + inputOptions.lists + configurationOptions.paths {
      guard let identity = OutputFile.Identity(path),
        let target = targets.first(where: { $0.identity == identity })
      else { continue }
      throw ValidationError(
        "'\(target.option)' would replace '\(path)', which is read; choose another name.")
    }
  }
}
