import Foundation
import Testing

@testable import LinkAuditing

@Suite struct RouteSyntaxTests {
  /// A route in some syntax, and a target that it matches or not.
  struct Example: CustomTestStringConvertible, Sendable {
    var syntax: RouteSyntax
    var route: String
    var target: String
    var matches: Bool

    init(_ syntax: RouteSyntax, _ route: String, _ target: String, _ matches: Bool) {
      (self.syntax, self.route, self.target, self.matches) = (syntax, route, target, matches)
    }

    var testDescription: String { "\(syntax.name) \(route) \(target)" }
  }

  static func matches(_ table: RouteTable, _ target: String) -> Bool {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let query = parts.count > 1 ? Array(parts[1].utf8) : []
    return table.firstMatch(path: Array(parts[0].utf8), query: query) != nil
  }

  @Test(arguments: [
    ("/buy/:id\n\n# none\n?q\n", 2, false), ("buy/:id\nhelp\n", 2, false),
    ("www.example.com/buy\n", 1, true), ("m.example.com/buy\n", 1, false),
    ("/buy\nhttps://m.example.com/buy\n", 2, true), ("'//m.example.com/buy',\n", 1, true),
    ("app/(tabs)/buy.tsx\n", 1, false), ("/to/https://m.example.com\n", 1, false),
  ])
  func detectsListsWithHosts(text: String, count: Int, namesHosts: Bool) {
    let survey = RouteTable.survey(text, hosts: ["www.example.com", "a.example.com"])
    #expect(survey == (count, namesHosts))
    guard !namesHosts else { return }
    // Then its meaning is the same for each of them.
    let tables = ["www.example.com", "a.example.com"].map { RouteTable(parsing: text, host: $0) }
    #expect(tables[0].routes == tables[1].routes && tables[0].omissions == tables[1].omissions)
  }

