internal import AccessLogs
internal import SystemPackage

/// Recognizes access logs among files that should be something else.
enum LogRecognition {
  /// The number of lines that are tried.
  private static let lineLimit = 20

  /// The number of bytes that are looked at.
  private static let startLength = 1 << 16

  /// Explains that a file is an access log, or returns `nil` if it does not look like one.
  ///
  /// - Parameters:
  ///   - bytes: The file, which may be compressed with gzip.
  ///   - path: Its path; `-` for standard input.
  ///   - expected: The expected value.
  /// - Returns: The message.
  static func complaint(
    about bytes: [UInt8], path: String, insteadOf expected: String = "an association file"
  ) -> Complaint? {
    let isGzip = bytes.starts(with: [0x1F, 0x8B])
    let start =
      isGzip
      ? GzipBytes(decompressing: bytes, limit: startLength).bytes
      : Array(bytes.prefix(startLength))
    guard LogFormat.named.contains(where: { fits($0, start) }) else { return nil }
    let name = path == "-" ? "standard input" : "'\(path)'"
    return Complaint(
      "\(name) looks like an access log, not like \(expected); pass it to "
        + "'linkaudit report', as 'linkaudit report \(path) --site HOST=FILE'")
  }

  /// Explains that a path names an access log, or returns `nil` if it does not.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - expected: The value expected in its place.
  /// - Returns: The message.
  static func complaint(aboutFile path: String, insteadOf expected: String) -> Complaint? {
    guard (try? Stat(FilePath(path), followTargetSymlink: true))?.type == .regular else {
      return nil
    }
    var reader = LogReader(LogInput(path: path))
    var chunk = LineChunk(capacity: startLength)
    guard reader.next(into: &chunk) else { return nil }
    return complaint(about: chunk.start(upTo: startLength), path: path, insteadOf: expected)
  }

  /// Returns a Boolean value indicating whether one of the first lines is a request.
  private static func fits(_ format: LogFormat, _ start: [UInt8]) -> Bool {
    let bytes = start.span
    var parser = LogParser(format)
    var (position, seen) = (0, 0)
    while seen < lineLimit, let range = bytes.nextLine(&position) {
      seen += 1
      parser.reset()
      if case .request = parser.parse(bytes.extracting(range)) { return true }
    }
    return false
  }
}
