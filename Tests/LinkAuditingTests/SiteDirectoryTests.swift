import Testing

@testable import LinkAuditing

@Suite struct SiteDirectoryTests {
  static let hosts = ["www.example.com", "*.example.com", "*.shop.example.com"]

  @Test(
    arguments: [
      ("www.example.com", 0), ("m.example.com", 1), ("a.b.example.com", 1), ("example.com", nil),
      ("x.shop.example.com", 2), ("shop.example.com", 1), ("example.com.evil.test", nil),
      ("", nil), (".example.com", nil), ("notexample.com", nil),
    ] as [(String, Int?)])
  func sites(host: String, number: Int?) {
    #expect(SiteDirectory(Self.hosts).number(of: host) == number)
  }

  /// Hosts that look alike but differ in bytes are two.
  @Test func hostsAreBytes() {
    let (composed, decomposed) = ("caf\u{E9}.example", "cafe\u{301}.example")
    #expect(SiteDirectory([composed]).number(of: decomposed) == nil)
    #expect(SiteDirectory([composed, decomposed]).number(of: decomposed) == 1)
    #expect(SiteDirectory(["*." + composed]).number(of: "www." + decomposed) == nil)
  }

  @Test func aHostCanHaveAnyNumberOfLabels() {
    let labels = String(repeating: "a.", count: 200_000)
    #expect(SiteDirectory(Self.hosts).number(of: labels + "example.com") == 1)
    #expect(SiteDirectory(Self.hosts).number(of: labels + "example.net") == nil)
    #expect(SiteDirectory(["www.example.com"]).number(of: labels + "example.com") == nil)
  }

  @Test(
    arguments: [
      ("/healthz", "/healthz", true), ("/healthz", "/healthz/x", false),
      ("/healthz", "/x/healthz", false), ("/api/*", "/api/", true), ("/api/*", "/api/x/y", true),
      ("/api/*", "/api", false), ("*/ping", "/a/ping", true), ("*/ping", "/ping", true),
      ("/a*b*c", "/a12b3c", true), ("/a*b*c", "/abc", true), ("/a*b*c", "/acb", false),
      ("/a*a", "/a", false), ("*", "/", true), ("/café/*", "/caf%C3%A9/1", true),
      ("/caf%C3%A9/*", "/caf%C3%A9/1", true), ("/*.html", "/x.html", true),
      ("/a*bb*b", "/abb", false), ("/a*bb*b", "/abbb", true),
    ])
  func ignoredPaths(pattern: String, path: String, isIgnored: Bool) {
    #expect(PathPatterns([pattern]).contains(Array(path.utf8).span) == isIgnored)
  }
}
