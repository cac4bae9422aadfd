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
  public enum ForeignContent: Hashable, Sendable {
    /// A signed message without readable content.
    case signedMessage

    /// A signed message as text (PEM or S/MIME).
    case signedText

    /// Data that gzip has compressed.
    case gzip

    /// A zip archive.
    case zip

    /// A page in HTML or XML.
    case markup

    /// A property list, such as an app's entitlements.
    case propertyList

    /// A document in RTF.
    case richText

    /// An HTTP answer with its header fields.
    case httpAnswer

    /// The text of a server that has no such file.
    case missingFile

    /// Android's counterpart of an association file.
    case assetLinks

    /// Text in UTF-16 or UTF-32 that cannot be decoded.
    case wideText

    /// A template that a server has not filled in.
    case template

    /// Bytes that aren't text.
    case binary
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
  /// Recognizes content by its first bytes.
  init?(recognizing bytes: [UInt8]) {
    func begins(_ text: StaticString, _ bytes: some Collection<UInt8>) -> Bool {
      text.utf8CodeUnitCount <= bytes.count
        && Swift.zip(text.description.utf8, bytes).allSatisfy { $0 == $1.asciiLowercased }
    }
    let start = bytes.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
    if SignedMessage.isRecognized(bytes) {
      self = .signedMessage
    } else if bytes.starts(with: [0x1F, 0x8B]) {
      self = .gzip
    } else if begins("pk\u{3}\u{4}", bytes) {
      self = .zip
    } else if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE])
      || bytes.prefix(2).contains(0) && bytes.count > 1
    {
      self = .wideText
    } else if begins("-----begin", start) || begins("mime-version:", start) {
      self = .signedText
    } else if begins("bplist", bytes) || begins("<!doctype plist", start)
      || begins("<plist", start)
      || begins("<?xml", start) && start.prefix(400).contains(Array("<plist".utf8))
    {
      self = .propertyList
    } else if begins("{\\rtf", start) {
      self = .richText
    } else if begins("http/", start) {
      self = .httpAnswer
    } else if start.count < 200, !start.contains(UInt8(ascii: "{")),
      begins("not found", start) || begins("file not found", start)
        || Self.isErrorStatus(start)
    {
      self = .missingFile
    } else if start.first == UInt8(ascii: "["), Self.isAssetLinks(start) {
      self = .assetLinks
    } else if begins("<?php", start) || begins("<%", start) || begins("{%", start)
      || begins("{{", start)
    {
      self = .template
    } else if start.first == UInt8(ascii: "<"), !begins("<<<<<<<", start) {
      self = .markup
    } else if start.first != UInt8(ascii: "{"), start.prefix(64).contains(where: { $0 < 0x09 }) {
      self = .binary
    } else {
      return nil
    }
  }

  /// Returns a Boolean value indicating whether a text begins with the status code of an error.
  private static func isErrorStatus(_ text: ArraySlice<UInt8>) -> Bool {
    let digits = text.prefix { (0x30...0x39).contains($0) }
    return digits.count == 3 && "45".utf8.contains(digits.first ?? 0)
      && text.dropFirst(3).contains { $0.isLetterOrDigit }
  }

  /// Returns a Boolean value indicating whether a text has the members of statements in an
  /// `assetlinks.json`.
  private static func isAssetLinks(_ text: ArraySlice<UInt8>) -> Bool {
    let start = Array(text.prefix(4_096))
    return start.contains(Array("\"relation\"".utf8))
      && (start.contains(Array("\"target\"".utf8)) || start.contains(Array("\"include\"".utf8)))
  }

  /// The kind of content, as a sentence without its full stop.
  var sentence: String {
    switch self {
    case .signedMessage: "This looks like an unreadable signed message (CMS)"
    case .signedText: "This is a signed message as text, but systems read only DER or plain JSON"
    case .gzip:
      "This is compressed with gzip; systems decompress it only if 'Content-Encoding' says so"
    case .zip: "This is a ZIP archive"
    case .markup: "This is an HTML or XML page, perhaps an error page"
    case .propertyList: "This is a property list, such as an app's entitlements"
    case .richText: "This is a document in RTF, with the formatting of a word processor"
    case .httpAnswer: "This is an HTTP answer with its header fields, as 'curl -i' prints it"
    case .missingFile: "This is the answer of a server that has no such file"
    case .assetLinks: "This is an 'assetlinks.json', the file for Android apps"
    case .wideText: "This looks like text in UTF-16 or UTF-32, but it can't be decoded"
    case .template: "This is a template with placeholders that the server fills in"
    case .binary: "This is not text"
    }
  }

  /// The remedy, or `nil` if it is the usual one: a look at what the server sends.
  var remedy: String? {
    switch self {
    case .signedText: "Serve the JSON itself, without a signature."
    case .richText: "Save it as plain text: in TextEdit, Format > Make Plain Text."
    case .httpAnswer: "Remove the lines before the first '{', or save the file with 'curl -o FILE'."
    case .assetLinks:
      "Pass 'apple-app-site-association', and serve it in the same folder, '/.well-known/'."
    case .propertyList: "Pass it as '--entitlements FILE' if it is an app's entitlements."
    case .gzip: "Decompress it: 'gzip -d'."
    default: nil
    }
  }

  /// A Boolean value indicating whether people can read it.
  var isText: Bool {
    switch self {
    case .signedText, .markup, .propertyList, .richText, .httpAnswer, .missingFile, .assetLinks,
      .template:
      true
    case .signedMessage, .gzip, .zip, .wideText, .binary: false
    }
  }
}
