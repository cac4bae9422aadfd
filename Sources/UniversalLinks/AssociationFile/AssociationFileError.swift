/// An error in an association file that leaves nothing to judge by.
public enum AssociationFileError: Error, Hashable {
  /// The text is not JSON.
  case notJSON(JSONSyntaxError)

  /// The text is JSON, but its value is not an object.
  case notAnObject

  /// The bytes are something else that is recognised.
  case looksLike(ForeignContent)

  /// What bytes that aren't JSON look like.
  public enum ForeignContent: Hashable, Sendable {
    case signedMessage
    case gzip
    case markup
  }
}

extension AssociationFileError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notJSON(let error): "not JSON: \(error)"
    case .notAnObject: "the JSON value is not an object"
    case .looksLike(.signedMessage):
      "this looks like a signed file (CMS in DER), of which the JSON inside is needed: "
        + "'openssl smime -verify -noverify -inform DER -in FILE' prints it"
    case .looksLike(.gzip): "this is compressed; the JSON is needed as devices see it"
    case .looksLike(.markup):
      "this looks like an HTML or XML page, perhaps an error page; no system will read it"
    }
  }
}

extension AssociationFileError.ForeignContent {
  /// Recognises content by its first bytes.
  init?(recognizing bytes: [UInt8]) {
    let start = bytes.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
    switch (start.first, start.dropFirst().first) {
    case (0x30, .some(0x80...0x84)): self = .signedMessage
    case (0x1F, 0x8B): self = .gzip
    case (UInt8(ascii: "<"), _): self = .markup
    default: return nil
    }
  }
}
