internal import AccessLogs
internal import SystemPackage
internal import UniversalLinks

/// Recognizes access logs and association files where the other one should be.
enum LogRecognition {
  /// The number of lines that are tried.
  private static let lineLimit = 20

  /// The number of bytes that are checked.
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
    let name = InputFile.name(of: path)
    return Complaint(
      "\(name) looks like an access log, not like \(expected); for a report, use 'linkaudit report "
        + "\(path) --site HOST=FILE'")
  }

  /// Explains that a path names an access log, or returns `nil` if it does not.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - expected: The value expected in its place.
  /// - Returns: The message.
  static func complaint(aboutFile path: String, insteadOf expected: String) -> Complaint? {
    start(ofFile: path).flatMap { complaint(about: $0, path: path, insteadOf: expected) }
  }

  /// Returns a Boolean value indicating whether a path names an association file.
  ///
  /// - Parameter path: The path.
  /// - Returns: Whether its beginning looks like one, even if it is compressed.
  static func isAssociationFile(_ path: String) -> Bool {
    start(ofFile: path).map(AssociationFile.isStart) ?? false
  }

  /// The first lines of a regular file, decompressed, or `nil` if they can't be read.
  private static func start(ofFile path: String) -> [UInt8]? {
    // Reading from a pipe would take its bytes away from the next reader.
    guard InputFile.type(at: path) == .regular else {
      return nil
    }
    var reader = LogReader(LogInput(path: path))
    var chunk = LineChunk(capacity: startLength)
    return reader.next(into: &chunk) ? chunk.start(upTo: startLength) : nil
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
