/// The routes of an app.
public struct RouteTable: Sendable {
  /// The routes in the order of their file.
  public let routes: [RoutePattern]

  /// How they are written; ``RouteSyntax/mixed`` for those of several lists that are
  /// written differently.
  public let syntax: RouteSyntax

  /// The lines that name no route of the site.
  public let omissions: [Omission]

  /// The positions of the routes, those first that win over others.
  let order: [Int]

  private let matcher: RouteMatcher

  /// What the elements of ``routes`` expect.
  let expectations: RouteExpectations

  /// Creates a table of routes, of which the first that a path has wins.
  public init(_ routes: [RoutePattern]) {
    self.init(routes: routes, syntax: .mixed, omissions: [], order: Array(routes.indices))
  }

  /// Reads a list of routes: one a line; empty lines and what follows a `#` at
  /// the start of a line or behind white space are passed over.
  ///
  /// - Parameters:
  ///   - text: The list.
  ///   - syntax: How it is written, or `nil` to tell that from its lines.
  ///   - host: The host whose routes are wanted, such as `www.example.com` or
  ///     `*.example.com`; routes that name another one are passed over. If `nil`, those of
  ///     all hosts count.
  public init(parsing text: String, syntax: RouteSyntax? = nil, host: String? = nil) {
    let lines = RouteLines(text).lines
    let syntax = syntax ?? RouteSyntax.detect(in: lines.map(\.text))
    let reader = RouteLineReader(
      context: RouteContext(syntax: syntax, host: host, lines: lines.map(\.text)))
    var routes: [RoutePattern] = []
    var omissions: [Omission] = []
    for line in lines {
      switch reader.read(line.text) {
      case .success(var route):
        route.line = line.number
        routes.append(route)
      case .failure(let failure):
        omissions.append(
          Omission(line: line.number, text: line.text.text, reason: failure.reason))
      }
    }
    var order = Array(routes.indices)
    if syntax.prefersSpecific {
      let keys = routes.map { $0.paths.first?.specificity ?? [] }
      order.sort { first, second in
        keys[first] != keys[second]
          ? keys[first].lexicographicallyPrecedes(keys[second]) : first < second
      }
    }
    self.init(routes: routes, syntax: syntax, omissions: omissions, order: order)
  }

  /// Looks over a list of routes without reading them.
  ///
  /// - Parameters:
  ///   - text: The list, a route a line.
  ///   - hosts: The hosts whose routes are wanted, in lower case.
  /// - Returns: The number of lines that may name a route, and whether some may name hosts, so
  ///   that the list can mean something else for each of them.
  public static func survey(
    _ text: String, hosts: Set<String>
  ) -> (lineCount: Int, namesHosts: Bool) {
    let lines = RouteLines(text).lines
    let namesHosts = lines.contains { line in
      let text = line.text.withoutQuotes
      if text.hasPrefix("//") { return true }
      if text.hasPrefix("/") || text.hasPrefix("?") { return false }
      let first = text.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
      return text.isAndroidData || text.text.contains("://")
        || hosts.contains(first.text.lowercased())
    }
    return (lines.count, namesHosts)
  }

  /// Joins tables; a route of an earlier one wins.
  public init(joining tables: [RouteTable]) {
    var order: [Int] = []
    for table in tables {
      let offset = order.count
      order += table.order.map { $0 + offset }
    }
    let syntaxes = Set(tables.map(\.syntax))
    self.init(
      routes: tables.flatMap(\.routes),
      syntax: syntaxes.count == 1 ? syntaxes.first ?? .mixed : .mixed,
      omissions: tables.flatMap(\.omissions), order: order)
  }

  private init(
    routes: [RoutePattern], syntax: RouteSyntax, omissions: [Omission], order: [Int]
  ) {
    self.routes = routes
    self.syntax = syntax
    self.omissions = omissions
    self.order = order
    matcher = RouteMatcher(routes, order: order)
    expectations = RouteExpectations(routes)
  }

  /// The number of routes from which on workers share a matcher.
  private static let sharedCount = 10_000

  /// A matcher of its own for one worker, or one for all where it takes much memory.
  func makeMatcher() -> RouteMatcher {
    routes.count < Self.sharedCount ? RouteMatcher(routes, order: order) : matcher
  }

  /// Returns a Boolean value indicating whether two tables are copies of one.
  func isIdentical(to other: RouteTable) -> Bool { matcher === other.matcher }

  /// Returns the position of the first route that a path and a query without its
  /// `?`, both percent-encoded, match, or `nil` if none does.
  ///
  /// Where the router prefers the route that says most of a path, that one counts.
  /// Whoever asks often asks a ``RouteMatcher``, which needs no space of its own.
  func firstMatch(path: [UInt8], query: [UInt8]) -> Int? {
    var search = RouteSearch()
    return matcher.firstMatch(path: path, query: query, using: &search)
  }
}

extension RoutePath {
  /// Numbers by which the path that says more precedes: text, then parameters, then any
  /// number of segments, from the first segment on.
  fileprivate var specificity: [UInt8] {
    elements.map { element in
      let kind: UInt8 =
        switch element.matcher {
        case .literal: 1
        case .words, .template: 2
        case .parameter(.any): 4
        case .parameter: 3
        }
      return switch element.repetition {
      case .once: kind
      case .optional: kind + 4
      case .atLeastOne: kind + 8
      case .anyNumber: kind + 12
      }
    }
  }
}
