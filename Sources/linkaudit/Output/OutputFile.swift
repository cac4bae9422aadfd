internal import AccessLogs
internal import ArgumentParser
internal import FoundationSubset
internal import Foundations
internal import Reporting
internal import SystemPackage

/// The destination of a report: a file, or standard output.
struct OutputFile {
  /// The path, or `nil` for standard output.
  private let path: String?

  /// Whether links, pipes and devices are written through rather than replaced.
  private let followsLinks: Bool

  /// The option that names the destination.
  private let option: String

  /// Whether a file is on the disk before it gets its name.
  private var isSynced = false

  /// Whether only its owner can read a new file.
  private var isPrivate = false

  /// - Parameters:
  ///   - path: A path; `-`, `nil`, and the system's own names for it mean standard output.
  ///   - option: The option that the path is from.
  ///   - isSynced: Whether to write a file to the disk before it gets its name, so that it is
  ///     complete even if the machine stops.
  ///   - isPrivate: Whether only the owner of a new file can read it.
  init(
    _ path: String?, option: String = "-o", isSynced: Bool = false, isPrivate: Bool = false
  ) {
    self.path = path.flatMap { Self.standardOutputNames.contains($0) ? nil : $0 }
    self.option = option
    followsLinks = true
    self.isSynced = isSynced
    self.isPrivate = isPrivate
  }

  /// Creates the destination for a file in a directory.
  ///
  /// The file replaces any file of that name there, and never changes files elsewhere.
  init(_ name: String, in directory: String) {
    path = Self.path(of: name, in: directory)
    option = "--output-directory"
    followsLinks = false
  }

  /// The names of standard output.
  ///
  /// If standard output is a file, it must not be replaced, because other processes may be writing
  /// to it.
  private static let standardOutputNames: Set = [
    "-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1",
  ]

  static func path(of name: String, in directory: String) -> String {
    FilePath(directory).appending(name).string
  }

  /// A Boolean value indicating whether the output is a terminal, which can have many names.
  var isTerminal: Bool {
    guard let path else { return StandardStreams.isTerminal(.standardOutput) }
    guard InputFile.type(at: path) == .characterSpecial,
      let descriptor = try? FileDescriptor.open(
        FilePath(path), .writeOnly,
        options: [.nonBlocking, .closeOnExec, .init(rawValue: O_NOCTTY)])
    else { return false }
    defer { try? descriptor.close() }
    return StandardStreams.isTerminal(descriptor)
  }

  /// Writes the whole output.
  ///
  /// A file appears under its name only when it is complete.
  func write(_ text: String) throws { try finish(try draft(text)) }

  /// Writes a text to a file that does not have its final name yet.
  func draft(_ text: String) throws -> FileDraft? { try draft { try $0(Array(text.utf8)) } }

  /// Writes bytes of others, as they are to a file, and as text that is fit to be shown to a
  /// terminal.
  func write(foreign bytes: [UInt8]) throws { try finish(try draft(foreign: bytes)) }

  /// Writes bytes of another program to a file that does not have its final name yet.
  func draft(foreign bytes: [UInt8]) throws -> FileDraft? {
    let text = isTerminal ? SafeText.escapedLines(String(decoding: bytes, as: UTF8.self)) : nil
    return try draft { try $0(text.map { Array($0.utf8) } ?? bytes) }
  }

  /// Writes the output of `produce`, piece by piece.
  ///
  /// A file appears under its name only when it is complete.
  func write(_ produce: (@escaping OutputSink) throws -> Void) throws {
    try finish(try draft(produce))
  }

  /// Writes the output of `produce`, piece by piece, to a file that does not have its final name
  /// yet.
  ///
  /// If the destination isn't a file, it writes there directly. A closed pipe is no error; the rest
  /// of the output goes unread.
  ///
  /// - Returns: The file; ``finish(_:)`` gives it its name, or ``FileDraft/discard()`` removes it.
  ///   `nil` if the destination isn't a file.
  /// - Throws: ``Complaint`` if it can't be written, and any error that `produce` throws.
  func draft(_ produce: (@escaping OutputSink) throws -> Void) throws -> FileDraft? {
    try BrokenPipe.isNoError { try makeDraft(produce) } ?? nil
  }

  private func makeDraft(
    _ produce: (@escaping OutputSink) throws -> Void
  ) throws -> FileDraft? {
    guard let path else {
      try produce { try StandardStreams.write($0) }
      return nil
    }
    return try complaining(of: path) {
      if followsLinks, let status = try Self.status(of: path), status.type != .regular {
        // A pipe or a device is written to, never replaced.
        let descriptor = try FileDescriptor.open(
          FilePath(path), .writeOnly, options: .closeOnExec)
        try write(produce, to: descriptor)
        return nil
      }
      // A link stays, and so do the permissions of the file that it leads to.
      let target = followsLinks ? try Self.end(ofLinksFrom: path) : path
      let (draft, descriptor) = try FileDraft.begin(for: target, isPrivate: isPrivate)
      do {
        try write(produce, to: descriptor)
      } catch {
        draft.discard()
        throw error
      }
      return draft
    }
  }

