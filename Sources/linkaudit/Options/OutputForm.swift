internal import ArgumentParser
internal import SystemPackage

/// The form of an output whose name says it.
enum OutputForm {
  /// The form that the name of a file stands for, such as `html` for `page.html`.
  ///
  /// - Parameter output: The path of the file, or `nil` for standard output.
  /// - Returns: The form, or `nil` if the name says nothing.
  /// - Throws: `ValidationError` if it says a form that isn't to be had.
  static func named<Form>(_ output: String?) throws -> Form?
  where Form: CaseIterable & RawRepresentable, Form.RawValue == String {
    guard let output, let suffix = FilePath(output).extension?.lowercased(),
      let name = names[suffix]
    else { return nil }
    if let form = Form(rawValue: name) { return form }
    throw ValidationError(
      "'--output \(output)' looks like \(name), which is none of the forms here; name one with "
        + "'--format': \(Form.allCases.map(\.rawValue).joined(separator: ", ")).")
  }

  /// The names of forms by what names of files end with.
  private static let names = [
    "txt": "text", "json": "json", "csv": "csv", "html": "html", "htm": "html",
    "ndjson": "ndjson", "jsonl": "ndjson", "prom": "openmetrics", "sarif": "sarif",
  ]
}
