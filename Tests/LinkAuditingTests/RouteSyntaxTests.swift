import Foundation
import TestSupport
import Testing

@testable import LinkAuditing

@Suite struct RouteSyntaxTests {
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

  /// Routes of each syntax, with targets that they match, and others after `!`.
  private static let examples: [(RouteSyntax?, String, String)] = #"""
    colon
    /buy/:id => /buy/7 !/buy !/Buy/7 | buy/:id => /buy/7/ | /app/:id? => /app /app/7 !/app/7/8
    /app/:id?q => !/app/7 /app/7?q=1 | /app/:id??q => /app?q=1 !/app
    /a/:x?/b => /a/b /a/1/b !/a/1/2/b | /a/b?/c => /a/c /a/b/c | r/:a?/:b? => /r /r/1/2
    /a/:rest* => /a /a/b/c | /a/:rest+ => !/a /a/b/c | /a/*rest => /a/b/c | /a/* => /a
    /a/*/b => /a/x/b !/a/x/y/b | /:path(.*) => /a/b | /:path(.*)* => / | /:path(.+) => !/
    /a/(.*) => /a/b/c | /u/:id(\d+) => /u/7 !/u/x | /u/:id(\\d+) => !/u/x
    /u/:id([0-9]{4}) => !/u/x | /u/:id(\d+)? => /u !/u/x | /u/:id(\d+)+ => /u/1/2 !/u/1/x
    /u/:id([a-z]+) => /u/X | /:tab(home|me)/x => /me/x !/you/x | /@:user => /@tea !/tea
    /:from-:to => /de-fr !/de | /:user-id => /7 | /:file.html => /a.html !/a.htm
    /wiki/Special:Search => /wiki/Special:Search !/wiki/SpecialX
    /a(/:b)(/:c) => /a /a/1/2 !/a/1/2/3 | /:c(/:a(/:id(.:format))) => /x/y/z.json /x
    /(:locale)/a => /a /de/a | /users{/:id}/delete => /users/delete /users/7/delete
    /search?q => !/search /search?q= | /open?type=order => !/open?type=gift
    /open?type=:t&id? => /open?type=x | /caf%c3%a9/:id => /caf%C3%A9/1 | /café/:id => /caf%c3%a9/1
    /a b?é=ü => /a%20b?%c3%a9=%C3%BC | /{a}/:b => !/x/1 | '/buy/:id', => /buy/7

