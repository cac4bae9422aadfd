internal import SwiftASN1

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
