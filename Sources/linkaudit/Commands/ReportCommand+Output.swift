internal import AccessLogs
internal import ArgumentParser
internal import LinkAuditing
internal import Reporting
internal import SystemPackage
internal import TrafficDigest

extension ReportCommand {
  /// Writes the report in the selected formats.
  func write(_ audit: Audit, _ digest: TrafficDigest) throws {
    guard let outputDirectory = reportOptions.outputDirectory else {
      let file = OutputFile(reportOptions.output)
      return try file.finish(
        try draft(reportOptions.format ?? .text, reportOptions.table?.table, audit, digest, file))
    }
    let made: [String]
    do throws(Errno) {
      made = try OutputDirectory.make(outputDirectory)
    } catch {
      throw Complaint(
        "cannot make the directory '\(outputDirectory)': \(error); "
          + error.writingRemedy("--output-directory"))
    }
    // None gets its name before all are complete, so that they are of one report.
    var drafts: [(file: OutputFile, draft: FileDraft?)] = []
    defer {
      for (_, draft) in drafts { draft?.discard() }
      OutputDirectory.removeEmpty(made)
    }
    for entry in directoryFiles {
      let file = OutputFile(entry.name, in: outputDirectory)
      drafts.append((file, try draft(entry.format, entry.table, audit, digest, file)))
    }
    for (file, draft) in drafts { try file.finish(draft) }
    complainAboutLeftovers(in: outputDirectory)
  }

  /// Writes the report in a format to a file, which gets its name when it is complete.
  private func draft(
    _ format: ReportFormat, _ table: Table<Report>?, _ audit: Audit, _ digest: TrafficDigest,
    _ file: OutputFile
  ) throws -> FileDraft? {
    let report = Report(
      audit: audit, digest: digest, top: reportOptions.extentOptions.top, words: words)
    switch format {
    case .text:
      return try file.draft(
        report.document.text(
          isFull: reportOptions.extentOptions.full, top: report.top ?? 10,
          style: reportOptions.styleOptions.style(for: file)))
    case .json: return try file.draft(report.writeJSON)
    case .csv:
      return try file.draft { try (table ?? Report.rules).writeCSV(of: report, to: $0) }
    case .html: return try file.draft(report.document.html(top: report.top))
    case .ndjson: return try file.draft(report.writeNDJSON)
    case .markdown:
      return try file.draft(
        report.document.markdown(
          isFull: reportOptions.extentOptions.full, top: report.top ?? 10,
          findingLimit: reportOptions.extentOptions.full ? .max : report.top ?? 10))
    case .openmetrics: return try file.draft(report.writeOpenMetrics)
    }
  }

  /// The words that name the traffic and the routes, for commands to run next.
  private var words: ReportWords {
    let inputs = readingOptions.inputOptions
    let options = [
      ("--log-format", readingOptions.formatOptions.logFormat),
      ("--host-from-path", readingOptions.hostFromPath),
      ("--since", readingOptions.timeOptions.since), ("--until", readingOptions.timeOptions.until),
    ].flatMap { name, value in value.map { [name, $0] } ?? [] }
    // A shell can have named thousands of logs.
    let isShort = inputs.filesFrom.isEmpty && inputs.logs.count <= 2
    let traffic = store.map { ["--store", $0] } ?? (isShort ? inputs.logs : ["LOG..."])
    return ReportWords(
      traffic: traffic + options, routes: routeOptions.routes.flatMap { ["--routes", $0] })
  }

  /// Names the files of earlier reports that this one has left as they were.
  private func complainAboutLeftovers(in directory: String) {
    let written = Set(directoryFiles.map(\.name))
    let all =
      Report.tables.map { $0.name + "." + ReportFormat.csv.filenameExtension }
      + ReportFormat.allCases.map { "report." + $0.filenameExtension }
    let left = all.filter { name in
      !written.contains(name)
        && (try? Stat(FilePath(OutputFile.path(of: name, in: directory)))) != nil
    }.sorted()
    guard !left.isEmpty else { return }
    let names = left.prefix(Self.leftoverLimit).joined(separator: ", ")
    let more = left.count - Self.leftoverLimit
    StandardStreams.complain(
      "'\(directory)' still has \(left.count.counted("file")) of an earlier report: "
        + "\(names)\(more > 0 ? " and \(more.grouped) more" : "")")
  }

  /// The number of leftover files that are named.
  private static let leftoverLimit = 3

  /// The default formats of a directory.
  private static let directoryFormats = [ReportFormat.csv, .json, .html]

  /// The files of a report in a directory.
  private var directoryFiles: [(name: String, format: ReportFormat, table: Table<Report>?)] {
    (reportOptions.format.map { [$0] } ?? Self.directoryFormats).flatMap { format in
      format == .csv
        ? (reportOptions.table.map { [$0.table] } ?? Report.tables).map {
          ($0.name + "." + format.filenameExtension, format, $0)
        } : [("report." + format.filenameExtension, format, nil)]
    }
  }
}

// MARK: - Places

extension ReportCommand {
  /// Rejects output files that would overwrite the input of the report.
  func checkOutput(_ inputs: [LogInput]) throws {
    var places = [
      readingOptions.rejectOptions.place, OutputFile.Place("--output", reportOptions.output),
      baselineOptions.place,
    ]
    if let outputDirectory = reportOptions.outputDirectory {
      places += directoryFiles.map {
        OutputFile.Place(
          "--output-directory", outputDirectory,
          path: OutputFile.path(of: $0.name, in: outputDirectory))
      }
    }
    let files = try loader().definitions.map(\.path) + (try loader().routesFiles.map(\.path))
    try OutputFile.check(
      places,
      among: files + readingOptions.inputOptions.lists + configurationOptions.paths
        + baselineOptions.readPaths, logs: inputs)
  }
}
