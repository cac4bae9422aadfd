internal import AccessLogs
internal import ArgumentParser
internal import FoundationSubset
internal import Foundations
internal import Reporting
internal import SystemPackage

struct OutputFile {
  private let path: String?
  private let option: String

  /// Whether links, pipes and devices are written through rather than replaced.
  private let followsLinks: Bool

  /// Whether a file is on the disk before it gets its name, so that it is complete even if the
  /// machine stops.
  private let isSynced: Bool
  private let isPrivate: Bool

  init(
    _ path: String?, option: String = "-o", followsLinks: Bool = true, isSynced: Bool = false,
    isPrivate: Bool = false
  ) {
    self.path = path.flatMap { Self.standardOutputNames.contains($0) ? nil : $0 }
    (self.option, self.followsLinks) = (option, followsLinks)
    (self.isSynced, self.isPrivate) = (isSynced, isPrivate)
  }

  /// The names of standard output, which must not be replaced if it is a file, because other
  /// processes may be writing to it.
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

  func write(_ text: String) throws { try finish(try draft(text)) }

  func draft(_ text: String) throws -> FileDraft? { try draft { try $0(Array(text.utf8)) } }

  /// Writes bytes of others, as they are to a file, and as text that is fit to be shown to a
  /// terminal.
  func write(foreign bytes: [UInt8]) throws { try finish(try draft(foreign: bytes)) }

  func draft(foreign bytes: [UInt8]) throws -> FileDraft? {
    let text = isTerminal ? SafeText.escapedLines(String(decoding: bytes, as: UTF8.self)) : nil
    return try draft { try $0(text.map { Array($0.utf8) } ?? bytes) }
  }

  /// Writes the output of `produce`, piece by piece; a file gets its name when it is complete.
  func write(_ produce: (@escaping OutputSink) throws -> Void) throws {
    try finish(try draft(produce))
  }

  /// Writes the output of `produce`, piece by piece, to a file, which ``finish(_:)`` gives its name.
  ///
  /// If the destination isn't a file, it writes there directly, and returns `nil`. A closed pipe is
  /// no error; the rest of the output goes unread.
  func draft(_ produce: (@escaping OutputSink) throws -> Void) throws -> FileDraft? {
    try BrokenPipe.isNoError { try makeDraft(produce) } ?? nil
  }

  private func makeDraft(_ produce: (@escaping OutputSink) throws -> Void) throws -> FileDraft? {
    guard let path else {
      try produce { try StandardStreams.write($0) }
      return nil
    }
    return try complaining(of: path) {
      if followsLinks, let status = try Self.status(of: path), status.type != .regular {
        // A pipe or a device is written to, never replaced.
        try write(produce, to: try .open(FilePath(path), .writeOnly, options: .closeOnExec))
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

  private static func status(of path: String) throws(Errno) -> Stat? {
    do throws(Errno) {
      return try Stat(FilePath(path), followTargetSymlink: true)
    } catch .noSuchFileOrDirectory {
      return nil
    }
  }

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
  /// Whether two paths lead to the same place, where there may be no file yet.
  static func isSamePlace(_ first: String, _ second: String) -> Bool {
    func place(_ path: String) -> String {
      URL(fileURLWithPath: path).resolvingSymlinksInPath().standardizedFileURL.path
    }
    return place(first) == place(second)
  }

  struct Place {
    let option: String
    let path: String
    let argument: String

    /// Creates the place of a file, or returns `nil` for standard output; the value of the
    /// option can be the directory that the path is in.
    init?(_ option: String, _ value: String?, path: String? = nil) {
      guard let value, value != "-" else { return nil }
      (self.option, self.path, argument) = (option, path ?? value, "\(option) \(value)")
    }
  }

  static func check(_ places: [Place?], among read: [String], logs: [LogInput] = []) throws {
    let places = places.compactMap(\.self)
    for (number, place) in places.enumerated() {
      for other in places[(number + 1)...]
      where other.option != place.option && isSamePlace(place.path, other.path) {
        throw ValidationError(
          "'\(place.option)' and '\(other.option)' name the same file, '\(other.path)'.")
      }
    }
    for place in places where InputFile.type(at: place.path) == .directory {
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
