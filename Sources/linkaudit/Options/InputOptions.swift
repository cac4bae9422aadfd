internal import AccessLogs
internal import ArgumentParser

/// Which logs are read.
struct InputOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Access logs: files, directories, patterns, or '-'.", valueName: "log"),
    completion: .file())
  var logs: [String] = []

  @Option(
    help: ArgumentHelp(
      "A list of logs, a path a line, or with a byte 0 behind each as of 'find -print0'; '-' for standard input. May be repeated.",
      valueName: "file"),
    completion: .file())
  var filesFrom: [String] = []

  /// A `-` for each use of standard input.
  var standardInputs: [String] {
    (logs.contains("-") ? ["-"] : []) + filesFrom.filter { $0 == "-" }
  }

  /// The files that hold lists.
  var lists: [String] { filesFrom.filter { $0 != "-" } }

  /// Finds the logs.
  ///
  /// - Throws: ``Complaint`` if a list can't be read.
  func discover() throws -> (inputs: [LogInput], problems: [InputProblem]) {
    try Self.discover(logs, filesFrom: filesFrom, what: "logs")
  }

  /// Finds files.
  ///
  /// - Parameters:
  ///   - paths: Files, directories, patterns, and `-`.
  ///   - filesFrom: Lists of files.
  ///   - what: What the files are.
  /// - Returns: The files, and paths that add nothing.
  /// - Throws: ``Complaint`` if a list can't be read.
  static func discover(
    _ paths: [String], filesFrom: [String], what: String
  ) throws -> (inputs: [LogInput], problems: [InputProblem]) {
    let listed = try filesFrom.flatMap { path in
      // A list may be as long as it has to be.
      LogInput.paths(inList: try InputFile.read(path, what: "the list of \(what)", limit: .max))
    }
    return LogInput.discover(paths, listed: listed)
  }
}
