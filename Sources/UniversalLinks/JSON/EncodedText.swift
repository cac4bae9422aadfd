internal import SwiftASN1

/// A JSON text in UTF-8, with the encoding that it had in its file.
///
/// Apple's JSON parser reads UTF-8, UTF-16 and UTF-32, each with or without a byte order mark
/// (Matching.md, 6.2).
package struct EncodedText: Sendable {
  /// The text in UTF-8, without its byte order mark.
  ///
  /// The bytes of the file if they cannot be decoded.
  package private(set) var bytes: [UInt8]

  /// A Boolean value indicating whether the file begins with a byte order mark.
  package private(set) var hasByteOrderMark = false

  /// The number of bytes of a code unit of the file, 1 if it cannot be decoded, and their order.
  private var (width, isBigEndian) = (1, true)

  /// The encoding of the file, such as `UTF-16`; `UTF-8` if it cannot be decoded.
  package var encoding: String { "UTF-\(8 * width)" }

  /// Decodes the bytes of a file.
  package init(_ file: [UInt8]) {
    bytes = file
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

/// A signed message (CMS, RFC 5652; formerly PKCS #7), of which only the content is used.
///
/// Systems before iOS 9 required signed association files, and later ones still read them
/// (Matching.md, 6.2). The signature isn't verified, because it does not affect what the rules do.
package enum SignedMessage {
  private static let signedData: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 7, 2]

  /// Returns a Boolean value indicating whether bytes begin as a signed message does.
  package static func isRecognized(_ bytes: [UInt8]) -> Bool {
    guard bytes.count > 2, bytes[0] == 0x30 else { return false }
    // A sequence: its length, and if that is a single byte, an object identifier.
    return (0x80...0x84).contains(bytes[1]) || bytes[1] < 0x80 && bytes[2] == 0x06
  }

  /// Returns the signed content of bytes, or `nil` if they aren't a signed message in DER or BER, or
  /// one with its content elsewhere.
  package static func content(of bytes: [UInt8]) -> [UInt8]? {
    guard isRecognized(bytes), let message = try? BER.parse(bytes) else { return nil }
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
