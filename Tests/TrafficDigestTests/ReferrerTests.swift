import AccessLogs
import TestSupport
import Testing

@testable import TrafficDigest

@Suite struct ReferrerTests {
  @Test(
    arguments: [
      ("www.google.com", .search), ("www.google.co.uk", .search), ("google.de", .search),
      ("mail.google.com", .mail), ("adservice.google.com", .advert), ("google.example.net", .other),
      ("notgoogle.com", .other), ("de.search.yahoo.com", .search), ("yahoo.com", .other),
      ("yandex.com.tr", .search), ("t.co", .social), ("t.com", .other), ("not.t.co", .social),
      ("l.facebook.com", .social), ("u1.ct.sendgrid.net", .tracker), ("bit.ly", .tracker),
      ("shop.list-manage.com", .tracker), ("hello.app.link", .tracker),
      ("go.tracker.example.org", .tracker), ("tracker.example.org", .other),
      ("exact.example.org", .tracker), ("below.exact.example.org", .other),
      ("www.example.com", .ownHost), ("blog.example.com", .ownHost), ("example.com", .ownHost),
      ("click.example.com", .tracker), ("example.org", .other), ("com", .other), ("", .other),
      ("partner.net", .ownHost), ("x.partner.net", .other), ("x.partner.org", .ownHost),
      ("..", .other), (".com", .other), ("192.0.2.1", .other), ("localhost", .other),
    ] as [(String, ReferrerKind)])
  func kinds(host: String, kind: ReferrerKind) {
    let classifier = ReferrerClassifier(
      trackers: ["*.tracker.example.org", "Exact.Example.org", "click.example.com"],
      ownHosts: ["partner.net", "*.partner.org"])
    #expect(classifier.kind(of: host, for: "shop.example.com") == kind)
  }

  @Test(
    arguments: [
      ("www.example.com", "example.com"), ("example.com", "example.com"), ("com", nil),
      ("a.b.example.co.uk", "example.co.uk"), ("co.uk", "co.uk"), ("a.github.io", "a.github.io"),
      ("x.a.github.io", "a.github.io"), ("localhost", nil), ("", nil), ("a.", nil),
    ] as [(String, String?)])
  func registeredDomains(host: String, domain: String?) {
    #expect(ReferrerClassifier.registeredDomain(of: host).map(String.init) == domain)
  }

  @Test func memoAgreesWithTheClassifier() {
    let classifier = ReferrerClassifier(trackers: ["click.example.com"])
    var memo = ReferrerMemo(classifier)
    var hosts = ByteTable()
    var own = [RequestHost(), RequestHost()]
    own[0].set(named: "www.example.com", in: &hosts)
    own[1].set(named: "www.example.net", in: &hosts)
    let names = [
      "www.google.com", "www.example.com", "www.example.net", "blog.example.com",
      "click.example.com", "t.co", "a", "www.google.com.evil.example",
    ]
    var generator = SeededGenerator()
    for number in 0..<150_000 {
      let host = number % 2
      var name = generator.pick(names)
      if number % 3 == 0 { name = "h\(number).\(name)" }
      let rest = generator.pick(["", "/", "/a/b?c", "?q", ":8080/x"])
      let shown = number % 5 == 0 ? name.uppercased() : name
      let referrer = Array("https://\(shown)\(rest)".utf8)
      if memo.isFull { memo.removeAll(nil) }
      let answer = memo.answer(referrer.span, for: own[host], counting: 0)
      let expected = classifier.kind(of: name, for: ["www.example.com", "www.example.net"][host])
      if answer.kind != expected || answer.pathStart != own[host].pathStart(in: referrer.span) {
        Issue.record("https://\(shown)\(rest) for \(host): \(answer)")
      }
    }
    #expect(
      memo.answer(Array("android-app://x/".utf8).span, for: own[0], counting: 0).kind == .other)
    #expect(memo.answer(Array("junk".utf8).span, for: own[0], counting: 0).kind == .other)
  }

  /// `RECORD_DOCUMENTATION=1 swift test` rewrites the table.
  @Test func documentedHostsAreTheCodes() throws {
    var lines = ["| site | kind | hosts | found in |", "| --- | --- | --- | --- |"]
    for (kind, sites) in ReferrerKind.sites {
      lines += sites.map { DocumentedNames.line($0, kind.name) }
    }
    try DocumentedNames.check("Causes.md", mark: "hosts", lines)
  }

  /// All addresses have one number, but a link from one to another is not on the same host.
  @Test(arguments: [[0, 1], [1, 0], [0, 0, 1, 1, 0]])
  func addressesAreDistinct(order: [Int]) {
    var memo = ReferrerMemo(ReferrerClassifier())
    var hosts = ByteTable()
    let names = ["192.0.2.1", "192.0.2.2"]
    for number in order {
      var host = RequestHost()
      host.set(Array(names[number].utf8).span, in: &hosts)
      let answer = memo.answer(Array("http://192.0.2.1/p".utf8).span, for: host, counting: 0)
      #expect(answer.pathStart == (number == 0 ? 16 : nil))
    }
    #expect(hosts.count == 1)
  }

  @Test func namesAreDistinct() {
    let names = ReferrerKind.hosts.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(names.allSatisfy { $0 == $0.lowercased() })
  }

  @Test(
    arguments: [
      ("iPhone; CPU iPhone OS 8_4_1 like Mac OS X", .beforeUniversalLinks),
      ("iPhone; CPU iPhone OS 9_0 like Mac OS X", .current),
      ("iPhone; CPU iPhone OS 12_5_7 like Mac OS X", .current),
      ("iPhone; CPU iPhone OS 13_0 like Mac OS X", .before13Point5),
      ("iPhone; CPU iPhone OS 13_4_1 like Mac OS X", .before13Point5),
      ("iPhone; CPU iPhone OS 13_5 like Mac OS X", .before14),
      ("iPhone; CPU iPhone OS 13_7 like Mac OS X", .before14),
      ("iPhone; CPU iPhone OS 13_10 like Mac OS X", .before14),
      ("iPhone; CPU iPhone OS 14_0 like Mac OS X", .current),
      ("iPhone; CPU iPhone OS 17_5 like Mac OS X", .current),
      ("Macintosh; Intel Mac OS X 10_14_6", .beforeUniversalLinks),
      ("Macintosh; Intel Mac OS X 10_9", .beforeUniversalLinks),
      ("Macintosh; Intel Mac OS X 10_15_7", .current),
      ("Macintosh; Intel Mac OS X 10.13.6", .beforeUniversalLinks),
      ("Macintosh; Intel Mac OS X 11_0", .current),
    ] as [(String, SystemAge)])
  func systemAges(system: String, age: SystemAge) {
    let agent =
      "Mozilla/5.0 (\(system)) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1 "
      + (system.hasPrefix("Mac") ? "" : "Mobile/15E148 ") + "Safari/604.1"
    #expect(UserAgent(Array(agent.utf8).span).systemAge == age)
  }
}

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
    let digest = try TrafficDigest.reduce(
      log: (line + "\n").utf8, options: ReductionOptions(defaultHost: "www.example.com"))
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
