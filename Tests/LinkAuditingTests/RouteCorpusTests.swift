import Foundation
import Testing

@testable import LinkAuditing

/// Route lists of real apps, which are not part of the package.
@Suite struct RouteCorpusTests {
  /// The folder of the lists: the value of `ROUTE_CORPUS`, or a folder next to the checkout.
  static let folder: URL = {
    if let path = ProcessInfo.processInfo.environment["ROUTE_CORPUS"] {
      return URL(fileURLWithPath: path)
    }
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return package.appendingPathComponent("../shared/corpus/routes").standardized
  }()

  static let isThere = FileManager.default.fileExists(
    atPath: folder.appendingPathComponent("index.jsonl").path)

  /// The expected result of reading a list.
  struct List: Sendable, CustomTestStringConvertible {
    var file: String
    var host: String?
    var syntax: RouteSyntax
    var routes: Int
    var omissions: [RouteTable.Omission.Reason] = []
    var has: [String] = []
    var lacks: [String] = []
    var testDescription: String { file }
  }

  static let lists: [List] = [
    List(
      file: "01-bluesky.txt", host: "bsky.app", syntax: .colon, routes: 34,
      has: ["/", "/profile/a.example/post/3k", "/hashtag/tea/", "/sys/debug-mod"],
      lacks: ["/profile", "/Profile/a.example", "/starter-pack/1/2"]),
    List(
      file: "02-expensify.txt", host: "new.expensify.com", syntax: .colon, routes: 76,
      has: ["/bank-account", "/bank-account/x", "/r", "/r/1/2", "/settings/wallet/card"],
      lacks: ["/r/1/2/3", "/v/1", "/"]),
    List(
      file: "03-artsy-eigen.txt", host: "artsy.net", syntax: .colon, routes: 124,
      has: ["/artist/a/anything/at/all", "/x/article/1", "/my-collection/artworks/new"],
      lacks: ["/show/1", "/artwork/a/b/c"]),
    List(
      file: "04-kickstarter-ios.txt", syntax: .colon, routes: 33,
      has: ["/projects/a/b", "/projects/a/b/posts/1/comments"], lacks: ["/projects/a"]),
    List(
      file: "05-voyager-ionic-react.txt", syntax: .colon, routes: 64,
      has: ["/posts/a/c/b", "/settings/reddit-migrate/a/b"], lacks: ["/a"]),
    List(
      file: "06-citizenwallet-go_router.txt", syntax: .colon, routes: 23,
      has: ["/wallet/a/send/link/progress"], lacks: ["/wallet"]),
    List(
      file: "07-helium-hotspot.txt", syntax: .braces, routes: 9, has: ["/payment/a"],
      lacks: ["/payment", "/payment/a/b"]),
    List(
      file: "08-my-home-assistant.txt", syntax: .mixed, routes: 88,
      has: [
        "/redirect/oauth?state=1", "/redirect/logs",
        "/redirect/supervisor_addon?repository_url=x&addon=a",
      ], lacks: ["/redirect/oauth?code=1", "/redirect/brand", "/redirect"]),
    List(
      file: "09-isowords-swift-url-routing.txt", syntax: .braces, routes: 15,
      has: ["/sharedGames/abc", "/api/config?build=1"],
      lacks: ["/api/config", "/shared-games", "/api/daily-challenges/results?language=en"]),
    List(
      file: "10-pillar-valley-expo-router.txt", syntax: .expoRouter, routes: 6,
      omissions: Array(repeating: .noScreen, count: 4),
      has: ["/", "/settings", "/settings/icon"], lacks: ["/index", "/_layout", "/settings/index"]),
    List(
      file: "11-culturepass-expo-router.txt", syntax: .expoRouter, routes: 50,
      omissions: Array(repeating: .noScreen, count: 3),
      has: ["/", "/login", "/login/signup", "/communities", "/profile/7", "/calendar"],
      lacks: ["/(tabs)/calendar", "/profile/7/x"]),
    List(
      file: "12-urlnavigator.txt", host: "www.example.com", syntax: .angles, routes: 2,
      omissions: Array(repeating: .customScheme("navigator"), count: 7)
        + [.customScheme("tel"), .customScheme("jackcat"), .customScheme("honeypot")],
      has: ["/", "/any/thing"]),
    List(
      file: "13-jlroutes.txt", syntax: .colon, routes: 10, has: ["/bills/1", "/any", "/a/b/c/d/e"]),
    List(
      file: "16-react-navigation-small.txt", syntax: .colon, routes: 10,
      has: ["/app", "/app/7", "/home", "/home/user/1", "/profile/1/"],
      lacks: ["/app/7/8", "/profile"]),
    List(
      file: "17-deeplinkdispatch-roots.txt", host: "my_awesome_site.com", syntax: .braces,
      routes: 2, omissions: [.customScheme("myscheme")],
      has: ["/a/7", "/java/1/2/3/4?show_taxes=1&queryParam=2"],
      lacks: ["/java/1/2/3/4", "/a/b/c"]),
  ]

  @Test(
    .enabled(if: isThere, "there are no lists of routes beside the checkout"),
    arguments: lists)
  func isReadAsExpected(_ list: List) throws {
    let url = Self.folder.appendingPathComponent(list.file)
    let text = String(decoding: try Data(contentsOf: url), as: UTF8.self)
    let table = RouteTable(parsing: text, host: list.host)
    #expect(table.syntax == list.syntax)
    #expect(table.routes.count == list.routes)
    #expect(table.omissions.map(\.reason) == list.omissions)
    for target in list.has { #expect(RouteSyntaxTests.matches(table, target), "\(target)") }
    for target in list.lacks { #expect(!RouteSyntaxTests.matches(table, target), "\(target)") }
    // Every line is a route or is skipped for a reason.
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).indices.filter {
      !text.split(separator: "\n", omittingEmptySubsequences: false)[$0].isEmpty
    }.map { $0 + 1 }
    #expect((table.routes.map(\.line) + table.omissions.map(\.line)).sorted() == lines)
  }

  /// The fast way agrees with the definition on paths made from the routes.
  @Test(
    .enabled(if: isThere, "there are no lists of routes beside the checkout"),
    arguments: lists)
  func agreesWithTheDefinition(_ list: List) throws {
    let url = Self.folder.appendingPathComponent(list.file)
    let text = String(decoding: try Data(contentsOf: url), as: UTF8.self)
    let table = RouteTable(parsing: text, host: list.host)
    for route in table.routes {
      let path = route.source.replacing(/[:{}\[\]<>?=&*()]/, with: "")
      for variant in [path, path + "/x", "/x" + path, path.uppercased()] {
        RouteMatcherTests.expectAgreement(table, variant.hasPrefix("/") ? variant : "/" + variant)
      }
    }
  }
}
