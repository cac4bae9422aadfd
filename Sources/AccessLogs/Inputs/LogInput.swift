internal import Foundations
internal import SystemPackage

/// A source of log lines: a file or standard input.
public struct LogInput: Hashable, Sendable {
  /// The path to show: for a file, as it was given or found; for standard input, `-` or its given
  /// name.
  public let path: String

  /// The size in bytes, or `nil` if it isn't known, as for a pipe.
  public let size: Int?

  /// A Boolean value indicating whether this is standard input.
  public let isStandardInput: Bool

  /// The error that prevented the listing of the directory that this input represents, or `nil`.
  let fault: Errno?

  /// The identity of the file when it was found, or `nil` if it isn't known.
  package let identity: FileIdentity?

  public static func == (one: LogInput, other: LogInput) -> Bool {
    one.path.hasSameBytes(as: other.path) && one.size == other.size
      && one.isStandardInput == other.isStandardInput && one.fault == other.fault
      && one.identity == other.identity
  }

  /// Creates an input for a file.
  public init(path: String, size: Int? = nil) {
    self.init(path: path, size: size, identity: nil)
  }

  init(
    path: String, size: Int?, identity: FileIdentity? = nil, fault: Errno? = nil,
    isStandardInput: Bool = false
  ) {
    (self.path, self.size, self.identity) = (path, size, identity)
    (self.fault, self.isStandardInput) = (fault, isStandardInput)
  }

  /// Standard input.
  ///
  /// - Parameter name: Its name, such as the path of the log that comes from a
  ///   pipe.
  /// - Returns: The input.
  public static func standardInput(named name: String = "-") -> LogInput {
    LogInput(path: name, size: nil, isStandardInput: true)
  }
}

extension LogInput {
  /// The ending that compression gave to the name, such as `.gz`, or `nil` if there is none.
  package var compressedEnding: String? {
    // All endings have a full stop among the last four characters.
    guard path.utf8.suffix(4).contains(UInt8(ascii: ".")) else { return nil }
    return [".gz", ".zst", ".bz2", ".xz"].first { path.hasSuffix($0) }
  }

  /// Finds the files that some paths lead to.
  ///
  /// A directory means the regular files in it and in its subdirectories, except those whose names
  /// begin with a full stop. Links are followed. A file that several paths lead to is found once. A
  /// path that doesn't exist is an input, too: reading it reports the error. Named pipes, sockets
  /// and devices are inputs only if their own path is given.
  ///
  /// An argument that isn't the name of a file may be a shell pattern: `*`, `?`, `[a-z]`, and `**`
  /// for directories of any depth. It means all files that match. Names that begin with a full stop
  /// match only if the pattern has it.
  ///
  /// - Parameters:
  ///   - arguments: Files, directories, patterns, and `-` for standard input.
  ///   - listed: Files and directories, whatever characters are in their names.
  ///   - standardInputName: The name of standard input.
  ///   - jobs: The greatest number of workers that ask the system about files.
  /// - Returns: The inputs in ascending order of their paths, so that results don't depend on the
  ///   order of arguments; and paths that add nothing.
  public static func discover(
    _ arguments: [String], listed: [String] = [], standardInputName: String = "-", jobs: Int = 1
  ) -> (inputs: [LogInput], problems: [InputProblem]) {
    var discovery = Discovery(standardInputName: standardInputName, jobs: jobs)
    for argument in arguments { discovery.add(argument: argument) }
    for path in listed { discovery.add(path == "-" ? "./-" : path) }
    return (discovery.inputs.sorted { $0.path.precedesByBytes($1.path) }, discovery.problems)
  }

  /// Reads a list of paths.
  ///
  /// - Parameter list: One path on each line; or, if there is a zero byte, paths that each end with
  ///   one, as `find -print0` writes them.
  /// - Returns: The paths, empty ones left out.
  public static func paths(inList list: [UInt8]) -> [String] {
    let isSeparatedByNull = list.contains(0)
    return list.split(separator: isSeparatedByNull ? 0 : UInt8(ascii: "\n")).compactMap { line in
      let hasReturn = !isSeparatedByNull && line.last == UInt8(ascii: "\r")
      let path = hasReturn ? line.dropLast() : line
      return path.isEmpty ? nil : String(decoding: path, as: UTF8.self)
    }
  }
}

