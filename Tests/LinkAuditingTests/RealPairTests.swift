import Foundation
import TestSupport
import Testing
import UniversalLinks

@testable import LinkAuditing

/// Association files and routes of the same apps, with generated logs, if such files are available.
@Suite struct RealPairTests {
  /// A file, the routes of its app, and plausible log lines.
  struct Pair: CustomTestStringConvertible, Sendable {
    var file: String
    var routes: String
    var host: String

    /// Paths that the app implements, and others.
    var implemented: [String]
    var others: [String]

    var testDescription: String { "\(file) with \(routes)" }
  }

  /// The folder of the files: the value of `CORPUS`, or a folder next to the package's.
  static let corpus =
    ProcessInfo.processInfo.environment["CORPUS"]
    ?? URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("../shared/corpus").standardized.path

  static let pairs = [
    Pair(
      file: "009.json", routes: "01-bluesky.txt", host: "bsky.app",
      implemented: [
        "/", "/search", "/profile/alice.example", "/profile/x/post/3k2", "/support/privacy",
      ],
      others: ["/profile/x/unknown", "/about/blog/1", "/start/a/b/c"]),
    Pair(
      file: "047.json", routes: "07-helium-hotspot.txt", host: "helium.com",
      implemented: ["/link_wallet/abc", "/sign_hotspot/abc"],
      others: ["/link_wallet/abc/extra", "/sign_hotspot/a/b"]),
    Pair(
      file: "032.json", routes: "06-citizenwallet-go_router.txt", host: "citizenwallet.xyz",
      implemented: ["/wallet/0x1?alias=a", "/about?x=1"], others: ["/nothing/here?x=1"]),
  ]

  @Test(arguments: pairs)
  func findsClaimsThatAreNotImplemented(pair: Pair) throws {
    guard
      let file = FileManager.default.contents(atPath: "\(Self.corpus)/aasa/\(pair.file)"),
      let routes = FileManager.default.contents(atPath: "\(Self.corpus)/routes/\(pair.routes)")
    else {
      print("no corpus in \(Self.corpus): skipped")
      return
    }
    let site = Site(
      host: pair.host, file: try AssociationFile(decoding: Array(file)),
      routes: RouteTable(parsing: String(decoding: routes, as: UTF8.self), host: pair.host))
    #expect(site.routes?.routes.isEmpty == false)
    let lines =
      pair.implemented.flatMap { CoverageTests.get($0, 200, 3) }
      + pair.others.flatMap { CoverageTests.get($0, 200, 2) }
    let audit = try #require(
      try Auditor(sites: [site]).audit(try AuditTests.digest(lines, host: pair.host)).sites.first)
    let matcher = LinkMatcher(site.file, system: .current)
    func isClaimed(_ path: String) -> Bool {
      var url = LinkURL("https://\(pair.host)\(path)", host: pair.host)
      return matcher.decisions(for: &url).contains { $0.verdict == .claimed }
    }
    let coverage = audit.coverage
    let gaps = Set(coverage.claimedNotImplemented.flatMap(\.samples))
    #expect(gaps == Set(pair.others.filter(isClaimed)))
    let missed =
      coverage.implementedNotClaimed.reduce(0) { $0 + $1.traffic.requests }
      + coverage.implementedButExcluded.reduce(0) { $0 + $1.traffic.requests }
    #expect(missed == 3 * pair.implemented.count { !isClaimed($0) })
  }
}
