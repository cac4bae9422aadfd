package import AccessLogs
package import TrafficDigest
package import UniversalLinks

/// A line of `combined` or, with a host, of `vcombined`, and its end.
public func logLine(
  _ target: String = "/", host: String? = nil, at time: String = "01/Jun/2026:10:00:00 +0200",
  method: String = "GET", status: Int = 200, size: Int = 5, from referrer: String = "-",
  agent: String = "-"
) -> String {
  "\(host.map { $0 + " " } ?? "")192.0.2.1 - - [\(time)] \"\(method) \(target) HTTP/1.1\" "
    + "\(status) \(size) \"\(referrer)\" \"\(agent)\"\n"
}

extension LineChunk {
  /// A chunk of some lines, which grows as it is filled.
  package init(_ lines: some Sequence<UInt8>) {
    self.init(capacity: 16)
    append(Array(lines).span)
  }
}

extension AssociationFile {
  /// Decodes a text.
  package init(_ text: String) throws { try self.init(decoding: Array(text.utf8)) }
}

extension TrafficDigest {
  /// The digest of one log.
  package static func reduce(
    log: some Sequence<UInt8>, options: ReductionOptions
  ) throws -> TrafficDigest {
    let folder = try TemporaryFolder()
    return try reduce([LogInput(path: folder.write(log, to: "access.log"))], options: options)
  }
}

/// The rows of a table: two texts with `=>` between them, which can begin another line.
///
/// `⏎` stands for a line feed, and `␣` for a space at an edge.
public func rows(_ table: String) -> [(String, String)] {
  table.replacing(/\n +=>/, with: " =>").split(separator: "\n").map { row in
    let parts = row.split(separator: " =>", maxSplits: 1, omittingEmptySubsequences: false)
      .map { $0.replacing("⏎", with: "\n").replacing("␣", with: " ") }
    precondition(parts.count == 2, "no row: \(row)")
    return (String(parts[0]), String(parts[1].dropFirst()))
  }
}
