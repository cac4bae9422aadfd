import TestSupport
import Testing

@testable import UniversalLinks

@Suite struct EntitlementsLintTests {
  private static func found(
    _ domains: [String], hosts: [String] = ["www.example.com"], app: String? = nil
  ) throws -> [String] {
    let file = try AssociationFile(
      #"{"applinks":{"details":[{"appID":"A1B2C3D4E5.com.example.tea","paths":["*"]}]}}"#)
    let text = domains.map { "<string>\($0)</string>\n" }.joined()
    let sites = hosts.map { Entitlements.Site(host: $0, file: file, name: "aasa.json") }
    return Entitlements(domains: domains, app: app).lint(against: sites, text: Array(text.utf8))
      .map { "\($0.start.line) \($0.severity.rawValue) \($0.code)" }
  }

  @Test(
    arguments: rows(
      #"""
      applinks:www.example.com at www.example.com =>
      applinks:WWW.Example.com at www.example.com =>
      applinks:*.example.com at www.example.com and a.b.example.com =>
      applinks:*.example.com at *.example.com =>
      applinks:*.example.com at example.com => 1 warning apex-by-wildcard
      applinks:example.com at www.example.com => 1 error www-host and 1 note host-without-file
      applinks:www.example.com at example.com => 1 error www-host and 1 note host-without-file
      applinks:a.example at b.example => 1 error host-not-entitled and 1 note host-without-file
      webcredentials:www.example.com at www.example.com => 1 error no-domains
      applinks:www.example.com?mode=developer at www.example.com => 1 warning mode-left
      applinks:www.example.com?mode=test at www.example.com => 1 error malformed-domain
      applinks:www.example.com and applinks:https://www.example.com at www.example.com
        => 2 error malformed-domain
      applinks:www.example.com and applinks:www.example.com/buy at www.example.com
        => 2 error malformed-domain
      applinks:www.example.com and applinks:192.0.2.1 at www.example.com => 2 error malformed-domain
      applinks:www.example.com and appclips:*.example.com at www.example.com
        => 2 error malformed-domain
      applinks:www.example.com and applinks:www.example.com at www.example.com
        => 2 note duplicate-domain
      applinks:www.example.com and applinks:localhost?mode=developer at www.example.com
        => 2 warning mode-left and 2 note host-without-file
      applinks:www.example.com and applinks:dev.example.com:8443?mode=developer at www.example.com
        => 2 warning mode-left and 2 note host-without-file
      applinks:www.example.com and applinks:localhost at www.example.com => 2 error malformed-domain
      ␣at␣ => 1 error no-domains
      """#))
  func domainsAreComparedWithHosts(_ domainsAtHosts: String, _ expected: String) throws {
    let lists = domainsAtHosts.split(separator: " at ", omittingEmptySubsequences: false).map {
      $0.split(separator: " and ").map(String.init)
    }
    let found = try Self.found(lists[0], hosts: lists[1])
    #expect(found.sorted() == expected.split(separator: " and ").map(String.init).sorted())
  }

  @Test(arguments: [
    ("A1B2C3D4E5.com.example.tea", true), ("a1b2c3d4e5.com.example.tea", true),
    ("$(AppIdentifierPrefix)com.example.tea", true),
    ("$(AppIdentifierPrefix)com.example.coffee", false),
    ("$(AppIdentifierPrefix)$(CFBundleIdentifier)", true),
    ("$(DEVELOPMENT_TEAM).com.example.tea", true),
    ("Z1B2C3D4E5.com.example.tea", false), ("A1B2C3D4E5.com.example.Tea", false),
  ])
  func theFileNamesTheApp(_ app: String, _ isNamed: Bool) throws {
    let found = try Self.found(["applinks:www.example.com"], app: app)
    #expect(found == (isNamed ? [] : ["1 error app-not-named"]))
  }

  @Test(arguments: [
    ("applinks://www.example.com", "applinks:www.example.com"),
    ("https://www.example.com/", "applinks:www.example.com"),
    ("applinks:www.example.com:443", "applinks:www.example.com"),
    ("www.example.com", "applinks:www.example.com"),
    ("applinks:bücher.example?mode=developer", "applinks:xn--bcher-kva.example?mode=developer"),
  ])
  func malformedDomainsAreCorrected(_ domain: String, _ correct: String) {
    let found = Entitlements(domains: [domain, "applinks:a.example"], app: nil).lint(against: [])
    #expect(found.first?.code == "malformed-domain")
    #expect(found.first?.remedy == "Write '\(correct)'.")
  }
}
