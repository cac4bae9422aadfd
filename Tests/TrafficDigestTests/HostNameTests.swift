import AccessLogs
import TestSupport
import Testing

@testable import TrafficDigest

@Suite("Host names")
struct HostNameTests {
  @Test(
    "Addresses are told from names",
    arguments: [
      ("198.51.100.7", true), ("198.51.100.7:8443", true), ("0.0.0.0", true),
      ("255.255.255.255:1", true), ("198.51.100.7, 10.0.0.1", true),
      ("198.51.100.7,10.0.0.1", true),
      ("2001:db8::7", true), ("::ffff:198.51.100.7", true), ("[2001:db8::7]", true),
      ("[2001:db8::7]:8443", true), ("[::1", true), ("::", true), ("fe80::1%eth0", true),
      ("2001:DB8::7", true), ("2001:db8::7, 10.0.0.1", true),
      // Hosts that the URL Standard reads as an address, and texts that aren't domain names.
      ("198.51.100.7.", true), ("3325256784", true), ("0xc6336450", true), ("0XC6.0x33.1", true),
      ("0306.063.0144.0120", true), ("127.1", true), ("127.1:80", true), ("198.51.100", true),
      ("198.51.100.256", true), ("1.2.3.4.5", true), ("1..2.3", true), ("0x", true),
      // Among others, or next to bytes that no name has.
      ("unknown, 198.51.100.7", true), ("198.51.100.7/24", true), ("198.51.100.7;", true),
      ("198.51.100.7 ", true), ("198.51.100.7-", true), ("-198.51.100.7", true),
      ("+198.51.100.7", true), ("for=198.51.100.7", true), ("http://198.51.100.7/", true),
      ("198.51.100.7%%", true), ("198.51.100.7_1", true), ("198.51.100.7_:80", true),
      ("2001:db8::7.example", true), ("2001:db8::7_x", true), ("\u{FF11}98.51.100.7", true),
      ("198\u{3002}51\u{FF0E}100\u{FF61}7", true), ("\u{FF11}\u{FF19}.\u{FF11}.1.1_", true),
      ("2001:db8::7]", true), ("for=\"[2001:db8::7]:80\"", true), ("%31%39%38.51.100.7", true),
      ("198%2E51%2E100%2E7", true), ("2001%3Adb8%3A%3A7319", true),
      ("%5B2001%3Adb8%3A%3A7319%5D", true), ("unknown%2C%20198.51.100.7%2C%20proxy.example", true),
      ("\u{2460}\u{2468}.\u{2460}.\u{2460}.\u{2460}", true), ("\u{B2}\u{2070}.\u{1D7CF}", true),
      ("caf%C3%A9.example", false), ("%", false), ("%2", false), ("a%2Eexample", false),
      ("", false), ("-", false), ("www.example.com", false), ("www.example.com:8443", false),
      ("198.51.100.7.example.com", false), ("localhost:80", false), ("shop1", false),
      ("1.example2", false), ("0xg", false), ("ip-198-51-100-7", false), ("a.0x7g", false),
      ("cafe", false), ("cafe:80", false), ("[", false), ("[]", false), (",", false), (".", false),
      ("198.51.100.7a.example", false), ("198.51.100.7-8.example", false),
      ("198\u{3002}51\u{3002}100\u{3002}7\u{3002}example", false), ("\u{3001}1.example", false),
      ("caf\u{E9}.example", false), ("www.example.com.", false),
      ("www.example.com, shop.example", false),
    ])
  func addresses(host: String, isAddress: Bool) {
    #expect(HostName.isAddress(Array(host.utf8).span) == isAddress, "\(host)")
  }

  @Test(
    "What may be a client's address is no host of a digest",
    arguments: [
      "198.51.100.7:443 10.0.0.1 - - [10/Jun/2026:08:00:00 +0000] \"GET /a HTTP/1.1\" 200 5 \"-\" \"A\"",
      "[2001:db8::7]:443 10.0.0.1 - - [10/Jun/2026:08:00:00 +0000] \"GET /a HTTP/1.1\" 200 5 \"-\" \"A\"",
      "{\"host\":\"198.51.100.7\",\"method\":\"GET\",\"path\":\"/a\",\"code\":\"200\",\"agent\":\"A\"}",
      "joe:secret@198.51.100.7. 10.0.0.1 - - [10/Jun/2026:08:00:00 +0000] \"GET /a HTTP/1.1\" 200 5 \"-\" \"A\"",
      "www.example.com 10.0.0.1 - - [10/Jun/2026:08:00:00 +0000] \"GET http://198.51.100.7:8080/a HTTP/1.1\" 200 5 \"-\" \"A\"",
    ])
  func clients(line: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write((line + "\n").utf8, to: "access.log")
    let digest = try TrafficDigest.reduce(
      [LogInput(path: path)], options: ReductionOptions(defaultHost: "www.example.com"))
    let hosts = Set(try digest.records().map(\.host))
    #expect(hosts == ["(IP ADDRESSES)"], "\(hosts)")
  }

  @Test(
    "A host has no user",
    arguments: [
      ("joe:secret@www.example.com", "www.example.com"),
      ("joe@WWW.example.com:443", "www.example.com"),
      ("a@b@c", "c"), ("joe@", ""), ("fe80::443", "fe80::443"), ("[fe80::1]:443", "[fe80::1]"),
      ("www.example.com:8443", "www.example.com:8443"),
    ])
  func users(host: String, expected: String) {
    var bytes: [UInt8] = []
    HostName.append(normalizing: Array(host.utf8).span, to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == expected)
  }
}
