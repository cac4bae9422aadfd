internal import ArgumentParser
internal import SystemPackage

/// The form of an output whose name says it.
enum OutputForm {
  /// The format for the name of a file, such as `html` for `page.html`.
  ///
  /// - Parameter output: The path of the file, or `nil` for standard output.
  /// - Returns: The form, or `nil` if the name says nothing.
  /// - Throws: `ValidationError` for a format that the command doesn't have.
  static func named<Form>(_ output: String?) throws -> Form?
  where Form: CaseIterable & RawRepresentable, Form.RawValue == String {
    guard let output, let suffix = FilePath(output).extension?.lowercased(),
      let name = names[suffix]
    else { return nil }
    if let form = Form(rawValue: name) { return form }
    throw ValidationError(
      "'--output \(output)' looks like \(name), which is not a format of this command; name one with "
        + "'--format': \(Form.allCases.map(\.rawValue).joined(separator: ", ")).")
  }

  /// The names of formats by extension.
  private static let names = [
    "txt": "text", "json": "json", "csv": "csv", "html": "html", "htm": "html",
    "ndjson": "ndjson", "jsonl": "ndjson", "prom": "openmetrics", "sarif": "sarif",
  ]
}