  static let colon: [Example] = [
    Example(.colon, "/buy/:id", "/buy/7", true), Example(.colon, "/buy/:id", "/buy", false),
    Example(.colon, "buy/:id", "/buy/7/", true), Example(.colon, "/buy/:id", "/Buy/7", false),
    Example(.colon, "/app/:id?", "/app", true), Example(.colon, "/app/:id?", "/app/7", true),
    Example(.colon, "/app/:id?", "/app/7/8", false),
    Example(.colon, "/app/:id?q", "/app/7", false),
    Example(.colon, "/app/:id?q", "/app/7?q=1", true),
    Example(.colon, "/app/:id??q", "/app?q=1", true), Example(.colon, "/app/:id??q", "/app", false),
    Example(.colon, "/a/:x?/b", "/a/b", true), Example(.colon, "/a/:x?/b", "/a/1/b", true),
    Example(.colon, "/a/:x?/b", "/a/1/2/b", false),
    Example(.colon, "/a/b?/c", "/a/c", true), Example(.colon, "/a/b?/c", "/a/b/c", true),
    Example(.colon, "r/:a?/:b?", "/r", true), Example(.colon, "r/:a?/:b?", "/r/1/2", true),
    Example(.colon, "/a/:rest*", "/a", true), Example(.colon, "/a/:rest*", "/a/b/c", true),
    Example(.colon, "/a/:rest+", "/a", false), Example(.colon, "/a/:rest+", "/a/b/c", true),
    Example(.colon, "/a/*rest", "/a/b/c", true), Example(.colon, "/a/*", "/a", true),
    Example(.colon, "/a/*/b", "/a/x/b", true), Example(.colon, "/a/*/b", "/a/x/y/b", false),
    Example(.colon, "/:path(.*)", "/a/b", true), Example(.colon, "/:path(.*)*", "/", true),
    Example(.colon, "/:path(.+)", "/", false), Example(.colon, "/a/(.*)", "/a/b/c", true),
    Example(.colon, "/u/:id(\\d+)", "/u/7", true), Example(.colon, "/u/:id(\\d+)", "/u/x", false),
    Example(.colon, "/u/:id(\\\\d+)", "/u/x", false),
    Example(.colon, "/u/:id([0-9]{4})", "/u/x", false),
    Example(.colon, "/u/:id(\\d+)?", "/u", true), Example(.colon, "/u/:id(\\d+)?", "/u/x", false),
    Example(.colon, "/u/:id(\\d+)+", "/u/1/2", true),
    Example(.colon, "/u/:id(\\d+)+", "/u/1/x", false),
    Example(.colon, "/u/:id([a-z]+)", "/u/X", true),
    Example(.colon, "/:tab(home|me)/x", "/me/x", true),
    Example(.colon, "/:tab(home|me)/x", "/you/x", false),
    Example(.colon, "/@:user", "/@tea", true), Example(.colon, "/@:user", "/tea", false),
    Example(.colon, "/:from-:to", "/de-fr", true), Example(.colon, "/:from-:to", "/de", false),
    Example(.colon, "/:user-id", "/7", true), Example(.colon, "/:file.html", "/a.html", true),
    Example(.colon, "/:file.html", "/a.htm", false),
    Example(.colon, "/wiki/Special:Search", "/wiki/Special:Search", true),
    Example(.colon, "/wiki/Special:Search", "/wiki/SpecialX", false),
    Example(.colon, "/a(/:b)(/:c)", "/a", true), Example(.colon, "/a(/:b)(/:c)", "/a/1/2", true),
    Example(.colon, "/a(/:b)(/:c)", "/a/1/2/3", false),
    Example(.colon, "/:c(/:a(/:id(.:format)))", "/x/y/z.json", true),
    Example(.colon, "/:c(/:a(/:id(.:format)))", "/x", true),
    Example(.colon, "/(:locale)/a", "/a", true), Example(.colon, "/(:locale)/a", "/de/a", true),
    Example(.colon, "/users{/:id}/delete", "/users/delete", true),
    Example(.colon, "/users{/:id}/delete", "/users/7/delete", true),
    Example(.colon, "/search?q", "/search", false),
    Example(.colon, "/search?q", "/search?q=", true),
    Example(.colon, "/open?type=order", "/open?type=gift", false),
    Example(.colon, "/open?type=:t&id?", "/open?type=x", true),
    Example(.colon, "/caf%c3%a9/:id", "/caf%C3%A9/1", true),
    Example(.colon, "/café/:id", "/caf%c3%a9/1", true),
    Example(.colon, "/a b?é=ü", "/a%20b?%c3%a9=%C3%BC", true),
    Example(.colon, "/{a}/:b", "/x/1", false), Example(.colon, "'/buy/:id',", "/buy/7", true),
  ]

  static let braces: [Example] = [
    Example(.braces, "/buy/{id}", "/buy/7", true), Example(.braces, "/buy/{id?}", "/buy", true),
    Example(.braces, "/buy/{id}", "/buy", false), Example(.braces, "/f/{path...}", "/f/a/b", true),
    Example(.braces, "/f/{path...}", "/f", true), Example(.braces, "/f/{*path}", "/f/a/b", true),
    Example(.braces, "/f/{**path}", "/f/a/b", true), Example(.braces, "/f/{path*}", "/f/a", true),
    Example(.braces, "/f/{path+}", "/f", false), Example(.braces, "/f/{path:path}", "/f/a/b", true),
    Example(.braces, "/f/{p:.*}", "/f/a/b", true), Example(.braces, "/f/{p:.+}", "/f", false),
    Example(.braces, "/u/{id:int}", "/u/7", true), Example(.braces, "/u/{id:int}", "/u/x", false),
    Example(.braces, "/u/{id:int?}", "/u", true),
    Example(.braces, "/u/{id:int:min(1)}", "/u/x", false),
    Example(.braces, "/u/{id:[0-9]+}", "/u/7", true),
    Example(.braces, "/u/{id:[0-9]+}", "/u/x", false),
    Example(.braces, "/u/{id:[0-9]{1,8}}", "/u/x", false),
    Example(.braces, "/u/{id:[^/]+}", "/u/x", true),
    Example(.braces, "/u/{id:[^/]+}", "/u/x/y", false),
    Example(.braces, "/u/{id:guid}", "/u/7", false),
    Example(.braces, "/u/{id:ulid}", "/u/7", true), Example(.braces, "/u/{id=5}", "/u", true),
    Example(.braces, "/{$}", "/", true), Example(.braces, "/{$}", "/a", false),
    Example(.braces, "/s{?q}", "/s", true), Example(.braces, "/v/{x}.json", "/v/a.json", true),
    Example(.braces, "/v/{x}.json", "/v/a.xml", false),
    Example(.braces, "/a[/{b}]", "/a", true), Example(.mixed, "/a[/{b}]", "/a/1", true),
    Example(.braces, "/r?n={x}", "/r?n=1", true), Example(.braces, "/r?n={x}", "/r", false),
    Example(.braces, "/r?n={x?}", "/r", true), Example(.braces, "/*/{id}", "/a/1", true),
    Example(.braces, "/:a/{id}", "/x/1", false),
  ]

