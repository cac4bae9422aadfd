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
}
