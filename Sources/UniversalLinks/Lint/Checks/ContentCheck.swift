/// Checks the size, the signature and the kind of a file before its JSON is parsed.
enum ContentCheck {
  static let rules = [tooLarge, signed, signedUnreadable, notAFile, template]

  static let tooLarge = DiagnosticKind(
    "too-large", .error, "File too large",
    meaning: "Systems read no file of more than 131,072 bytes (128 KiB), so devices get no rules "
      + "from it.",
    remedy: AssociationFile.sizeRemedy)

  static let signed = DiagnosticKind(
    "signed", .note, "Signed file",
    meaning: "Only systems before iOS 9 needed a signature. Apple has advised against it since "
      + "2019. A signed file must be signed again after each change.",
    remedy: "Serve the JSON itself: 'openssl smime -verify -noverify -inform DER -in FILE' "
      + "prints it.")

  static let signedUnreadable = DiagnosticKind(
    "signed-unreadable", .error, "Unreadable signed message",
    meaning: "The file begins like a signed message, but contains nothing that systems can read.",
    remedy: "Serve the JSON without a signature.")

  static let notAFile = DiagnosticKind(
    "not-an-association-file", .error, "File that is not an association file",
    meaning: "No system will read this file, because it is not JSON. Often it is the site's page "
      + "for a missing file.",
    remedy: "Check what the server sends for '/.well-known/apple-app-site-association', and save "
      + "the file as plain JSON.",
    example: .file("<!DOCTYPE html>\n<title>404 Not Found</title>\n"),
    fixed: .file(#"{"applinks": {"details": []}}"#))

  static let template = DiagnosticKind(
    "template", .error, "Template instead of a file",
    meaning: "The file has placeholders that the server fills in. If it serves them as they are, "
      + "no system will read the file.",
    remedy: "Check the file that is served: 'linkaudit fetch HOST' downloads it.",
    example: .file(#"{"applinks": {"details": <%= entries.to_json %>}}"#),
    fixed: .file(#"{"applinks": {"details": []}}"#))

  static func check(size: Int, isSigned: Bool, in context: inout LintContext) {
    if isSigned {
      context.report(
        signed, at: 0..<0, "The file is a signed message. Lines and columns refer to its content.")
    }
    // The signature is removed first, so report both: each prevents reading.
    if size > AssociationFile.sizeLimit {
      context.report(
        tooLarge, at: 0..<0,
        "The file has \(size) bytes. Systems read at most \(AssociationFile.sizeLimit).")
    }
  }

  /// Reports content that isn't meant to be JSON.
  ///
  /// - Returns: Whether it is such content.
  static func reportForeign(_ bytes: [UInt8], in context: inout LintContext) -> Bool {
    guard let content = AssociationFileError.ForeignContent(recognizing: bytes),
      // The file is behind the header fields.
      content != .httpAnswer || !bytes.contains(UInt8(ascii: "{"))
    else { return false }
    let start = bytes.firstIndex { !($0 == 0x20 || (0x09...0x0D).contains($0)) } ?? 0
    let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    let range = content.isText ? start..<end : 0..<0
    switch content {
    case .signedMessage:
      context.report(
        signedUnreadable, at: range,
        "The file begins like a signed message, but has no readable content.")
    case .template:
      context.report(template, at: range, "\(content.sentence).")
    default:
      context.report(
        notAFile, at: range, "\(content.sentence); no system will read this file.",
        remedy: content.remedy)
    }
    return true
  }
}
