internal import Foundations
internal import SwiftASN1

/// The JSON text of an association file, or of a signed message in it, in UTF-8, with the encoding
/// that it had there.
///
/// Apple's JSON parser reads UTF-8, UTF-16 and UTF-32, each with or without a byte order mark
/// (Matching.md, 6.2).
package struct EncodedText: Sendable {
  /// The text in UTF-8, without its byte order mark.
  ///
  /// The bytes of the file if they cannot be decoded.
  package private(set) var bytes: [UInt8]

  /// A Boolean value indicating whether the file is a signed message with the text in it.
  package let isSigned: Bool

  /// A Boolean value indicating whether the file begins with a byte order mark.
  package private(set) var hasByteOrderMark = false

  /// The number of bytes of a code unit of the file, 1 if it cannot be decoded, and their order.
  private var (width, isBigEndian) = (1, true)

  /// The encoding of the file, such as `UTF-16`; `UTF-8` if it cannot be decoded.
  package var encoding: String { "UTF-\(8 * width)" }

  /// Decodes the bytes of a file.
  package init(_ file: [UInt8]) {
    let content = Self.signedContent(of: file)
    let file = content ?? file
    (bytes, isSigned) = (file, content != nil)
    // UTF-32 comes first, because its little-endian mark begins with that of UTF-16.
    for form in [(1, true), (4, true), (4, false), (2, true), (2, false)] {
      (width, isBigEndian) = form
      hasByteOrderMark = file.starts(with: mark)
      // JSON begins with two ASCII characters (RFC 4627, 3).
      let isASCII =
        file.count >= 2 * width
        && values(of: file.prefix(2 * width)).allSatisfy { (0x09..<0x80).contains($0) }
      guard hasByteOrderMark || width > 1 && isASCII else { continue }
      let rest = file.dropFirst(hasByteOrderMark ? mark.count : 0)
      if let text = width == 1 ? Array(rest) : decoded(rest) {
        bytes = text
        return
      }
      break
    }
    (width, hasByteOrderMark) = (1, false)
  }

  /// Encodes a text as the file is encoded, with or without a byte order mark as it has one.
  package func encode(_ text: [UInt8]) -> [UInt8] {
    (hasByteOrderMark ? mark : [])
      + (width == 1 ? text : encoded(String(decoding: text, as: UTF8.self)))
  }

  /// The edit of the file that makes it UTF-8 without a byte order mark.
  package var editToUTF8: LintFix.Edit {
    width == 1
      ? LintFix.Edit(0..<(hasByteOrderMark ? 3 : 0), "")
      : LintFix.Edit(0..<encode(bytes).count, String(decoding: bytes, as: UTF8.self))
  }

  /// Returns the offset in the file of an offset in the text.
  package func fileOffset(of offset: Int) -> Int {
    encode(Array(bytes[..<min(offset, bytes.count)])).count
  }

  /// The bytes of U+FEFF.
  private var mark: [UInt8] { width == 1 ? Array("\u{FEFF}".utf8) : encoded("\u{FEFF}") }

  private func encoded(_ text: String) -> [UInt8] {
    let units = width == 4 ? text.unicodeScalars.map(\.value) : text.utf16.map { UInt32($0) }
    return units.flatMap { unit in
      let bigEndian = (0..<width).map { UInt8(truncatingIfNeeded: unit >> (8 * (width - 1 - $0))) }
      return isBigEndian ? bigEndian : bigEndian.reversed()
    }
  }

  /// Decodes bytes, or returns `nil` if they are not in UTF-16 or UTF-32.
  private func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    guard bytes.count.isMultiple(of: width) else { return nil }
    let units = values(of: bytes)
    let text =
      width == 4
      ? String(validating: units, as: UTF32.self)
      : String(validating: units.map { UInt16(truncatingIfNeeded: $0) }, as: UTF16.self)
    return text.map { Array($0.utf8) }
  }

  /// The numbers that the bytes of code units spell.
  private func values(of bytes: ArraySlice<UInt8>) -> [UInt32] {
    stride(from: bytes.startIndex, to: bytes.endIndex, by: width).map { start in
      let unit = bytes[start..<(start + width)]
      return (isBigEndian ? Array(unit) : unit.reversed()).reduce(0) { $0 << 8 | UInt32($1) }
    }
  }
}

// MARK: - Signed messages

/// Signed messages (CMS, RFC 5652; formerly PKCS #7), of which only the content is used.
///
/// Systems before iOS 9 required signed association files, and later ones still read them
/// (Matching.md, 6.2). The signature isn't verified, because it does not affect what the rules do.
extension EncodedText {
  private static let signedData: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 7, 2]

  /// Returns a Boolean value indicating whether bytes begin as a signed message does.
  package static func beginsSignedMessage(_ bytes: [UInt8]) -> Bool {
    guard bytes.count > 2, bytes[0] == 0x30 else { return false }
    // A sequence: its length, and if that is a single byte, an object identifier.
    return (0x80...0x84).contains(bytes[1]) || bytes[1] < 0x80 && bytes[2] == 0x06
  }

  /// Returns the signed content of bytes, or `nil` if they aren't a signed message in DER or BER, or
  /// one with its content elsewhere.
  package static func signedContent(of bytes: [UInt8]) -> [UInt8]? {
    guard beginsSignedMessage(bytes), let message = try? BER.parse(bytes) else { return nil }
    return (try? octets(of: message)).map { Array($0) }
  }

  /// The content of `ContentInfo` with `SignedData` in it (RFC 5652, 3 and 5.1).
  private static func octets(of message: ASN1Node) throws -> ArraySlice<UInt8>? {
    try DER.sequence(message, identifier: .sequence) { members in
      let type = try ASN1ObjectIdentifier(derEncoded: &members)
      guard type == signedData else { return nil }
      return try DER.explicitlyTagged(&members, tagNumber: 0, tagClass: .contextSpecific) {
        signed in
        try DER.sequence(signed, identifier: .sequence) { members in
          _ = (members.next(), members.next())
          guard let content = members.next() else { return nil }
          while members.next() != nil {}
          return try encapsulated(content)
        }
      }
    }
  }

  /// The octets of `EncapsulatedContentInfo` (RFC 5652, 5.2), or `nil` if they are elsewhere.
  private static func encapsulated(_ node: ASN1Node) throws -> ArraySlice<UInt8>? {
    try DER.sequence(node, identifier: .sequence) { members in
      _ = try ASN1ObjectIdentifier(derEncoded: &members)
      return try DER.optionalExplicitlyTagged(
        &members, tagNumber: 0, tagClass: .contextSpecific
      ) { try ASN1OctetString(berEncoded: $0).bytes }
    }
  }
}

// MARK: - Other content

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

  static let httpAnswer = Self(
    "This is an HTTP answer with its header fields, as 'curl -i' prints it",
    remedy: "Remove the lines before the first '{', or save the file with 'curl -o FILE'.")

  static let wideText = Self(
    "This looks like text in UTF-16 or UTF-32, but it can't be decoded", isText: false)

  static let template = Self("This is a template with placeholders that the server fills in")

  init?(recognizing bytes: [UInt8]) {
    let start = bytes.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
    func begins(_ texts: String...) -> Bool {
      texts.contains { $0.utf8.elementsEqual(start.prefix($0.utf8.count).map(\.asciiLowercased)) }
    }
    func has(_ text: String, _ length: Int) -> Bool {
      start.prefix(length).contains(Array(text.utf8))
    }
    if EncodedText.beginsSignedMessage(bytes) {
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
