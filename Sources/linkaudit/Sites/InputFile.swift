// Unsafe code: `read` fills a buffer that one closure lends it.

internal import AccessLogs
internal import Reporting
internal import SystemPackage

/// Files that are read whole: association files, routes, and lists of logs.
enum InputFile {
  private static let sizeLimit = 64 << 20
  static let listLimit = 1 << 30
  static let lineLimit = StreamAnswers.rowLimit

  /// The name of an input in messages: its path in quotes, or standard input for `-`.
  static func name(of path: String) -> String { path == "-" ? "standard input" : "'\(path)'" }

  static func type(at path: String) -> FileType? {
    (try? Stat(FilePath(path), followTargetSymlink: true))?.type
  }

  /// Reports that a command waits for typed input, if it reads standard input from a terminal.
  static func announceWaiting(for what: String, from path: String) {
    guard path == "-", StandardStreams.isTerminal(.standardInput) else { return }
    warn("reading \(what) from the terminal; end with Control-D")
  }

  static func read(_ path: String, what: String, limit: Int = sizeLimit) throws -> [UInt8] {
    announceWaiting(for: what, from: path)
    do {
      if path == "-" { return try readAll(.standardInput, limit) }
      let descriptor = try FileDescriptor.open(FilePath(path), .readOnly, options: .closeOnExec)
      return try descriptor.closeAfter { try readAll(descriptor, limit) }
    } catch let error as Errno {
      let name = path == "-" ? "\(what) from standard input" : "\(what) '\(path)'"
      let fault =
        error == .fileTooLarge
        ? "\(error); the limit is \(limit >> 20) MiB"
        : Self.advice(on: path).map { "\(error); \($0)" } ?? error.readingFault
      throw Complaint("cannot read \(name): \(fault)")
    }
  }

  private static func advice(on path: String) -> String? {
    if path.hasPrefix("https://") || path.hasPrefix("http://") {
      return
        "it is a URL; to download an association file, use 'linkaudit fetch HOST --from cdn --save "
        + "FILE'"
    }
    if path.hasPrefix("~/") {
      return "the shell has not expanded '~'; write '$HOME/', or put a space before the path"
    }
    return nil
  }

  /// Calls `line` with each line of standard input that isn't empty, without its
  /// end, and `afterEachRead` whenever all that has come was passed on.
  static func forEachLine(
    _ line: ([UInt8]) throws -> Void, afterEachRead: () throws -> Void
  ) throws {
    var number = 0
    try forEachChunk { bytes, lines in
      for text in bytes[lines].dropLast().split(
        separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      {
        number += 1
        guard text.count <= lineLimit else {
          throw Complaint(
            "standard input, line \(number): this line has more than \(lineLimit) bytes; write one URL a "
              + "line")
        }
        let content = text.last == UInt8(ascii: "\r") ? text.dropLast() : text
        if !content.isEmpty { try line(Array(content)) }
      }
      try afterEachRead()
    }
  }

  /// Calls `body` with bytes and the range of whole lines of standard input in them: all that have
  /// arrived, before it waits for more.
  ///
  /// Of a line longer than ``lineLimit`` bytes, at least one byte more than the limit is passed, and
  /// the rest may be skipped. The last line always has a line feed, even if the input has none there.
  static func forEachChunk(_ body: ([UInt8], Range<Int>) throws -> Void) throws {
    let lineFeed = UInt8(ascii: "\n")
    // Room for a line of the greatest length, and for one that is begun.
    var buffer = [UInt8](repeating: 0, count: 2 * lineLimit + 2)
    var (count, hasEnded, isSkipping) = (0, false, false)
    func drop(_ length: Int) {
      for index in length..<count { buffer[index - length] = buffer[index] }
      count -= length
    }
    while !hasEnded {
      repeat {
        let read = try read(into: &buffer, from: count)
        hasEnded = read == 0
        count += read
      } while !hasEnded && count < buffer.count - 1
        && StandardStreams.holdsMore(.standardInput)
      if isSkipping {
        let end = buffer[..<count].firstIndex(of: lineFeed)
        isSkipping = end == nil
        drop(end.map { $0 + 1 } ?? count)
      }
      if hasEnded, count > 0, buffer[count - 1] != lineFeed {
        buffer[count] = lineFeed
        count += 1
      }
      if let end = buffer[..<count].lastIndex(of: lineFeed) {
        try body(buffer, 0..<(end + 1))
        drop(end + 1)
      }
      if count > lineLimit {
        buffer[lineLimit + 1] = lineFeed
        try body(buffer, 0..<(lineLimit + 2))
        (count, isSkipping) = (0, true)
      }
    }
  }

  /// Reads the available bytes of standard input, or waits for some; returns 0 at its end.
  private static func read(into buffer: inout [UInt8], from start: Int) throws(Complaint) -> Int {
    while true {
      do {
        // The last byte stays free for a line feed.
        return try unsafe buffer.withUnsafeMutableBytes { bytes in
          let free = unsafe UnsafeMutableRawBufferPointer(
            rebasing: bytes[start..<(bytes.count - 1)])
          return try unsafe FileDescriptor.standardInput.read(into: free)
        }
      } catch Errno.resourceTemporarilyUnavailable {
        // Another process that shares the descriptor has made it non-blocking.
        StandardStreams.waitForMore(.standardInput)
      } catch {
        throw Complaint("cannot read standard input: \((error as? Errno ?? .ioError).readingFault)")
      }
    }
  }

  private static func readAll(_ descriptor: FileDescriptor, _ limit: Int) throws -> [UInt8] {
    guard descriptor.hasLines else { throw Errno.notSupported }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= limit {
      let count = try unsafe buffer.withUnsafeMutableBytes { try unsafe descriptor.read(into: $0) }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
    throw Errno.fileTooLarge
  }
}
