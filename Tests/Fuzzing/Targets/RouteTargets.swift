@testable import LinkAuditing

/// Lists of routes.
extension FuzzTarget {
  static let routing = [routes]

  /// A syntax, lists of routes, and a target in the last line.
  ///
  /// The definition finds the same route and the same path group.
  private static let routes = FuzzTarget(
    "routes",
    words: [
      "/:id", "/:id?", "/:id*", "/:id+", "/:id(\\d+)", "{id}", "{id:int}", "{id:uuid}", "{p...}",
      "[id]", "[...rest]", "[[...rest]]", "(tabs)/", "<int:id>", "<path:p>", "*", "**", "?q=1",
      "host=", "pathPrefix=", "pathPattern=", ".*", "scheme=https", ".tsx", "/page.tsx", "index",
      "#", "//", "https://",
    ],
    seeds: { sources in
      let routes = try sources.bytes("SampleLogs/routes.txt")
      return (0...RouteSyntax.allCases.count).map { number in
        [UInt8(number)] + routes + Array("\n/buy/1?a=b".utf8)
      }
        + [
          "\u{1}/a/:x?/b*\n/:n(\\d+)/z?q=1&r\n/a/b/c", "\u{2}/{x}/{y:int}\n/a{x}b{y}\n/a/1",
          "\u{4}/<int:x>/<path:p>\n/1/2/3", "\u{5}(tabs)/buy/[id].tsx\n[...rest].tsx\n/buy/7",
          "\u{6}buy/[id]/page.tsx\n[[...rest]]/page.js\n/buy",
        ].map { Array($0.utf8) }
    },
    run: { bytes in
      var input = FuzzInput(bytes)
      let syntaxes: [RouteSyntax?] = [nil] + RouteSyntax.allCases
      let syntax = input.choose(syntaxes)
      let target = input.lastLine()
      let host = bytes.count % 3 == 0 ? nil : "x.example"
      let table = RouteTable(parsing: input.bytes.text, syntax: syntax, host: host)
      let parts = target.split(
        separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
      let path = Array(parts.first ?? [])
      let query = parts.count > 1 ? Array(parts[1]) : []
      let found = table.firstMatch(path: path, query: query)
      // The definition tries everything, and reads text. Braces are in placeholders only.
      guard path.first == UInt8(ascii: "/"), target.count < 40, table.routes.count < 30,
        target.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "{") }),
        table.routes.flatMap(\.paths).allSatisfy({ $0.elements.count < 8 })
      else { return }
      let plain = PlainRoutes(table: table)
      try requireEqual(
        found, plain.firstMatch(path: path.text, query: query.text),
        "the route of \(target.text) among \(table.routes.map(\.source))")
      let (matcher, expected) = (
        table.makeMatcher(), plain.group(path: path.text, query: query.text)
      )
      var search = RouteSearch()
      let match = matcher.match(path: path, query: query, using: &search)
      var group: [UInt8] = []
      let rest =
        match.routeOfPath.map { matcher.groups.append(path.span, ofRoute: $0, to: &group) } ?? 0
      let text = group.map { $0 == RouteGroups.joint ? UInt8(ascii: "/") : $0 }
      try requireEqual(
        String(decoding: text, as: UTF8.self) + path[rest...].text, expected.text + expected.rest,
        "the path group of \(target.text) among \(table.routes.map(\.source))")
    })
}