private struct Discovery {
  let standardInputName: String
  let jobs: Int
  var inputs: [LogInput] = []
  var problems: [InputProblem] = []

  /// The positions of known files in ``inputs``.
  var known: [FileIdentity: Int] = [:]
  var directories: Set<FileIdentity> = []

  mutating func add(argument: String) {
    if argument == "-" {
      if !inputs.contains(where: \.isStandardInput) {
        inputs.append(.standardInput(named: standardInputName))
      }
    } else if var pattern = PathPattern(argument),
      (try? Stat(FilePath(argument), followTargetSymlink: false)) == nil
    {
      let paths = pattern.matches()
      for (path, fault) in pattern.unlisted {
        inputs.append(LogInput(path: path, size: nil, fault: fault))
      }
      if paths.isEmpty, pattern.unlisted.isEmpty { problems.append(.noMatch(argument)) }
      for path in paths { add(path, isFound: true) }
    } else {
      add(argument)
    }
  }

  /// Adds a file, or the files in a directory.
  ///
  /// Files that a pattern led to must be regular ones.
  mutating func add(_ path: String, isFound: Bool = false) {
    do throws(Errno) {
      let status = try Stat(FilePath(path), followTargetSymlink: true)
      if status.type == .directory {
        let before = (inputs.count, problems.count)
        addContents(of: path, status)
        if (inputs.count, problems.count) == before {
          problems.append(.emptyDirectory(path))
        }
      } else if isFound, status.type != .regular {
        problems.append(.notRegular(path))
      } else {
        addFile(path, status)
      }
    } catch {
      inputs.append(LogInput(path: path))
    }
  }

  private mutating func addFile(_ path: String, _ status: Stat) {
    let identity = FileIdentity(ofRegularFile: status)
    if let identity {
      if let position = known[identity] {
        // Keep the least path, whatever the order of arguments.
        let paths = [inputs[position].path, path].sorted { $0.precedesByBytes($1) }
        inputs[position] = LogInput(
          path: paths[0], size: inputs[position].size, identity: identity)
        problems.append(.sameFile(paths[1], as: paths[0]))
        return
      }
      known[identity] = inputs.count
    }
    inputs.append(
      LogInput(
        path: path, size: identity == nil ? nil : Int(clamping: status.size), identity: identity))
  }

  private mutating func addContents(of directory: String, _ status: Stat) {
    // Links can be circular.
    guard directories.insert(FileIdentity(status)).inserted else { return }
    do throws(Errno) {
      // Close the directory before opening its subdirectories.
      for (path, status) in try addFiles(in: directory) { addContents(of: path, status) }
    } catch {
      inputs.append(LogInput(path: directory, size: nil, fault: error))
    }
  }

  /// Adds the files in a directory.
  ///
  /// - Returns: The directories in it, in ascending order.
  private mutating func addFiles(
    in path: String
  ) throws(Errno) -> [(path: String, status: Stat)] {
    let directory = try Directory(path)
    // In order, so that the paths are almost sorted already.
    let names = try directory.names().filter { $0.utf8.first != UInt8(ascii: ".") }
      .sorted { $0.precedesByBytes($1) }
    let prefix = path.hasSuffix("/") ? path : path + "/"
    var directories: [(path: String, status: Stat)] = []
    for (name, status) in zip(names, directory.statuses(of: names, jobs: jobs)) {
      guard let status else {
        inputs.append(LogInput(path: prefix + name))
        continue
      }
      switch status.type {
      case .directory: directories.append((prefix + name, status))
      case .regular: addFile(prefix + name, status)
      // Opening a pipe blocks until there is a writer.
      default: problems.append(.notRegular(prefix + name))
      }
    }
    return directories
  }
}

/// A given path with nothing to read.
public enum InputProblem: Hashable, Sendable {
  /// It is a directory without visible files: all names begin with a full stop.
  case emptyDirectory(String)

  /// Another path leads to the same file, which is read once.
  case sameFile(String, as: String)

  /// It is a pattern that matches no file, and no file has this name.
  case noMatch(String)

  /// It is a named pipe, a socket or a device that was found in a directory or by a pattern.
  ///
  /// These are read only if their own path is given.
  case notRegular(String)
}
