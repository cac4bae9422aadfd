import TestSupport
import Testing

@testable import FileDelivery

@Suite struct CertificateTests {
  /// The fields of a certificate in libcurl's list, as OpenSSL writes them.
  static let fields = [
    "Subject:O = Tea, CN = Tea House", "Issuer:O = Tea, CN = Tea House", "Version:2",
    "X509v3 Basic Constraints:CA:TRUE",
    "X509v3 Subject Alternative Name:"
      + "DNS:www.example.com, DNS:*.tea.example, IP Address:192.0.2.1, "
      + "IP Address:2001:DB8:0:0:0:0:0:1, email:tea@example.com",
    "Start date:Nov 21 15:12:23 2026 GMT", "Expire date:Dec  1 15:12:23 2026 GMT",
    "Cert:-----BEGIN CERTIFICATE-----\n",
  ]

  @Test func fieldsAreRead() throws {
    let certificate = try #require(PresentedCertificate(fields: Self.fields))
    #expect(certificate.subject == "Tea House" && certificate.issuer == "Tea House")
    #expect(certificate.isSelfIssued)
    #expect(certificate.hostNames == ["www.example.com", "*.tea.example"])
    #expect(certificate.addresses.map(\.count) == [4, 16])
    #expect(certificate.notBefore.description == "2026-11-21T15:12:23Z")
    #expect(certificate.notAfter.description == "2026-12-01T15:12:23Z")
  }

  @Test(arguments: [
    ("CN = a", "a"), ("CN=a", "a"), ("C = DE; O = Tea; CN = x", "x"), ("O = Tea, L = Y", "Tea"),
    (#"CN = a\, b, O = c"#, "a, b"), ("CN = a + O = c", "a "), ("OU = CN = x", ""), ("", ""),
  ])
  func theCommonNameOrTheOrganisationIsTheName(text: String, name: String) throws {
    let dates = ["Start date:Nov 21 15:12:23 2026 GMT", "Expire date:Nov 22 15:12:23 2026 GMT"]
    #expect(PresentedCertificate(fields: ["Issuer:" + text] + dates)?.issuer == name)
  }

  @Test func otherTLSLibrariesWriteDatesAsISO8601() throws {
    let certificate = try #require(
      PresentedCertificate(fields: [
        "Subject:CN=a", "Start Date:2020-01-01 00:00:00 GMT", "Expire Date:2021-01-01 00:00:00 GMT",
      ]))
    #expect(certificate.notAfter.description == "2021-01-01T00:00:00Z")
    #expect(!certificate.isSelfIssued)
  }

  @Test(arguments: [
    ("www.example.com", true), ("WWW.EXAMPLE.COM", true), ("example.com", false),
    ("x.www.example.com", false), ("green.tea.example", true), ("tea.example", false),
    ("very.green.tea.example", false), (".tea.example", false), ("192.0.2.1", true),
    ("192.0.2.2", false), ("2001:db8::1", true), ("2001:db8:0:0::1", true), ("2001:db8::2", false),
  ])
  func hostsAreDistinguished(host: String, isNamed: Bool) throws {
    #expect(try #require(PresentedCertificate(fields: Self.fields)).isFor(host) == isNamed)
  }

  @Test func aWildcardNeedsTwoLabelsAfterIt() {
    var certificate = PresentedCertificate(
      notBefore: HTTPDate(seconds: 0), notAfter: HTTPDate(seconds: 1))
    certificate.hostNames = ["*.com", "*", "*."]
    #expect(!certificate.isFor("example.com"))
    #expect(!certificate.isFor("com"))
  }

  @Test func anyTextCanBeRead() {
    let seed: UInt64 = 7
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<5_000 {
      let damaged = Self.fields.map { field in
        var bytes = Array(field.utf8)
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
          bytes[Int.random(in: 0..<bytes.count, using: &generator)] =
            UInt8.random(in: 0...255, using: &generator)
        }
        return String(decoding: bytes, as: UTF8.self)
      }
      #expect((PresentedCertificate(fields: damaged)?.hostNames.count ?? 0) < 100, "seed \(seed)")
    }
  }
}
