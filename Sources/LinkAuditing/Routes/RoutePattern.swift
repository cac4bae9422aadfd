/// A path that an app implements, with parameters.
///
/// `/buy/:id`, `/buy/{id}`, `/buy/[id]` and `/buy/<id>` are the same route: a parameter
/// stands for one segment. `*` stands for one segment too, and at the end for any number
/// of them. A `?` is followed by the query items that the route needs:
/// `/search?q`, `/open?type=order&id`. Slashes at the end don't matter.
public struct RoutePattern: Hashable, Sendable {
  /// A query item that a route needs, with its value if that matters.
  struct Item: Hashable, Sendable {
    var name: [UInt8]
    var value: [UInt8]?
  }

  /// The route as written.
  public let source: String

  /// The number of the line that it was read from, from 1, or 0 if it is from none.
  public internal(set) var line = 0

  /// The paths that it has: parts that may be left out are left out in some.
  var paths: [RoutePath]

  var items: [Item] = []

  /// Reads a route by its own marks, in which what a URL cannot hold may be
  /// percent-encoded or not.
  ///
  /// A text that can't be read as a route, such as one with a bracket that is never
  /// closed, is taken to be a path without parameters; ``RouteTable/init(parsing:syntax:host:)``
  /// passes such lines over.
  public init(_ source: String) {
    let reader = RouteLineReader(context: RouteContext(syntax: .mixed))
    switch reader.read(Array(source.utf8)[...]) {
    case .success(let route): self = route
    case .failure:
      let words = Array(source.utf8).split(separator: UInt8(ascii: "/"))
      self.init(source: source, paths: [RoutePath(elements: words.map { .literal($0) })])
    }
  }

  init(source: String, paths: [RoutePath], items: [Item] = []) {
    self.source = source
    self.paths = paths
    self.items = items
  }
}

/// A path with parameters.
struct RoutePath: Hashable, Sendable {
  var elements: [RouteElement]

  /// What else the whole path must be like.
  var condition: PathCondition?
}

/// What is known of a list of routes when one of its lines is read.
struct RouteContext: Sendable {
  var syntax: RouteSyntax

  /// The host whose routes are wanted, or `nil` for those of any host.
  var host: String?

  /// Whether `*` stands for one segment at the end of a route, too.
  var starIsOne = false

  /// How many bytes in front of each file lead to the directory of routes.
  var directoryLength = 0

  /// Whether routes are the files called `page` and `route`.
  var hasPageFiles = false
}
