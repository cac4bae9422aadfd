// Unsafe code: `read` fills a buffer that one closure lends it.

internal import SystemPackage

/// Files that are read whole: association files, routes, and lists of logs.
enum InputFile {
  /// The greatest number of bytes that is read unless told otherwise.
  private static let sizeLimit = 64 << 20

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - path: The path; `-` for standard input.
  ///   - what: What the file is for, in messages.
  ///   - limit: The greatest number of bytes.
  /// - Returns: The bytes of the file.
  /// - Throws: ``Complaint`` if it can't be read.
  static func read(_ path: String, what: String, limit: Int = sizeLimit) throws -> [UInt8] {
    do {
      if path == "-" { return try readAll(.standardInput, limit) }
      let descriptor = try FileDescriptor.open(FilePath(path), .readOnly, options: .closeOnExec)
      return try descriptor.closeAfter { try readAll(descriptor, limit) }
    } catch let error as Errno {
      throw Complaint("cannot read \(what) '\(path)': \(error)")
    }
  }

  /// Calls `line` with each line of standard input that isn't empty, without its
  /// end, and `afterEachRead` whenever all that has come was passed on.
  static func forEachLine(
    _ line: ([UInt8]) throws -> Void, afterEachRead: () throws -> Void
  ) throws {
    var rest: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    func pass(_ bytes: [UInt8]) throws {
      let text = bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes[...]
      if !text.isEmpty { try line(Array(text)) }
    }
    while true {
      let count: Int
      do {
        count = try unsafe buffer.withUnsafeMutableBytes {
          try unsafe FileDescriptor.standardInput.read(into: $0)
        }
      } catch {
        throw Complaint("cannot read standard input: \(error)")
      }
      if count == 0 { break }
      var start = 0
      while let end = buffer[start..<count].firstIndex(of: UInt8(ascii: "\n")) {
        try pass(rest + buffer[start..<end])
        rest = []
        start = end + 1
      }
      rest += buffer[start..<count]
      try afterEachRead()
    }
    try pass(rest)
  }

  private static func readAll(_ descriptor: FileDescriptor, _ limit: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < limit {
      let count = try unsafe buffer.withUnsafeMutableBytes { try unsafe descriptor.read(into: $0) }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
    throw Errno.fileTooLarge
  }
}