  static let others: [Example] = [
    Example(.brackets, "/buy/[id]", "/buy/7", true),
    Example(.brackets, "/(tabs)/buy", "/buy", true),
    Example(.brackets, "/b/[...r]", "/b", false), Example(.brackets, "/b/[...r]", "/b/1/2", true),
    Example(.brackets, "/b/[[...r]]", "/b", true), Example(.brackets, "/b/[[id]]", "/b", true),
    Example(.brackets, "/b/[[id]]", "/b/1/2", false),
    Example(.brackets, "/b/[a]-[b]", "/b/1-2", true),
    Example(.brackets, "/b/[a]-[b]", "/b/12", false),
    Example(.angles, "/u/<id>", "/u/x", true), Example(.angles, "/u/<int:id>", "/u/7", true),
    Example(.angles, "/u/<int:id>", "/u/x", false),
    Example(.angles, "/u/<float:x>", "/u/-1.5", true),
    Example(.angles, "/u/<string:x>", "/u/x", true),
    Example(.angles, "/f/<path:p>", "/f/a/b", true),
    Example(.angles, "/f/<path:p>", "/f", false), Example(.angles, "/f/<*:_>", "/f/a/b", true),
    Example(.angles, "/u/<uuid:x>", "/u/7", false),
    Example(.angles, "/u/<uuid:x>", "/u/12345678-1234-1234-1234-123456789ABC", true),
    Example(.angles, "/u/<id:\\d+>", "/u/x", false), Example(.angles, "/f/<p..>", "/f/a/b", true),
    Example(.angles, "/u/<name>.html", "/u/x.html", true),
    Example(.mixed, "/:a/{b}/[c]/<d>", "/1/2/3/4", true),
    Example(.mixed, "/wiki/Foo_(bar)", "/wiki/Foo_(bar)", true),
    Example(.mixed, "/(tabs)/x", "/x", true), Example(.mixed, "/", "/", true),
    Example(.mixed, "/", "/a", false), Example(.mixed, "?q", "/?q=1", true),
    Example(.mixed, "?q", "/", false), Example(.mixed, "*", "/a/b", true),
  ]

  static let files: [Example] = [
    Example(.expoRouter, "index.tsx", "/", true),
    Example(.expoRouter, "index.tsx", "/index", false),
    Example(.expoRouter, "(tabs)/buy/[id].tsx", "/buy/7", true),
    Example(.expoRouter, "(a,b)/buy.tsx", "/buy", true),
    Example(.expoRouter, "buy/index.ios.tsx", "/buy", true),
    Example(.expoRouter, "./app/buy/index.js", "/buy", true),
    Example(.expoRouter, "src/app/buy/[...rest].tsx", "/buy/1/2", true),
    Example(.expoRouter, "[a.b].tsx", "/x", true), Example(.expoRouter, "a.b.tsx", "/a.b", true),
    Example(.expoRouter, "page.tsx", "/page", true),
    Example(.nextJS, "app/page.tsx", "/", true),
    Example(.nextJS, "app/(shop)/buy/[id]/page.tsx", "/buy/7", true),
    Example(.nextJS, "src/app/@modal/buy/page.jsx", "/buy", true),
    Example(.nextJS, "app/feed/route.ts", "/feed", true),
    Example(.nextJS, "app/[[...slug]]/page.tsx", "/", true),
    Example(.nextJS, "pages/index.tsx", "/", true), Example(.nextJS, "pages/a/b.tsx", "/a/b", true),
    Example(.nextJS, "pages/buy/[id].js", "/buy/7", true),
  ]

