internal import Foundations

/// The routes of an app.
public struct RouteTable: Sendable {
  /// The routes in the order of their file.
  public let routes: [RoutePattern]

  /// The syntax; ``RouteSyntax/mixed`` for several lists with different syntaxes.
  public let syntax: RouteSyntax

  /// The lines that name no route of the site.
  public let omissions: [Omission]

  /// The positions of the routes, those first that win over others.
  let order: [Int]
  private let matcher: RouteMatcher

  /// Reads a list of routes, one per line; the first route that matches a path wins.
  ///
  /// Empty lines and comments are ignored. A comment begins with a `#` at the start of a line or
  /// after white space.
  ///
  /// - Parameters:
  ///   - text: The list.
  ///   - syntax: The syntax, or `nil` to detect it.
  ///   - host: The host whose routes are read, such as `www.example.com` or `*.example.com`; routes
  ///     of other hosts are omitted. If `nil`, the routes of all hosts are read.
  public init(parsing text: String, syntax: RouteSyntax? = nil, host: String? = nil) {
    let lines = Self.lines(of: text)
    let syntax = syntax ?? RouteSyntax.detect(in: lines.map(\.text))
    let reader = RouteReader(syntax: syntax, host: host, lines: lines.map(\.text))
    var routes: [RoutePattern] = []
    var omissions: [Omission] = []
    for (number, line) in lines {
      do throws(Omission.Reason) {
        var route = try reader.read(line)
        route.line = number
        routes.append(route)
      } catch {
        omissions.append(Omission(line: number, text: line.text, reason: error))
      }
    }
    var order = Array(routes.indices)
    if syntax.isOfFiles {
      let keys = routes.map { $0.paths.first?.specificity ?? [] }
      order.sort { first, second in
        keys[first] != keys[second]
          ? keys[first].lexicographicallyPrecedes(keys[second]) : first < second
      }
    }
    self.init(routes: routes, syntax: syntax, omissions: omissions, order: order)
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
    (self.routes, self.syntax, self.omissions) = (routes, syntax, omissions)
    self.order = order
    matcher = RouteMatcher(routes, order: order)
  }

  /// The lines of a list with some text, each with its number, from 1, and without its comment
  /// and the white space around it.
  static func lines(of text: String) -> [(number: Int, text: ArraySlice<UInt8>)] {
    let bytes = Array(text.utf8)
    var lines: [(number: Int, text: ArraySlice<UInt8>)] = []
    var (number, start) = (0, 0)
    while start < bytes.count {
      let end = bytes[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
      let comment = (start..<end).first {
        bytes[$0] == UInt8(ascii: "#") && ($0 == start || bytes[$0 - 1].isBlank)
      }
      number += 1
      let line = bytes[start..<(comment ?? end)].trimmed
      if !line.isEmpty { lines.append((number, line)) }
      start = end + (bytes[end...].starts(with: [0x0D, 0x0A]) ? 2 : 1)
    }
    return lines
  }

  /// Returns the number of lines of a list that may name a route, and whether some may name hosts, so
  /// that the list can differ by host.
  ///
  /// `hosts` are those whose routes are counted, in lower case.
  public static func survey(
    _ text: String, hosts: Set<String>
  ) -> (lineCount: Int, namesHosts: Bool) {
    let lines = lines(of: text)
    let namesHosts = lines.contains { _, line in
      let text = line.withoutQuotes
      let first = text.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
      return text.count <= RouteReader.lengthLimit
        && (text.schemeEnd != nil || hosts.contains(first.text.lowercased()))
    }
    return (lines.count, namesHosts)
  }

  /// The minimum number of routes for workers to share a matcher.
  private static let sharedCount = 10_000

  /// A matcher of its own for one worker, or one for all where it takes much memory.
  func makeMatcher() -> RouteMatcher {
    routes.count < Self.sharedCount ? RouteMatcher(routes, order: order) : matcher
  }

  /// The positions of the routes without those that equal a route before them, which always wins.
  var distinctRoutes: [Int] {
    var known: [[[RouteElement]]: Set<Set<RoutePattern.Item>>] = [:]
    return order.filter {
      known[routes[$0].paths, default: []].insert(Set(routes[$0].items)).inserted
    }.sorted()
  }

  /// Returns a Boolean value indicating whether two tables are copies of one.
  func isIdentical(to other: RouteTable) -> Bool { matcher === other.matcher }

  /// Returns the position of the first route that a path and a query match, or `nil` if none does.
  ///
  /// Both are percent-encoded, and the query lacks its `?`. For many paths, use a ``RouteMatcher``,
  /// which reuses memory.
  func firstMatch(path: [UInt8], query: [UInt8]) -> Int? {
    var search = RouteSearch()
    return matcher.match(path: path, query: query, using: &search).route
  }
}

extension [RouteElement] {
  /// Numbers by which the more specific path precedes: text, then parameters, then any
  /// number of segments, from the first segment on.
  fileprivate var specificity: [UInt8] {
    map { element in
      let kind: UInt8 =
        switch element.matcher {
        case .literal: 1
        case .words, .glob: 2
        case .any: 4
        case .digits, .number, .uuid: 3
        }
      return kind + (element.allowsNone ? 4 : 0) + (element.allowsMany ? 8 : 0)
    }
  }
}

// MARK: - Omissions

extension RouteTable {
  /// A line of a list of routes that names no route of the site.
  public struct Omission: Hashable, Sendable {
    /// Reasons to omit a line; their descriptions say more.
    public enum Reason: Error, Hashable, Sendable {
      case customScheme(String)
      case otherHost(String)
      case noScreen
      case noSourceFile
      case unbalanced(String)
      case fragment
      case tooManyOptionalParts
      case tooLong
      case noRoute
    }

