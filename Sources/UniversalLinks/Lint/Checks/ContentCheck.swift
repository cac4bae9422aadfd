/// Checks the size, the signature and the kind of a file before its JSON is parsed.
enum ContentCheck {
  static let rules = [tooLarge, signed, signedUnreadable, notAFile, template]

  static let tooLarge = DiagnosticKind(
    "too-large", .error, "The file is too large",
    meaning: "Systems read no file of more than 131,072 bytes (128 KiB), so on devices it does "
      + "not exist.",
    remedy: "Drop comments and white space first, then join rules that differ in one segment, "
      + "or put values into substitution variables.")

  static let signed = DiagnosticKind(
    "signed", .note, "The file is signed",
    meaning: "Only systems before iOS 9 needed a signature. Apple advises against it since 2019; "
      + "a signed file works until whoever serves it forgets to sign it again.",
    remedy: "Serve the JSON as it is: 'openssl smime -verify -noverify -inform DER -in FILE' "
      + "prints it.")

  static let signedUnreadable = DiagnosticKind(
    "signed-unreadable", .error, "The signed message can't be read",
    meaning: "It begins as a signature does, but there is no file in it that systems could read.",
    remedy: "Serve the JSON without a signature.")

  static let notAFile = DiagnosticKind(
    "not-an-association-file", .error, "This is something else",
    meaning: "No system will read this file: it isn't JSON at all. What a site answers for a "
      + "missing page is often found here.",
    remedy: "See what the server sends for '/.well-known/apple-app-site-association', and save "
      + "that file as plain JSON.",
    example: .file("<!DOCTYPE html>\n<title>404 Not Found</title>\n"),
    fixed: .file(#"{"applinks": {"details": []}}"#))

  static let template = DiagnosticKind(
    "template", .error, "This is a template",
    meaning: "Something is still to be filled in, so this is not the file that is served, or it "
      + "is served as it is and no system will read it.",
    remedy: "Check the file that is served: 'linkaudit fetch HOST' gets it.",
    example: .file(#"{"applinks": {"details": <%= entries.to_json %>}}"#),
    fixed: .file(#"{"applinks": {"details": []}}"#))

  static func check(size: Int, isSigned: Bool, in context: inout LintContext) {
    if isSigned {
      context.report(
        signed, at: 0..<0, "The file is a signed message; lines and columns count in its content.")
    }
    // The signature is removed first, so report both: each prevents reading.
    if size > AssociationFile.sizeLimit {
      context.report(
        tooLarge, at: 0..<0,
        "The file has \(size) bytes, more than the \(AssociationFile.sizeLimit) that systems read.")
    }
  }

  /// Reports content that isn't meant to be JSON.
  ///
  /// - Returns: Whether it is such content.
  static func reportForeign(_ bytes: [UInt8], in context: inout LintContext) -> Bool {
    guard let content = AssociationFileError.ForeignContent(recognizing: bytes) else {
      return false
    }
    let start = bytes.firstIndex { !($0 == 0x20 || (0x09...0x0D).contains($0)) } ?? 0
    let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    let range = content.isText ? start..<end : 0..<0
    switch content {
    case .signedMessage:
      context.report(
        signedUnreadable, at: range,
        "This begins as a signed message does, but there is no content in it that can be read.")
    case .template:
      context.report(template, at: range, "\(content.sentence).")
    default:
      context.report(notAFile, at: range, "\(content.sentence); no system will read this file.")
    }
    return true
  }
}
