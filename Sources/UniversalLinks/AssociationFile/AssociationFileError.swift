internal import Foundations

/// An error in an association file that makes judging impossible.
public enum AssociationFileError: Error, Hashable {
  /// The text is not JSON.
  case notJSON(JSONSyntaxError)

  /// The text is JSON, but its value is not an object.
  case notAnObject

  /// The bytes are something else that is recognized.
  case looksLike(ForeignContent)

  /// The probable kind of content that isn't JSON.
  public struct ForeignContent: Hashable, Sendable {
    /// The kind of content, as a sentence without its full stop.
    let sentence: String

    /// The remedy, or `nil` if it is the usual one: a look at what the server sends.
    let remedy: String?

    /// A Boolean value indicating whether people can read it.
    let isText: Bool

    private init(_ sentence: String, isText: Bool = true, remedy: String? = nil) {
      (self.sentence, self.isText, self.remedy) = (sentence, isText, remedy)
    }
  }
}

extension AssociationFileError: CustomStringConvertible {
  /// The mistake, as a sentence of a message.
  public var description: String {
    switch self {
    case .notJSON(let error): "not JSON: \(error)"
    case .notAnObject: "the JSON value is not an object"
    case .looksLike(.markup):
      "this looks like an HTML or XML page, perhaps an error page; no system will read it"
    case .looksLike(.gzip): "the file is compressed; decompress it first"
    case .looksLike(let content):
      content.sentence.prefix(1).lowercased() + content.sentence.dropFirst()
        + "; no system will read it"
    }
  }
}

extension AssociationFileError.ForeignContent {
  /// A signed message without readable content.
  public static let signedMessage = Self(
    "This looks like an unreadable signed message (CMS)", isText: false)

  /// Data that gzip has compressed.
  public static let gzip = Self(
    "This is compressed with gzip; systems decompress it only if 'Content-Encoding' says so",
    isText: false, remedy: "Decompress it: 'gzip -d'.")

  /// A page in HTML or XML.
  public static let markup = Self("This is an HTML or XML page, perhaps an error page")

  /// An HTTP answer with its header fields.
  static let httpAnswer = Self(
    "This is an HTTP answer with its header fields, as 'curl -i' prints it",
    remedy: "Remove the lines before the first '{', or save the file with 'curl -o FILE'.")

  /// Text in UTF-16 or UTF-32 that cannot be decoded.
  static let wideText = Self(
    "This looks like text in UTF-16 or UTF-32, but it can't be decoded", isText: false)

  /// A template that a server has not filled in.
  static let template = Self("This is a template with placeholders that the server fills in")

  /// Recognizes content by its first bytes.
  init?(recognizing bytes: [UInt8]) {
    let start = bytes.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
    func begins(_ texts: String...) -> Bool {
      texts.contains { $0.utf8.elementsEqual(start.prefix($0.utf8.count).map(\.asciiLowercased)) }
    }
    func has(_ text: String, _ length: Int) -> Bool {
      start.prefix(length).contains(Array(text.utf8))
    }
    if SignedMessage.isRecognized(bytes) {
      self = .signedMessage
    } else if bytes.starts(with: [0x1F, 0x8B]) {
      self = .gzip
    } else if bytes.starts(with: [0x50, 0x4B, 3, 4]) {
      self = Self("This is a ZIP archive", isText: false)
    } else if [[0xFE, 0xFF], [0xFF, 0xFE]].contains(where: { bytes.starts(with: $0) })
      || bytes.prefix(2).contains(0) && bytes.count > 1
    {
      self = .wideText
    } else if begins("-----begin", "mime-version:") {
      self = Self(
        "This is a signed message as text, but systems read only DER or plain JSON",
        remedy: "Serve the JSON itself, without a signature.")
    } else if bytes.starts(with: "bplist".utf8) || begins("<!doctype plist", "<plist")
      || begins("<?xml") && has("<plist", 400)
    {
      self = Self(
        "This is a property list, such as an app's entitlements",
        remedy: "Pass it as '--entitlements FILE' if it is an app's entitlements.")
    } else if begins("{\\rtf") {
      self = Self(
        "This is a document in RTF, with the formatting of a word processor",
        remedy: "Save it as plain text: in TextEdit, Format > Make Plain Text.")
    } else if begins("http/") {
      self = .httpAnswer
    } else if start.count < 200, !start.contains(UInt8(ascii: "{")),
      begins("not found", "file not found") || Self.isErrorStatus(start)
    {
      self = Self("This is the answer of a server that has no such file")
    } else if begins("["), has("\"relation\"", 4_096),
      has("\"target\"", 4_096) || has("\"include\"", 4_096)
    {
      // The members of the statements that such a file has.
      self = Self(
        "This is an 'assetlinks.json', the file for Android apps",
        remedy:
          "Pass 'apple-app-site-association', and serve it in the same folder, '/.well-known/'.")
    } else if begins("<?php", "<%", "{%", "{{") {
      self = .template
    } else if begins("<"), !begins("<<<<<<<") {
      self = .markup
    } else if !begins("{"), start.prefix(64).contains(where: { $0 < 0x09 }) {
      self = Self("This is not text", isText: false)
    } else {
      return nil
    }
  }

  /// Returns a Boolean value indicating whether a text begins with the status code of an error.
  private static func isErrorStatus(_ text: ArraySlice<UInt8>) -> Bool {
    let digits = text.prefix(while: \.isDigit)
    return digits.count == 3 && "45".utf8.contains(digits.first ?? 0)
      && text.dropFirst(3).contains { $0.isLetterOrDigit }
  }
}
