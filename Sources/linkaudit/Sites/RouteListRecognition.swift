internal import UniversalLinks

/// Recognizes files that are not lists of routes but would be read as lists.
enum RouteListRecognition {
  /// The number of lines that are checked.
  private static let lineLimit = 50

  /// Explains why a file is not a list of routes, or returns `nil` if it may be one.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - path: Its path; `-` for standard input.
  /// - Returns: The message.
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
    guard let column = column(in: bytes) else { return nil }
    return Complaint(
      "\(name) is a table, not a list of routes; keep only the column of paths, for example with "
        + "'cut -d\(column.separator) -f\(column.number) \(path)'")
  }

  /// Returns the column that holds the paths of a table with a heading, or `nil` if the text isn't
  /// such a table.
  private static func column(in bytes: [UInt8]) -> (separator: String, number: Int)? {
    let lines = String(decoding: bytes.prefix(1 << 16), as: UTF8.self)
      .split(whereSeparator: \.isNewline).prefix(lineLimit).filter { !$0.hasPrefix("#") }
    guard let heading = lines.first, lines.count > 1 else { return nil }
    for (separator, quoted) in [(Character(","), ","), (";", "';'")] {
      let rows = lines.map { cells(of: $0, separator) }
      // Routes have marks that names of columns don't have.
      guard let width = rows.first?.count, width > 1, rows.allSatisfy({ $0.count == width }),
        !heading.contains(where: { "/:{[<(=*".contains($0) })
      else { continue }
      let column = (0..<width).first { column in
        rows.dropFirst().allSatisfy { $0[column].hasPrefix("/") }
      }
      if let column { return (quoted, column + 1) }
    }
    return nil
  }

  /// Returns the cells of a line, without quotes around them.
  private static func cells(of line: Substring, _ separator: Character) -> [Substring] {
    line.split(separator: separator, omittingEmptySubsequences: false).map { cell in
      let text = cell.drop { $0 == " " || $0 == "\"" }
      return text.hasSuffix("\"") ? text.dropLast() : text
    }
  }
}
