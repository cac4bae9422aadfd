internal import AccessLogs
internal import ArgumentParser
internal import AuditStore
internal import Foundations

/// The logs in addition to those among the arguments.
struct LogListOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Read paths of logs from this file, one a line or separated by zero bytes ('find -print0'); '-' for standard input. Repeatable.",
      valueName: "file"),
    completion: .file())
  var filesFrom: [String] = []

  @Option(
    help: ArgumentHelp(
      "Use this name for standard input, in reports and for '--host-from-path'. (default: -)",
      valueName: "path"))
  var stdinName: String?
}

/// The logs to read.
struct InputOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Access logs: files, directories, patterns, or '-'.", valueName: "log"),
    completion: .file())
  var logs: [String] = []

  @OptionGroup(title: "Logs")
  var listOptions: LogListOptions

  /// The files that hold paths of logs; `-` for standard input.
  var filesFrom: [String] { listOptions.filesFrom }

  /// The name of standard input.
  var stdinName: String? { listOptions.stdinName }

  /// A `-` for each use of standard input.
  var standardInputs: [String] {
    (logs.contains("-") ? ["-"] : []) + filesFrom.filter { $0 == "-" }
  }

  /// A Boolean value indicating whether no log is named, nor a list of logs.
  var isEmpty: Bool { logs.isEmpty && filesFrom.isEmpty }

  /// Checks that at most one input is standard input.
  ///
  /// - Parameters:
  ///   - files: The paths of all other inputs.
  ///   - names: What can be standard input, in words.
  /// - Throws: `ValidationError` if it is needed twice.
  func checkStandardInput(besides files: [String] = [], _ names: String) throws {
    guard (files + standardInputs).count(where: { $0 == "-" }) > 1 else { return }
    throw ValidationError("only one input can be '-': \(names).")
  }

  /// The files that hold lists.
  var lists: [String] { filesFrom.filter { $0 != "-" } }

  /// Checks the options after a configuration has completed them.
  ///
  /// - Parameter command: The words of the corresponding command for stores.
  /// - Throws: `ValidationError` if an option is invalid.
  func check(askingStores command: String) throws {
    try Self.checkStores(logs, askingStores: command)
    try LogWords.check(logs, standardInputs: standardInputs)
    guard let stdinName else { return }
    if !logs.contains("-") {
      throw ValidationError(
        "'--stdin-name \(stdinName)' names standard input, which is not read; add '-' to the logs, or "
          + "leave the option out.")
    }
  }

  /// Refuses stores, whose digests would be read with those that have been replaced.
  ///
  /// - Parameters:
  ///   - paths: The paths to read.
  ///   - command: The words of the command that asks a store.
  /// - Throws: `ValidationError` if one is a store.
  static func checkStores(_ paths: [String], askingStores command: String = "report") throws {
    guard let path = paths.first(where: AuditStore.isStore) else { return }
    let purpose = command == "report" ? "report on it" : "use its traffic"
    throw ValidationError(
      "'\(path)' is a store; to \(purpose), use 'linkaudit \(command) --store \(path.inCommand)'.")
  }

  /// Finds the logs.
  ///
  /// - Parameter jobs: The greatest number of workers.
  /// - Returns: The logs, and the problems of other paths.
  /// - Throws: ``Complaint`` if a list can't be read.
  func discover(jobs: Int) throws -> (inputs: [LogInput], problems: [InputProblem]) {
    try Self.discover(
      logs, filesFrom: filesFrom, what: "logs", standardInputName: stdinName ?? "-", jobs: jobs)
  }

  /// Finds files.
  ///
  /// - Parameters:
  ///   - paths: Files, directories, patterns, and `-`.
  ///   - filesFrom: Lists of files.
  ///   - what: The kind of the files, in words.
  ///   - standardInputName: The name of standard input.
  ///   - jobs: The greatest number of workers.
  /// - Returns: The files, and the problems of other paths.
  /// - Throws: ``Complaint`` if a list can't be read.
  static func discover(
    _ paths: [String], filesFrom: [String], what: String, standardInputName: String = "-",
    jobs: Int = 1
  ) throws -> (inputs: [LogInput], problems: [InputProblem]) {
    let listed = try filesFrom.flatMap { list in
      let found = LogInput.paths(
        inList: try InputFile.read(
          list, what: "the list of \(what)", limit: InputFile.listLimit))
      // Complaints about its lines would show client addresses.
      if let first = found.first, isLine(first) {
        throw Complaint(
          "'\(list)' looks like a log, not like a list of paths; pass logs without '--files-from'")
      }
      return found
    }
    return LogInput.discover(
      paths, listed: listed, standardInputName: standardInputName, jobs: jobs)
  }

  /// Returns a Boolean value indicating whether a path looks like a line of a log and names no
  /// file.
  private static func isLine(_ path: String) -> Bool {
    let holdsRequest = [" HTTP/", "\"method\"", "\"request", "#Version", "#Fields", "\tGET\t"]
      .contains { path.contains($0) }
    return holdsRequest && InputFile.type(at: path) == nil
  }
}