    /// The number of the line, from 1.
    public var line: Int
    public var text: String
    public var reason: Reason
  }
}

extension RouteTable.Omission.Reason: CustomStringConvertible {
  /// The reason in words that follow the line.
  public var description: String {
    switch self {
    case .customScheme(let scheme):
      "links with the scheme '\(scheme)' are not Universal Links"
    case .otherHost(let host): "it is for another host, '\(host)'"
    case .noScreen: "this file of the router is not a screen"
    case .noSourceFile: "this is not a source file of the router"
    case .unbalanced(let bracket): "'\(bracket)' is never closed"
    case .fragment: "the text after '#' never reaches a server"
    case .tooManyOptionalParts: "it has too many optional parts"
    case .tooLong: "it is too long"
    case .noRoute: "it doesn't look like a route"
    }
  }

  /// A Boolean value indicating whether lists always have such lines, so that they need no message.
  public var isExpected: Bool { self == .noScreen || self == .noSourceFile }
}

/// The notation of a list of routes.
///
/// The same text means different things to different routers. `(tabs)/index.tsx` is a file of Expo
/// Router, whose route is `/`, and a path with two words anywhere else. So a whole file has one
/// syntax, which ``detect(in:)`` detects or its author names.
public enum RouteSyntax: String, CaseIterable, Hashable, Sendable {
  /// Each segment has its own marks: `:id`, `{id}`, `[id]`, `<id>`, `*`.
  case mixed

  /// `/buy/:id`, as in React Navigation, go_router, Vue Router and JLRoutes.
  case colon

  /// `/buy/{id}`, as in DeepLinkDispatch, Ktor and Spring.
  case braces

  /// `/buy/[id]`, as file-based routers print their routes.
  case brackets

  /// `/buy/<int:id>`, as in URLNavigator, Flask and Django.
  case angles

  /// `buy/[id].tsx`: the files below `app` of Expo Router.
  case expoRouter = "expo-router"

  /// `buy/[id]/page.tsx`: the files below `app` or `pages` of Next.js.
  case nextJS = "nextjs"

  /// The name, as options and reports have it.
  public var name: String { rawValue }

  /// A Boolean value indicating whether lines are paths of files.
  ///
  /// Routers with such files take the most specific route of a path, wherever it is, not the first.
  var isOfFiles: Bool { self == .expoRouter || self == .nextJS }

  /// The bytes that begin a parameter.
  var marks: [UInt8] {
    switch self {
    case .mixed: Array(":{[<".utf8)
    case .colon: [UInt8(ascii: ":")]
    case .braces: [UInt8(ascii: "{")]
    case .brackets, .expoRouter, .nextJS: [UInt8(ascii: "[")]
    case .angles: [UInt8(ascii: "<")]
    }
  }
}

extension RouteSyntax {
  /// Detects the syntax of a list of routes from all of its lines.
  ///
  /// 1. At least half of the lines end like source files: the files of a router. A file called
  ///    `_layout`, or one that begins with `+`, belongs to Expo Router. One called `page`, `route`,
  ///    `layout` or `_app` belongs to Next.js. Without any of them the syntax is Expo Router's,
  ///    because both mean the same then.
  /// 2. The paths have the marks of one kind of parameter: that kind; other marks are text.
  /// 3. The paths have no marks, or several kinds: ``mixed``, in which each segment is read by its
  ///    own marks. This is how lists of several teams in one file are read.
  ///
  /// The order of the lines doesn't matter.
  static func detect(in lines: [ArraySlice<UInt8>]) -> RouteSyntax {
    let lines = lines.filter { $0.count <= RouteReader.lengthLimit }
    let files = lines.filter(\.isSourceFile)
    if !files.isEmpty, files.count * 2 >= lines.count {
      let names = Set(files.map(\.fileBaseName))
      if names.contains(where: { $0 == "_layout" || $0.hasPrefix("+") }) { return .expoRouter }
      return names.isDisjoint(with: ["page", "route", "layout", "_app", "_document"])
        ? .expoRouter : .nextJS
    }
    var found: Set<UInt8> = []
    for line in lines { addMarks(of: RouteReader.parts(of: line).path, to: &found) }
    guard found.count == 1 else { return .mixed }
    return [.colon, .braces, .brackets, .angles].first { found == Set($0.marks) } ?? .mixed
  }

  private static func addMarks(of path: ArraySlice<UInt8>, to found: inout Set<UInt8>) {
    var index = path.startIndex
    while index < path.endIndex {
      let byte = path[index]
      if byte == UInt8(ascii: ":"), index + 1 < path.endIndex, path[index + 1].isOfName {
        if index == path.startIndex || !path[index - 1].isOfName { found.insert(byte) }
      } else if byte.closer != nil, let end = path.closing(index) {
        let content = path[(index + 1)..<end]
        if byte != UInt8(ascii: "(") {
          found.insert(byte)
        } else if ["/", ":", ".:"].contains(where: { content.hasPrefix($0) }) {
          // An optional part has marks of its own; an expression is no parameter.
          addMarks(of: content, to: &found)
        }
        index = end
      }
      index += 1
    }
  }
}
