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
    #expect(RegisteredDomain.domain(of: host).map(String.init) == domain)
  }

  /// The memo agrees with the classifier, whatever came before, and however often it is cleared.
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
    var generator = SystemRandomNumberGenerator()
    for number in 0..<150_000 {
      let host = number % 2
      var name = names.randomElement(using: &generator) ?? ""
      if number % 3 == 0 { name = "h\(number).\(name)" }
      let rest = ["", "/", "/a/b?c", "?q", ":8080/x"].randomElement(using: &generator) ?? ""
      let shown = number % 5 == 0 ? name.uppercased() : name
      let referrer = Array("https://\(shown)\(rest)".utf8)
      if memo.isFull { memo.removeAll(nil) }
      let answer = memo.answer(referrer.span, for: own[host], counting: 0)
      let expected = classifier.kind(
        of: name, for: ["www.example.com", "www.example.net"][host])
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
    for (kind, sites) in ReferrerHosts.sites {
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
    let names = ReferrerHosts.kinds.map(\.name)
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
