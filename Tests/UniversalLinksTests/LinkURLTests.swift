import Testing
import UniversalLinks

@Suite("URLs of links")
struct LinkURLTests {
  @Test(
    "A host stands for itself, and one behind an asterisk for all below it",
    arguments: [
      ("https://shop.example.com/a", "shop.example.com", true),
      ("https://SHOP.example.com/a", "Shop.Example.com", true),
      ("https://shop.example.com/a", "example.com", false),
      ("https://shop.example.com/a", "*.example.com", true),
      ("https://a.shop.Example.com/a", "*.EXAMPLE.com", true),
      ("https://example.com/a", "*.example.com", false),
      ("https://badexample.com/a", "*.example.com", false),
      // Browsers read the backslash as a slash, so the host is the one before it.
      ("https://evil.example\\.example.com/a", "*.example.com", false),
    ])
  func hosts(url: String, host: String, isOfHost: Bool) {
    let link = LinkURL(url, host: host)
    #expect((link.ineligibility == nil) == isOfHost, "\(url) at \(host)")
    if !isOfHost { #expect(link.ineligibility == .otherHost) }
  }

  /// A host with letters beyond ASCII is the same host as its Punycode (RFC 3492, 7.1).
  @Test(arguments: [
    ("bücher.example", "xn--bcher-kva.example"), ("MONTRÉAL.example", "xn--montral-fya.example"),
    ("www.faß.example", "www.xn--fa-hia.example"),
    ("ليهمابتكلموشعربي؟.example", "xn--egbpdaj6bu4bxfgehfvwxn.example"),
    ("他们为什么不说中文.example", "xn--ihqwcrb4cv8a8dqg056pqjye.example"),
    ("パフィーdeルンバ.example", "xn--de-jg4avhby1noc0d.example"),
  ])
  func hostsAreComparedInPunycode(_ host: String, _ punycode: String) {
    #expect(LinkURL("https://\(host)/buy", host: punycode).ineligibility == nil)
    #expect(LinkURL("https://a\(host)/buy", host: punycode).ineligibility == .otherHost)
  }
}
