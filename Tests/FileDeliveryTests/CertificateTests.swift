import Foundation
import TestSupport
import Testing

@testable import FileDelivery

@Suite struct CertificateTests {
  /// Self-signed, for www.example.com, *.tea.example, 192.0.2.1 and 2001:db8::1.
  static let encoded = """
    MIIByzCCAXGgAwIBAgIBBzAKBggqhkjOPQQDAjAiMQwwCgYDVQQKDANUZWExEjAQBgNVBAMMCVRlYSBIb3VzZTAeFw
    0yNjExMjExNTEyMjNaFw0yNjEyMDExNTEyMjNaMCIxDDAKBgNVBAoMA1RlYTESMBAGA1UEAwwJVGVhIEhvdXNlMFkw
    EwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAErrmT0t+3jrOvzwCwdSqsh6wK+A/YJOIBnEz3eumXvHjbnJ8+smooYBdeig
    uj0Oow/ZTrXQ4U3LRlbLQBJn53MKOBlzCBlDAdBgNVHQ4EFgQU7xHdv3WgXDlC5L2vw5ohe/SqYFUwHwYDVR0jBBgw
    FoAU7xHdv3WgXDlC5L2vw5ohe/SqYFUwDwYDVR0TAQH/BAUwAwEB/zBBBgNVHREEOjA4gg93d3cuZXhhbXBsZS5jb2
    2CDSoudGVhLmV4YW1wbGWHBMAAAgGHECABDbgAAAAAAAAAAAAAAAEwCgYIKoZIzj0EAwIDSAAwRQIgbSyKqKOGskds
    rQzF01VuwtqeEaVZu/t+q+37S/r4ts0CIQCs2WE/G0Y+M379L2pdH19JOcBKnBY+h1DEjluOrQIE8A==
    """

  static func bytes() throws -> [UInt8] {
    Array(try #require(Data(base64Encoded: encoded.filter { !$0.isWhitespace })))
  }

  static func certificate(_ bytes: [UInt8]) -> PresentedCertificate {
    PresentedCertificate(
      der: bytes, notBefore: HTTPDate(seconds: 0), notAfter: HTTPDate(seconds: 1))
  }

  @Test func namesAreRead() throws {
    let certificate = Self.certificate(try Self.bytes())
    #expect(certificate.subject == "Tea House" && certificate.issuer == "Tea House")
    #expect(certificate.isSelfIssued)
    #expect(certificate.hostNames == ["www.example.com", "*.tea.example"])
    #expect(certificate.addresses.map(\.count) == [4, 16])
  }

  @Test(arguments: [
    ("www.example.com", true), ("WWW.EXAMPLE.COM", true), ("example.com", false),
    ("x.www.example.com", false), ("green.tea.example", true), ("tea.example", false),
    ("very.green.tea.example", false), (".tea.example", false), ("192.0.2.1", true),
    ("192.0.2.2", false), ("2001:db8::1", true), ("2001:db8:0:0::1", true), ("2001:db8::2", false),
  ])
  func hostsAreToldApart(host: String, isNamed: Bool) throws {
    #expect(Self.certificate(try Self.bytes()).isFor(host) == isNamed)
  }

  @Test func aWildcardNeedsTwoLabelsBehindIt() {
    var certificate = PresentedCertificate(
      notBefore: HTTPDate(seconds: 0), notAfter: HTTPDate(seconds: 1))
    certificate.hostNames = ["*.com", "*", "*."]
    #expect(!certificate.isFor("example.com"))
    #expect(!certificate.isFor("com"))
  }

  @Test func anythingCanBeRead() throws {
    let bytes = try Self.bytes()
    for length in 0..<bytes.count { _ = Self.certificate(Array(bytes[..<length])) }
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<20_000 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        damaged[Int.random(in: 0..<damaged.count, using: &generator)] =
          UInt8.random(in: 0...255, using: &generator)
      }
      let names = Self.certificate(damaged).hostNames
      #expect(names.count < 100, "seed \(seed)")
    }
  }
}
