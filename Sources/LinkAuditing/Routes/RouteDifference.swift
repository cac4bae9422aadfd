/// What keeps a path from a route that it nearly has.
///
/// Positions are those of segments of the path, from 1.
public enum RouteDifference: Hashable, Sendable {
  /// The path has this many segments less.
  case missingSegments(Int)

  /// The path has this many segments more.
  case extraSegments(Int)

  /// A segment is another text.
  case segment(position: Int, expected: String)

  /// A segment is the text in another letter case.
  case letterCase(position: Int, expected: String)

  /// A segment isn't of the type that the route wants there, such as `a whole number`.
  case wrongType(position: Int, expected: String)

  /// The query lacks an item.
  case missingQueryItem(name: String)

  /// An item of the query has another value.
  case queryValue(name: String, expected: String)
}

extension RouteDifference: CustomStringConvertible {
  /// The difference in words of which the path is the subject: `is one segment longer`.
  public var description: String {
    switch self {
    case .missingSegments(let count): "is \(Self.counted(count)) shorter"
    case .extraSegments(let count): "is \(Self.counted(count)) longer"
    case .segment(let position, let expected): "has no '\(expected)' as segment \(position)"
    case .letterCase(let position, let expected):
      "has '\(expected)' in another letter case as segment \(position)"
    case .wrongType(let position, let expected): "has not \(expected) as segment \(position)"
    case .missingQueryItem(let name): "lacks '\(name)' in its query"
    case .queryValue(let name, let expected):
      "has another '\(name)' than '\(expected)' in its query"
    }
  }

  private static func counted(_ count: Int) -> String {
    count == 1 ? "one segment" : "\(count) segments"
  }
}

/// The route that differs least from a path that has none.
public struct NearestRoute: Hashable, Sendable {
  /// The position of the route in ``RouteTable/routes``.
  public var route: Int

  /// What keeps the path from it, from its start to its end.
  public var differences: [RouteDifference]

  /// The differences in words of which the path is the subject.
  public var reason: String { differences.map(\.description).joined(separator: ", ") }
}
