internal import SwiftASN1

/// A JSON text in UTF-8, with the encoding that it had in its file.
///
/// Apple's JSON parser reads UTF-8, UTF-16 and UTF-32, each with or without a byte order mark
/// (Matching.md, 6.2).
package struct EncodedText: Sendable {
  /// An encoding of Unicode.
  package enum Encoding: String, Sendable {
    case utf8 = "UTF-8"
    case utf16 = "UTF-16"
    case utf32 = "UTF-32"
  }

  /// The text in UTF-8, without its byte order mark.
  ///
  /// The bytes of the file if they cannot be decoded.
  package private(set) var bytes: [UInt8]

  /// The encoding of the file; ``Encoding/utf8`` if it cannot be decoded.
  package private(set) var encoding = Encoding.utf8

  /// A Boolean value indicating whether the file begins with a byte order mark.
  package private(set) var hasByteOrderMark = false

  /// The wide encoding of the file, or `nil` if it is UTF-8.
  private var form: WideForm?

  /// Decodes the bytes of a file.
  package init(_ file: [UInt8]) {
    bytes = file
    if file.starts(with: [0xEF, 0xBB, 0xBF]) {
      (bytes, hasByteOrderMark) = (Array(file.dropFirst(3)), true)
      return
    }
    guard let form = Self.wideForms.first(where: { $0.isForm(of: file) }) else { return }
    let isMarked = file.starts(with: form.mark)
    guard let text = form.text(file.dropFirst(isMarked ? form.mark.count : 0)) else { return }
    (bytes, encoding, hasByteOrderMark) = (Array(text.utf8), form.encoding, isMarked)
    self.form = form
  }

  /// Encodes a text as the file is encoded, with or without a byte order mark as it has one.
  package func encode(_ text: [UInt8]) -> [UInt8] {
    guard let form else { return (hasByteOrderMark ? [0xEF, 0xBB, 0xBF] : []) + text }
    return (hasByteOrderMark ? form.mark : []) + form.bytes(String(decoding: text, as: UTF8.self))
  }

  /// The edit of the file that makes it UTF-8 without a byte order mark.
  package var editToUTF8: LintFix.Edit {
    form == nil
      ? LintFix.Edit(0..<(hasByteOrderMark ? 3 : 0), "")
      : LintFix.Edit(0..<encode(bytes).count, String(decoding: bytes, as: UTF8.self))
  }

  /// Returns the offset in the file of an offset in the text.
  package func fileOffset(of offset: Int) -> Int {
    encode(Array(bytes[..<min(offset, bytes.count)])).count
  }

  /// UTF-32 comes first, because its little-endian mark begins with that of UTF-16.
  private static let wideForms = [
    WideForm(encoding: .utf32, isBigEndian: true), WideForm(encoding: .utf32, isBigEndian: false),
    WideForm(encoding: .utf16, isBigEndian: true), WideForm(encoding: .utf16, isBigEndian: false),
  ]
}

/// UTF-16 or UTF-32 in one byte order.
private struct WideForm: Sendable {
  var encoding: EncodedText.Encoding
  var isBigEndian: Bool

  /// The number of bytes of a code unit.
  private var width: Int { encoding == .utf32 ? 4 : 2 }

  /// The bytes of U+FEFF.
  var mark: [UInt8] {
    let bigEndian = [UInt8](repeating: 0, count: width - 2) + [0xFE, 0xFF]
    return isBigEndian ? bigEndian : bigEndian.reversed()
  }

  /// Returns a Boolean value indicating whether a file begins in this encoding.
  ///
  /// It does if it begins with the byte order mark, or with two ASCII characters, as JSON does (RFC
  /// 4627, 3).
  func isForm(of file: [UInt8]) -> Bool {
    if file.starts(with: mark) { return true }
    guard file.count >= 2 * width else { return false }
    return [0, width].allSatisfy { start in
      let unit = value(of: file[start..<(start + width)])
      return (0x09..<0x80).contains(unit)
    }
  }

  /// Decodes bytes, or returns `nil` if they are not in this encoding.
  func text(_ bytes: ArraySlice<UInt8>) -> String? {
    guard bytes.count.isMultiple(of: width) else { return nil }
    let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: width).map {
      value(of: bytes[$0..<($0 + width)])
    }
    return width == 4
      ? String(validating: units, as: UTF32.self)
      : String(validating: units.map { UInt16(truncatingIfNeeded: $0) }, as: UTF16.self)
  }

  /// Encodes a text.
  func bytes(_ text: String) -> [UInt8] {
    let units =
      width == 4 ? text.unicodeScalars.map(\.value) : text.utf16.map { UInt32($0) }
    return units.flatMap { unit in
      let bigEndian = (0..<width).map { UInt8(truncatingIfNeeded: unit >> (8 * (width - 1 - $0))) }
      return isBigEndian ? bigEndian : bigEndian.reversed()
    }
  }

  /// The number that the bytes of a code unit spell.
  private func value(of unit: ArraySlice<UInt8>) -> UInt32 {
    var value: UInt32 = 0
    for index in unit.indices {
      let byte = isBigEndian ? index : unit.endIndex - 1 - (index - unit.startIndex)
      value = value << 8 | UInt32(unit[byte])
    }
    return value
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
      return try DER.explicitlyTagged(
        &members, tagNumber: 0, tagClass: .contextSpecific
      ) { signed in
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
