internal import UniversalLinks

/// The association file is larger than systems read.
enum FileTooLarge: SiteFindingKind {
  static let code = Finding.Code.fileTooLarge
  static let title = "The association file is too large"
  static let condition = "the association file has more than 131,072 bytes"
  static let meaning = "No system reads it, so on devices it does not exist."
  static let remedy =
    "Shorten it: drop comments and white space first, then join rules that differ in one "
    + "segment, or put values into substitution variables."
  static let severity = FindingSeverity.fixed(.error)

  static func findings(in context: SiteFindingContext) -> [Finding] {
    guard let size = context.site.fileSize, size > AssociationFile.sizeLimit else { return [] }
    return [
      finding(
        .error, host: context.audit.host,
        "The association file has \(size.grouped) bytes; systems read none of more than \(AssociationFile.sizeLimit.grouped), so on devices it does not exist."
      )
    ]
  }
}
