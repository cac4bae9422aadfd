internal import ArgumentParser
internal import Foundations
internal import SystemPackage

/// The format of an output, derived from its name.
enum OutputForm {
  /// Returns the format for the name of a file, such as `html` for `page.html`.
  ///
  /// - Parameter output: The path of the file, or `nil` for standard output.
  /// - Returns: The format, or `nil` if the name has no ending of a format.
  /// - Throws: `ValidationError` for the ending of a format that the command doesn't have.
  static func named<Form>(_ output: String?) throws -> Form?
  where Form: ExpressibleByArgument & RawRepresentable, Form.RawValue == String {
    guard let output, let ending = ending(of: output), let name = names[ending] else { return nil }
    if let form = Form(rawValue: name) { return form }
    throw mistake(output, ending, Form.allValueStrings)
  }

  /// Checks that a file without a known format does not have the ending of another program's
  /// format.
  ///
  /// - Parameters:
  ///   - output: The path of the file, or `nil` for standard output.
  ///   - form: The format, if one is known.
  /// - Throws: `ValidationError` if the name has the ending of a format but no format is known, or
  ///   if it is the name of a directory.
  static func check<Form: ExpressibleByArgument>(_ output: String?, as form: Form?) throws {
    if let output, output.hasSuffix("/") {
      throw ValidationError("'--output \(output)' is a directory; name a file in it.")
    }
    guard form == nil, let output, let ending = ending(of: output), names[ending] == nil,
      isFormat(ending, of: output)
    else { return }
    throw mistake(output, ending, Form.allValueStrings)
  }

  /// Returns a Boolean value indicating whether an ending is that of a format.
  ///
  /// Otherwise, it is part of a name, such as that of a host or of a temporary file.
  private static func isFormat(_ ending: String, of output: String) -> Bool {
    if substitutes[ending] != nil || compressions.contains(ending) { return true }
    return (3...5).contains(ending.count) && output.hasSuffix(ending)
      && ending.utf8.allSatisfy(\.isLetter) && !neutralEndings.contains(ending)
  }

  /// The endings of files that may hold anything, and of hosts.
  private static let neutralEndings: Set = [
    "app", "back", "bak", "com", "data", "dev", "file", "info", "net", "new", "old", "org", "out",
    "part", "shop", "site", "store", "temp", "test", "tmp",
  ]

  /// Returns a Boolean value indicating whether a path ends like a file of some format.
  static func isNamed(_ path: String) -> Bool { ending(of: path).map { names[$0] != nil } ?? false }

  /// The format of files with an ending, or the one that is nearest to it; `nil` if none is.
  static func name(ofExtension ending: String) -> String? {
    names[ending.lowercased()] ?? substitutes[ending.lowercased()]
  }

  private static func mistake(
    _ output: String, _ ending: String, _ formats: [String]
  ) -> ValidationError {
    let list = formats.joined(separator: ", ")
    if compressions.contains(ending) {
      return ValidationError(
        "'--output \(output)': linkaudit doesn't compress its output; use a pipe, as in "
          + "'--format \(formats.last ?? "json") | gzip >\(output.inCommand)'.")
    }
    let substitute = name(ofExtension: ending).flatMap { name in
      [name, "nd" + name].first { formats.contains($0) }
    }
    return ValidationError(
      "'--output \(output)': '.\(ending)' is not a format of this command; "
        + (substitute.map { "use '.\($0)', or " } ?? "")
        + "choose one with '--format': \(list).")
  }

  /// Returns the ending of a file's name in lower case, or `nil` if it has none.
  ///
  /// Numbers after the last full stop of a date or a version don't count as an ending.
  private static func ending(of path: String) -> String? {
    guard let ending = FilePath(path).extension?.lowercased(),
      ending.first?.isLetter == true, ending.allSatisfy({ $0.isLetter || $0.isNumber })
    else { return nil }
    return ending
  }

  /// The names of formats by extension.
  private static let names = [
    "txt": "text", "text": "text", "log": "text", "json": "json", "csv": "csv", "html": "html",
    "htm": "html", "ndjson": "ndjson", "jsonl": "ndjson", "prom": "openmetrics", "sarif": "sarif",
    "md": "markdown", "markdown": "markdown",
  ]

  /// The formats that take the place of those of other programs.
  private static let substitutes = [
    "excel": "csv", "jsonlines": "ndjson", "metrics": "openmetrics", "numbers": "csv",
    "ods": "csv", "pdf": "html", "plain": "text", "prometheus": "openmetrics", "tsv": "csv",
    "xhtml": "html", "xls": "csv", "xlsx": "csv", "xml": "json", "yaml": "json", "yml": "json",
  ]

  private static let compressions: Set = ["bz2", "gz", "gzip", "xz", "zip", "zst"]
}