  /// Gives a file its name.
  func finish(_ draft: FileDraft?) throws {
    guard let draft, let path else { return }
    try complaining(of: path) {
      do {
        try draft.finish(isSynced: isSynced)
      } catch {
        draft.discard()
        throw error
      }
    }
  }

  /// Returns the system's record of a file, or `nil` if there is none.
  private static func status(of path: String) throws(Errno) -> Stat? {
    do throws(Errno) {
      return try Stat(FilePath(path), followTargetSymlink: true)
    } catch .noSuchFileOrDirectory {
      return nil
    }
  }

  /// Returns the destination of a chain of links, whether it exists or not.
  private static func end(ofLinksFrom path: String) throws(Errno) -> String {
    var path = FilePath(path)
    for _ in 0..<40 {
      guard let status = try? Stat(path, followTargetSymlink: false), status.type == .symbolicLink,
        let next = try? FileManager.default.destinationOfSymbolicLink(atPath: path.string)
      else { return path.string }
      path = path.removingLastComponent().pushing(FilePath(next))
    }
    throw .tooManySymbolicLinkLevels
  }

  private func complaining<Result>(of path: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch Errno.brokenPipe {
      throw BrokenPipe()
    } catch let error as Errno {
      throw Complaint("cannot write '\(path)': \(error); \(error.writingRemedy(option))")
    }
  }

  private func write(
    _ produce: (@escaping OutputSink) throws -> Void, to descriptor: FileDescriptor
  ) throws {
    try descriptor.closeAfter {
      try produce { bytes in _ = try descriptor.writeAll(bytes) }
      if isSynced, fsync(descriptor.rawValue) != 0 {
        let error = Errno(rawValue: errno)
        // A pipe can't be synced, and needn't be.
        if ![.invalidArgument, .readOnlyFileSystem, .notSupported].contains(error) { throw error }
      }
    }
  }
}

extension OutputFile {
  /// Returns a Boolean value indicating whether two paths lead to the same place, whether
  /// there is a file yet or not.
  static func isSamePlace(_ first: String, _ second: String) -> Bool {
    func place(_ path: String) -> String {
      URL(fileURLWithPath: path).resolvingSymlinksInPath().standardizedFileURL.path
    }
    return place(first) == place(second)
  }
}

extension OutputFile {
  /// A file that is written, and the option that says so.
  struct Place {
    /// The option, such as `--output`.
    let option: String

    /// The option and its value, such as `--output report.html`.
    let argument: String

    let path: String

    init(_ option: String, _ value: String, path: String) {
      (self.option, argument, self.path) = (option, "\(option) \(value)", path)
    }

    /// Creates the place of a file, or returns `nil` for standard output.
    init?(_ option: String, _ path: String?) {
      guard let path, path != "-" else { return nil }
      self.init(option, path, path: path)
    }
  }

  /// Rejects output that would overwrite the input or other output.
  static func check(_ places: [Place?], among read: [String], logs: [LogInput] = []) throws {
    let places = places.compactMap(\.self)
    for (number, place) in places.enumerated() {
      for other in places[(number + 1)...]
      where other.option != place.option && isSamePlace(place.path, other.path) {
        throw ValidationError(
          "'\(place.option)' and '\(other.option)' name the same file, '\(other.path)'.")
      }
    }
    for place in places
    where InputFile.type(at: place.path) == .directory {
      throw ValidationError("'\(place.argument)' is a directory; name a file in it.")
    }
    let targets = places.compactMap { place in
      FileIdentity(ofRegularFile: place.path).map { (identity: $0, argument: place.argument) }
    }
    for place in places {
      guard let store = StoreFiles.store(holding: place.path) else { continue }
      throw ValidationError("'\(place.argument)' is in the store '\(store)'; choose another name.")
    }
    if targets.isEmpty { return }
    if let input = FileIdentity(ofRegularFile: try? Stat(FileDescriptor.standardInput)),
      let target = targets.first(where: { $0.identity == input })
    {
      throw ValidationError(
        "'\(target.argument)' would replace the file on standard input; choose another name.")
    }
    // Asking the system about each log again takes a while, if there are many.
    let inputs =
      read.lazy.map { (path: $0, identity: FileIdentity(ofRegularFile: $0)) }
      + logs.lazy.map { log in
        // Standard input can have the name of the file that comes from a pipe.
        (log.path, log.isStandardInput ? FileIdentity(ofRegularFile: log.path) : log.identity)
      }
    for (path, identity) in inputs {
      guard let identity, let target = targets.first(where: { $0.identity == identity })
      else { continue }
      throw ValidationError(
        "'\(target.argument)' would replace the input '\(path)'; choose another name.")
    }
  }
}