    braces
    /buy/{id} => /buy/7 !/buy | /buy/{id?} => /buy | /f/{path...} => /f/a/b /f
    /f/{*path} => /f/a/b | /f/{**path} => /f/a/b | /f/{path*} => /f/a | /f/{path+} => !/f
    /f/{path:path} => /f/a/b | /f/{p:.*} => /f/a/b | /f/{p:.+} => !/f | /u/{id:int} => /u/7 !/u/x
    /u/{id:int?} => /u | /u/{id:int:min(1)} => !/u/x | /u/{id:[0-9]+} => /u/7 !/u/x
    /u/{id:[0-9]{1,8}} => !/u/x | /u/{id:[^/]+} => /u/x !/u/x/y | /u/{id:guid} => !/u/7
    /u/{id:ulid} => /u/7 | /u/{id=5} => /u | /{$} => / !/a | /s{?q} => /s
    /v/{x}.json => /v/a.json !/v/a.xml | /a[/{b}] => /a | /r?n={x} => /r?n=1 !/r | /r?n={x?} => /r
    /*/{id} => /a/1 | /:a/{id} => !/x/1

    mixed
    /a[/{b}] => /a/1 | /:a/{b}/[c]/<d> => /1/2/3/4 | /wiki/Foo_(bar) => /wiki/Foo_(bar)
    /(tabs)/x => /x | / => / !/a | ?q => /?q=1 !/ | * => /a/b

    brackets
    /buy/[id] => /buy/7 | /(tabs)/buy => /buy | /b/[...r] => !/b /b/1/2 | /b/[[...r]] => /b
    /b/[[id]] => /b !/b/1/2 | /b/[a]-[b] => /b/1-2 !/b/12

    angles
    /u/<id> => /u/x | /u/<int:id> => /u/7 !/u/x | /u/<float:x> => /u/-1.5 | /u/<string:x> => /u/x
    /f/<path:p> => /f/a/b !/f | /f/<*:_> => /f/a/b
    /u/<uuid:x> => !/u/7 /u/12345678-1234-1234-1234-123456789ABC | /u/<id:\d+> => !/u/x
    /f/<p..> => /f/a/b | /u/<name>.html => /u/x.html

    expo-router
    index.tsx => / !/index | (tabs)/buy/[id].tsx => /buy/7 | (a,b)/buy.tsx => /buy
    buy/index.ios.tsx => /buy | ./app/buy/index.js => /buy | src/app/buy/[...rest].tsx => /buy/1/2
    [a.b].tsx => /x | a.b.tsx => /a.b | page.tsx => /page

    nextjs
    app/page.tsx => / | app/(shop)/buy/[id]/page.tsx => /buy/7
    src/app/@modal/buy/page.jsx => /buy | app/feed/route.ts => /feed
    app/[[...slug]]/page.tsx => / | pages/index.tsx => / | pages/a/b.tsx => /a/b
    pages/buy/[id].js => /buy/7

    detected
    /buy/:id => /buy/7 /buy/7/ !/buy !/buy/7/x | /buy/{id} => /buy/7 | /buy/[id] => /buy/7
    buy/{id} => /buy/7 | /help/* => /help /help/a/b | /help/*/x => /help/a/x !/help/a/b/x
    / => / !/a | * => /a/b | /search?q => /search?q=tea /search?p=1&q !/search
    /open?type=order&id => /open?id=1&type=order !/open?id=1&type=gift | /Buy => !/buy
    /café/:id => /caf%C3%A9/7 | /a b/:id => /a%20b/9 | /caf%C3%A9/:id => /caf%C3%A9/7
    /s?é => /s?%C3%A9=1
    """#
    .split(separator: "\n\n").flatMap { list in
      let parts = list.split(separator: "\n", maxSplits: 1)
      let syntax = RouteSyntax(rawValue: String(parts[0]))
      return rows(String(parts[1]).replacing(" | ", with: "\n")).map { (syntax, $0, $1) }
    }

  @Test(arguments: examples)
  func reads(_ syntax: RouteSyntax?, _ route: String, _ targets: String) {
    let table = RouteTable(parsing: route, syntax: syntax)
    #expect(table.routes.count == 1 && table.omissions.isEmpty, "\(table.omissions)")
    for target in targets.split(separator: " ") {
      let isMatch = table.match(target.trimmingPrefix("!")) != nil
      #expect(isMatch != target.hasPrefix("!"), "\(target)")
    }
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
    let page = TestRun.packageFolder + "/Documentation/Routes.md"
    let text = try String(contentsOfFile: page, encoding: .utf8)
    for syntax in RouteSyntax.allCases { #expect(text.contains("\n| `\(syntax.name)` | ")) }
  }

  /// In a file with `**`, `*` at the end matches one segment.
  @Test func twoStarsMakeOneStarOneSegment() {
    let table = RouteTable(parsing: "/a/*\n/b/**")
    #expect(["/a/1/2", "/a/1", "/b/1/2"].map { table.match($0) } == [nil, 0, 1])
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

  @Test(
    arguments: [
      (
        .expoRouter, .noScreen,
        "_layout.tsx (tabs)/_layout.tsx +html.tsx +not-found.tsx +native-intent.ts hello+api.ts"
      ),
      (.expoRouter, .noScreen, "a/_Dots.tsx a.test.tsx"), (.expoRouter, .noSourceFile, "a/b.png"),
      (.nextJS, .noScreen, "app/layout.tsx app/buy/loading.tsx app/_lib/page.tsx"),
      (.nextJS, .noScreen, "app/(.)photo/page.tsx pages/_app.tsx pages/404.tsx"),
    ] as [(RouteSyntax, RouteTable.Omission.Reason, String)])
  func skipsFiles(syntax: RouteSyntax, reason: RouteTable.Omission.Reason, files: String) {
    let others = syntax == .nextJS ? "app/page.tsx\npages/index.tsx\n" : ""
    for file in files.split(separator: " ") {
      let table = RouteTable(parsing: others + file, syntax: syntax)
      #expect(table.omissions.map(\.reason) == [reason], "\(file)")
    }
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
    if counts { #expect(table.match("/buy/7") != nil) }
    // Without a known host, the routes of all hosts count.
    if line.contains("://") || line.contains("=") {
      let all = RouteTable(parsing: line)
      #expect(all.routes.count == 1 && all.match("/buy/7") != nil)
      #expect(all.match("/www.a.example/buy/7") == nil || line.contains("path:path"))
    }
  }

  @Test func anythingCanBeRead() {
    let symbols = ["/", ":", "a", "{", "}", "[", "]", "(", ")", "<", ">", "*", "?", "=", "\\", "."]
    let lines = strings(over: symbols, upTo: 3).filter { $0.utf8.count == 3 }.map { $0 + "a" }
    for syntax in RouteSyntax.allCases {
      let table = RouteTable(
        parsing: lines.joined(separator: "\n"), syntax: syntax, host: "a.example")
      let numbers = table.routes.map(\.line) + table.omissions.map(\.line)
      #expect(numbers.sorted() == Array(1...lines.count))
      _ = table.match("/a/a?a=a")
    }
  }
}
