import Foundation
import TestSupport
import Testing

@testable import FileDelivery

@Suite struct CopyReceiverTests {
  /// Sends lines of heads to a receiver; returns it, and whether the transfer continued after each.
  static func receive(_ lines: [String]) -> (CopyReceiver, [Bool]) {
    let receiver = CopyReceiver()
    return (receiver, lines.map { receiver.receive(headLine: $0 + "\r\n") })
  }

  @Test(arguments: [
    "HTTP/1.1", "HTTP/1.1 ", "HTTP/1.1 20 OK", "HTTP/1.1 2000 OK", "HTTP/1.1 000 X",
    "HTTP/1.1 007 X", "HTTP/1.1 099 X", "HTTP/1.1 -10 X", "HTTP/1.1 2x0 X", "HTTP/1.1 ٢٠٠ X",
    "HTTP/2 99",
  ])
  func statusLinesWithoutAStatusAreNotHTTP(line: String) {
    let (receiver, isWanted) = Self.receive([line])
    #expect(isWanted == [false] && receiver.isNotHTTP && receiver.response == nil)
  }

  @Test(arguments: [200, 101, 204, 301, 404, 999]) func statusesFrom100OnAreAnswers(status: Int) {
    let (receiver, isWanted) = Self.receive(["HTTP/1.1 \(status) Whatever", "A: b", ""])
    #expect(receiver.response?.status == status)
    #expect(isWanted.last == (status == 200) && receiver.hasEnough == (status != 200))
  }

  @Test func headsThatOnlyInformAreSkipped() {
    let (receiver, isWanted) = Self.receive([
      "HTTP/1.1 103 Early Hints", "Link: x", "", "HTTP/2 200", "A:  b\t", "B:", " folded", "c", "",
    ])
    #expect(!isWanted.contains(false))
    #expect(receiver.response?.status == 200)
    #expect(receiver.response?.fields == [.init("A", "b"), .init("B", " folded")])
  }

  @Test func endlessHeadsEnd() {
    let receiver = CopyReceiver()
    var isWanted = receiver.receive(headLine: "HTTP/1.1 200 OK\r\n")
    var lines = 0
    while isWanted, lines < 10_000 {
      isWanted = receiver.receive(headLine: "X: " + String(repeating: "x", count: 1_000) + "\r\n")
      lines += 1
    }
    #expect(lines == CopyReceiver.headLimit / 1_005 + 1 && receiver.isNotHTTP)
  }

  @Test func bodiesEndAtTheLimit() {
    let (receiver, _) = Self.receive(["HTTP/1.1 200 OK", ""])
    let part = [UInt8](repeating: 0x20, count: DeliveryResponse.receivingLimit / 2)
    #expect(receiver.receive(body: part) && receiver.receive(body: part))
    #expect(!receiver.receive(body: [0x20]))
    receiver.finish(.cut)
    #expect(receiver.response?.bodyEnd == .beyondLimit)
    #expect(receiver.response?.body.count == DeliveryResponse.receivingLimit)
  }

  @Test func fieldsAfterTheBodyAreIgnored() {
    let (receiver, _) = Self.receive(["HTTP/1.1 200 OK", ""])
    #expect(receiver.receive(body: [0x7B]) && receiver.receive(headLine: "Trailer: x\r\n"))
    receiver.finish(.whole)
    #expect(receiver.response?.fields == [] && receiver.response?.bodyEnd == .whole)
  }
}

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
    let fields = [
      "Subject:CN=a", "Start Date:2020-01-01 00:00:00 GMT", "Expire Date:2021-01-01 00:00:00 GMT",
    ]
    let certificate = try #require(PresentedCertificate(fields: fields))
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
    #expect(!certificate.isFor("example.com") && !certificate.isFor("com"))
  }

  @Test func anyTextCanBeRead() {
    var generator = SeededGenerator()
    for _ in 0..<5_000 {
      let damaged = Self.fields.map { field in
        var bytes = Array(field.utf8)
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
          bytes[Int.random(in: 0..<bytes.count, using: &generator)] =
            UInt8.random(in: 0...255, using: &generator)
        }
        return String(decoding: bytes, as: UTF8.self)
      }
      #expect((PresentedCertificate(fields: damaged)?.hostNames.count ?? 0) < 100)
    }
  }
}

@Suite struct ValueTests {
  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199),
    ("Mon, 01 Mar 1999 00:00:00 GMT", 920_246_400),
    ("Fri, 31 Dec 1601 00:00:00 GMT", -11_613_024_000),
  ])
  func datesAreRead(text: String, seconds: Int) { #expect(HTTPDate(text)?.seconds == seconds) }

  @Test(arguments: [
    "", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "Sun, 06 Nov 1994 08:49:37",
    "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 00 Nov 1994 00:00:00 GMT",
    "Sun, +6 Nov 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 99999999999999999999 08:49:37 GMT",
  ])
  func otherDatesAreNone(text: String) { #expect(HTTPDate(text) == nil) }

  /// The output agrees with Foundation's.
  @Test func datesAreWritten() {
    var generator = SeededGenerator()
    for _ in 0..<1_000 {
      let seconds = Int.random(in: -10_000_000_000...200_000_000_000, using: &generator)
      let expected = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
      #expect(HTTPDate(seconds: seconds).description == expected)
    }
  }

  @Test(arguments: [
    ("https://127.0.0.1:8443", "https://127.0.0.1:8443/x"),
    ("HTTP://LocalHost/", "http://localhost/x"),
    ("https://[::1]:443/A/b/", "https://[::1]/A/b/x"),
    ("http://a-b.example:80", "http://a-b.example/x"),
  ])
  func baseURLsAreRead(text: String, url: String) { #expect(BaseURL(text)?.url(of: "/x") == url) }

  @Test(arguments: [
    "", "127.0.0.1", "ftp://x", "https://", "https://:1", "https://x:0", "https://x:65536",
    "https://x:y", "https://x:", "https://u@x", "https://x?q", "https://x/#f", "https://x/a b",
    "https://[x]", "https://[::1", "https://[::1]x", "https://[1.2]", "https://x:+1", "https://é/",
  ])
  func otherBaseURLsAreNone(text: String) { #expect(BaseURL(text) == nil) }
}
