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
    let own = [
      RequestHost(given: "www.example.com", in: &hosts),
      RequestHost(given: "www.example.net", in: &hosts),
    ]
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
      let answer = memo.answer(referrer.span, for: own[host], counting: 0)
      let expected = classifier.kind(of: name, for: ["www.example.com", "www.example.net"][host])
      if answer.kind != expected || answer.pathStart != own[host].pathStart(in: referrer.span) {
        Issue.record("https://\(shown)\(rest) for \(host): \(answer)")
      }
    }
    for text in ["android-app://x/", "junk"] {
      #expect(memo.answer(Array(text.utf8).span, for: own[0], counting: 0).kind == .other)
    }
  }

  /// `RECORD_DOCUMENTATION=1 swift test` rewrites the table.
  @Test func documentedHostsAreTheCodes() throws {
    var lines = ["| site | kind | hosts | found in |", "| --- | --- | --- | --- |"]
    for (kind, sites) in ReferrerKind.sites {
      lines += try DocumentedNames.lines(sites, kind.name, in: "Causes.md")
    }
    try DocumentedNames.check("Causes.md", mark: "hosts", lines)
  }

  /// All addresses have one number, but a link from one to another is not on the same host.
  @Test(arguments: [[0, 1], [1, 0], [0, 0, 1, 1, 0]]) func addressesAreDistinct(order: [Int]) {
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

  /// The ages of versions of iOS, and of macOS.
  @Test(
    arguments: [
      (.beforeUniversalLinks, ["8_4_1"], ["10_14_6", "10_9", "10.13.6"]),
      (.before13Point5, ["13_0", "13_4_1"], []), (.before14, ["13_5", "13_7", "13_10"], []),
      (.current, ["9_0", "12_5_7", "14_0", "17_5"], ["10_15_7", "11_0"]),
    ] as [(SystemAge, [String], [String])])
  func systemAges(age: SystemAge, iOS: [String], macOS: [String]) {
    let webKit = "AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1"
    let agents =
      iOS.map { "(iPhone; CPU iPhone OS \($0) like Mac OS X) \(webKit) Mobile/15E148 Safari/604.1" }
      + macOS.map { "(Macintosh; Intel Mac OS X \($0)) \(webKit) Safari/604.1" }
    for agent in agents {
      #expect(UserAgent(Array("Mozilla/5.0 \(agent)".utf8).span).systemAge == age, "\(agent)")
    }
  }
}

@Suite struct HostNameTests {
  static let clientAddresses = [
    "198.51.100.7", "198.51.100.7:8443", "0.0.0.0", "255.255.255.255:1", "198.51.100.7, 10.0.0.1",
    "198.51.100.7,10.0.0.1", "2001:db8::7", "::ffff:198.51.100.7", "[2001:db8::7]",
    "[2001:db8::7]:8443", "[::1", "::", "fe80::1%eth0", "2001:DB8::7", "2001:db8::7, 10.0.0.1",
    // Hosts that the URL Standard reads as an address, and texts that aren't domain names.
    "198.51.100.7.", "3325256784", "0xc6336450", "0XC6.0x33.1", "0306.063.0144.0120", "127.1",
    "127.1:80", "198.51.100", "198.51.100.256", "1.2.3.4.5", "1..2.3", "0x",
    // Among others, or next to bytes that no name has.
    "unknown, 198.51.100.7", "198.51.100.7/24", "198.51.100.7;", "198.51.100.7 ", "198.51.100.7-",
    "-198.51.100.7", "+198.51.100.7", "for=198.51.100.7", "http://198.51.100.7/", "198.51.100.7%%",
    "198.51.100.7_1", "198.51.100.7_:80", "2001:db8::7.example", "2001:db8::7_x",
    "\u{FF11}98.51.100.7", "198\u{3002}51\u{FF0E}100\u{FF61}7", "\u{FF11}\u{FF19}.\u{FF11}.1.1_",
    "2001:db8::7]", "for=\"[2001:db8::7]:80\"", "%31%39%38.51.100.7", "198%2E51%2E100%2E7",
    "2001%3Adb8%3A%3A7319", "%5B2001%3Adb8%3A%3A7319%5D",
    "unknown%2C%20198.51.100.7%2C%20proxy.example", "\u{2460}\u{2468}.\u{2460}.\u{2460}.\u{2460}",
    "\u{B2}\u{2070}.\u{1D7CF}",
  ]

  static let hostNames = [
    "caf%C3%A9.example", "%", "%2", "a%2Eexample", "", "-", "www.example.com",
    "www.example.com:8443", "198.51.100.7.example.com", "localhost:80", "shop1", "1.example2",
    "0xg", "ip-198-51-100-7", "a.0x7g", "cafe", "cafe:80", "[", "[]", ",", ".",
    "198.51.100.7a.example", "198.51.100.7-8.example",
    "198\u{3002}51\u{3002}100\u{3002}7\u{3002}example", "\u{3001}1.example", "caf\u{E9}.example",
    "www.example.com.", "www.example.com, shop.example",
  ]

  @Test(arguments: clientAddresses.map { ($0, true) } + hostNames.map { ($0, false) })
  func addressesAreToldFromNames(host: String, isAddress: Bool) {
    #expect(HostName.isAddress(Array(host.utf8).span) == isAddress, "\(host)")
  }

  @Test(arguments: [
    logLine("/a", host: "198.51.100.7:443"), logLine("/a", host: "[2001:db8::7]:443"),
    #"{"host":"198.51.100.7","method":"GET","path":"/a","code":"200","agent":"A"}"# + "\n",
    logLine("/a", host: "joe:secret@198.51.100.7."),
    logLine("http://198.51.100.7:8080/a", host: "www.example.com"),
  ])
  func addressesOfClientsAreNoHosts(line: String) throws {
    let digest = try TrafficDigest.reduce(
      log: line.utf8, options: ReductionOptions(defaultHost: "www.example.com"))
    let hosts = Set(try digest.records().map(\.host))
    #expect(hosts == ["(IP ADDRESSES)"], "\(hosts)")
  }

  @Test(arguments: [
    ("joe:secret@www.example.com", "www.example.com"), ("a@b@c", "c"), ("joe@", ""),
    ("joe@WWW.example.com:443", "www.example.com"), ("fe80::443", "fe80::443"),
    ("[fe80::1]:443", "[fe80::1]"), ("www.example.com:8443", "www.example.com:8443"),
  ])
  func hostsHaveNoUser(host: String, expected: String) {
    var bytes: [UInt8] = []
    HostName.append(normalizing: Array(host.utf8).span, to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == expected)
  }
}
