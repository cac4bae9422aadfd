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
    var outer = DERReader(der)
    guard var certificate = outer.next(Tag.sequence)?.values,
      var fields = certificate.next(Tag.sequence)?.values
    else { return }
    _ = fields.next(Tag.version)
    _ = fields.next()  // The serial number.
    _ = fields.next()  // The algorithm.
    guard let issuer = fields.next(Tag.sequence), fields.next(Tag.sequence) != nil,
      let subject = fields.next(Tag.sequence)
    else { return }
    isSelfIssued = issuer.encoded.elementsEqual(subject.encoded)
    self.issuer = Self.name(issuer)
    self.subject = Self.name(subject)
    while let field = fields.next() {
      guard field.tag == Tag.extensions else { continue }
      var wrapper = field.values
      var extensions = wrapper.next(Tag.sequence)?.values
      while let value = extensions?.next() { readAlternativeNames(value) }
    }
  }

  private enum Tag {
    static let sequence: UInt8 = 0x30
    static let set: UInt8 = 0x31
    static let objectIdentifier: UInt8 = 0x06
    static let octets: UInt8 = 0x04
    static let version: UInt8 = 0xA0
    static let extensions: UInt8 = 0xA3
    static let hostName: UInt8 = 0x82
    static let address: UInt8 = 0x87
  }

  /// The common name in a name, else the organisation.
  private static func name(_ value: DERReader.Value) -> String {
    var names: [[UInt8]: String] = [:]
    var sets = value.values
    while let set = sets.next() {
      var attributes = set.values
      guard var attribute = attributes.next(Tag.sequence)?.values,
        let kind = attribute.next(Tag.objectIdentifier), let text = attribute.next()
      else { continue }
      names[Array(kind.content)] = String(decoding: text.content.prefix(100), as: UTF8.self)
    }
    return names[[0x55, 0x04, 0x03]] ?? names[[0x55, 0x04, 0x0A]] ?? ""
  }

  private mutating func readAlternativeNames(_ value: DERReader.Value) {
    var parts = value.values
    guard let kind = parts.next(Tag.objectIdentifier),
      kind.content.elementsEqual([0x55, 0x1D, 0x11])
    else { return }
    while let part = parts.next() {
      guard part.tag == Tag.octets else { continue }
      var wrapper = part.values
      var names = wrapper.next(Tag.sequence)?.values
      while let name = names?.next() {
        if name.tag == Tag.hostName {
          hostNames.append(String(decoding: name.content.prefix(253), as: UTF8.self))
        } else if name.tag == Tag.address {
          addresses.append(Array(name.content.prefix(16)))
        }
      }
    }
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
