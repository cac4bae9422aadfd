internal import AccessLogs
internal import Foundations
internal import SystemPackage
internal import UniversalLinks

/// Recognizes access logs and association files where the other one should be.
enum LogRecognition {
  private static let startLength = 1 << 16

  /// Explains that a file is an access log, or returns `nil` if it does not look like one.
  static func complaint(
    about bytes: [UInt8], path: String, insteadOf expected: String = "an association file"
  ) -> Complaint? {
    let start =
      bytes.starts(with: [0x1F, 0x8B])
      ? Compression.gunzip(bytes, limit: startLength).bytes
      : Array(bytes.prefix(startLength))
    guard LogFormat.named.contains(where: { fits($0, start) }) else { return nil }
    let name = InputFile.name(of: path)
    return Complaint(
      "\(name) looks like an access log, not like \(expected); for a report, use 'linkaudit report "
        + "\(path.inCommand) --site HOST=FILE'")
  }

  static func complaint(aboutFile path: String, insteadOf expected: String) -> Complaint? {
    start(ofFile: path).flatMap { complaint(about: $0, path: path, insteadOf: expected) }
  }

  static func isAssociationFile(_ path: String) -> Bool {
    start(ofFile: path).map(AssociationFile.isStart) ?? false
  }

  private static func start(ofFile path: String) -> [UInt8]? {
    // Reading from a pipe would take its bytes away from the next reader.
    guard InputFile.type(at: path) == .regular else { return nil }
    var reader = LogReader(LogInput(path: path))
    var chunk = LineChunk(capacity: startLength)
    return reader.next(into: &chunk) ? chunk.start(upTo: startLength) : nil
  }

  private static func fits(_ format: LogFormat, _ start: [UInt8]) -> Bool {
    let bytes = start.span
    var parser = LogParser(format)
    var (position, seen) = (0, 0)
    while seen < 20, let range = bytes.nextLine(&position) {
      seen += 1
      parser.reset()
      if case .request = parser.parse(bytes.extracting(range)) { return true }
    }
    return false
  }
}

/// Recognizes files that are not lists of routes but would be read as lists.
enum RouteListRecognition {
  static func complaint(about bytes: [UInt8], path: String) -> Complaint? {
    let name = InputFile.name(of: path)
    if AssociationFile.isStart(bytes) {
      return Complaint(
        "\(name) looks like an association file, not like a list of routes; write the routes of the "
          + "app, one a line, such as '/buy/:id'")
    }
    // A list of routes that decodes as a log would need a status in each line.
    if let complaint = LogRecognition.complaint(
      about: bytes, path: path, insteadOf: "a list of routes")
    {
      return complaint
    }
    for (separator, quoted) in [(Character(","), ","), (";", "';'")] {
      guard let column = column(in: bytes, separatedBy: separator) else { continue }
      return Complaint(
        "\(name) is a table, not a list of routes; keep only the column of paths, for example with "
          + "'cut -d\(quoted) -f\(column) \(path.inCommand)'")
    }
    return nil
  }

  /// Returns the number of the column that holds the paths of a table with a heading, or `nil` if
  /// the text isn't such a table.
  private static func column(in bytes: [UInt8], separatedBy separator: Character) -> Int? {
    let rows = String(decoding: bytes.prefix(1 << 16), as: UTF8.self)
      .split(whereSeparator: \.isNewline).prefix(50).filter { !$0.hasPrefix("#") }
      .map { $0.split(separator: separator, omittingEmptySubsequences: false) }
    // Routes have marks that names of columns don't have.
    guard let heading = rows.first, heading.count > 1, rows.count > 1,
      rows.allSatisfy({ $0.count == heading.count }),
      !heading.joined().contains(where: { "/:{[<(=*".contains($0) })
    else { return nil }
    return heading.indices.first { column in
      rows.dropFirst().allSatisfy { $0[column].drop { " \"".contains($0) }.hasPrefix("/") }
    }.map { $0 + 1 }
  }
}
