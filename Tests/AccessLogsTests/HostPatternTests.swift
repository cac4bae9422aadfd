import Testing

@testable import AccessLogs

@Suite struct HostPatternTests {
  @Test(
    arguments: [
      ("{host}-access", "/var/log/www.example.com-access.log.1.gz", "www.example.com"),
      ("{host}-access", "www-2.Example.com-access.log", "www-2.example.com"),
      ("{host}-access", "/var/log/access.log", nil),
      ("{host}/access", "/srv/logs/www.example.com/access.log", "www.example.com"),
      ("{host}/access", "access.log", nil), ("{host}", "/logs/www.example.com", "www.example.com"),
      ("ssl_{host}.access", "/logs/ssl_www.example.com.access.log", "www.example.com"),
      ("*_{host}.access", "/logs/a_b_www.example.com.access.log", "b_www.example.com"),
      ("{host}.log", "/logs/www.example.com.log.gz", "www.example.com"),
      ("{host}/*/access", "/l/www.example.com/2026/access.log", "www.example.com"),
      ("/logs/{host}/", "/srv/logs/www.example.com/access.log", "www.example.com"),
      ("/logs/{host}/", "/srv/logs/www.example.com", nil),
      ("/logs/{host}/", "/srv/logs/www.example.com/2026/access.log", nil),
      ("*a*a*a*a*a*a*a*a*b{host}", String(repeating: "a", count: 2_000), nil),
      ("{host}-access", "-access", nil), ("{host}-access", ".-access", nil),
    ] as [(String, String, String?)])
  func hosts(pattern: String, path: String, host: String?) throws {
    #expect(try #require(HostPattern(pattern)).host(of: path) == host)
  }

  @Test func manyStarsAreOneAndManyPartsAreRefused() throws {
    let stars = String(repeating: "*", count: 100_000)
    #expect(try #require(HostPattern("{host}-" + stars)).host(of: "a.example-x") == "a.example")
    #expect(HostPattern("{host}-" + String(repeating: "*a", count: 10_000)) == nil)
  }

  @Test(arguments: ["", "access", "{host}{host}", "{hots}", "ssl_{host}."])
  func patternsWithoutOneHost(pattern: String) {
    #expect(HostPattern(pattern) == nil)
  }
}