  @Test(arguments: colon + braces + others + files)
  func reads(_ example: Example) {
    let table = RouteTable(parsing: example.route, syntax: example.syntax)
    #expect(table.routes.count == 1 && table.omissions.isEmpty, "\(table.omissions)")
    #expect(Self.matches(table, example.target) == example.matches)
  }

  @Test(arguments: [
    ("/buy/:id\n/sell", RouteSyntax.colon), ("home\nprofile/:id?", .colon),
    ("/buy/{id}\n/search?q={x}", .braces), ("/buy/[id]\n/sell", .brackets),
    ("/u/<int:id>", .angles), ("/buy\n/sell?q={x}&r=:r", .mixed), ("", .mixed),
    ("/buy/:id\n/help/{x}\n/[l]/menu", .mixed), ("/u/:id([0-9]{4})", .colon),
    ("/a(/:b)", .colon), ("myapp://u/<int:id>", .angles), ("https://x.example:8080/a", .mixed),
    ("index.tsx\nbuy.tsx", .expoRouter), ("_layout.tsx\npage.tsx", .expoRouter),
    ("+html.tsx\nroute.ts", .expoRouter), ("app/page.tsx\napp/layout.tsx", .nextJS),
    ("pages/_app.tsx\npages/a.tsx", .nextJS), ("/a.js\n/b\n/c/:id", .colon),
    ("/x?host=a&path=b", .mixed),
  ])
  func detectsTheSyntax(text: String, syntax: RouteSyntax) {
    #expect(RouteTable(parsing: text).syntax == syntax)
    // The order of the lines doesn't matter.
    let backwards = text.split(separator: "\n").reversed().joined(separator: "\n")
    #expect(RouteTable(parsing: backwards).syntax == syntax)
  }

