internal import ArgumentParser

extension OutputFile {
  /// Refuses to write over what is read, and two things to one place.
  ///
  /// - Parameters:
  ///   - output: Where the report goes, if it was said.
  ///   - rejects: Where rejected lines go, if they are kept.
  ///   - read: The paths of all that is read.
  /// - Throws: `ValidationError` if something would be lost.
  static func check(_ output: String?, rejects: String?, among read: [String]) throws {
    let output = output == "-" ? nil : output
    if let rejects, let output, isSamePlace(rejects, output) {
      throw ValidationError("'--rejects' and '--output' name the same file, '\(output)'.")
    }
    if let rejects { try check(rejects, option: "--rejects", among: read) }
    if let output { try check(output, option: "--output", among: read) }
  }

  private static func check(_ output: String, option: String, among read: [String]) throws {
    guard let target = Identity(output) else { return }
    for path in read where Identity(path) == target {
      throw ValidationError(
        "'\(option) \(output)' would replace '\(path)', which is read; choose another name.")
    }
  }
}
