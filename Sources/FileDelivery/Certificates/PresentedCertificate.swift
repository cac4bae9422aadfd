internal import SwiftASN1

/// What a certificate says of itself.
///
/// It is read to say why a certificate was not accepted; whether it is accepted is for the
/// library of TLS to say.
public struct PresentedCertificate: Hashable, Sendable {
  /// What its owner is called; empty if that isn't said.
  public var subject = ""

  /// What its authority is called; empty if that isn't said.
  public var issuer = ""

  /// A Boolean value indicating whether it names itself as its authority.
  public var isSelfIssued = false

  /// From when and up to when it is valid.
  public var notBefore: HTTPDate
  public var notAfter: HTTPDate

  /// The hosts that it is for; `*.example.com` is for those one level below.
  public var hostNames: [String] = []

  /// The addresses that it is for, of four or sixteen bytes.
  public var addresses: [[UInt8]] = []

  /// Creates a certificate that names nobody.
  public init(notBefore: HTTPDate, notAfter: HTTPDate) {
    (self.notBefore, self.notAfter) = (notBefore, notAfter)
  }

  /// Reads what a certificate says (RFC 5280, 4.1), as far as it can be read.
  init(der: [UInt8], notBefore: HTTPDate, notAfter: HTTPDate) {
    self.init(notBefore: notBefore, notAfter: notAfter)
    guard let certificate = try? DER.parse(der), let body = certificate.members.first else {
      return
    }
    var fields = body.members[...]
    // The version need not be there; then come serial number and algorithm.
    if fields.first?.identifier == .context(0) { fields = fields.dropFirst() }
    fields = fields.dropFirst(2)
    guard let issuer = fields.first, let subject = fields.dropFirst(2).first else { return }
    isSelfIssued = issuer.encodedBytes.elementsEqual(subject.encodedBytes)
    self.issuer = Self.name(issuer)
    self.subject = Self.name(subject)
    for field in fields where field.identifier == .context(3) {
      for list in field.members {
        for value in list.members { readAlternativeNames(value) }
      }
    }
  }

  /// The common name in a name, else the organisation (RFC 5280, 4.1.2.4).
  private static func name(_ value: ASN1Node) -> String {
    let attributes = value.members.flatMap(\.members).map(\.members).filter { $0.count == 2 }
    func text(of kind: ASN1ObjectIdentifier) -> String? {
      attributes.last { $0[0].objectIdentifier == kind }.map {
        String(decoding: $0[1].bytes.prefix(100), as: UTF8.self)
      }
    }
    return text(of: [2, 5, 4, 3]) ?? text(of: [2, 5, 4, 10]) ?? ""
  }

  /// Reads the hosts of an extension, if it is the one that has them (RFC 5280, 4.2.1.6).
  private mutating func readAlternativeNames(_ value: ASN1Node) {
    guard value.members.first?.objectIdentifier == [2, 5, 29, 17],
      let octets = value.members.last(where: { $0.identifier == .octetString }),
      let names = try? DER.parse(octets.bytes)
    else { return }
    for name in names.members {
      if name.identifier == .context(2) {
        hostNames.append(String(decoding: name.bytes.prefix(253), as: UTF8.self))
      } else if name.identifier == .context(7) {
        addresses.append(Array(name.bytes.prefix(16)))
      }
    }
  }
}

extension ASN1Node {
  /// The values that it is made of.
  fileprivate var members: [ASN1Node] {
    if case .constructed(let nodes) = content { Array(nodes) } else { [] }
  }

  /// The bytes of a value that isn't made of others.
  fileprivate var bytes: ArraySlice<UInt8> {
    if case .primitive(let bytes) = content { bytes } else { [] }
  }

  fileprivate var objectIdentifier: ASN1ObjectIdentifier? {
    try? ASN1ObjectIdentifier(derEncoded: self)
  }
}

extension ASN1Identifier {
  /// The identifier of a member that a type numbers for itself.
  fileprivate static func context(_ number: UInt) -> ASN1Identifier {
    ASN1Identifier(tagWithNumber: number, tagClass: .contextSpecific)
  }
}

extension PresentedCertificate {
  /// Returns a Boolean value indicating whether the certificate is for a host that has a name
  /// (RFC 9525, 6.3).
  func isFor(name host: String) -> Bool {
    hostNames.contains { Self.covers($0.lowercased(), host.lowercased()) }
  }

  private static func covers(_ name: String, _ host: String) -> Bool {
    guard name.hasPrefix("*.") else { return name == host }
    let suffix = name.dropFirst()
    guard suffix.dropFirst().contains("."), host.hasSuffix(suffix) else { return false }
    let label = host.dropLast(suffix.count)
    return !label.isEmpty && !label.contains(".")
  }
}