  @Test func everySyntaxIsDocumented() throws {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let page = package.appendingPathComponent("Documentation/Routes.md")
    let text = String(decoding: try Data(contentsOf: page), as: UTF8.self)
    for syntax in RouteSyntax.allCases { #expect(text.contains("\n| `\(syntax.name)` | ")) }
  }

  /// In a file with `**`, `*` at the end matches one segment.
  @Test func twoStarsMakeOneStarOneSegment() {
    let table = RouteTable(parsing: "/a/*\n/b/**")
    #expect(!Self.matches(table, "/a/1/2") && Self.matches(table, "/a/1"))
    #expect(Self.matches(table, "/b/1/2"))
  }

  @Test(arguments: [
    ("myapp://user/<int:id>", RouteTable.Omission.Reason.customScheme("myapp")),
    ("tel://<int:phone>", .customScheme("tel")),
    ("https://b.example/x", .otherHost("b.example")), ("//b.example/x", .otherHost("b.example")),
    ("https://*.b.example/x", .otherHost("*.b.example")),
    ("/buy/{id", .unbalanced("{")), ("/buy/:id(\\d+", .unbalanced("(")),
    ("/buy/[id", .unbalanced("[")), ("/#/wallet", .fragment),
    ("import x from 'y'", .noRoute), ("});", .noRoute), ("GET /buy", .noRoute),
    ("// screens", .noRoute),
    ("/" + String(repeating: "a(/b)", count: 40), .tooManyOptionalParts),
    (String(repeating: "/a", count: 900) + "(/b)(/c)(/d)", .tooManyOptionalParts),
    ("/" + String(repeating: "(", count: 100_000), .tooLong),
  ])
  func skipsLine(line: String, reason: RouteTable.Omission.Reason) {
    let text = "/first\n\n\(line)  # a comment\r\n/last"
    let table = RouteTable(parsing: text, syntax: .mixed, host: "a.example")
    #expect(table.routes.map(\.line) == [1, 4])
    #expect(table.omissions == [RouteTable.Omission(line: 3, text: line, reason: reason)])
    #expect(!reason.description.isEmpty && !reason.isExpected)
    // No URL can contain a bracket, whatever it means.
    if case .unbalanced = reason {
      #expect(RouteTable(parsing: line, syntax: .colon).routes.isEmpty)
    }
  }

  @Test(arguments: [
    ("_layout.tsx", RouteSyntax.expoRouter, RouteTable.Omission.Reason.noScreen),
    ("(tabs)/_layout.tsx", .expoRouter, .noScreen), ("+html.tsx", .expoRouter, .noScreen),
    ("+not-found.tsx", .expoRouter, .noScreen), ("+native-intent.ts", .expoRouter, .noScreen),
    ("hello+api.ts", .expoRouter, .noScreen), ("a/_Dots.tsx", .expoRouter, .noScreen),
    ("a.test.tsx", .expoRouter, .noScreen), ("a/b.png", .expoRouter, .noSourceFile),
    ("app/layout.tsx", .nextJS, .noScreen), ("app/buy/loading.tsx", .nextJS, .noScreen),
    ("app/_lib/page.tsx", .nextJS, .noScreen), ("app/(.)photo/page.tsx", .nextJS, .noScreen),
    ("pages/_app.tsx", .nextJS, .noScreen), ("pages/404.tsx", .nextJS, .noScreen),
  ])
  func skipsFiles(file: String, syntax: RouteSyntax, reason: RouteTable.Omission.Reason) {
    let others = syntax == .nextJS ? "app/page.tsx\npages/index.tsx\n" : ""
    let table = RouteTable(parsing: others + file, syntax: syntax)
    #expect(table.omissions.map(\.reason) == [reason])
    #expect(reason.isExpected)
  }

  @Test(arguments: [
    ("https://www.a.example/buy/:id", "www.a.example", true),
    ("HTTPS://WWW.A.example:443/buy/:id", "www.a.example", true),
    ("https://*.a.example/buy/:id", "www.a.example", true),
    ("https://*.a.example/buy/:id", "a.example", false),
    ("https://{sub}.a.example/buy/:id", "www.a.example", true),
    ("https://<appid>/<path:path>", "www.a.example", true),
    ("https://<path:path>", "www.a.example", true), ("http(s)://*/buy/:id", "a.example", true),
    ("www.a.example/buy/:id", "www.a.example", true), ("*://a.example/buy/*", "a.example", true),
    ("https://b.a.example/buy/:id", "*.a.example", true),
    ("https://b.example/buy/:id", "*.a.example", false),
    ("https://*.example/buy/:id", "*.a.example", true),
  ])
  func honorsHosts(line: String, host: String, counts: Bool) {
    let table = RouteTable(parsing: line, host: host)
    #expect((table.routes.count == 1) == counts, "\(table.omissions)")
    if counts { #expect(Self.matches(table, "/buy/7")) }
    // Without a known host, the routes of all hosts count.
    if line.contains("://") || line.contains("=") {
      let all = RouteTable(parsing: line)
      #expect(all.routes.count == 1 && Self.matches(all, "/buy/7"))
      #expect(!Self.matches(all, "/www.a.example/buy/7") || line.contains("path:path"))
    }
  }

  @Test func anythingCanBeRead() {
    let symbols = ["/", ":", "a", "{", "}", "[", "]", "(", ")", "<", ">", "*", "?", "=", "\\", "."]
    var pairs: [String] = []
    for first in symbols {
      for second in symbols {
        for third in symbols { pairs.append(first + second + third + "a") }
      }
    }
    let text = pairs.joined(separator: "\n")
    for syntax in RouteSyntax.allCases {
      let table = RouteTable(parsing: text, syntax: syntax, host: "a.example")
      #expect(table.routes.count + table.omissions.count == pairs.count)
      let lines = Set(table.routes.map(\.line)).union(table.omissions.map(\.line))
      #expect(lines == Set(1...pairs.count))
      _ = table.firstMatch(path: Array("/a/a".utf8), query: Array("a=a".utf8))
    }
  }
}
